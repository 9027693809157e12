"""What every page is made from: the installation, who has signed in, and where the browser finds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.dashboard.live.news import LiveNews

if TYPE_CHECKING:
    from webordinary.dashboard.sessions import Sessions
    from webordinary.engines.installation import Installation


@dataclass(frozen=True, slots=True)
class House:
    """One dashboard process."""

    here: Installation
    sessions: Sessions
    # Whether browsers come by TLS, so that the cookie never goes another way.
    is_secure: bool = False
    live: LiveNews = field(init=False)

    def __post_init__(self) -> None:
        news = LiveNews(self.here.engine.trail, self.sessions, self.here.config.traits)
        object.__setattr__(self, "live", news)
