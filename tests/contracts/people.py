"""What everybody but the workers does: intake, people, the sweep, the postman and the clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contracts.bench import Bench, outcome_of
from tests.contracts.reference_lines import ANY_WORDS
from webordinary.errors import Refused
from webordinary.jobs.job import Ending, Kind, Outcome, State

if TYPE_CHECKING:
    from datetime import timedelta

    from webordinary.interrupts.decide import InterruptRule


class People(Bench):
    """Intake, people, the sweep, the postman and the clocks."""

    def accept(self, lane: str, thread: str, kind: Kind, ready: InterruptRule | None, *, has_reader: bool) -> None:
        new = self.ports.new_job(lane, thread, kind=kind, reply_to="scott@example.org" if has_reader else None)
        self.agree(
            lambda: self.reference.accept(new, self.now, ready),
            lambda: self.engine.lanes.accept(new, self.now, ready=ready),
        )

    def accept_again(self, key: str, ready: InterruptRule | None) -> None:
        first = self.reference.keys[key]
        new = self.ports.new_job(self.reference.jobs[first].lane, "c", dedup_key=key)
        again = self.engine.lanes.accept(new, self.now, ready=ready)
        assert again == self.reference.accept(new, self.now, ready), f"I10: {key} is {first} and {again.job}"

    def enqueue(self, job: str, asked: InterruptRule) -> None:
        self.agree(
            lambda: self.reference.enqueue(job, asked, self.now),
            lambda: self.engine.lanes.enqueue(job, asked, self.now),
        )

    def stop(self, job: str) -> None:
        self.agree(
            lambda: self.reference.stop(job, "scott", self.now),
            lambda: self.engine.lanes.stop(job, "scott", self.now),
        )

    def interrupt_by_hand(self, lane: str) -> None:
        self.agree(
            lambda: self.reference.interrupt(lane, "agency"),
            lambda: self.engine.lanes.interrupt(lane, "agency", self.now),
        )

    def release_by_hand(self, lane: str) -> None:
        self.agree(
            lambda: self.reference.release_by_hand(lane, self.now),
            lambda: self.engine.lanes.release(lane, "agency", self.now),
        )

    def redrive(self, job: str) -> None:
        fresh = outcome_of(lambda: self.engine.lanes.redrive(job, "agency", self.now))
        refused = outcome_of(lambda: self.reference.redrive(job, str(fresh), self.now))
        assert (fresh is Refused) == (refused is Refused)
        self.redriven += fresh is not Refused

    def pause(self, project: str) -> None:
        self.agree(
            lambda: self.reference.pause(project, self.now),
            lambda: self.engine.lanes.pause(project, "trouble", self.now),
        )

    def resume(self, project: str) -> None:
        self.agree(
            lambda: self.reference.resume(project, self.now),
            lambda: self.engine.lanes.resume(project, "agency", self.now),
        )

    def sweep(self) -> None:
        self.engine.lanes.sweep(self.now)
        self.reference.sweep(self.now)

    def answer_token(self, job: str) -> None:
        token, ending = self.ports.job(job).token or "", Ending(State.DONE, Outcome.ANSWERED)
        self.agree(
            lambda: self.reference.answer_token(job, ending, self.now),
            lambda: self.engine.callbacks.succeed(token, "", self.now),
        )

    def send_letters(self) -> None:
        letters = self.engine.outbox.take_due("postman", self.now, limit=1000)
        assert len({letter.job for letter in letters}) == len(letters), "two answers to one job"
        due = self.reference.due_letters(self.now)
        assert {letter.job for letter in letters} == due.keys(), "a job has ended and nobody is told"
        for letter in letters:
            assert due[letter.job or ""] in {letter.words, ANY_WORDS}
            self.engine.outbox.mark_sent(letter, self.now)
            self.reference.letters[letter.job or ""].is_sent = True

    def let_time_pass(self, by: timedelta, *, beats: bool) -> None:
        self.ports.clock.advance(by)
        for hand in self.hands.values():
            if beats and hand.claim is not None:
                self.hear(hand)

    def let_much_time_pass(self, by: timedelta) -> None:
        self.ports.clock.advance(by)
        self.sweep()

    def set_the_wall_clock(self, by: timedelta) -> None:
        self.ports.clock.jump(by)

    def reboot(self) -> None:
        """Nobody survives it, and the engine is opened again on what it has kept."""
        self.ports.clock.reboot()
        self.restart()
        for hand in self.hands.values():
            hand.take(None)
