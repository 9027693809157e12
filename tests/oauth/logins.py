"""Logins of the tests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tests.doors.token_server import CLIENT, SCOPE, SECRET, TokenServer
from webordinary.engines.embedded.secrets import FileSecrets
from webordinary.oauth.login import Login
from webordinary.oauth.tokens import KeptLogin, Tokens
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from pathlib import Path


def login_at(giver: TokenServer, **keys: Any) -> Login:  # noqa: ANN401 - each test knows its keys
    login = Login(
        name="bakery",
        client_id=CLIENT,
        read_client_secret=lambda: SECRET,
        token_url=f"{giver.address}/token",
        authorize_url=f"{giver.address}/authorize",
        device_url=f"{giver.address}/device",
        scopes=(SCOPE,),
    )
    return replace(login, **keys)


@dataclass
class Desk:
    """One installation's side of a login."""

    giver: TokenServer
    secrets: FileSecrets
    clock: ManualClock
    login: Login

    @property
    def tokens(self) -> Tokens:
        """As each process makes them."""
        return Tokens(self.login, self.secrets, self.clock)

    @property
    def kept(self) -> KeptLogin:
        return KeptLogin.read(self.secrets.read(self.login.secret_name))


def desk_at(giver: TokenServer, folder: Path, **keys: Any) -> Desk:  # noqa: ANN401 - each test knows its keys
    """Return a desk where somebody logged in long ago."""
    desk = Desk(giver, FileSecrets(folder), ManualClock(), login_at(giver, **keys))
    desk.secrets.keep(desk.login.secret_name, giver.give_refresh_token())
    return desk
