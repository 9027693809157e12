"""What every page is made from: the installation, who has signed in, and where the browser finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.forms.typed_secrets import TypedSecrets
from webordinary.dashboard.live.news import LiveNews
from webordinary.dashboard.looks import Looks
from webordinary.dashboard.needs.badge import NeedsBadge
from webordinary.dashboard.patience import Patience

if TYPE_CHECKING:
    from webordinary.dashboard.sessions import Sessions
    from webordinary.engines.installation import Installation
    from webordinary.oauth.openid import OpenidProvider


class House:
    """One dashboard process."""

    def __init__(
        self,
        here: Installation,
        sessions: Sessions,
        provider: OpenidProvider | None = None,
        *,
        is_first: bool = False,
    ) -> None:
        self.here = here
        self.sessions = sessions
        self.provider = provider
        # Nothing is configured yet: there is only the walk to show.
        self.is_first = is_first
        self.patience = Patience(here.clock)
        self.live = LiveNews(here.engine.trail, sessions, here.config.traits)
        self.looks = Looks(here)
        self.badge = NeedsBadge(here, self.looks)
        self.typed_secrets = TypedSecrets(here.clock)

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
