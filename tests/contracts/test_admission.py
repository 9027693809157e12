"""What becomes of mails by who wrote them, on every engine: the table of verdicts, confirmations, threads, limits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded_ports import AMELIA
from webordinary.audit.entry import EventType
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.intake import Intake, NewRequest
from webordinary.intake.trust import MailLimits, Trust
from webordinary.mail.identity.judge import Judge
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.sender import OPERATOR, Vouch
from webordinary.reply.write import Writer
from webordinary.testing.dns import FAILS, Zone
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job
    from webordinary.reply.outbox import Letter

pytestmark = [pytest.mark.one_engine, pytest.mark.above_the_store]

DOMAIN = "edit.example.com"
BAKERY = f"amelia@{DOMAIN}"
SCOTT, EVE, BOSS = "scott@example.org", "eve@elsewhere.example", "boss@agency.example"
HOME, ELSEWHERE = "192.0.2.1", "198.51.100.66"


@dataclass
class Office:
    """An installation where example.org proves its mail by where it comes from, and refuses all other."""

    ports: Ports
    limits: MailLimits = field(default_factory=MailLimits)
    zone: Zone = field(default_factory=Zone)
    count: int = 0

    def __post_init__(self) -> None:
        self.zone.put("example.org", "TXT", f"v=spf1 ip4:{HOME} -all")
        self.zone.put("elsewhere.example", "TXT", f"v=spf1 ip4:{HOME} -all")

    @property
    def intake(self) -> Intake:
        trust = Trust(Judge(self.zone, DOMAIN), BOSS, self.limits)
        return Intake(self.ports.engine, DOMAIN, self.ports.clock, self.ports.limits, trust=trust)

    def receive(  # everything that a mail and its way to us may have
        self,
        text: str = "We open at nine.",
        *,
        sender: str = SCOTT,
        to: str = BAKERY,
        peer: str = HOME,
        in_reply_to: str | None = None,
        message_id: str | None = None,
        vouch: Vouch | None = None,
    ) -> str:
        self.count += 1
        raw = write_mail(
            sender=sender,
            to=to,
            text=text,
            message_id=message_id or f"<{self.count}@phone.example>",
            in_reply_to=in_reply_to,
            written_at=self.ports.now.wall_at,
        )
        envelope = Envelope("smtp", (to,), sender, peer, vouch=vouch)
        return self.intake.receive(raw, envelope).mail

    def send(self, text: str = "We open at nine.", **how: object) -> Decision:
        decision = self.intake.decide(self.receive(text, **how))  # type: ignore[arg-type]  # passed on as it came
        assert decision is not None
        return decision

    def hold(self, text: str = "We open at nine.") -> str:
        mail = self.receive(text, peer=ELSEWHERE)
        decision = self.intake.decide(mail)
        assert decision is not None
        assert decision.outcome == "held"
        return mail

    def letters(self) -> list[Letter]:
        return sorted(self.ports.engine.outbox.take_due("w1", self.ports.now, limit=100), key=lambda each: each.key)

    def job(self, decision: Decision) -> Job:
        job = self.ports.engine.overview.job(decision.job or "")
        assert job is not None
        return job

    def jobs(self) -> list[Job]:
        return list(self.ports.engine.overview.jobs())

    def confirm_address(self, mail: str, to: str = SCOTT) -> str:
        key = self.ports.engine.reply_keys.current()
        return key.confirm_address(DOMAIN, project="amelia", mail=mail, to=to, now=self.ports.now.wall_at)

    def reply_address(self, thread: str, to: str = SCOTT, project: str = "amelia") -> str:
        key = self.ports.engine.reply_keys.current()
        return key.reply_address(DOMAIN, project=project, thread=thread, to=to, now=self.ports.now.wall_at)

    def refuse_forgeries(self) -> None:
        for domain in ("example.org", "elsewhere.example"):
            self.zone.put(f"_dmarc.{domain}", "TXT", "v=DMARC1; p=reject")


@pytest.fixture
def office(ports: Ports) -> Office:
    return Office(ports)


def told(ports: Ports, what: EventType) -> int:
    return sum(entry.what == what for entry in ports.engine.trail.read())


def test_a_verified_editor_is_heard_and_the_proof_is_kept(office: Office, ports: Ports) -> None:
    mail = office.receive()
    decision = office.intake.decide(mail)
    assert decision is not None
    view = ports.engine.overview.mail(mail)

    assert decision.outcome == "queued"
    assert view is not None
    assert (view.verdict, view.method, view.project) == ("verified", "spf", "amelia")
    assert any("SPF: pass" in reason for reason in view.reasons)


def test_a_verified_stranger_is_told_once_a_day(office: Office, ports: Ports) -> None:
    decisions = [office.send(sender=EVE) for _ in range(3)]

    assert {each.outcome for each in decisions} == {"stranger"}
    assert [(letter.words, letter.to, letter.facts["site"]) for letter in office.letters()] == [
        ("not_an_editor", EVE, "Amelia's Bakery")
    ]
    assert told(ports, EventType.MAIL_FROM_STRANGER) == 3
    ports.clock.advance(timedelta(days=1))
    office.send(sender=EVE)
    assert len({letter.key for letter in office.letters()}) == 2


def test_an_unverified_editor_is_held_and_asked_at_the_registered_address(office: Office, ports: Ports) -> None:
    mail = office.hold("Please see https://evil.example/x and pay.")
    (letter,) = office.letters()

    assert (letter.kind, letter.words, letter.to, letter.mail) == ("confirm", "confirm", SCOTT, mail)
    assert (letter.facts["project"], letter.facts["about"]) == ("amelia", "Our website")
    assert "evil.example" not in letter.facts["excerpt"]
    assert office.jobs() == []
    assert told(ports, EventType.MAIL_HELD) == 1


def test_an_unverified_stranger_hears_nothing(office: Office) -> None:
    assert office.send(sender=EVE, peer=ELSEWHERE).outcome == "ignored"
    assert office.letters() == []


def test_forged_mail_is_quarantined_or_dropped_in_silence(office: Office, ports: Ports) -> None:
    office.refuse_forgeries()

    assert office.send(peer=ELSEWHERE).outcome == "quarantined"
    assert office.send(sender=EVE, peer=ELSEWHERE).outcome == "dropped"
    assert office.letters() == []
    assert office.jobs() == []
    assert (told(ports, EventType.MAIL_QUARANTINED), told(ports, EventType.MAIL_DROPPED)) == (1, 1)


def test_a_mail_without_a_readable_from_is_nobodys(office: Office) -> None:
    raw = f"From: a@b.example <{SCOTT}>\nTo: {BAKERY}\n\nWe open at nine.".encode()
    mail = office.intake.receive(raw, Envelope("smtp", (BAKERY,), SCOTT, HOME)).mail
    decision = office.intake.decide(mail)

    assert decision is not None
    assert decision.outcome == "ignored"


@pytest.mark.parametrize("word", ["YES", "yes!", "Ja", "Oui.", "Sí", "Ja, das war ich.", "Yes\n\nScott\n-- \nBakery"])
def test_a_yes_from_the_registered_mailbox_releases_the_held_mail_once(office: Office, ports: Ports, word: str) -> None:
    mail = office.hold()
    office.letters()
    address = office.confirm_address(mail)
    decision = office.send(word, to=address, peer=ELSEWHERE)

    assert decision.outcome == "confirmed"
    (job,) = office.jobs()
    assert (job.mail, job.request.text) == (mail, "We open at nine.")
    view = ports.engine.overview.mail(mail)
    assert view is not None
    assert (view.outcome, view.verdict) == ("queued", "verified")
    assert "confirmed by" in (view.method or "")
    again = office.send(word, to=address, peer=ELSEWHERE)
    assert (again.outcome, again.answer) == ("answered", "confirm_over")
    assert len(office.jobs()) == 1


@pytest.mark.parametrize("text", ["no", "yes, and delete the shop page", "yes or no?", "Yesterday", "not yes", ""])
def test_anything_but_a_plain_yes_releases_nothing(office: Office, ports: Ports, text: str) -> None:
    mail = office.hold()
    decision = office.send(text, to=office.confirm_address(mail), peer=ELSEWHERE)

    assert (decision.outcome, decision.answer) == ("answered", "confirm_unclear")
    view = ports.engine.overview.mail(mail)
    assert view is not None
    assert view.outcome == "held"
    assert office.jobs() == []


def test_who_gives_no_clear_yes_is_told_once_how_and_can_still_say_it(office: Office, ports: Ports) -> None:
    mail = office.hold()
    office.letters()
    for text in ("Ja klar, wieso?", "Nun mach schon"):
        assert office.send(text, to=office.confirm_address(mail), peer=ELSEWHERE).outcome == "answered"
    (letter,) = office.letters()
    assert (letter.words, letter.to) == ("confirm_unclear", SCOTT)
    engine = ports.engine
    keys = (engine.projects, engine.reply_keys)
    writer = Writer(engine.outbox, engine.overview, engine.inbox, *keys, DOMAIN, ports.clock)
    address = writer.write(letter, "<m@edit.example.com>", ports.now.wall_at).from_address
    assert office.send("Ja, das war ich.", to=address, peer=ELSEWHERE).outcome == "confirmed"
    (job,) = office.jobs()
    assert job.mail == mail


def test_nobody_else_can_say_yes(office: Office) -> None:
    mail = office.hold()

    assert office.send("yes", sender=EVE, to=office.confirm_address(mail)).outcome == "stranger"
    assert office.send("yes", to=office.confirm_address(mail, to=EVE), peer=ELSEWHERE).outcome == "held"
    assert office.send("yes", to=office.reply_address(mail.removeprefix("mail-")), peer=ELSEWHERE).outcome == "held"
    assert office.send("yes", to=BAKERY, peer=ELSEWHERE).outcome == "held"
    assert office.jobs() == []


def test_a_yes_that_comes_too_late_is_told_so(office: Office, ports: Ports) -> None:
    mail = office.hold()
    address = office.confirm_address(mail)
    ports.clock.advance(timedelta(hours=25))
    decision = office.send("yes", to=address, peer=ELSEWHERE)

    assert (decision.outcome, decision.answer) == ("answered", "confirm_over")
    assert office.jobs() == []


def test_a_yes_that_was_interrupted_is_not_too_late_for_itself(office: Office, ports: Ports) -> None:
    mail = office.hold()
    yes = office.receive("yes", to=office.confirm_address(mail), peer=ELSEWHERE)
    ports.engine.inbox.vouch_for(mail, Vouch(SCOTT, f"confirmed by {yes}"), ports.now)
    decision = office.intake.decide(yes)

    assert decision is not None
    assert decision.outcome == "confirmed"
    assert len(office.jobs()) == 1


def test_an_editor_is_not_asked_more_than_a_few_times_a_day(office: Office) -> None:
    for _ in range(8):
        office.hold()

    assert len(office.letters()) == MailLimits().confirmations_a_day


def test_a_name_server_that_fails_is_asked_again_and_then_the_mail_is_held(office: Office, ports: Ports) -> None:
    office.zone.put("example.org", "TXT", FAILS)
    mail = office.receive()
    for _ in range(office.limits.dns_tries):
        decision = office.intake.decide(mail)
        assert decision is not None
        assert decision.outcome == "undecided"
        assert ports.engine.inbox.undecided(ports.now.wall_at) == []
        ports.clock.advance(timedelta(minutes=30))
        assert [kept.id for kept in ports.engine.inbox.undecided(ports.now.wall_at)] == [mail]
    decision = office.intake.decide(mail)
    assert decision is not None
    assert decision.outcome == "held"


def test_a_name_server_may_fail_more_often_than_there_are_waits(office: Office, ports: Ports) -> None:
    office.limits = MailLimits(dns_tries=8)
    office.zone.put("example.org", "TXT", FAILS)
    mail = office.receive()
    outcomes = []
    for _ in range(9):
        decision = office.intake.decide(mail)
        outcomes.append(decision.outcome if decision else None)
        ports.clock.advance(timedelta(minutes=11))
    assert outcomes == [*["undecided"] * 8, "held"]


def test_a_mail_that_was_decided_is_only_read_as_decided(office: Office) -> None:
    mail = office.receive()
    decided = office.intake.decide(mail)
    again = office.intake.read(mail)
    assert decided is not None
    assert isinstance(again, Decision)
    assert (again.outcome, again.job) == ("repeated", decided.job)


def test_a_name_server_that_comes_back_in_time_makes_the_mail_a_job(office: Office, ports: Ports) -> None:
    office.zone.put("example.org", "TXT", FAILS)
    mail = office.receive()
    office.intake.decide(mail)
    office.zone.put("example.org", "TXT", f"v=spf1 ip4:{HOME} -all")
    ports.clock.advance(timedelta(minutes=30))

    assert office.intake.decide_forgotten() == 1
    assert [job.mail for job in office.jobs()] == [mail]


def test_two_new_mails_with_the_same_subject_are_two_threads(office: Office) -> None:
    first, second = office.job(office.send()), office.job(office.send())

    assert first.thread != second.thread


def test_a_reply_finds_its_thread_by_our_address_alone(office: Office) -> None:
    first = office.job(office.send())
    second = office.job(office.send("And the phone number.", to=office.reply_address(first.thread)))

    assert (second.thread, second.lane) == (first.thread, first.lane)


def test_a_reply_finds_its_thread_by_a_message_id_or_by_our_address_in_the_quoted_text(office: Office) -> None:
    first = office.job(office.send(message_id="<first@phone.example>"))
    by_id = office.job(office.send("And the phone.", to=BAKERY, in_reply_to="<first@phone.example>"))
    quoted = f"And the door.\n\nOn Tuesday Bakery <{office.reply_address(first.thread)}> wrote:\n> Done."
    by_text = office.job(office.send(quoted, to=BAKERY))

    assert by_id.thread == by_text.thread == first.thread


def test_our_reply_address_goes_before_a_message_id_and_that_before_what_is_quoted(office: Office) -> None:
    first = office.job(office.send(message_id="<first@phone.example>"))
    second = office.job(office.send("And the phone number.", message_id="<second@phone.example>"))
    third = office.job(office.send("And the door."))
    quoted = "\n".join(f"> {office.reply_address(each.thread)}" for each in (first, third))
    about_first = office.send("Ten.", to=office.reply_address(first.thread), in_reply_to="<second@phone.example>")
    about_second = office.send(f"Eleven.\n\n{quoted}", in_reply_to="<second@phone.example>")
    about_third = office.send(f"Twelve.\n\n{quoted}")

    assert office.job(about_first).thread == first.thread
    assert office.job(about_second).thread == second.thread
    assert office.job(about_third).thread == third.thread


def test_a_reply_of_who_edits_several_projects_is_for_the_one_of_its_thread(office: Office) -> None:
    projects = ConfiguredProjects((AMELIA, replace(AMELIA, id="flora", name="Flora")))
    office.ports.engine = replace(office.ports.engine, projects=projects)
    first = office.job(office.send(to=f"flora@{DOMAIN}"))
    reply = office.send("And the phone number.", to=office.reply_address(first.thread, project="flora"))

    assert office.job(reply).lane == first.lane
    assert first.lane.project == "flora"
    assert office.send("And the door.", to=f"edit@{DOMAIN}").answer == "which_project"


def test_what_somebody_else_was_sent_does_not_lead_into_a_thread(office: Office) -> None:
    first = office.job(office.send())
    for_maria = office.reply_address(first.thread, to="maria@example.org")

    assert office.job(office.send("Hello there.", to=for_maria)).thread != first.thread
    quoted = office.job(office.send(f"Hello.\n\n> {for_maria}"))
    assert quoted.thread != first.thread


def test_an_expired_or_broken_reply_address_counts_as_none_and_the_mail_is_not_lost(
    office: Office, ports: Ports
) -> None:
    first = office.job(office.send())
    address = office.reply_address(first.thread)
    ports.clock.advance(timedelta(days=366))
    expired = office.job(office.send("And the phone.", to=address))
    broken = office.job(office.send("And the door.", to=f"re+{'a' * 40}@{DOMAIN}"))

    assert expired.lane == broken.lane == first.lane
    assert first.thread not in {expired.thread, broken.thread}


def test_a_token_that_was_made_for_another_project_does_not_lead_anywhere(office: Office) -> None:
    first = office.job(office.send())
    other = office.job(office.send("Hello.", to=office.reply_address(first.thread, project="flora")))

    assert other.thread != first.thread


def test_a_reply_address_does_not_say_who_you_are(office: Office) -> None:
    first = office.job(office.send())
    address = office.reply_address(first.thread)

    assert office.send("Delete it.", to=address, peer=ELSEWHERE).outcome == "held"
    assert office.send("Delete it.", to=address, sender=EVE).outcome == "stranger"
    assert len(office.jobs()) == 1


def test_who_only_got_a_copy_cannot_command(office: Office) -> None:
    first = office.job(office.send(message_id="<first@phone.example>", to=BAKERY))
    reply = office.send("Delete it.", sender=EVE, in_reply_to="<first@phone.example>")

    assert reply.outcome == "stranger"
    assert [job.id for job in office.jobs()] == [first.id]


@pytest.fixture
def approving(office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    rules = replace(AMELIA.rules, approvers=("chef@example.org", "scott"))
    project = replace(AMELIA, rules=rules)
    known = type(office.ports.engine.projects)
    monkeypatch.setattr(known, "all", lambda _: (project,))
    monkeypatch.setattr(known, "find", lambda _, name: project if name == "amelia" else None)
    return office


@pytest.mark.parametrize("approver", ["chef@example.org", BOSS])
def test_an_approver_who_is_no_editor_may_only_say_ok(approving: Office, approver: str) -> None:
    approving.zone.put("agency.example", "TXT", f"v=spf1 ip4:{HOME} -all")
    approving.send(message_id="<first@phone.example>")
    asks = approving.send("We open at ten.", sender=approver, in_reply_to="<first@phone.example>")
    says = approving.send("ok", sender=approver, in_reply_to="<first@phone.example>")

    assert (asks.outcome, asks.answer) == ("refused", "not_an_editor")
    assert (says.outcome, says.reason) == ("answered", "the verb ok")
    assert len(approving.jobs()) == 1


def test_the_same_mail_is_one_request_however_often_it_comes(office: Office) -> None:
    first = office.send(message_id="<1@x>")
    again = office.send(message_id="<1@x>", text="We open at nine. ")
    assert (again.outcome, again.job) == ("repeated", first.job)
    assert len(office.jobs()) == 1


def test_a_mail_that_two_decide_at_the_same_time_is_the_job_and_no_repetition(office: Office) -> None:
    mail = office.receive(message_id="<1@x>")
    early = office.intake.read(mail)
    assert isinstance(early, NewRequest)
    accepted = office.intake.accept(early)

    late = office.intake.decide(mail)

    assert late is not None
    assert (late.outcome, late.job, late.thread) == ("queued", accepted.job, accepted.thread)
    (known,) = office.ports.engine.overview.mails()
    assert (known.outcome, known.job) == ("queued", accepted.job)
    assert len(office.jobs()) == 1


def test_an_attacker_cannot_suppress_a_genuine_mail(office: Office) -> None:
    office.send("Something else.", message_id="<1@x>", peer=ELSEWHERE)
    office.send("Something else.", sender=EVE, message_id="<1@x>")

    assert office.send(message_id="<1@x>").outcome == "queued"


def test_a_word_that_is_sent_again_under_the_same_id_is_obeyed_once(office: Office) -> None:
    office.send(message_id="<first@phone.example>")
    how = {"in_reply_to": "<first@phone.example>", "message_id": "<stop@x>"}

    assert office.send("status", **how).outcome == "answered"
    assert office.send("status\n", **how).outcome == "repeated"


def test_after_thirty_mails_in_an_hour_a_person_hears_paused_once(office: Office, ports: Ports) -> None:
    office.limits = MailLimits(sender_an_hour=3)
    outcomes = [office.send().outcome for _ in range(6)]

    assert outcomes == ["queued"] * 3 + ["limited"] * 3
    assert [letter.words for letter in office.letters()] == ["paused_sender"]
    assert told(ports, EventType.MAIL_LIMITED) == 3
    ports.clock.advance(timedelta(hours=1))
    assert office.send().outcome == "queued"


def test_the_limits_of_a_project_and_of_a_thread_hold_too(office: Office) -> None:
    office.limits = MailLimits(project_a_day=4, thread_a_day=2)
    first = office.job(office.send(message_id="<first@phone.example>"))
    replies = [office.send("More.", to=office.reply_address(first.thread)).outcome for _ in range(4)]
    assert replies == ["queued", "queued", "limited", "limited"]

    assert office.send().outcome == "limited"
    words = [(letter.words, letter.mail is not None) for letter in office.letters()]
    assert words == [("paused_sender", True)] * 2


def test_a_mail_that_is_looked_at_again_counts_once(office: Office) -> None:
    office.limits = MailLimits(sender_an_hour=1)
    mail = office.receive()
    office.intake.read(mail)
    decision = office.intake.decide(mail)

    assert decision is not None
    assert decision.outcome == "queued"


def test_what_the_operator_hands_in_is_not_counted(office: Office) -> None:
    office.limits = MailLimits(sender_an_hour=1)
    outcomes = [office.send(vouch=Vouch(SCOTT, OPERATOR)).outcome for _ in range(3)]

    assert outcomes == ["queued"] * 3


def test_the_same_refusal_is_said_once_a_day(office: Office) -> None:
    assert [office.send("", message_id=f"<{number}@x>").outcome for number in range(3)] == ["refused"] * 3
    assert [letter.words for letter in office.letters()] == ["refused_empty"]


def test_a_mail_that_was_refused_can_be_decided_again_later(office: Office) -> None:
    first = office.send("", message_id="<1@x>")
    assert first.outcome == "refused"

    # Somebody has taught us to read it since: the same mail is a request now.
    assert office.send("We open at nine.", message_id="<1@x>").outcome == "queued"
