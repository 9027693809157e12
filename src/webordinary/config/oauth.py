"""The table of logins at mail providers that give tokens, and what is known of two providers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace

from webordinary.config.outside import read_outside
from webordinary.oauth.login import Grant, Login, Mechanism, ShowsSecret
from webordinary.values import Id, Listen, Section, Title, Variable, WebAddress, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config.lines import KeyPath

_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+", re.ASCII)
_TENANT = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})", re.ASCII)
_ADDRESSES = ("token_url", "authorize_url", "device_url")


class LoginProvider(StrEnum):
    """Whose servers are known."""

    GOOGLE = "google"
    MICROSOFT = "microsoft"


class RedirectHost(StrEnum):
    """Where the browser comes back to, on the machine where somebody logs in."""

    ADDRESS = "127.0.0.1"
    NAME = "localhost"


class Scope(str):
    """What a token may be used for, in the provider's words."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Scope:
        text = text_of(value)
        if not _SCOPE.fullmatch(text):
            raise ValueError('must be one scope such as "https://mail.google.com/", without a space')
        return cls(text)


class Tenant(str):
    """A directory of Microsoft's."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Tenant:
        text = text_of(value)
        if not _TENANT.fullmatch(text):
            raise ValueError('must be a directory (tenant) id, or a domain such as "example.onmicrosoft.com"')
        return cls(text)


@dataclass(frozen=True, slots=True)
class _Known:
    """What a provider's own pages say."""

    token_url: str
    authorize_url: str
    scopes: tuple[str, ...]
    device_url: str | None = None
    client_scopes: tuple[str, ...] = ()
    redirect_host: RedirectHost = RedirectHost.ADDRESS


_MICROSOFT = "https://login.microsoftonline.com/{tenant}/oauth2/v2.0"
_KNOWN = {
    # Google gives nobody a token for mail by the device flow.
    LoginProvider.GOOGLE: _Known(
        "https://oauth2.googleapis.com/token",
        "https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent",
        ("https://mail.google.com/",),
    ),
    LoginProvider.MICROSOFT: _Known(
        f"{_MICROSOFT}/token",
        f"{_MICROSOFT}/authorize",
        (
            "https://outlook.office.com/IMAP.AccessAsUser.All",
            "https://outlook.office.com/SMTP.Send",
            "offline_access",
        ),
        device_url=f"{_MICROSOFT}/devicecode",
        client_scopes=("https://outlook.office365.com/.default",),
        # Only this name may have any port there.
        redirect_host=RedirectHost.NAME,
    ),
}
_ANY_TENANT = "organizations"


class OauthSection(Section, frozen=True, kw_only=True):
    """A login at a mail provider that wants tokens (OAuth 2.0) instead of a password."""

    name: Id
    """What `imap.oauth` and `outgoing.oauth` call it, and `webordinary mailbox login`."""
    provider: LoginProvider | None = None
    """`google` or `microsoft`, whose addresses and scopes are known; any other needs `token_url` and `scopes`."""
    client_id: Title
    """The id that the provider gave the application which you registered there."""
    client_secret_file: Path | None = None
    """A file that holds the application's secret; left out for an application without one."""
    client_secret_variable: Variable | None = None
    """The environment variable that holds that secret; this or `client_secret_file`."""
    grant: Grant = Grant.REFRESH_TOKEN
    """`refresh_token` for a person who has logged in, or `client_credentials` for the application alone."""
    tenant: Tenant | None = None
    """The directory at Microsoft that the application belongs to; any organisation's if it is left out."""
    token_url: WebAddress | None = None
    """Where tokens are given; else the provider's."""
    authorize_url: WebAddress | None = None
    """Where a person says yes in a browser; else the provider's."""
    device_url: WebAddress | None = None
    """Where the device flow begins; else the provider's."""
    scopes: tuple[Scope, ...] = ()
    """What a token is for; else what the provider calls reading by IMAP and sending by SMTP."""
    redirect_host: RedirectHost | None = None
    """Where the browser comes back to: `127.0.0.1`, or `localhost` where the provider allows only that (Microsoft)."""
    mechanism: Mechanism | None = None
    """`xoauth2` or `oauthbearer` where a mail server offers both; else the provider's own, or the standard."""
    shows_secret: ShowsSecret | None = None
    """Whether the secret is shown in the `header` of a question or in its `body`; else as the provider wants it."""

    def inside(self, folder: Path) -> OauthSection:
        """Return it with relative paths that begin at the folder."""
        file = self.client_secret_file
        return self if file is None else replace(self, client_secret_file=folder / file)

    @property
    def login(self) -> Login:
        """What was written down, with what is known of the provider."""
        known = _KNOWN.get(self.provider) if self.provider else None
        return Login(
            name=str(self.name),
            client_id=str(self.client_id),
            read_client_secret=self._client_secret,
            token_url=self._address("token_url", known) or "",
            authorize_url=self._address("authorize_url", known),
            device_url=self._address("device_url", known),
            scopes=tuple(map(str, self.scopes)) or self._usual_scopes(known),
            grant=self.grant,
            mechanism=self.mechanism or (Mechanism.XOAUTH2 if known else None),
            shows_secret=self.shows_secret or (ShowsSecret.BODY if known else ShowsSecret.HEADER),
            redirect_host=(self.redirect_host or (known.redirect_host if known else RedirectHost.ADDRESS)).value,
        )

    def _address(self, name: str, known: _Known | None) -> str | None:
        own = getattr(self, name)
        usual = getattr(known, name) if known else None
        return str(own) if own else usual and usual.format(tenant=self.tenant or _ANY_TENANT)

    def _usual_scopes(self, known: _Known | None) -> tuple[str, ...]:
        if known is None:
            return ()
        return known.client_scopes if self.grant is Grant.CLIENT_CREDENTIALS else known.scopes

    def _client_secret(self) -> str | None:
        file, variable = self.client_secret_file, self.client_secret_variable
        if file is None and variable is None:
            return None
        return read_outside(file, variable, f"the secret of {self.client_id}", "oauth.client_secret_file")


def complaints_about_oauth(logins: tuple[OauthSection, ...]) -> Iterator[tuple[KeyPath, str]]:
    """Say what is wrong with the logins."""
    seen: set[str] = set()
    for index, each in enumerate(logins):
        path: KeyPath = ("oauth", index)
        yield from _one_login(each, path)
        if each.name in seen:
            yield (*path, "name"), f'is "{each.name}", which another login already is; choose another one'
        seen.add(each.name)


def _one_login(each: OauthSection, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if each.client_secret_file is not None and each.client_secret_variable is not None:
        yield (*path, "client_secret_file"), "cannot stand beside `client_secret_variable`; remove one of them"
    yield from _what_is_missing(each, path)
    for name in _ADDRESSES:
        address = urlsplit(getattr(each, name) or "")
        if address.scheme == "http" and not Listen((address.hostname or "", 0)).is_loopback:
            yield (*path, name), "must begin with https://, because secrets are sent there"
    if each.tenant and each.provider is not LoginProvider.MICROSOFT:
        yield (*path, "tenant"), 'is only for `provider = "microsoft"`; remove it'


def _what_is_missing(each: OauthSection, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if each.provider is None and (each.token_url is None or not each.scopes):
        yield path, "needs `provider`, or both `token_url` and `scopes`"
    if each.grant is not Grant.CLIENT_CREDENTIALS:
        return
    if each.client_secret_file is None and each.client_secret_variable is None:
        yield (*path, "grant"), 'is "client_credentials", so `client_secret_file` or `client_secret_variable` is needed'
    if each.provider is LoginProvider.MICROSOFT and each.tenant is None:
        yield (*path, "grant"), 'is "client_credentials", so `tenant` must name the directory'
    if each.provider is LoginProvider.GOOGLE and not each.scopes:
        yield (*path, "grant"), 'cannot be "client_credentials" at Google, which gives nobody a mailbox that way'
