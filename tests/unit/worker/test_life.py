from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.child import run
from webordinary.testing.clock import ManualClock
from webordinary.worker.life import STALLED_AFTER, SignOfLife, look_for_life

if TYPE_CHECKING:
    from pathlib import Path


def test_a_worker_that_shows_itself_lives(tmp_path: Path) -> None:
    clock = ManualClock()
    life = SignOfLife(tmp_path, "w1", clock)
    assert look_for_life(tmp_path, clock.now()) == []
    life.show()
    (seen,) = look_for_life(tmp_path, clock.now())
    assert (seen.worker, seen.has_stalled) == ("w1", False)


def test_a_worker_whose_loop_stands_still_has_stalled(tmp_path: Path) -> None:
    clock = ManualClock()
    life = SignOfLife(tmp_path, "w1", clock)
    life.show()
    clock.advance(STALLED_AFTER)
    assert [seen.has_stalled for seen in look_for_life(tmp_path, clock.now())] == [True]
    life.show()
    assert [seen.has_stalled for seen in look_for_life(tmp_path, clock.now())] == [False]


def test_a_jump_of_the_wall_clock_makes_nobody_look_dead(tmp_path: Path) -> None:
    clock = ManualClock()
    SignOfLife(tmp_path, "w1", clock).show()
    clock.jump(timedelta(days=1))
    assert [seen.has_stalled for seen in look_for_life(tmp_path, clock.now())] == [False]


def test_a_worker_that_has_ended_is_not_missed(tmp_path: Path) -> None:
    clock = ManualClock()
    life = SignOfLife(tmp_path, "w1", clock)
    life.show()
    life.end()
    assert look_for_life(tmp_path, clock.now()) == []


def test_what_a_killed_worker_has_left_is_removed(tmp_path: Path) -> None:
    clock = ManualClock()
    SignOfLife(tmp_path, "w1", clock).show()
    dead = run(["sh", "-c", "echo $$"], cwd=tmp_path, env=os.environ).stdout.decode().strip()
    file = tmp_path / "w1"
    file.write_text(f"{dead}:1 {clock.now().boot_id} 0.0")
    assert look_for_life(tmp_path, clock.now()) == []
    assert not file.exists()


def test_what_another_machine_or_nobody_wrote_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("1:1 another-boot 5.0")
    (tmp_path / "strange").write_text("no sign of life")
    assert look_for_life(tmp_path, ManualClock().now()) == []
    assert (tmp_path / "other").exists()
