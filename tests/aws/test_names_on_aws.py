"""No two lanes share a queue, and no name is longer than AWS allows."""

from __future__ import annotations

import pytest

from webordinary.engines.aws.names import LONGEST_QUEUE_NAME, Names
from webordinary.routing.lane import LONGEST_ID, Lane

NAMES = Names()


def test_a_plain_lane_has_plain_queues() -> None:
    lane = Lane("amelia", "scott")
    assert NAMES.input(lane) == "webordinary-input-amelia-scott.fifo"
    assert NAMES.dead_letters(lane) == "webordinary-dlq-amelia-scott.fifo"
    assert NAMES.interrupts(lane) == "webordinary-interrupts-amelia-scott"
    assert NAMES.output(lane) == "webordinary-output-amelia-scott"


def test_lanes_whose_ids_run_into_each_other_have_their_own_queues() -> None:
    lanes = [Lane("a-b", "c"), Lane("a", "b-c"), Lane("a-b-c", "d"), Lane("a", "b-c-d")]
    assert len({NAMES.input(lane) for lane in lanes}) == len(lanes)


@pytest.mark.parametrize("letter", ["a", "b"])
def test_the_longest_ids_still_make_a_name(letter: str) -> None:
    lane = Lane(letter * LONGEST_ID, letter * LONGEST_ID)
    for name in (NAMES.input(lane), NAMES.dead_letters(lane), NAMES.interrupts(lane), NAMES.output(lane)):
        assert len(name) <= LONGEST_QUEUE_NAME
    assert NAMES.input(lane).endswith(".fifo")
