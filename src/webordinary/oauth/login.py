"""A login at a mail provider: where the servers are that give tokens, and as whom we come there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.errors import LoginNeeded

if TYPE_CHECKING:
    from collections.abc import Callable


class Grant(StrEnum):
    """What a token is given for."""

    REFRESH_TOKEN = "refresh_token"  # noqa: S105 - its name in RFC 6749
    CLIENT_CREDENTIALS = "client_credentials"


class Mechanism(StrEnum):
    """How a token is shown to a mail server."""

    XOAUTH2 = "xoauth2"
    OAUTHBEARER = "oauthbearer"


class ShowsSecret(StrEnum):
    """Where the client's secret stands when a token is asked for."""

    HEADER = "header"
    BODY = "body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """One login; what it was given is kept as a secret of the engine, under a name made of its own."""

    name: str
    client_id: str
    # Read each time anew, because it may be replaced while everything runs.
    read_client_secret: Callable[[], str | None]
    token_url: str
    authorize_url: str | None = None
    device_url: str | None = None
    scopes: tuple[str, ...] = ()
    grant: Grant = Grant.REFRESH_TOKEN
    mechanism: Mechanism | None = None
    shows_secret: ShowsSecret = ShowsSecret.HEADER
    redirect_host: str = "127.0.0.1"

    @property
    def secret_name(self) -> str:
        return f"oauth-{self.name}"

    @property
    def remedy(self) -> str:
        """What a person does when the login is refused for good."""
        if self.grant is Grant.REFRESH_TOKEN:
            return f"run `webordinary mailbox login {self.name}`"
        return "give the application its rights at the provider again, or correct oauth.client_id and its secret"

    def needed(self, why: str, since: str = "") -> LoginNeeded:
        """Return the error that says so, with what to do."""
        by_person = self.grant is Grant.REFRESH_TOKEN
        return LoginNeeded(why, self.remedy, login=self.name, since=since, person=by_person)
