"""The design this project replaces: two rows and three queues that must agree, changed one by one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from .explorer import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOBODY = -1
NO_CLAIM_REQUEST = "owned, so no claim request"


class OriginBroken(StrEnum):
    """What goes wrong in it, apart from getting stuck."""

    WRONG_JOB_KILLED = "I6 an interrupt killed a job that it was not meant for"
    FINISHED_TWICE = "I4 a job was finished twice"
    TWO_OWNERS_WORK = "I2 two owners work in one lane"


class Routing(StrEnum):
    """How far the router is with one mail."""

    NEW = "new"
    SAW_OWNER = "saw the ownership row"
    SAW_JOB = "saw the active-job row"
    SENT = "sent to the queue"
    ROUTED = "routed"


class Mail(NamedTuple):
    routing: Routing = Routing.NEW
    saw_owner: bool = False


class OriginWorker(NamedTuple):
    is_alive: bool = True
    is_paused: bool = False
    thinks_it_owns: bool = False
    job: int = NOBODY


class Interrupt(NamedTuple):
    """It is read by whoever owns the lane then; whom it was meant for is written here for the check only."""

    meant_for: int


class InFlight(NamedTuple):
    mail: int
    worker: int


class OriginState(NamedTuple):
    mails: tuple[Mail, ...]
    crashes: int
    pauses: int
    workers: tuple[OriginWorker, OriginWorker] = (OriginWorker(), OriginWorker())
    owner: int = NOBODY
    is_fresh: bool = False
    active_job: int = NOBODY
    fifo: tuple[int, ...] = ()
    in_flight: InFlight | None = None
    claim_requests: int = 0
    interrupts: tuple[Interrupt, ...] = ()
    finished: tuple[int, ...] = ()
    killed: tuple[int, ...] = ()

    def with_mail(self, number: int, mail: Mail) -> OriginState:
        return self._replace(mails=(*self.mails[:number], mail, *self.mails[number + 1 :]))

    def with_worker(self, number: int, worker: OriginWorker) -> OriginState:
        first, second = self.workers
        return self._replace(workers=(worker, second) if number == 0 else (first, worker))

    def without_owner(self) -> OriginState:
        return self._replace(owner=NOBODY, is_fresh=False)

    def has_lost_contact(self, worker: int) -> bool:
        return not self.workers[worker].is_alive or self.workers[worker].is_paused


@dataclass(frozen=True, slots=True)
class OriginModel:
    """The origin at its best: no rate limit on claims, and an owner with mail in its queue is not idle."""

    mails: int = 2
    has_idle_release: bool = True
    has_interrupts: bool = True
    crashes: int = 0
    pauses: int = 0

    def start(self) -> OriginState:
        return OriginState((Mail(),) * self.mails, self.crashes, self.pauses)

    def steps(self, state: OriginState) -> Iterator[Step[OriginState]]:
        for number in range(self.mails):
            yield from self._route(state, number)
        for number, worker in enumerate(state.workers):
            if worker.is_paused:
                awake = state.with_worker(number, worker._replace(is_paused=False))
                yield Step(f"w{number} wakes up", awake)
            elif worker.is_alive:
                for operation in self._operations():
                    yield from operation(state, number)
        yield from _pass_time(state)

    def _operations(self) -> Iterator[Callable[[OriginState, int], Iterator[Step[OriginState]]]]:
        yield from (_claim, _receive, _finish, _fall)
        if self.has_idle_release:
            yield _release
        if self.has_interrupts:
            yield _obey_interrupt

    def _route(self, state: OriginState, number: int) -> Iterator[Step[OriginState]]:
        mail = state.mails[number]
        label = f"router m{number}:"
        match mail.routing:
            case Routing.NEW if number == 0 or state.mails[number - 1].routing is not Routing.NEW:
                saw = Mail(Routing.SAW_OWNER, saw_owner=state.owner != NOBODY)
                seen = f"claimed by w{state.owner}" if saw.saw_owner else "unclaimed"
                yield Step(f"{label} reads the ownership row: {seen}", state.with_mail(number, saw))
            case Routing.SAW_OWNER:
                yield self._interrupt(state, number, label)
            case Routing.SAW_JOB:
                sent = state.with_mail(number, mail._replace(routing=Routing.SENT))
                yield Step(f"{label} sends it to the queue", sent._replace(fifo=(*state.fifo, number)))
            case Routing.SENT:
                routed = state.with_mail(number, mail._replace(routing=Routing.ROUTED))
                if mail.saw_owner:
                    yield Step(f"{label} {NO_CLAIM_REQUEST}", routed)
                else:
                    asked = routed._replace(claim_requests=state.claim_requests + 1)
                    yield Step(f"{label} sends a claim request", asked)
            case _:
                pass

    def _interrupt(self, state: OriginState, number: int, label: str) -> Step[OriginState]:
        after = state.with_mail(number, state.mails[number]._replace(routing=Routing.SAW_JOB))
        if state.active_job == NOBODY or not self.has_interrupts:
            return Step(f"{label} nothing to interrupt", after)
        interrupted = after._replace(interrupts=(*state.interrupts, Interrupt(state.active_job)))
        return Step(f"{label} sends an interrupt, meant for m{state.active_job}", interrupted)

    def broken(self, state: OriginState) -> str | None:
        if len(set(state.finished)) < len(state.finished):
            return OriginBroken.FINISHED_TWICE
        if all(worker.job != NOBODY and not worker.is_paused for worker in state.workers):
            return OriginBroken.TWO_OWNERS_WORK
        return None

    def is_end(self, state: OriginState) -> bool:
        ended = {*state.finished, *state.killed}
        is_routed = all(mail.routing is Routing.ROUTED for mail in state.mails)
        return is_routed and len(ended) == self.mails


def _claim(state: OriginState, number: int) -> Iterator[Step[OriginState]]:
    worker = state.workers[number]
    if state.claim_requests and not worker.thinks_it_owns and not state.is_fresh:
        claimed = state.with_worker(number, worker._replace(thinks_it_owns=True))
        owned = claimed._replace(owner=number, is_fresh=True, claim_requests=state.claim_requests - 1)
        yield Step(f"w{number} claims", owned)


def _receive(state: OriginState, number: int) -> Iterator[Step[OriginState]]:
    worker = state.workers[number]
    if worker.thinks_it_owns and worker.job == NOBODY and state.fifo and state.in_flight is None:
        mail, *rest = state.fifo
        busy = state.with_worker(number, worker._replace(job=mail))
        taken = busy._replace(fifo=tuple(rest), in_flight=InFlight(mail, number), active_job=mail)
        yield Step(f"w{number} receives and starts m{mail}", taken)


def _finish(state: OriginState, number: int) -> Iterator[Step[OriginState]]:
    worker = state.workers[number]
    if worker.job != NOBODY:
        in_flight = None if state.in_flight == InFlight(worker.job, number) else state.in_flight
        done = state.with_worker(number, worker._replace(job=NOBODY))
        finished = (*state.finished, worker.job)
        yield Step(
            f"w{number} finishes m{worker.job}",
            done._replace(in_flight=in_flight, active_job=NOBODY, finished=finished),
        )


def _release(state: OriginState, number: int) -> Iterator[Step[OriginState]]:
    worker = state.workers[number]
    if worker.thinks_it_owns and worker.job == NOBODY and not state.fifo:
        freed = state.with_worker(number, worker._replace(thinks_it_owns=False))
        yield Step(f"w{number} was idle and deletes the ownership row", freed.without_owner())


def _obey_interrupt(state: OriginState, number: int) -> Iterator[Step[OriginState]]:
    worker = state.workers[number]
    if not worker.thinks_it_owns or not state.interrupts:
        return
    meant_for = state.interrupts[0].meant_for
    freed = state._replace(interrupts=state.interrupts[1:]).with_worker(number, OriginWorker()).without_owner()
    if worker.job == NOBODY:
        yield Step(f"w{number} reads an interrupt while idle and releases", freed)
        return
    was_mine = state.in_flight is not None and state.in_flight.mail == worker.job
    killed = freed._replace(
        killed=(*state.killed, worker.job),
        in_flight=None if was_mine else state.in_flight,
        active_job=NOBODY,
    )
    breaks = None if worker.job == meant_for else OriginBroken.WRONG_JOB_KILLED
    label = f"w{number} reads an interrupt meant for m{meant_for}, kills m{worker.job}, releases"
    yield Step(label, killed, breaks)


def _fall(state: OriginState, number: int) -> Iterator[Step[OriginState]]:
    worker = state.workers[number]
    if state.crashes and worker.thinks_it_owns:
        dead = state.with_worker(number, OriginWorker(is_alive=False))
        yield Step(f"w{number} crashes", dead._replace(crashes=state.crashes - 1), is_fault=True)
    if state.pauses and worker.job != NOBODY:
        asleep = state.with_worker(number, worker._replace(is_paused=True))
        yield Step(f"w{number} falls asleep", asleep._replace(pauses=state.pauses - 1), is_fault=True)


def _pass_time(state: OriginState) -> Iterator[Step[OriginState]]:
    if state.is_fresh and state.has_lost_contact(state.owner):
        yield Step("the ownership row expires", state._replace(is_fresh=False))
    if state.in_flight is not None and state.has_lost_contact(state.in_flight.worker):
        returned = state._replace(in_flight=None, fifo=(state.in_flight.mail, *state.fifo))
        yield Step("the message becomes visible again", returned)
