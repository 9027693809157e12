"""Outgoing mail: the server that takes answers, tried up to a test letter."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import TYPE_CHECKING
from urllib.parse import quote

from webordinary.config.tables import TablesText
from webordinary.engines.embedded.open import open_postman
from webordinary.engines.embedded.secrets import FileSecrets
from webordinary.errors import Refused, WebOrdinaryError
from webordinary.setup.outgoing_check import check_outgoing
from webordinary.setup.plan import NewSecret, StepPlan
from webordinary.setup.question import Choice, Inquiry, as_in_the_file
from webordinary.setup.step import SetupStep
from webordinary.setup.ways import chosen_way, goes_to_aws
from webordinary.setup.ways.mailbox import PASSWORD as MAILBOX_PASSWORD
from webordinary.setup.ways.mailbox import ImapWay
from webordinary.setup.ways.way import OutgoingServer
from webordinary.values import Address, Listen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given

PLAIN = "none"
PASSWORD = "outgoing-password"  # noqa: S105 - the name of the secret
_ON_AWS = "on AWS answers go out by SES, which needs nothing else"
_LETTER = """\
This letter comes from `webordinary setup` on {domain}.

If you read it, answers can go out. If it lies among the spam, look at the records for SPF, DKIM and DMARC.
"""


class OutgoingStep(SetupStep):
    """Mail out."""

    name = "outgoing"
    title = "Outgoing mail"
    why = "Answers go out by a mail server; a test letter shows whether they arrive."

    def not_needed(self, desk: Desk) -> str | None:
        return _ON_AWS if goes_to_aws(desk) else None

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:
        known = _known(desk)
        return (*_of_server(known), *_of_login(desk, given, known), *_of_letters(desk, known))

    def plan(self, desk: Desk, given: Given) -> StepPlan:
        known = _known(desk)
        is_alone = bool(given.get("user")) and not known.oauth
        keys = {
            "url": _url(given),
            "password_file": self._password_place(desk, given) if is_alone else None,
            "oauth": known.oauth or None,
            "sender": given.get("sender") or None,
            "plain_password": True if is_alone and given["security"] == PLAIN else None,
        }
        text = TablesText(desk.text()).with_table(("outgoing",), keys).text
        desk.check(text)
        typed = given.get("password", "") if is_alone else ""
        letter = (TrialLetter(given["letter"]),) if given.get("letter") else ()
        return StepPlan(text, (NewSecret(PASSWORD, typed),) if typed else (), letter)

    def _password_place(self, desk: Desk, given: Given) -> str:
        """Return where the password lies: the mailbox's own, if no other was typed."""
        is_own = given.get("password") or desk.has_secret(PASSWORD)
        return desk.secret_place(PASSWORD if is_own else MAILBOX_PASSWORD)

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:  # noqa: ARG002 - the file says it all
        yield check_outgoing(desk.config())


@dataclass(frozen=True, slots=True)
class TrialLetter:
    """One letter, so that somebody sees it arrive."""

    to: str

    @property
    def says(self) -> str:
        return f"sends a test letter to {self.to}"

    def carry_out(self, desk: Desk) -> str:
        config = desk.config()
        sender = config.outgoing.sender or f"edit@{config.domain}"
        letter = EmailMessage()
        letter["From"] = f"WebOrdinary <{sender}>"
        letter["To"] = self.to
        letter["Subject"] = "A test letter of your installation"
        letter["Date"] = formatdate()
        letter["Message-ID"] = make_msgid(domain=config.domain)
        letter["Auto-Submitted"] = "auto-generated"
        letter.set_content(_LETTER.format(domain=config.domain))
        try:
            open_postman(config, FileSecrets(config.data)).deliver(letter.as_bytes(), self.to)
        except WebOrdinaryError as problem:
            raise Refused(f"The test letter did not go out: {problem}.") from None
        return f"The test letter is on its way to {self.to}; look whether it arrives, also among the spam."


def _known(desk: Desk) -> OutgoingServer:
    way = chosen_way(desk)
    return way.outgoing(desk.kept.answers("mail")) if way else OutgoingServer()


def _of_server(known: OutgoingServer) -> Iterator[Inquiry]:
    yield Inquiry(
        "server",
        "Which server takes outgoing mail?",
        "HOST:PORT, such as smtp.example.com:465",
        _server,
        known.server or None,
    )
    ways = (
        Choice("tls", "from the first byte, as at port 465"),
        Choice("starttls", "as soon as the server offers it, as at port 587 and 25; a password waits for it"),
        Choice(PLAIN, "not at all, which with a password only loopback may have"),
    )
    yield Inquiry("security", "How is the connection encrypted?", choices=ways, default=known.security)


def _of_login(desk: Desk, given: Given, known: OutgoingServer) -> Iterator[Inquiry]:
    yield Inquiry(
        "user", "Who are we there?", "empty: the server asks for no login", default=known.user, may_be_empty=True
    )
    if not given.get("user") or known.oauth:
        return
    kept = desk.answer("mail", "way") == ImapWay.name or desk.has_secret(PASSWORD)
    hint = "empty: the one that is kept, or the mailbox's" if kept else ""
    yield Inquiry("password", "What is the password there?", hint, default="" if kept else None, is_secret=True)


def _of_letters(desk: Desk, known: OutgoingServer) -> Iterator[Inquiry]:
    yield Inquiry(
        "sender",
        "From which address must answers come?",
        "for servers that let out only the account's own address; empty: each thread has its own",
        as_in_the_file(Address),
        known.user if known.is_account_address else "",
        may_be_empty=True,
    )
    config = desk.find_config()
    agency = config.agency.address if config else None
    yield Inquiry(
        "letter",
        "Where should a test letter go?",
        "empty: none is sent",
        as_in_the_file(Address),
        agency or "",
        may_be_empty=True,
    )


def _server(text: str) -> str:
    host, port = Listen.read(text)
    if not port:
        raise ValueError("must have a port, such as smtp.example.com:465")
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _url(given: Given) -> str:
    scheme = "smtps" if given["security"] == "tls" else "smtp"
    user = f"{quote(given['user'], safe='')}@" if given.get("user") else ""
    return f"{scheme}://{user}{given['server']}"
