"""The names under which visitors find sites and previews on AWS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from webordinary.config import Config


@dataclass(frozen=True, slots=True)
class Hosts:
    """Every site is under the domain, and under its own public address if it has one."""

    domain: str
    preview_url: str

    @classmethod
    def of(cls, config: Config) -> Hosts:
        return cls(config.domain, config.preview.address("{thread}", "{project}", config.preview.listen.port))

    def live(self, project: str, url: str | None) -> tuple[str, ...]:
        """Return the hosts of a live site, in the form in which they are compared."""
        named = urlsplit(url or "").hostname
        return tuple(dict.fromkeys([f"{project}.{self.domain}".lower(), *([named.rstrip(".")] if named else [])]))

    def preview(self, project: str, thread: str) -> tuple[str, ...]:
        """Return the host of a thread's preview; none if its address is no name."""
        named = urlsplit(self.preview_url.replace("{thread}", thread).replace("{project}", project)).hostname
        return (named.rstrip("."),) if named else ()
