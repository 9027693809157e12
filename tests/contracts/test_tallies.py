"""What every engine promises about counting."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.mail.tallies import TallyLimit

if TYPE_CHECKING:
    from tests.rigs.ports import Ports


def test_things_are_counted_and_each_only_once(ports: Ports) -> None:
    tallies = ports.engine.tallies

    assert [tallies.note(thing, [TallyLimit("t", 5)], ports.now) for thing in ("a", "b", "a", "c", "b")] == [None] * 5
    assert tallies.count("t") == 3


def test_tallies_know_nothing_of_each_other(ports: Ports) -> None:
    ports.engine.tallies.note("a", [TallyLimit("sender:scott", 1)], ports.now)

    assert ports.engine.tallies.note("b", [TallyLimit("sender:maria", 1)], ports.now) is None
    assert ports.engine.tallies.count("sender:nobody") == 0


def test_a_full_tally_takes_nothing_more_but_knows_what_it_has(ports: Ports) -> None:
    tallies, bounds = ports.engine.tallies, [TallyLimit("t", 2)]
    for thing in ("a", "b"):
        tallies.note(thing, bounds, ports.now)

    assert tallies.note("c", bounds, ports.now) == "t"
    assert tallies.note("d", bounds, ports.now) == "t"
    assert tallies.note("a", bounds, ports.now) is None
    assert tallies.count("t") == 2


def test_a_thing_is_noted_in_one_tally_after_the_other_until_one_is_full(ports: Ports) -> None:
    tallies = ports.engine.tallies
    tallies.note("a", [TallyLimit("second", 1)], ports.now)

    assert (
        tallies.note("b", [TallyLimit("first", 1), TallyLimit("second", 1), TallyLimit("third", 1)], ports.now)
        == "second"
    )
    assert [tallies.count(name) for name in ("first", "second", "third")] == [1, 1, 0]


def test_a_name_may_be_anything(ports: Ports) -> None:
    name = "x" * 5000 + "\ud800\x00ä"

    assert [ports.engine.tallies.note(name, [TallyLimit(name, 1)], ports.now) for _ in range(2)] == [None, None]
    assert ports.engine.tallies.note("another", [TallyLimit(name, 1)], ports.now) == name


def test_what_is_young_is_not_forgotten(ports: Ports) -> None:
    ports.engine.tallies.note("a", [TallyLimit("t", 2)], ports.now)
    ports.clock.advance(timedelta(hours=25))
    ports.engine.tallies.forget_before(ports.now)

    assert ports.engine.tallies.count("t") == 1
