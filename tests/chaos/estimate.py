"""How long the long part of `make chaos` will take on this machine: measured on a little of it, and said before."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.contracts.test_state_machine import LONG_PARTS, long_steps, on
from tests.model.explorer import explore
from tests.model.situations import LONG, QUICK
from tests.rigs import ON_ONE_MACHINE, PORTS

_SAMPLE = "ABCD, nothing goes wrong"
_EXAMPLES, _STEPS = 4, 40
# A step over the network beside one in a file of the same machine.
_REMOTE = 25
# Of a long situation, about.
_STATES = 300_000
_MINUTE = 60


def seconds_of_long_part(scale: float) -> float:
    """Return the seconds of one core that the explorer and the state machine need at this scale."""
    states, seconds = _sample_of_states()
    exploring = len(LONG) * _STATES * min(1.0, scale) * seconds / states
    step = _seconds_of_a_step()
    parts = max(1, round(LONG_PARTS * scale))
    stepping = sum(long_steps(engine) * step * (1 if engine in ON_ONE_MACHINE else _REMOTE) for engine in PORTS)
    return float(exploring + parts * stepping)


def _sample_of_states() -> tuple[int, float]:
    began = time.perf_counter()
    return explore(QUICK[_SAMPLE]).states, time.perf_counter() - began


def _seconds_of_a_step() -> float:
    few = settings(settings.get_profile("quick"), max_examples=_EXAMPLES, stateful_step_count=_STEPS)
    with tempfile.TemporaryDirectory(prefix="estimate-") as folder:
        os.chdir(Path(folder))
        began = time.perf_counter()
        run_state_machine_as_test(on(ON_ONE_MACHINE[0]), settings=few)
        return float(time.perf_counter() - began) / (_EXAMPLES * _STEPS)


def main() -> int:
    """Print one line: what will be done, and about how long that takes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scale", type=float, default=1.0)
    scale = options.parse_args().scale
    cores = os.cpu_count() or 1
    minutes = seconds_of_long_part(scale) / cores / _MINUTE
    sys.stdout.write(
        f"{len(LONG)} situations of the explorer and {max(1, round(LONG_PARTS * scale))} parts of the state machine on"
        f" {len(PORTS)} engines: about {minutes:.0f} min on {cores} cores\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
