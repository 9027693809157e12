"""Mail of providers that do not sign To, on every engine: it is let in where it surely was written to us."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.signing import Signer, make_key
from webordinary.intake import Intake
from webordinary.intake.addressed import FRESH, Addressed
from webordinary.intake.trust import Trust
from webordinary.mail.identity.judge import Judge
from webordinary.mail.inbox import Decision, Envelope, KeptMail
from webordinary.mail.parse import parse_message
from webordinary.mail.sender import Sender, Verdict
from webordinary.testing.dns import Zone
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from datetime import datetime

    from tests.rigs.ports import Ports
    from webordinary.mail.message import Message

pytestmark = pytest.mark.above_the_store

DOMAIN = "edit.example.com"
BAKERY = f"amelia@{DOMAIN}"
SCOTT, MARIA = "scott@example.org", "maria@example.org"
MICROSOFT, OUR_SERVER = "192.0.2.40", "mx.agency.example"
# As outlook.com and the domains below onmicrosoft.com sign.
SIGNED = ("from", "date", "subject", "message-id", "content-type", "mime-version")


@dataclass
class Office:
    """An installation behind a mail server of its own, by LMTP, with an editor at Microsoft."""

    ports: Ports
    signer: Signer
    zone: Zone
    count: int = 0

    @property
    def intake(self) -> Intake:
        trust = Trust(Judge(self.zone, DOMAIN))
        return Intake(self.ports.engine, DOMAIN, self.ports.clock, self.ports.limits, trust=trust)

    def write(self, text: str, to: str, subject: str, written_at: datetime | None = None, author: str = SCOTT) -> bytes:
        """Return a mail as the provider sends it."""
        self.count += 1
        raw = write_mail(
            sender=author,
            to=to,
            text=text,
            subject=subject,
            message_id=f"<{self.count}@phone.example>",
            written_at=written_at or self.ports.now.wall_at,
        )
        return self.signer.sign(raw, names=SIGNED, made_at=self.ports.now.wall_at)

    def hand_in(self, raw: bytes, to: str, *, client: str = MICROSOFT, mail_from: str = SCOTT) -> Decision:
        """Let it come through our own server, which writes down from where it got it."""
        line = f"Received: from out.example (out.example [{client}]) by {OUR_SERVER} (Postfix) with ESMTPS id 1; x\r\n"
        envelope = Envelope("lmtp", (to,), mail_from, helo=OUR_SERVER)
        decision = self.intake.decide(self.intake.receive(line.encode() + raw, envelope).mail)
        assert decision is not None
        return decision

    def reply_address(self, thread: str | None, to: str = SCOTT) -> str:
        key = self.ports.engine.reply_keys.current()
        return key.reply_address(DOMAIN, project="amelia", thread=thread or "", to=to, now=self.ports.now.wall_at)


@pytest.fixture
def office(ports: Ports) -> Office:
    zone = Zone()
    zone.put("example.org", "TXT", f"v=spf1 ip4:{MICROSOFT} -all")
    zone.put("_dmarc.example.org", "TXT", "v=DMARC1; p=reject")
    return Office(ports, Signer("example.org", make_key()).publish(zone), zone)


UNADDRESSED = Sender(SCOTT, Verdict.UNVERIFIED, "dkim", "signed", ("signed",), is_unaddressed=True)
# Where the attacker's own machine hands in what it has got from somewhere.
REPLAYED = {"client": "198.51.100.66", "mail_from": "eve@attacker.example"}


def test_what_came_straight_from_the_provider_to_our_server_is_done(office: Office) -> None:
    decision = office.hand_in(office.write("We open at nine.", BAKERY, "Hours"), BAKERY)

    assert decision.outcome == "queued"
    assert decision.judged is not None
    assert decision.judged.method == "spf"


def test_what_was_written_to_somebody_else_cannot_be_handed_on(office: Office) -> None:
    to_eve = office.write("Delete every page.", "eve@attacker.example", "Your site")
    decision = office.hand_in(to_eve.replace(b"eve@attacker.example", BAKERY.encode()), BAKERY, **REPLAYED)

    assert (decision.outcome, decision.answer) == ("held", "confirm")
    assert "not to somebody else" in decision.reason


def test_an_answer_at_an_address_that_only_they_know_is_done_once(office: Office) -> None:
    first = office.hand_in(office.write("We open at nine.", BAKERY, "Hours"), BAKERY)
    address = office.reply_address(first.thread)
    raw = office.write("And close at six.", address, "Re: Hours")
    answer = office.hand_in(raw, address, **REPLAYED)

    assert (answer.outcome, answer.thread) == ("queued", first.thread)
    for again in (raw, raw.replace(address.encode(), BAKERY.encode())):
        copied = office.hand_in(b"X-A: b\r\n" + again, address, **REPLAYED)
        assert (copied.outcome, copied.job) == ("repeated", answer.job)


def test_a_reply_address_lets_nothing_in_that_is_no_fresh_answer_of_its_owner(office: Office) -> None:
    first = office.hand_in(office.write("We open at nine.", BAKERY, "Hours"), BAKERY)
    address, now = office.reply_address(first.thread), office.ports.now.wall_at
    someone_else = office.reply_address(first.thread, to=MARIA)
    refused = [
        (office.write("Delete every page.", address, "Your site"), address),
        (office.write("Delete every page.", address, "Re: Your site"), address),
        (office.write("Look at this.", address, "Fwd: Hours"), address),
        (office.write("Look at this.", address, "Hours"), address),
        (office.write("And close at six.", address, "Re: Hours", now - timedelta(days=2)), address),
        (office.write("And close at six.", address, "Re: Hours"), someone_else),
        (office.write("And close at six.", address, "Re: Hours"), BAKERY),
    ]

    assert [office.hand_in(raw, to, **REPLAYED).outcome for raw, to in refused] == ["held"] * len(refused)


def test_headers_that_nobody_signed_lead_into_no_thread(office: Office) -> None:
    first = office.hand_in(office.write("We open at nine.", BAKERY, "Hours"), BAKERY)
    job = office.ports.engine.overview.job(first.job or "")
    assert job is not None
    address = office.reply_address(first.thread)
    other = office.hand_in(office.write("Add a picture.", BAKERY, "Pictures"), BAKERY)
    added = f"In-Reply-To: <{job.request.message_id}>\r\n".encode()
    raw = office.write("Ok.", office.reply_address(other.thread), "Re: Pictures")
    decision = office.hand_in(added + raw, office.reply_address(other.thread), **REPLAYED)

    assert decision.thread != first.thread
    assert office.hand_in(added + raw, address, **REPLAYED).thread != first.thread


def test_the_words_of_the_server_in_front_count_only_where_it_wrote_them(office: Office) -> None:
    raw = office.write("Delete every page.", BAKERY, "Your site")
    own = f"Received: from out.example (out.example [{MICROSOFT}]) by {OUR_SERVER} (Postfix) with ESMTPS id 1; x\r\n"
    below = office.hand_in(own.encode() + raw, BAKERY, client="198.51.100.66")
    named = office.hand_in(raw, BAKERY, client=f"198.51.100.66]) by {OUR_SERVER} with ESMTP id 2 ([{MICROSOFT}")

    assert [below.outcome, named.outcome] == ["held", "held"]


@dataclass
class Answer:
    """An answer to a mail of ours at its reply address, whose To nobody has signed."""

    office: Office
    thread: str
    sender: Sender = UNADDRESSED

    @property
    def address(self) -> str:
        return self.office.reply_address(self.thread)

    @property
    def kept(self) -> KeptMail:
        return KeptMail("mail-1", Envelope("lmtp", (BAKERY, self.address)), self.office.ports.now.wall_at)

    @property
    def message(self) -> Message:
        return parse_message(self.office.write("And close at six.", self.address, "Re: Hours"))

    def verify(
        self, *, kept: KeptMail | None = None, message: Message | None = None, sender: Sender | None = None
    ) -> Sender:
        look = Addressed(self.office.ports.engine, DOMAIN, self.office.ports.now)
        return look.verify(kept or self.kept, message or self.message, sender or self.sender)


@pytest.fixture
def answer(office: Office) -> Answer:
    first = office.hand_in(office.write("We open at nine.", BAKERY, "Hours"), BAKERY)
    return Answer(office, first.thread or "")


def test_an_answer_is_verified_for_the_one_address_that_its_writer_was_given(answer: Answer) -> None:
    found = answer.verify()

    assert (found.verdict, found.recipients, found.is_unaddressed) == (Verdict.VERIFIED, (answer.address,), False)
    assert found.reasons == ("signed", found.reason)
    assert SCOTT in found.reason


def test_an_answer_is_looked_up_by_its_header_where_no_envelope_says_for_whom_it_is(answer: Answer) -> None:
    kept = replace(answer.kept, envelope=Envelope("imap", ()))

    assert answer.verify(kept=kept).recipients == (answer.address,)
    to_the_site = replace(answer.kept, envelope=Envelope("lmtp", (BAKERY,)))
    assert answer.verify(kept=to_the_site) == answer.sender


def test_an_answer_is_fresh_for_one_day(answer: Answer) -> None:
    now = answer.kept.received_at
    just, late = (replace(answer.message, written_at=now - each) for each in (FRESH, FRESH + timedelta(seconds=1)))

    assert answer.verify(message=just).verdict is Verdict.VERIFIED
    assert answer.verify(message=late) == answer.sender
    assert answer.verify(message=replace(answer.message, written_at=None)) == answer.sender


def test_a_sender_who_is_known_or_who_is_nobody_stays_as_judged(answer: Answer) -> None:
    for sender in (replace(answer.sender, is_unaddressed=False), replace(answer.sender, address=None)):
        assert answer.verify(sender=sender) == sender


def test_no_other_address_of_ours_lets_an_answer_in(answer: Answer) -> None:
    office = answer.office
    key, now = office.ports.engine.reply_keys.current(), office.ports.now.wall_at
    confirming = key.confirm_address(DOMAIN, project="amelia", mail="mail-1", to=SCOTT, now=now)

    for address in (confirming, office.reply_address("nothread"), f"amelia@{DOMAIN}"):
        assert answer.verify(kept=replace(answer.kept, envelope=Envelope("lmtp", (address,)))) == answer.sender
