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
        return tuple(dict.fromkeys([f"{project}.{self.domain}".lower(), *_named(url or "")]))

    def routes(self, project: str, url: str | None, release: str) -> dict[str, str]:
        """Return what the store has to know of a live site: the least from which the rest can be worked out."""
        (_, *own) = self.live(project, url)
        return {project: release, **dict.fromkeys(own, f"={project}")}

    def preview(self, project: str, thread: str) -> str:
        """Return the host of a thread's preview, by the configured address."""
        (named,) = _named(self.preview_url.replace("{thread}", thread).replace("{project}", project)) or ("",)
        return named

    def preview_alias(self, project: str, thread: str) -> tuple[str, str] | None:
        """Return the host of a thread's preview and what it stands for; None if the host says it by itself."""
        label = f"{thread}--{project}"
        named = self.preview(project, thread)
        return (named, label) if named and named != f"{label}.{self.domain}".lower() else None


def _named(url: str) -> tuple[str, ...]:
    host = urlsplit(url).hostname
    return (host.rstrip("."),) if host else ()
