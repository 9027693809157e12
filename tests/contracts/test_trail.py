"""What every engine promises about the trail and the read side."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType

if TYPE_CHECKING:
    from tests.rigs.ports import Ports


def test_entries_are_read_in_the_order_in_which_they_happened(ports: Ports) -> None:
    for text in ("one", "two", "three"):
        ports.engine.trail.record(Entry(EventType.STEP, ports.now.wall_at, text=text, facts={"why": text}))
    entries = ports.engine.trail.read()
    assert [entry.text for entry in entries] == ["one", "two", "three"]
    assert [entry.text for entry in ports.engine.trail.read(after=entries[0].number, limit=1)] == ["two"]
    assert ports.engine.trail.last_number() == entries[-1].number
    assert entries[0].facts == {"why": "one"}


def test_the_end_of_the_trail_is_read_without_the_rest(ports: Ports) -> None:
    for number in range(4):
        about = "job-1" if number % 2 else "job-2"
        ports.engine.trail.record(Entry(EventType.STEP, ports.now.wall_at, job=about, text=str(number)))
    assert [entry.text for entry in ports.engine.trail.newest(limit=3)] == ["1", "2", "3"]
    assert [entry.text for entry in ports.engine.trail.newest(limit=1, job="job-2")] == ["2"]
    assert ports.engine.trail.newest(limit=5, lane="amelia#nobody") == []


def test_the_trail_of_one_job_or_lane_can_be_read_alone(ports: Ports) -> None:
    first, _ = ports.queue(lane="amelia#scott"), ports.queue(lane="amelia#maria")
    assert {entry.job for entry in ports.engine.trail.read(job=first)} == {first}
    assert {entry.lane for entry in ports.engine.trail.read(lane="amelia#maria")} == {"amelia#maria"}


def test_what_is_too_old_is_forgotten_and_numbers_are_never_used_again(ports: Ports) -> None:
    ports.engine.trail.record(Entry(EventType.STEP, ports.now.wall_at, text="old"))
    last = ports.engine.trail.last_number()
    ports.clock.advance(timedelta(days=31))
    assert ports.engine.trail.forget_before(ports.now.wall_at - timedelta(days=30)) == 1
    ports.engine.trail.record(Entry(EventType.STEP, ports.now.wall_at, text="new"))
    assert [(entry.text, entry.number > last) for entry in ports.engine.trail.read()] == [("new", True)]


def test_jobs_are_shown_newest_first_and_by_state(ports: Ports) -> None:
    ports.queue()
    ports.clock.advance(timedelta(seconds=1))
    newer = ports.queue()
    assert ports.engine.overview.jobs(limit=1)[0].id == newer
    assert len(ports.engine.overview.jobs(state="queued")) == 2
    assert len(ports.engine.overview.jobs(state="dead")) == 0
    assert ports.engine.overview.job("job-unknown") is None
    assert ports.engine.overview.mail("mail-unknown") is None


def test_a_paused_project_is_shown_with_its_reason(ports: Ports) -> None:
    ports.engine.lanes.pause("amelia", "moving house", ports.now)
    (paused,) = ports.engine.overview.paused()
    assert (paused.project, paused.reason, paused.since_at) == ("amelia", "moving house", ports.now.wall_at)


def test_known_projects_are_found_and_unknown_ones_are_not(ports: Ports) -> None:
    assert [project.id for project in ports.engine.projects.all()] == ["amelia"]
    assert ports.engine.projects.find("amelia") is not None
    assert ports.engine.projects.find("flora") is None
