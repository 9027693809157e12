"""What every engine promises about counting."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.rigs.ports import Ports


def test_things_are_counted_and_each_only_once(ports: Ports) -> None:
    tallies = ports.engine.tallies
    noted = [tallies.note("sender:scott", thing, ports.now, most=5) for thing in ("a", "b", "a", "c", "b")]

    assert noted == [1, 2, 2, 3, 3]
    assert tallies.count("sender:scott") == 3


def test_tallies_know_nothing_of_each_other(ports: Ports) -> None:
    ports.engine.tallies.note("sender:scott", "a", ports.now, most=5)

    assert ports.engine.tallies.note("sender:maria", "a", ports.now, most=5) == 1
    assert ports.engine.tallies.count("sender:nobody") == 0


def test_a_full_tally_takes_nothing_more_but_knows_what_it_has(ports: Ports) -> None:
    tallies = ports.engine.tallies
    for thing in ("a", "b"):
        tallies.note("t", thing, ports.now, most=2)

    assert tallies.note("t", "c", ports.now, most=2) == 3
    assert tallies.note("t", "d", ports.now, most=2) == 3
    assert tallies.note("t", "a", ports.now, most=2) == 2
    assert tallies.count("t") == 2


def test_a_name_may_be_anything(ports: Ports) -> None:
    name = "x" * 5000 + "\ud800\x00ä"

    assert ports.engine.tallies.note(name, name, ports.now, most=2) == 1
    assert ports.engine.tallies.note(name, name, ports.now, most=2) == 1


def test_what_is_young_is_not_forgotten(ports: Ports) -> None:
    ports.engine.tallies.note("t", "a", ports.now, most=2)
    ports.clock.advance(timedelta(hours=25))
    ports.engine.tallies.forget_before(ports.now)

    assert ports.engine.tallies.count("t") == 1
