"""Rules for everybody but the workers: intake, people, the sweep, the postman and the clocks."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.contracts.bench import Bench, one_of, outcome_of
from webordinary.errors import Refused
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, Kind, Outcome, State

LANES = st.sampled_from(["amelia#scott", "amelia#scott", "amelia#maria", "flora#tom"])
PROJECTS = st.sampled_from(["amelia", "flora"])
THREADS = st.sampled_from(["a", "b", "c"])
KINDS = st.sampled_from([Kind.INSTRUCTION, Kind.INSTRUCTION, Kind.INSTRUCTION, Kind.ASKED, Kind.VERB])
INTERRUPTS = st.sampled_from(
    [InterruptRule(), InterruptRule(first_after=timedelta(0)), InterruptRule("queue"), InterruptRule("drop")]
)
ANY = st.integers(0, 11)
seconds = timedelta(seconds=1)
SHORT = st.sampled_from([1 * seconds, 5 * seconds, 10 * seconds, 20 * seconds])
LONG = st.sampled_from([timedelta(minutes=5), timedelta(minutes=20), timedelta(hours=24)])
JUMPS = st.sampled_from([-3600 * seconds, -15 * seconds, 15 * seconds, 1200 * seconds])


class People(Bench):
    """Intake, people, the sweep, the postman and the clocks."""

    @rule(lane=LANES, thread=THREADS, kind=KINDS, ready=st.none() | INTERRUPTS, has_reader=st.booleans())
    def accept(self, lane: str, thread: str, kind: Kind, ready: InterruptRule | None, *, has_reader: bool) -> None:
        new = self.ports.new_job(lane, thread, kind=kind, reply_to="scott@example.org" if has_reader else None)
        self.agree(
            lambda: self.reference.accept(new, self.now, ready),
            lambda: self.engine.lanes.accept(new, self.now, ready=ready),
        )

    @precondition(lambda self: self.reference.keys)
    @rule(pick=ANY, ready=st.none() | INTERRUPTS)
    def accept_again(self, pick: int, ready: InterruptRule | None) -> None:
        key, first = one_of(list(self.reference.keys.items()), pick)
        new = self.ports.new_job(self.reference.jobs[first].lane, "c", dedup_key=key)
        again = self.engine.lanes.accept(new, self.now, ready=ready)
        assert again == self.reference.accept(new, self.now, ready), f"I10: {key} is {first} and {again.job}"

    @precondition(lambda self: self.reference.jobs)
    @rule(pick=ANY, asked=INTERRUPTS)
    def enqueue(self, pick: int, asked: InterruptRule) -> None:
        jobs = list(self.reference.jobs.values())
        job = one_of([job for job in jobs if job.state == State.PREPARING] or jobs, pick).id
        self.agree(
            lambda: self.reference.enqueue(job, asked, self.now),
            lambda: self.engine.lanes.enqueue(job, asked, self.now),
        )

    @precondition(lambda self: self.reference.jobs)
    @rule(pick=ANY)
    def stop(self, pick: int) -> None:
        job = one_of(list(self.reference.jobs), pick)
        self.agree(
            lambda: self.reference.stop(job, "scott", self.now),
            lambda: self.engine.lanes.stop(job, "scott", self.now),
        )

    @precondition(lambda self: self.reference.lanes)
    @rule(pick=ANY)
    def interrupt_by_hand(self, pick: int) -> None:
        lane = one_of(list(self.reference.lanes), pick)
        self.agree(
            lambda: self.reference.interrupt(lane, "agency"),
            lambda: self.engine.lanes.interrupt(lane, "agency", self.now),
        )

    @precondition(lambda self: self.reference.lanes)
    @rule(pick=ANY)
    def release_by_hand(self, pick: int) -> None:
        lane = one_of(list(self.reference.lanes), pick)
        self.agree(
            lambda: self.reference.release_by_hand(lane),
            lambda: self.engine.lanes.release(lane, "agency", self.now),
        )

    @precondition(lambda self: self.reference.jobs)
    @rule(pick=ANY)
    def redrive(self, pick: int) -> None:
        jobs = list(self.reference.jobs.values())
        job = one_of([job for job in jobs if not job.state.is_live] or jobs, pick).id
        fresh = outcome_of(lambda: self.engine.lanes.redrive(job, "agency", self.now))
        refused = outcome_of(lambda: self.reference.redrive(job, str(fresh), self.now))
        assert (fresh is Refused) == (refused is Refused)
        self.redriven += fresh is not Refused

    @rule(project=PROJECTS)
    def pause(self, project: str) -> None:
        self.agree(
            lambda: self.reference.pause(project, self.now),
            lambda: self.engine.lanes.pause(project, "trouble", self.now),
        )

    @rule(project=PROJECTS)
    def resume(self, project: str) -> None:
        self.agree(
            lambda: self.reference.resume(project, self.now),
            lambda: self.engine.lanes.resume(project, "agency", self.now),
        )

    @rule()
    def sweep(self) -> None:
        self.engine.lanes.sweep(self.now)
        self.reference.sweep(self.now)

    @precondition(lambda self: self.reference.jobs)
    @rule(pick=ANY)
    def answer_token(self, pick: int) -> None:
        job = self.ports.job(one_of(list(self.reference.jobs), pick))
        ending = Ending(State.DONE, Outcome.ANSWERED)
        self.agree(
            lambda: self.reference.answer_token(job.id, ending, self.now),
            lambda: self.engine.callbacks.succeed(job.token or "", "", self.now),
        )

    @rule()
    def send_letters(self) -> None:
        letters = self.engine.outbox.take_due("postman", self.now, limit=1000)
        assert len({letter.job for letter in letters}) == len(letters), "two answers to one job"
        assert {letter.job: letter.words for letter in letters} == self.reference.due_letters(self.now)
        for letter in letters:
            self.engine.outbox.mark_sent(letter, self.now)
            self.reference.letters[letter.job or ""].is_sent = True

    @rule(by=SHORT, beats=st.booleans())
    def let_time_pass(self, by: timedelta, *, beats: bool) -> None:
        self.ports.clock.advance(by)
        for hand in self.hands:
            if beats and hand.claim is not None:
                self.hear(hand)

    @rule(by=LONG)
    def let_much_time_pass(self, by: timedelta) -> None:
        self.ports.clock.advance(by)

    @rule(by=JUMPS)
    def set_the_wall_clock(self, by: timedelta) -> None:
        self.ports.clock.jump(by)

    @rule()
    def reboot(self) -> None:
        """Nobody survives it, and the engine is opened again on what it has kept."""
        self.ports.clock.reboot()
        self.restart()
        for hand in self.hands:
            hand.take(None)
