"""A provider that receives mail and hands it over by HTTP."""

from __future__ import annotations

import secrets as chance
from typing import TYPE_CHECKING

from webordinary.doors.hook import PublicKey
from webordinary.setup.plan import NewSecret
from webordinary.setup.question import Choice, Inquiry, as_in_the_file
from webordinary.setup.ways.way import MailWay, OutgoingServer, Records, look_at_doors, only_if
from webordinary.values import Listen, WebAddress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.config.tables import TablesText
    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given

SECRET, MAILGUN_KEY = "hook-secret", "mailgun-key"
_PATHS = {"mailgun": "mailgun/mime", "postmark": "postmark", "sendgrid": "sendgrid", "cloudflare": "mail"}
_SERVERS = {
    "mailgun": "smtp.mailgun.org:465",
    "postmark": "smtp.postmarkapp.com:587",
    "sendgrid": "smtp.sendgrid.net:465",
}
_MX = {"mailgun": "mxa.mailgun.org", "postmark": "inbound.postmarkapp.com", "sendgrid": "mx.sendgrid.net"}


class HookWay(MailWay):
    """Mailgun, Postmark, SendGrid, Cloudflare, or a script."""

    name = "hook"
    says = "a provider that hands mail over by a hook (Mailgun, Postmark, SendGrid, Cloudflare)"

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:
        provider = Inquiry("provider", "Which provider?", choices=_PROVIDERS)
        return (provider, *self._of_provider(desk, given.get("provider", "")), _LISTEN, _URL)

    def _of_provider(self, desk: Desk, provider: str) -> Sequence[Inquiry]:
        kept = desk.has_secret(MAILGUN_KEY)
        if provider == "mailgun":
            asks, hint = "What is Mailgun's webhook signing key?", "empty: the one that is kept" if kept else ""
            return (Inquiry("key", asks, hint, default="" if kept else None, is_secret=True),)
        if provider == "sendgrid":
            hint = "empty: the hook is not signed, and a secret is made for its address"
            return (Inquiry("public_key", "What is SendGrid's public key?", hint, as_in_the_file(PublicKey), ""),)
        return ()

    def applied(self, text: TablesText, desk: Desk, given: Given) -> TablesText:
        is_mailgun, is_signed = given["provider"] == "mailgun", bool(given.get("public_key"))
        return text.with_table(
            ("hook",),
            {
                "listen": given["listen"],
                "secret_file": None if is_mailgun or is_signed else desk.secret_place(SECRET),
                "mailgun_key_file": desk.secret_place(MAILGUN_KEY) if is_mailgun else None,
                "sendgrid_key": given.get("public_key") or None,
            },
        )

    def secrets(self, desk: Desk, given: Given) -> tuple[NewSecret, ...]:
        if given["provider"] == "mailgun":
            return only_if(MAILGUN_KEY, given.get("key", ""))
        if given.get("public_key") or desk.has_secret(SECRET):
            return ()
        return (NewSecret(SECRET, chance.token_hex(32)),)

    def tells(self, desk: Desk, given: Given) -> tuple[str, ...]:
        address = f"{given['url'].rstrip('/')}/{_PATHS[given['provider']]}"
        told = [
            f"Let your web server pass {given['url']} on to http://{given['listen']}/, with TLS (docs/howto/hooks.md)."
        ]
        told.append(f"Let {given['provider']} hand all mail for {given['domain']} to {address}.")
        if given["provider"] != "mailgun" and not given.get("public_key"):
            told.append(f"The secret that it has to show there lies in {desk.secret_place(SECRET)}.")
        return tuple(told)

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:  # noqa: ARG002 - the file says it all
        yield from look_at_doors(desk, "hook")

    def records(self, given: Given) -> Records:
        return Records(_MX.get(given.get("provider", ""), ""))

    def outgoing(self, given: Given) -> OutgoingServer:
        server = _SERVERS.get(given.get("provider", ""), "")
        return OutgoingServer(server, "tls" if server.endswith(":465") or not server else "starttls")


_PROVIDERS = (
    Choice("mailgun", "Mailgun"),
    Choice("postmark", "Postmark"),
    Choice("sendgrid", "SendGrid"),
    Choice("cloudflare", "Cloudflare, or a script of your own"),
)
_LISTEN = Inquiry(
    "listen",
    "Where should the hook's door wait, behind your web server?",
    "",
    as_in_the_file(Listen),
    default="127.0.0.1:8026",
)
_URL = Inquiry(
    "url",
    "Under which public address does your web server pass it on?",
    "such as https://edit.example.com/hook/",
    as_in_the_file(WebAddress),
)
