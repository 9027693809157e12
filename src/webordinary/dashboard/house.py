"""What every page is made from: the installation, who has signed in, and where the browser finds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.dashboard.live.news import LiveNews
from webordinary.dashboard.patience import Patience

if TYPE_CHECKING:
    from webordinary.dashboard.sessions import Sessions
    from webordinary.engines.installation import Installation
    from webordinary.oauth.openid import OpenidProvider


@dataclass(frozen=True, slots=True)
class House:
    """One dashboard process."""

    here: Installation
    sessions: Sessions
    provider: OpenidProvider | None = None
    patience: Patience = field(init=False)
    live: LiveNews = field(init=False)

    def __post_init__(self) -> None:
        news = LiveNews(self.here.engine.trail, self.sessions, self.here.config.traits)
        object.__setattr__(self, "live", news)
        object.__setattr__(self, "patience", Patience(self.here.clock))
        news = LiveNews(self.here.engine.trail, self.sessions, self.here.config.traits)
        object.__setattr__(self, "live", news)

    @property
    def is_secure(self) -> bool:
        """Whether browsers come by TLS, so that the cookie never goes another way."""
        return self.here.config.dashboard.is_secure

    @property
    def cookie(self) -> str:
        """Return the name of the session's cookie; two installations on one machine do not share it."""
        return self.cookie_named("webordinary")

    def cookie_named(self, word: str) -> str:
        # Browsers take this prefix only by TLS, and from no other host of the same domain.
        return f"{'__Host-' if self.is_secure else ''}{word}-{self.here.config.mark}"
