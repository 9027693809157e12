"""What the demo's page is made from: the stage, the guide, and who was let in."""

from __future__ import annotations

import hmac
import secrets

from webordinary.cli.demo.page.guide import Guide
from webordinary.cli.demo.page.photos import SamplePhotos
from webordinary.cli.demo.stage import DemoStage
from webordinary.clock import SystemClock
from webordinary.dashboard.house import House
from webordinary.dashboard.sessions import Sessions
from webordinary.dashboard.viewer import Role, Viewer

_BYTES = 24
_VIEWER = Viewer("you", Role.AGENCY)


class DemoHouse(House):
    """The page of one demo; its secret opens it for as long as the demo runs."""

    def __init__(self, stage: DemoStage) -> None:
        # By the machine's clock: turning that of the demo forward sends nobody away.
        super().__init__(stage.here, Sessions(stage.here.config.data / "demo-page", SystemClock()))
        self.stage = stage
        self.photos = SamplePhotos()
        self.guide = Guide(stage, self.photos)
        self._secret = secrets.token_urlsafe(_BYTES)

    @property
    def cookie(self) -> str:
        """Return a name that is not the dashboard's: browsers do not tell two ports of one host apart."""
        return self.cookie_named("demo")

    @property
    def path(self) -> str:
        """Return where the page is entered."""
        return f"/enter/{self._secret}"

    def let_in(self, secret: str) -> str | None:
        """Return the secret of a new session for that of the address; None for any other word."""
        if not hmac.compare_digest(secret.encode(), self._secret.encode()):
            return None
        return self.sessions.begin(_VIEWER)
