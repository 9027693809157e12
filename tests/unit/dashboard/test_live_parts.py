"""The parts of live pages: what the reader finds, what a seat keeps, and what an entry changes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from webordinary.audit.entry import Entry, EventType
from webordinary.dashboard.live.names import Changes, names_of
from webordinary.dashboard.live.reader import AT_ONCE, TrailReader
from webordinary.dashboard.live.seat import END, MOST_WAITING, RELOAD, Seat, changed
from webordinary.dashboard.viewer import Role, Viewer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.audit.trail import Trail

AMY = Viewer("amy", Role.AGENCY)
STEP = Entry(EventType.STEP, datetime(2026, 11, 16, tzinfo=UTC), lane="amelia#scott", job="job-1", text="<b>secret</b>")


class Kept(list[Entry]):
    """Entries by their numbers, as a trail returns them."""

    def last_number(self) -> int:
        return max((entry.number for entry in self), default=0)

    def read(self, *, after: int, limit: int) -> Sequence[Entry]:
        found = sorted((entry for entry in self if entry.number > after), key=lambda entry: entry.number)
        return found[:limit]

    def add(self, *numbers: int) -> None:
        self.extend(STEP._replace(number=number) for number in numbers)


def reader_of(kept: Kept, late: int = 0) -> TrailReader:
    return TrailReader(cast("Trail", kept), late)


def numbers(found: Sequence[Entry] | None) -> list[int]:
    assert found is not None
    return [entry.number for entry in found]


def test_the_reader_begins_at_the_end_and_finds_each_entry_once() -> None:
    kept = Kept()
    kept.add(1, 2, 3)
    reader = reader_of(kept)
    assert reader.look() is None
    kept.add(4, 5)
    assert numbers(reader.look()) == [4, 5]
    assert numbers(reader.look()) == []
    assert reader.number == 5


def test_an_entry_that_turns_up_behind_a_later_one_is_found_too_and_no_other_twice() -> None:
    kept = Kept()
    kept.add(100)
    reader = reader_of(kept, late=30)
    assert reader.look() is None
    kept.add(120)
    assert 120 in numbers(reader.look())
    kept.add(110)
    assert numbers(reader.look()) == [110]
    assert numbers(reader.look()) == []
    assert reader.number == 120


def test_too_much_at_once_is_everything() -> None:
    kept = Kept()
    reader = reader_of(kept)
    reader.look()
    kept.add(*range(1, AT_ONCE + 10))
    assert reader.look() is None
    assert reader.number == AT_ONCE + 9
    assert numbers(reader.look()) == []


def test_a_browser_that_does_not_keep_up_is_told_to_load_everything_and_nothing_grows() -> None:
    async def told() -> bytes:
        seat = Seat(AMY, "secret", None)
        for number in range(MOST_WAITING + 1):
            seat.put(changed(number, ["now"]))
        return await seat.take()

    assert asyncio.run(told()) == RELOAD


def test_the_end_comes_before_whatever_else_waits_and_nothing_after_it() -> None:
    async def told() -> bytes:
        seat = Seat(AMY, "secret", None)
        seat.put(changed(1, ["now"]))
        seat.end(END)
        seat.put(changed(2, ["now"]))
        return await seat.take()

    assert asyncio.run(told()) == END


def test_an_entry_names_what_it_changes_and_never_says_a_word_of_it() -> None:
    assert set(names_of(STEP)) == {"trail", "now", "lane:amelia#scott", "project:amelia", "job:job-1"}
    assert {"jobs", "needs", "projects"} <= set(names_of(STEP._replace(what=EventType.JOB_DONE)))
    assert "needs" in set(names_of(Entry(EventType.MAIL_HELD, STEP.at, mail="mail-1")))
    everything = changed(7, sorted(Changes([STEP._replace(what=each) for each in EventType]).for_viewer(AMY)))
    assert b"secret" not in everything


def test_what_belongs_to_no_project_is_not_for_a_client() -> None:
    changes = Changes([STEP, Entry(EventType.WORKER_STARTED, STEP.at, worker="w-1"), STEP._replace(lane="flora#flo")])
    client = changes.for_viewer(Viewer("scott", Role.CLIENT, ("amelia",)))
    assert "lane:amelia#scott" in client
    assert "lane:flora#flo" not in client
    assert changes.for_viewer(Viewer("eve", Role.CLIENT, ())) == frozenset()
