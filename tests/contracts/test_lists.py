"""What every engine promises about long lists: page by page, without one twice and without one left out."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.test_lanes import DONE, take
from webordinary.audit.entry import Entry, EventType
from webordinary.jobs.job import State
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome

if TYPE_CHECKING:
    from tests.rigs.ports import Ports


def test_lanes_come_page_by_page_in_the_order_of_their_names(ports: Ports) -> None:
    for user in ("scott", "jane", "amelia"):
        ports.queue(lane=f"shop#{user}")
    lanes = ports.engine.overview.lanes
    assert [view.lane for view in lanes(ports.now, limit=2)] == ["shop#amelia", "shop#jane"]
    assert [view.lane for view in lanes(ports.now, after="shop#jane", limit=2)] == ["shop#scott"]


def test_active_lanes_come_with_owners_first_and_then_by_how_long_they_wait(ports: Ports) -> None:
    for user in ("zoe", "scott", "jane", "amelia"):
        ports.queue(lane=f"shop#{user}")
        ports.clock.advance(timedelta(seconds=1))
    claim, job = take(ports, "w1")
    assert claim.lane.key == "shop#zoe"
    quiet, done = take(ports, "w2")
    ports.engine.attempts.finish(quiet, done, DONE, ports.now)
    assert ports.engine.claims.release(quiet, ports.now)
    active = ports.engine.overview.active
    found = active(ports.now)
    assert [view.lane for view in found] == ["shop#zoe", "shop#jane", "shop#amelia"]
    assert [(view.owner, view.running) for view in found] == [("w1", job.id), (None, None), (None, None)]
    assert [view.lane for view in active(ports.now, limit=2)] == ["shop#zoe", "shop#jane"]
    assert [view.lane for view in active(ports.now, after="shop#jane")] == ["shop#amelia"]
    assert [view.lane for view in active(ports.now, after="shop#zoe", limit=1)] == ["shop#jane"]


def test_a_lane_says_since_when_it_is_free_and_when_its_first_job_may_start(ports: Ports) -> None:
    ports.queue(lane="shop#jane")
    ready_at = ports.now.wall_at
    ports.clock.advance(timedelta(seconds=7))
    (free,) = ports.engine.overview.active(ports.now)
    assert free.free_since is not None
    assert abs(free.free_since - ready_at) < timedelta(milliseconds=1)
    assert free.overdue_at is not None
    claim, job = take(ports, "w1")
    (owned,) = ports.engine.overview.active(ports.now)
    assert owned.free_since is None
    ports.engine.attempts.retry(claim, job, "no", timedelta(seconds=60), ports.now)
    ports.engine.claims.give_back(claim, ports.now)
    (waits,) = ports.engine.overview.active(ports.now)
    assert waits.not_before is not None
    assert abs(waits.not_before - ports.now.wall_at - timedelta(seconds=60)) < timedelta(milliseconds=1)
    assert waits.free_since is None


def test_a_lane_whose_owner_is_silent_is_free_since_its_lease_was_over(ports: Ports) -> None:
    ports.queue(lane="shop#jane")
    take(ports, "w1")
    (owned,) = ports.engine.overview.active(ports.now)
    assert owned.lease_until is not None
    ports.clock.advance(owned.lease_until - ports.now.wall_at + timedelta(seconds=3))
    (silent,) = ports.engine.overview.active(ports.now)
    assert (silent.owner, silent.last_worker) == (None, "w1")
    assert silent.free_since is not None
    assert abs(silent.free_since - owned.lease_until) < timedelta(milliseconds=1)


def test_one_lane_is_found_by_its_name_and_by_its_owner(ports: Ports) -> None:
    ports.queue(lane="shop#jane")
    take(ports, "w1")
    ports.queue(lane="shop#scott")
    overview = ports.engine.overview
    found = overview.lane("shop#scott", ports.now)
    assert found is not None
    assert found.pending == 1
    assert overview.lane("shop#nobody", ports.now) is None
    assert [view.lane for view in overview.lanes_of("w1", ports.now)] == ["shop#jane"]
    assert overview.has_lane("shop")
    assert not overview.has_lane("sho")


def test_jobs_come_page_by_page_the_newest_first(ports: Ports) -> None:
    jobs = []
    for number in range(5):
        jobs.append(ports.queue(lane=f"shop#user{number % 2}"))
        ports.clock.advance(timedelta(seconds=1))
    overview = ports.engine.overview
    assert [job.id for job in overview.jobs(limit=2)] == [jobs[4], jobs[3]]
    assert [job.id for job in overview.jobs(after=jobs[3], limit=2)] == [jobs[2], jobs[1]]
    assert [job.id for job in overview.jobs(lane="shop#user0", after=jobs[4], limit=2)] == [jobs[2], jobs[0]]
    assert [job.id for job in overview.jobs(state="queued", after=jobs[1])] == [jobs[0]]


def test_jobs_of_every_state_are_found_by_it(ports: Ports) -> None:
    for state in (State.DONE, State.FAILED, State.STOPPED):
        ports.queue(lane=f"shop#{state.value}")
    ended = {}
    for _ in range(3):
        claim, job = take(ports)
        state = State(claim.lane.user)
        ending = DONE if state is State.DONE else type(DONE)(state, error="no")
        ports.engine.attempts.finish(claim, job, ending, ports.now)
        ports.engine.claims.give_back(claim, ports.now)
        ended[state] = job.id
    waiting = ports.queue()
    for state, job_id in {**ended, State.QUEUED: waiting}.items():
        assert [job.id for job in ports.engine.overview.jobs(state=state.value)] == [job_id]


def test_mails_come_page_by_page_the_newest_first(ports: Ports) -> None:
    inbox, mails = ports.engine.inbox, []
    for number in range(4):
        envelope = Envelope(door="smtp", recipients=("edit@example.com",), transport_key=f"key-{number}")
        mails.append(inbox.keep(b"Dear all", envelope, ports.now).mail)
        outcome = MailOutcome.IGNORED if number % 2 else MailOutcome.STRANGER
        inbox.decide(mails[-1], Decision(outcome, "because"), ports.now)
        ports.clock.advance(timedelta(seconds=1))
    overview = ports.engine.overview
    assert [mail.id for mail in overview.mails(limit=3)] == [mails[3], mails[2], mails[1]]
    assert [mail.id for mail in overview.mails(after=mails[1])] == [mails[0]]
    assert [mail.id for mail in overview.mails(outcome=MailOutcome.IGNORED, after=mails[3])] == [mails[1]]


def test_the_trail_is_read_backwards_page_by_page(ports: Ports) -> None:
    trail = ports.engine.trail
    for number in range(4):
        trail.record(Entry(EventType.STEP, ports.now.wall_at, lane=f"shop#user{number % 2}", text=str(number)))
    newest = trail.newest(limit=2)
    assert [entry.text for entry in newest] == ["2", "3"]
    assert [entry.text for entry in trail.newest(limit=2, before=newest[0].number)] == ["0", "1"]
    assert [entry.text for entry in trail.newest(limit=9, lane="shop#user0", before=newest[0].number)] == ["0"]
