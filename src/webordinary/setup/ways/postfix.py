"""A mail server of one's own in front, such as Postfix, which hands mail over by LMTP."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.setup.question import Inquiry, as_in_the_file
from webordinary.setup.ways.way import MailWay, OutgoingServer, Records, look_at_doors
from webordinary.values import Host, Listen, ServerName

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.config.statements import TomlValue
    from webordinary.config.tables import TablesText
    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given

_MAIN = """\
relay_domains = {domain}, .{domain}
transport_maps = inline:{{
    {{ {domain} = {there} }},
    {{ .{domain} = {there} }} }}
smtpd_relay_restrictions = permit_mynetworks, permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions = permit_mynetworks, permit_sasl_authenticated, reject_unverified_recipient
unverified_recipient_reject_code = 550
message_size_limit = 26214400"""


class PostfixWay(MailWay):
    """Postfix receives from the internet and delivers by LMTP."""

    name = "postfix"
    says = "a mail server of your own (Postfix) that the MX record leads to"

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - all of them always
        return (
            Inquiry("host", "What is the name of the mail server?", "such as mx.example.com", as_in_the_file(Host)),
            Inquiry(
                "listen",
                "Where should WebOrdinary wait for it, by LMTP?",
                "the path of a Unix socket that Postfix can reach, or 127.0.0.1:PORT",
                _place,
                default="127.0.0.1:2525",
            ),
            Inquiry(
                "authserv_id",
                "Under which name do your own filters write Authentication-Results?",
                "empty: they write none",
                as_in_the_file(ServerName),
                default="",
            ),
        )

    def applied(self, text: TablesText, desk: Desk, given: Given) -> TablesText:  # noqa: ARG002 - the answers say it
        is_socket = given["listen"].startswith("/")
        place: dict[str, TomlValue] = (
            {"socket": given["listen"]} if is_socket else {"socket": None, "listen": given["listen"]}
        )
        made = text.with_table(("smtp",), {"protocol": "lmtp", **place})
        return made.with_table(("mail",), {"authserv_id": given.get("authserv_id") or None})

    def tells(self, desk: Desk, given: Given) -> tuple[str, ...]:  # noqa: ARG002 - the same for all
        return ("Put this into Postfix's main.cf, and run `postfix reload`:", main_cf(given))

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:  # noqa: ARG002 - the file says it all
        yield from look_at_doors(desk, "smtp")

    def records(self, given: Given) -> Records:
        return Records(given.get("host", ""), "mx", has_names_below=True)

    def outgoing(self, given: Given) -> OutgoingServer:  # noqa: ARG002 - it is this machine's
        return OutgoingServer("127.0.0.1:25", "starttls")


def main_cf(given: Given) -> str:
    """Return the lines for Postfix."""
    listen = given["listen"]
    there = f"lmtp:unix:{listen}" if listen.startswith("/") else f"lmtp:inet:{listen}"
    return _MAIN.format(domain=given["domain"], there=there)


def _place(text: str) -> str:
    if Path(text).is_absolute():
        return text
    Listen.read(text)
    return text
