"""Mailboxes that are looked into: at a hoster with a password, at Google, Microsoft or others with tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from webordinary.config.oauth import Scope, Tenant
from webordinary.doors.imap import Security
from webordinary.setup.plan import OwnCommand
from webordinary.setup.question import Choice, Inquiry, as_in_the_file, number
from webordinary.setup.ways.way import MailWay, OutgoingServer, Records, look_at_doors, only_if
from webordinary.values import Address, Host, ServerName, Title, WebAddress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webordinary.config.statements import TomlValue
    from webordinary.config.tables import TablesText
    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.plan import Deed, NewSecret
    from webordinary.setup.question import Given

PASSWORD = "imap-password"  # noqa: S105 - the name of the secret
CLIENT_SECRET = "oauth-client-secret"  # noqa: S105 - the same
_TABLE, _LOGIN = ("imap", 0), ("oauth", 0)
# What another provider may have needed.
_OF_A_PROVIDER = dict.fromkeys(("provider", "tenant", "token_url", "device_url", "authorize_url", "scopes"))
_REACH = (
    "Everything for the domain must reach this mailbox: a catch-all, or aliases for each project, `edit` and `re`.",
)
_PORT = Inquiry("port", "Which port has it?", "empty: 993, without tls 143", number(1, 65535, whole=True), default="")
_SECURITY = Inquiry(
    "security",
    "How is the connection encrypted?",
    choices=(
        Choice("tls", "from the first byte"),
        Choice("starttls", "before the password"),
        Choice("none", "not at all, which only loopback may have"),
    ),
    default="tls",
)
_PROVIDER = Inquiry(
    "authserv_id",
    "What is the provider's name in the Authentication-Results that it adds?",
    "empty: only signatures that we check ourselves prove a sender",
    as_in_the_file(ServerName),
    default="",
)


class ImapWay(MailWay):
    """A mailbox with a password."""

    name = "imap"
    says = "a mailbox at a hoster, by IMAP with a password"

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - all of them always
        kept = desk.has_secret(PASSWORD)
        return (
            Inquiry("host", "What is the IMAP server?", "such as imap.example.com", as_in_the_file(Host)),
            _PORT,
            _SECURITY,
            Inquiry("user", "Whose mailbox is it?", "such as website@example.com", as_in_the_file(Title)),
            Inquiry(
                "password",
                "What is its password?",
                "empty: the one that is kept" if kept else "",
                default="" if kept else None,
                is_secret=True,
            ),
            _PROVIDER,
        )

    def applied(self, text: TablesText, desk: Desk, given: Given) -> TablesText:
        place = desk.secret_place(PASSWORD)
        return text.with_table(_TABLE, {**server_keys(given), "password_file": place, "oauth": None})

    def secrets(self, desk: Desk, given: Given) -> tuple[NewSecret, ...]:  # noqa: ARG002 - as typed
        return only_if(PASSWORD, given.get("password", ""))

    def tells(self, desk: Desk, given: Given) -> tuple[str, ...]:  # noqa: ARG002 - the same for all
        return _REACH

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:  # noqa: ARG002 - the file says it all
        yield from look_at_doors(desk, "imap")

    def outgoing(self, given: Given) -> OutgoingServer:
        return OutgoingServer(user=given.get("user", ""))


def server_keys(given: Given) -> dict[str, TomlValue]:
    """Return the keys of `[[imap]]` that say where and whose the mailbox is."""
    security = Security(given.get("security") or Security.TLS)
    return {
        "host": given["host"],
        "port": int(given["port"]) if given.get("port") else None,
        "security": None if security is Security.TLS else security.value,
        "user": given["user"],
        "authserv_id": given.get("authserv_id") or None,
    }


class TokenWay(MailWay):
    """A mailbox whose provider wants tokens; somebody logs in once."""

    name = "oauth"
    says = "a mailbox at another provider that wants tokens (OAuth 2.0)"
    login: ClassVar[str] = "mailbox"

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - all of them always
        return (
            Inquiry("host", "What is the IMAP server?", "such as imap.example.com", as_in_the_file(Host)),
            _PORT,
            _SECURITY,
            *_account(desk),
            Inquiry("token_url", "Where does it give tokens?", "", as_in_the_file(WebAddress)),
            Inquiry("device_url", "Where does the device flow begin?", "empty: none", as_in_the_file(WebAddress), ""),
            Inquiry("authorize_url", "Where does one say yes in a browser?", "", as_in_the_file(WebAddress), ""),
            Inquiry("scopes", "Which scopes are mail?", "with spaces between them", _scopes),
            _PROVIDER,
        )

    def applied(self, text: TablesText, desk: Desk, given: Given) -> TablesText:
        made = text.with_table(_TABLE, {**self._server(given), "password_file": None, "oauth": self.login})
        secret = desk.secret_place(CLIENT_SECRET)
        has_secret = bool(given.get("client_secret")) or desk.has_secret(CLIENT_SECRET)
        keys = {"client_id": given["client_id"], "client_secret_file": secret if has_secret else None}
        return made.with_table(_LOGIN, {**_OF_A_PROVIDER, "name": self.login, **self._provider(given), **keys})

    def _server(self, given: Given) -> Mapping[str, TomlValue]:
        return server_keys(given)

    def _provider(self, given: Given) -> dict[str, TomlValue]:
        return {
            "token_url": given["token_url"],
            "device_url": given.get("device_url") or None,
            "authorize_url": given.get("authorize_url") or None,
            "scopes": given["scopes"].split(),
        }

    def secrets(self, desk: Desk, given: Given) -> tuple[NewSecret, ...]:  # noqa: ARG002 - as typed
        return only_if(CLIENT_SECRET, given.get("client_secret", ""))

    def deeds(self, desk: Desk, given: Given) -> tuple[Deed, ...]:
        if desk.has_secret(f"oauth-{self.login}"):
            return ()
        # Without a code one says yes in a browser, which seldom runs on a server.
        paste = () if self._has_codes(given) else ("--paste",)
        return (OwnCommand(("mailbox", "login", self.login, *paste), is_talk=True),)

    def _has_codes(self, given: Given) -> bool:
        return bool(given.get("device_url"))

    def tells(self, desk: Desk, given: Given) -> tuple[str, ...]:  # noqa: ARG002 - the same for all
        return _REACH

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:  # noqa: ARG002 - the file says it all
        yield from look_at_doors(desk, "imap")

    def outgoing(self, given: Given) -> OutgoingServer:
        return OutgoingServer(user=given.get("user", ""), oauth=self.login, security="starttls")


def _account(desk: Desk) -> tuple[Inquiry, ...]:
    kept = desk.has_secret(CLIENT_SECRET)
    return (
        Inquiry("user", "Whose mailbox is it?", "its mail address", as_in_the_file(Address)),
        Inquiry(
            "client_id",
            "Which id did the provider give the application that you registered there?",
            "docs/howto/mailboxes.md says how",
            as_in_the_file(Title),
        ),
        Inquiry(
            "client_secret",
            "What is the application's secret?",
            "empty: the one that is kept" if kept else "empty: it has none",
            default="",
            is_secret=True,
        ),
    )


def _scopes(text: str) -> str:
    for each in text.split():
        Scope.read(each)
    return text


class GmailWay(TokenWay):
    """Google's."""

    name = "gmail"
    says = "Gmail or Google Workspace"
    login = "google"

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - all of them always
        return _account(desk)

    def _server(self, given: Given) -> Mapping[str, TomlValue]:
        return server_keys({"host": "imap.gmail.com", "user": given["user"], "authserv_id": "mx.google.com"})

    def _provider(self, given: Given) -> dict[str, TomlValue]:  # noqa: ARG002 - it is known
        return {"provider": "google"}

    def records(self, given: Given) -> Records:  # noqa: ARG002 - always the same
        return Records(spf="include:_spf.google.com")

    def outgoing(self, given: Given) -> OutgoingServer:
        return OutgoingServer(
            "smtp.gmail.com:587", "starttls", given.get("user", ""), self.login, is_account_address=True
        )


class MicrosoftWay(TokenWay):
    """Microsoft's."""

    name = "microsoft"
    says = "Microsoft 365"
    login = "microsoft"

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - all of them always
        tenant = Inquiry(
            "tenant", "Which directory does the application belong to?", "empty: any", as_in_the_file(Tenant), ""
        )
        return (*_account(desk), tenant)

    def _server(self, given: Given) -> Mapping[str, TomlValue]:
        return server_keys({"host": "outlook.office365.com", "user": given["user"]})

    def _provider(self, given: Given) -> dict[str, TomlValue]:
        return {"provider": "microsoft", "tenant": given.get("tenant") or None}

    def _has_codes(self, given: Given) -> bool:  # noqa: ARG002 - always
        return True

    def records(self, given: Given) -> Records:  # noqa: ARG002 - always the same
        return Records(spf="include:spf.protection.outlook.com")

    def outgoing(self, given: Given) -> OutgoingServer:
        server = "smtp.office365.com:587"
        return OutgoingServer(server, "starttls", given.get("user", ""), self.login, is_account_address=True)
