"""What every engine promises about the totals: kept as they were counted, and gone on from by one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.metrics.totals import Totals

if TYPE_CHECKING:
    from tests.rigs.ports import Ports


def counted(number: int, mails: int) -> Totals:
    totals = Totals(number, is_whole=True, workers={"w1": (2, 0)})
    totals.add("mails", "queued", "verified", by=mails)
    totals.note("claim_seconds", 0.25)
    return totals


def test_nobody_has_counted_before_the_first_one(ports: Ports) -> None:
    assert ports.engine.totals.read() is None


def test_what_was_counted_is_read_as_it_was(ports: Ports) -> None:
    assert ports.engine.totals.replace(counted(7, 3), None)
    assert ports.engine.totals.read() == counted(7, 3)


def test_of_two_who_go_on_from_the_same_number_one_is_believed(ports: Ports) -> None:
    totals = ports.engine.totals
    # As large as the numbers of a trail that come from the clock.
    first, second = 1_790_000_000_000_000_001, 1_790_000_000_000_000_002
    assert totals.replace(counted(first, 1), None)
    assert not totals.replace(counted(second, 9), None)
    assert totals.replace(counted(second, 2), first)
    assert not totals.replace(counted(second + 1, 9), first)
    assert totals.read() == counted(second, 2)
