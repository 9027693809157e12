"""The table of the dashboard: where it waits, who stands in front of it, and how people sign in there."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace

from webordinary.config.figures import MetricsAccess
from webordinary.config.mail import Network
from webordinary.config.oauth import Scope
from webordinary.config.outside import read_outside
from webordinary.config.roles import Role
from webordinary.values import Address, Domain, Duration, Host, Id, Listen, Section, Title, WebAddress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config.lines import KeyPath

_FILES = ("certificate", "key", "users")
_WAYS = "`dashboard.users` or `[dashboard.openid]`"


class SignatureKind(StrEnum):
    """How a provider may sign what it says of a person; never with a secret that two know."""

    RS256 = "RS256"
    RS384 = "RS384"
    RS512 = "RS512"
    PS256 = "PS256"
    PS384 = "PS384"
    PS512 = "PS512"
    ES256 = "ES256"
    ES384 = "ES384"
    ES512 = "ES512"
    EDDSA = "EdDSA"


class AllowSection(Section, frozen=True, kw_only=True):
    """Whom the provider's word lets in, and as what; the first one that fits counts, and without one nobody gets in."""

    address: Address | None = None
    """The person with this address, if the provider has verified it."""
    domain: Domain | None = None
    """Everybody with a verified address of this domain."""
    group: Title | None = None
    """Everybody of this group."""
    role: Role
    """What they may do: `agency`, `operator`, `reader` or `client`."""
    projects: tuple[Id, ...] = ()
    """The projects that a client sees."""


class OpenidSection(Section, frozen=True, kw_only=True):
    """Sign-in at a provider that speaks OpenID Connect, such as Keycloak, Google or Microsoft Entra."""

    issuer: WebAddress | None = None
    """The provider's address, as its `/.well-known/openid-configuration` says it; without it nobody signs in there."""
    client_id: Title | None = None
    """The id that the provider gave the application which you registered there."""
    client_secret_file: Path | None = None
    """A file that holds the application's secret; left out for an application without one."""
    name: Title = Title("your organisation")
    """What the button on the sign-in page calls the provider."""
    scopes: tuple[Scope, ...] = (Scope("openid"), Scope("email"), Scope("profile"))
    """What the provider is asked for; groups may need one more."""
    algorithms: tuple[SignatureKind, ...] = (SignatureKind.RS256, SignatureKind.ES256)
    """The signatures that are believed."""
    groups_claim: Title = Title("groups")
    """The name under which the provider lists a person's groups."""
    skew: Duration = Duration(seconds=60)
    """How far the provider's clock may be off."""
    allow: tuple[AllowSection, ...] = ()

    @property
    def secret(self) -> str | None:
        """Read the application's secret anew; None if it has none."""
        file = self.client_secret_file
        key = "dashboard.openid.client_secret_file"
        return None if file is None else read_outside(file, None, "the application's secret", key)


class Dashboard(Section, frozen=True, kw_only=True):
    """Where the agency looks."""

    listen: Listen = Listen(("127.0.0.1", 8090))
    """Where the dashboard waits for browsers; another address than loopback needs TLS or a proxy, and a sign-in."""
    url: WebAddress | None = None
    """The address that people open, such as `https://dashboard.example.com`; it stands in links in mails."""
    names: tuple[Host, ...] = ()
    """Other names that browsers may call it by, besides those of `listen` and `url`."""
    certificate: Path | None = None
    """The certificate for TLS, in PEM with its chain; read again when it changes."""
    key: Path | None = None
    """The certificate's private key."""
    proxies: tuple[Network, ...] = ()
    """The web servers in front of it, such as `127.0.0.1`; only they are believed about who comes and by which way."""
    users: Path | None = None
    """Who may sign in: lines as `webordinary password ADDRESS --role ROLE` prints them; read again when it changes."""
    session: Duration = Duration(hours=12)
    """How long somebody stays signed in at most."""
    idle: Duration = Duration(hours=2)
    """How long somebody stays signed in without opening a page."""
    metrics: MetricsAccess = MetricsAccess.LOOPBACK
    """Who may read `/metrics`: this machine itself (`loopback`), only who shows a reader's `token`, nobody (`off`)."""
    openid: OpenidSection = OpenidSection()

    def inside(self, folder: Path) -> Dashboard:
        """Return it with relative paths that begin at the folder."""
        given = {name: getattr(self, name) for name in _FILES}
        openid, secret = self.openid, self.openid.client_secret_file
        if secret is not None:
            openid = replace(openid, client_secret_file=folder / secret)
        return replace(self, openid=openid, **{name: folder / path for name, path in given.items() if path is not None})

    @property
    def has_sign_in(self) -> bool:
        """Whether people get in without the command line."""
        return self.users is not None or self.openid.issuer is not None

    @property
    def is_secure(self) -> bool:
        """Whether browsers come by TLS."""
        return self.certificate is not None or (self.url is not None and self.url.startswith("https:"))

    @property
    def hosts(self) -> frozenset[str]:
        """Return the names that browsers may call it by; any other is somebody's trick with DNS."""
        own = {"localhost", "127.0.0.1", "::1"} if self.listen.is_loopback else set()
        named = {urlsplit(self.url).hostname or ""} if self.url else set()
        return frozenset({self.listen.host.lower(), *own, *named, *(name.lower() for name in self.names)})


def complaints_about_dashboard(asked: Dashboard) -> Iterator[tuple[KeyPath, str]]:
    """Say what would let strangers in, or read along."""
    if (asked.certificate is None) != (asked.key is None):
        there, missing = ("certificate", "key") if asked.certificate else ("key", "certificate")
        yield (there,), f"needs `dashboard.{missing}` beside it"
    if not asked.listen.is_loopback:
        yield from _outside(asked)
    if asked.url is not None:
        yield from _address(asked, asked.url)
    for name in ("session", "idle"):
        if not getattr(asked, name):
            yield (name,), "must be longer than 0"
    yield from _openid(asked)


def _outside(asked: Dashboard) -> Iterator[tuple[KeyPath, str]]:
    where = f"is {asked.listen}, which others can reach"
    if asked.certificate is None and not asked.proxies:
        how = "set `dashboard.certificate` and `dashboard.key`, or name the web server in front in `dashboard.proxies`"
        yield ("listen",), f"{where}: {how}"
    if asked.url is None:
        yield ("listen",), f"{where}: set `dashboard.url` to the address that people open"
    if not asked.has_sign_in:
        yield ("listen",), f"{where}: say who may sign in with {_WAYS}"


def _address(asked: Dashboard, url: str) -> Iterator[tuple[KeyPath, str]]:
    parts = urlsplit(url)
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        yield ("url",), "must end after the host: the dashboard has a name of its own, and no folder of another site"
    is_here = Listen((parts.hostname or "", 0)).is_loopback
    if parts.scheme != "https" and not is_here:
        yield ("url",), "must begin with https://, because people sign in there"
    if parts.scheme == "https" and asked.certificate is None and not asked.proxies:
        how = "name the web server that has the certificate in `dashboard.proxies`, or set `dashboard.certificate`"
        yield ("url",), f"begins with https://: {how}"
    if not asked.has_sign_in and not is_here:
        yield ("url",), f"is an address for others: say who may sign in with {_WAYS}"


def _openid(asked: Dashboard) -> Iterator[tuple[KeyPath, str]]:
    openid = asked.openid
    if openid.issuer is None:
        if openid != OpenidSection():
            yield ("openid", "issuer"), "is needed: without it nobody signs in there"
        return
    yield from _provider(asked, openid.issuer)
    for index, each in enumerate(openid.allow):
        if (each.address, each.domain, each.group).count(None) != 2:  # noqa: PLR2004 - exactly one of three
            yield ("openid", "allow", index, "role"), "needs one of `address`, `domain` and `group` beside it"
        if bool(each.projects) != (each.role is Role.CLIENT):
            yield ("openid", "allow", index, "role"), "is `client` where there are `projects`, and only there"


def _provider(asked: Dashboard, issuer: str) -> Iterator[tuple[KeyPath, str]]:
    openid, parts = asked.openid, urlsplit(issuer)
    if parts.scheme != "https" and not Listen((parts.hostname or "", 0)).is_loopback:
        yield ("openid", "issuer"), "must begin with https://"
    if openid.client_id is None:
        yield ("openid", "client_id"), "is needed beside `dashboard.openid.issuer`"
    if asked.url is None:
        yield ("openid", "issuer"), "needs `dashboard.url`, which the provider sends people back to"
    if "openid" not in openid.scopes:
        yield ("openid", "scopes"), 'must have "openid" in it'
    if not openid.algorithms:
        yield ("openid", "algorithms"), 'must have at least one signature, such as ["RS256"]'
    if not openid.allow:
        yield ("openid", "issuer"), "needs `[[dashboard.openid.allow]]`, which says whom to let in"
