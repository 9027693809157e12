"""What a single word in a reply does, on every engine: who may say `ok`, what `undo` means, what `again` repeats."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_admission import BOSS, DOMAIN, SCOTT
from tests.rigs.embedded_ports import AMELIA
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.errors import Refused
from webordinary.intake import Intake
from webordinary.intake.trust import MailLimits, Trust
from webordinary.jobs.about import approval_of, revert_of
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.proposals import Proposal, Standing
from webordinary.jobs.schedules import Phase, Schedule
from webordinary.mail.identity.judge import Judge
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.sender import OPERATOR, Vouch
from webordinary.routing.project import Editor, Rules
from webordinary.testing.dns import Zone
from webordinary.testing.mail import write_mail
from webordinary.worker.change.edit import follow_up, still_allowed
from webordinary.worker.change.propose import EXPIRES_AFTER, REMIND_AFTER
from webordinary.worker.chores.waiting import PendingApprovals

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job
    from webordinary.reply.outbox import Letter

pytestmark = [pytest.mark.one_engine, pytest.mark.above_the_store]

MARIA = "maria@example.org"
CARD = "\n\nEva Maier\nGeschäftsführerin\nCafé Zentral GmbH\nHauptstr. 1, 72070 Tübingen\nTel. 07071 4711"
DAY = timedelta(days=1)
FAILED = Ending(State.FAILED, error="the build broke", template="build_failed")
DONE = Ending(State.DONE, Outcome.PUBLISHED, template="published")


@dataclass
class Desk:
    """The bakery of Scott and Maria, where jobs end as the test wants."""

    ports: Ports
    rules: Rules = field(default_factory=Rules)
    count: int = 0

    def __post_init__(self) -> None:
        editors = (Editor("scott", SCOTT), Editor("maria", MARIA))
        projects = ConfiguredProjects((replace(AMELIA, editors=editors, rules=self.rules),))
        self.ports.engine = replace(self.ports.engine, projects=projects)
        self.waiting = PendingApprovals(self.ports.engine, self.ports.clock, BOSS)

    def says(
        self, text: str, *, who: str = SCOTT, to: Job | None = None, about: str = "", subject: str = ""
    ) -> Decision:
        """Let somebody write; `to` is a job whose thread is replied in, `about` the job whose mail is answered."""
        self.count += 1
        key = self.ports.engine.reply_keys.current()
        now = self.ports.now.wall_at
        address = key.reply_address(DOMAIN, project="amelia", thread=to.thread, to=who, now=now) if to else ""
        answered = f"<webordinary.{about or to.id}.answer@{DOMAIN}>" if to else None
        raw = write_mail(
            sender=who,
            to=address or f"amelia@{DOMAIN}",
            text=text,
            subject=subject or f"Mail {self.count}",
            message_id=f"<{self.count}@phone.example>",
            in_reply_to=answered,
            written_at=now,
        )
        trust = Trust(Judge(Zone(), DOMAIN), BOSS, MailLimits(thread_a_day=100))
        intake = Intake(self.ports.engine, DOMAIN, self.ports.clock, self.ports.limits, trust=trust)
        envelope = Envelope("deliver", (address or f"amelia@{DOMAIN}",), vouch=Vouch(who, OPERATOR))
        decision = intake.decide(intake.receive(raw, envelope).mail)
        assert decision is not None
        self.ports.clock.advance(timedelta(seconds=1))
        return decision

    def ends(self, ending: Ending, *, commit: str = "") -> Job:
        """Let the head of the lane come to an end, and return it."""
        claimed = self.ports.engine.claims.claim("w1", self.ports.now)
        assert claimed is not None
        assert claimed.job is not None
        job = claimed.job
        if commit:
            job = self.ports.engine.attempts.pass_commit_point(claimed.claim, job, commit, self.ports.now)
        if ending.outcome == Outcome.PROPOSED:
            ending = replace(ending, proposal=self.proposal(job, for_agency=ending.template == "proposed_to_agency"))
        if job.about is None:
            # As the worker does before the end is recorded; an interrupted one does it twice.
            for _ in range(2):
                follow_up(self.ports.engine, job, ending, self.ports.now)
        self.ports.engine.attempts.finish(claimed.claim, job, ending, self.ports.now, give_way=True)
        self.ports.engine.claims.give_back(claimed.claim, self.ports.now)
        return self.ports.job(job.id)

    def proposal(self, job: Job, *, for_agency: bool) -> Proposal:
        now = self.ports.now.wall_at
        times = (now, now + REMIND_AFTER, now + EXPIRES_AFTER)
        return Proposal(job.id, job.thread, job.lane, "c0ffee", "receipt", *times, for_agency=for_agency)

    def proposes(self, *, who: str = SCOTT, to: Job | None = None, words: str = "proposed") -> Job:
        self.says("We open at nine.", who=who, to=to)
        return self.ends(Ending(State.DONE, Outcome.PROPOSED, template=words))

    def letters(self) -> list[tuple[str, str]]:
        """Return who was written what since the last look, beside the answers to jobs."""
        self.waiting.look_after()
        due = self.ports.engine.outbox.take_due("w1", self.ports.now, limit=100)
        for letter in due:
            self.ports.engine.outbox.mark_sent(letter, self.ports.now)
        return sorted((letter.to, letter.words) for letter in due if not _is_answer(letter))


def _is_answer(letter: Letter) -> bool:
    return letter.kind == "answer"


@pytest.fixture
def desk(ports: Ports) -> Desk:
    return Desk(ports)


def test_every_ok_is_a_job_of_its_own_so_that_everybody_is_answered(desk: Desk) -> None:
    proposed = desk.proposes()
    first, second = desk.says("ok", to=proposed), desk.says("Ok!", who=MARIA, to=proposed)
    assert (first.outcome, second.outcome) == ("queued", "queued")
    assert first.job != second.job
    assert {desk.ports.job(each.job or "").about for each in (first, second)} == {approval_of(proposed.id)}
    assert {desk.ports.job(each.job or "").lane for each in (first, second)} == {proposed.lane}


def test_an_ok_can_be_said_again_when_publishing_failed(desk: Desk) -> None:
    proposed = desk.proposes()
    desk.says("ok", to=proposed)
    desk.ends(FAILED)
    assert desk.says("ok", to=proposed).outcome == "queued"


def test_an_ok_after_everything_was_decided_is_answered(desk: Desk) -> None:
    proposed = desk.proposes()
    proposal = desk.ports.engine.proposals.find(proposed.thread)
    assert proposal is not None
    desk.ports.engine.proposals.close(proposal, Standing.APPROVED, MARIA, desk.ports.now)
    assert desk.says("ok", to=proposed).answer == "already_approved"


def test_an_ok_to_what_was_replaced_says_so(desk: Desk) -> None:
    first = desk.proposes()
    second = desk.proposes(to=first)
    assert desk.says("ok", to=first).answer == "proposal_replaced"
    assert desk.says("ok", to=second).outcome == "queued"


def test_who_may_not_approve_is_told_who_may(ports: Ports) -> None:
    desk = Desk(ports, Rules(approvers=("maria",)))
    proposed = desk.proposes()
    refused = desk.says("ok", to=proposed)
    assert (refused.outcome, refused.answer, dict(refused.facts)) == (
        "refused",
        "may_not_approve",
        {"approvers": MARIA},
    )
    assert desk.says("ok", who=MARIA, to=proposed).outcome == "queued"
    assert desk.says("ok", who=BOSS, to=proposed).outcome == "queued"


def test_what_only_the_agency_may_approve_names_the_agency(desk: Desk) -> None:
    proposed = desk.proposes(words="proposed_to_agency")
    refused = desk.says("ok", who=MARIA, to=proposed)
    assert (refused.answer, dict(refused.facts)) == ("may_not_approve", {"approvers": BOSS})
    assert desk.says("ok", who=BOSS, to=proposed).outcome == "queued"


@pytest.mark.parametrize("text", ["ok but make it ten", "ok\nand change the phone number to 555", "ok?", "not ok"])
def test_an_ok_with_more_behind_it_is_an_instruction(desk: Desk, text: str) -> None:
    proposed = desk.proposes()
    decision = desk.says(text, to=proposed)
    job = desk.ports.job(decision.job or "")
    assert (job.about, job.request.text) == (None, text)
    found = desk.ports.engine.proposals.find(proposed.thread)
    assert found is not None
    assert found.standing == Standing.OPEN


def test_a_yes_is_an_ok_to_the_proposal_that_it_answers_and_to_nothing_else(desk: Desk) -> None:
    proposed = desk.proposes()
    for words in ("Ja, gerne!", "Yes please", "OK, bitte veröffentlichen.", f"ok{CARD}"):
        said = desk.says(words, who=MARIA, to=proposed)
        assert desk.ports.job(said.job or "").about == approval_of(proposed.id)
        desk.ends(FAILED)
    desk.says("Which photo?", to=proposed)
    asked = desk.ends(Ending(State.DONE, Outcome.ASKED, template="question"))
    assert desk.ports.job(desk.says("Yes", to=asked).job or "").about is None
    assert desk.ports.job(desk.says("Yes", to=proposed).job or "").about == approval_of(proposed.id)


def test_a_proposal_is_reminded_of_once_and_then_dropped(desk: Desk) -> None:
    proposed = desk.proposes()
    desk.ports.clock.advance(2 * DAY - timedelta(minutes=1))
    assert desk.letters() == []
    desk.ports.clock.advance(timedelta(minutes=2))
    assert desk.letters() == [(SCOTT, "reminder")]
    desk.ports.clock.advance(10 * DAY)
    assert desk.letters() == []
    desk.ports.clock.advance(2 * DAY)
    assert desk.letters() == [(SCOTT, "proposal_expired")]
    assert desk.letters() == []
    assert desk.says("ok", to=proposed).answer == "proposal_expired"
    # In whichever words it is said.
    assert desk.says("Ok, thanks!", who=BOSS, to=proposed).answer == "proposal_expired"
    assert desk.ports.engine.proposals.all_open() == []


def test_a_proposal_that_went_live_with_a_later_request_waits_for_nothing(desk: Desk) -> None:
    proposed = desk.proposes()
    desk.says("That is right, we open at nine. Please add it to the home page too.", to=proposed)
    desk.ends(DONE, commit="c1")
    desk.ports.clock.advance(3 * DAY)
    assert desk.letters() == []
    assert desk.says("ok", to=proposed).answer == "already_approved"


def test_a_worker_that_begins_anew_reminds_nobody_twice(desk: Desk) -> None:
    desk.proposes()
    desk.ports.clock.advance(3 * DAY)
    assert desk.letters() == [(SCOTT, "reminder")]
    desk.waiting = PendingApprovals(desk.ports.engine, desk.ports.clock, BOSS)
    assert desk.letters() == []


def test_what_waits_for_the_agency_is_asked_and_reminded_there(desk: Desk) -> None:
    desk.proposes(words="proposed_to_agency")
    assert desk.letters() == [(BOSS, "approval_wanted")]
    assert desk.letters() == []
    desk.ports.clock.advance(3 * DAY)
    assert desk.letters() == [(BOSS, "reminder")]
    desk.ports.clock.advance(12 * DAY)
    assert desk.letters() == [(SCOTT, "proposal_expired")]


def test_who_may_approve_is_asked_when_whoever_wrote_may_not(ports: Ports) -> None:
    desk = Desk(ports, Rules(approvers=("maria", "boss@chain.example")))
    desk.proposes()
    assert desk.letters() == [("boss@chain.example", "ok_wanted"), (MARIA, "ok_wanted")]
    assert desk.letters() == []
    desk.ports.clock.advance(3 * DAY)
    assert desk.letters() == [("boss@chain.example", "reminder"), (MARIA, "reminder")]
    # Maria herself is only answered.
    desk.proposes(who=MARIA)
    assert desk.letters() == []


def test_whether_somebody_may_is_asked_again_when_the_job_starts(desk: Desk) -> None:
    proposed = desk.proposes(words="proposed_to_agency")
    ok = desk.ports.job(desk.says("ok", who=BOSS, to=proposed).job or "")
    assert still_allowed(desk.ports.engine, BOSS, ok).id == "amelia"
    with pytest.raises(Refused, match="may no longer edit"):
        still_allowed(desk.ports.engine, "other@agency.example", ok)
    request = desk.ports.job(desk.says("We open at ten.", who=MARIA).job or "")
    assert still_allowed(desk.ports.engine, BOSS, request).id == "amelia"
    without_maria = replace(desk.ports.engine, projects=ConfiguredProjects((AMELIA,)))
    with pytest.raises(Refused, match="may no longer edit amelia"):
        still_allowed(without_maria, BOSS, request)
    assert still_allowed(without_maria, BOSS, replace(request, state=State.COMMITTING)).id == "amelia"


def test_whose_change_somebody_else_withdraws_is_told_once_by_whom(ports: Ports) -> None:
    desk = Desk(ports, Rules(approvers=("maria",)))
    proposed = desk.proposes()
    desk.letters()
    assert desk.says("undo", who=MARIA, to=proposed).answer == "withdrawn"
    assert desk.says("undo", who=MARIA, to=proposed).answer == "withdrawn"
    assert desk.letters() == [(SCOTT, "withdrawn_by")]
    # Who withdraws their own is only answered.
    assert desk.says("undo", to=desk.proposes()).answer == "withdrawn"
    assert (SCOTT, "withdrawn_by") not in desk.letters()


def test_whose_change_somebody_else_replaces_is_told_once(ports: Ports) -> None:
    desk = Desk(ports, Rules(approvers=("maria",)))
    first = desk.proposes()
    desk.letters()
    desk.proposes(who=MARIA, to=first)
    assert desk.letters() == [(SCOTT, "replaced")]
    desk.proposes(who=MARIA, to=first)
    assert desk.letters() == []


def test_undo_means_what_the_answered_mail_told_of(desk: Desk) -> None:
    desk.says("We open at nine.")
    first = desk.ends(DONE, commit="aaa")
    desk.says("We open at ten.", to=first)
    second = desk.ends(DONE, commit="bbb")
    undo = desk.says("undo", to=first)
    assert desk.ports.job(undo.job or "").about == revert_of("aaa")
    undo = desk.says("undo", to=second)
    assert desk.ports.job(undo.job or "").about == revert_of("bbb")


def test_undo_that_answers_no_mail_of_ours_means_what_went_live_last(desk: Desk) -> None:
    desk.says("We open at nine.")
    first = desk.ends(DONE, commit="aaa")
    desk.says("We open at ten.", to=first)
    desk.ends(DONE, commit="bbb")
    undo = desk.says("undo", to=first, about="nothing-of-ours")
    assert desk.ports.job(undo.job or "").about == revert_of("bbb")


def test_undo_where_nothing_went_live_takes_nothing_back(desk: Desk) -> None:
    desk.says("Break it.")
    failed = desk.ends(FAILED)
    assert desk.says("undo", to=failed, about="nothing-of-ours").answer == "nothing_to_undo"


def test_undo_takes_back_nothing_that_has_no_commit(desk: Desk) -> None:
    desk.says("We open at nine.")
    nowhere = desk.ends(DONE)
    assert desk.says("undo", to=nowhere, about="nothing-of-ours").answer == "nothing_to_undo"


def test_the_trail_tells_who_has_stopped_a_job(desk: Desk) -> None:
    waiting = desk.ports.job(desk.says("We open at nine.").job or "")
    desk.says("stop", to=waiting)
    told = [entry for entry in desk.ports.engine.trail.read() if entry.job == waiting.id]
    assert SCOTT in " ".join([entry.text + str(entry.facts) for entry in told])


def test_undo_cancels_no_plan_of_another_thread(desk: Desk) -> None:
    desk.says("We open at nine.")
    first = desk.ends(DONE, commit="aaa")
    moment = desk.ports.now.wall_at + DAY
    planned = Schedule("s1", "t9", first.lane, Phase.PUBLISH, moment, "c0ffee", first.id)
    desk.ports.engine.schedules.add(planned, desk.ports.now)
    undo = desk.says("undo", to=first, about="nothing-of-ours")
    assert desk.ports.job(undo.job or "").about == revert_of("aaa")
    assert [each.id for each in desk.ports.engine.schedules.all(project="amelia")] == ["s1"]


def test_undo_on_the_mail_of_a_proposal_that_went_live_means_what_went_live(desk: Desk) -> None:
    proposed = desk.proposes()
    desk.says("ok", who=MARIA, to=proposed)
    approved = desk.ends(DONE, commit="aaa")
    proposal = desk.ports.engine.proposals.find(proposed.thread)
    assert proposal is not None
    desk.ports.engine.proposals.close(proposal, Standing.APPROVED, MARIA, desk.ports.now)
    for about in (proposed.id, approved.id):
        undo = desk.says("undo", to=proposed, about=about)
        assert desk.ports.job(undo.job or "").about == revert_of("aaa")


def test_undo_on_the_report_of_a_failure_takes_nothing_back(desk: Desk) -> None:
    desk.says("We open at nine.")
    desk.ends(DONE, commit="aaa")
    desk.says("Break it.", to=desk.ports.engine.overview.jobs()[0])
    failed = desk.ends(FAILED)
    assert desk.says("undo", to=failed).answer == "nothing_to_undo"


def test_again_repeats_what_failed_as_a_new_job_and_only_once(desk: Desk) -> None:
    desk.says("We open at nine.")
    failed = desk.ends(FAILED)
    again = desk.says("again", to=failed)
    assert again.outcome == "queued"
    repeated = desk.ports.job(again.job or "")
    assert (repeated.repeats, repeated.request.text, repeated.thread) == (failed.id, "We open at nine.", failed.thread)
    desk.ends(DONE, commit="aaa")
    assert desk.says("again", to=failed).answer == "nothing_to_repeat"
    assert desk.says("again", to=repeated).answer == "nothing_to_repeat"


def test_again_on_a_success_does_not_repeat_an_older_failure(desk: Desk) -> None:
    desk.says("Break it.")
    failed = desk.ends(FAILED)
    desk.says("We open at nine.", to=failed)
    done = desk.ends(DONE, commit="aaa")
    assert desk.says("again", to=done).answer == "nothing_to_repeat"
    assert desk.says("again", to=failed).outcome == "queued"


def test_again_repeats_an_ok_that_failed(desk: Desk) -> None:
    proposed = desk.proposes()
    desk.says("ok", to=proposed)
    failed = desk.ends(FAILED)
    again = desk.says("again", to=failed)
    assert desk.ports.job(again.job or "").about == approval_of(proposed.id)


def test_status_lists_what_runs_waits_is_proposed_asked_and_scheduled(desk: Desk) -> None:
    desk.says("Which photo?")
    desk.ends(Ending(State.DONE, Outcome.ASKED, template="question"))
    proposed = desk.proposes()
    desk.says("Break it.")
    desk.ends(FAILED)
    desk.says("We open at ten.")
    moment = desk.ports.now.wall_at + DAY
    closing = Schedule("s1", "t9", proposed.lane, Phase.REVERT, moment, "c0ffee", proposed.id)
    desk.ports.engine.schedules.add(closing, desk.ports.now)
    status = desk.says("status")
    told = status.facts["requests"].split("\n")
    assert status.answer == "status"
    assert [line.partition("\t")[0] for line in told] == ["asked", "proposed_to_you", "failed", "queued", "revert_at"]
    desk.ports.engine.claims.claim("w1", desk.ports.now)
    assert "running\tMail 4" in desk.says("status").facts["requests"]


def test_status_tells_nobody_what_somebody_else_has_planned(desk: Desk) -> None:
    desk.says("We open at nine.")
    mine = desk.ends(DONE, commit="aaa")
    moment = desk.ports.now.wall_at + DAY
    for number, lane in enumerate((mine.lane, replace(mine.lane, user="maria"))):
        planned = Schedule(
            f"s{number}", f"t{number}", lane, Phase.PUBLISH, moment, "c0ffee", mine.id, until=moment + DAY
        )
        desk.ports.engine.schedules.add(planned, desk.ports.now)
    told = [line.split("\t") for line in desk.says("status").facts["requests"].split("\n")]
    assert told == [
        ["done", "Mail 1"],
        ["publish_at", "Mail 1", moment.isoformat()],
        ["revert_at", "Mail 1", (moment + DAY).isoformat()],
    ]


def test_status_in_a_conversation_tells_of_its_requests_alone(desk: Desk) -> None:
    desk.says("We open at nine.")
    first = desk.ends(DONE, commit="aaa")
    desk.says("We have a new oven.")
    desk.ends(FAILED)
    status = desk.says("status", to=first)
    assert (status.answer, status.facts["requests"]) == ("status", "done\tMail 1")


def test_a_question_that_was_answered_is_no_longer_asked(desk: Desk) -> None:
    desk.says("Which photo?")
    asked = desk.ends(Ending(State.DONE, Outcome.ASKED, template="question"))
    desk.says("The first one.", to=asked)
    desk.ends(DONE, commit="aaa")
    assert desk.says("status").facts["requests"] == "done\tMail 1\ndone\tMail 2"


def test_status_leaves_out_what_is_long_over(desk: Desk) -> None:
    desk.says("Which photo?")
    desk.ends(Ending(State.DONE, Outcome.ASKED, template="question"))
    for number in range(8):
        desk.says(f"Change {number}.")
        desk.ends(DONE, commit=f"a{number}")
    told = desk.says("status").facts["requests"].split("\n")
    assert told == ["asked\tMail 1", *(f"done\tMail {number}" for number in range(5, 10))]


def test_status_tells_what_was_taken_back_and_what_came_to_nothing(ports: Ports) -> None:
    desk = Desk(ports, Rules(approvers=("maria",)))
    desk.says("We open at nine.")
    live = desk.ends(DONE, commit="aaa")
    desk.says("undo", to=live)
    desk.ends(Ending(State.DONE, Outcome.UNDONE, template="undone"), commit="bbb")
    desk.says("undo", who=MARIA, to=desk.proposes())
    desk.proposes()
    told = [line.partition("\t")[0] for line in desk.says("status").facts["requests"].split("\n")]
    assert told == ["undone", "unpublished", "proposed"]


def test_status_names_a_request_without_what_programs_put_before_it(desk: Desk) -> None:
    desk.says("We open at nine.", subject="Re: AW: Re: Mau")
    assert desk.says("status").facts["requests"] == "queued\tMau"


def test_stop_on_what_is_live_says_so_and_on_what_was_taken_back_does_not(desk: Desk) -> None:
    desk.says("We open at nine.")
    live = desk.ends(DONE, commit="aaa")
    assert desk.says("stop", to=live).answer == "stop_is_live"
    desk.says("undo", to=live)
    desk.ends(Ending(State.DONE, Outcome.UNDONE, template="undone"), commit="bbb")
    assert desk.says("stop", to=live).answer == "nothing_to_stop"


def test_a_stop_that_answers_no_mail_says_that_nothing_was_stopped_and_what_runs(desk: Desk) -> None:
    desk.says("We open at nine.")
    said = desk.says("STOP")
    assert (said.answer, said.facts["requests"]) == ("reply_wanted", "queued\tMail 1")
    assert desk.ports.engine.overview.jobs()[0].state == State.QUEUED
