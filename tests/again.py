"""Runs the few tests that failed in the run before once more, alone: a broken test fails again, chance does not.

`make test-again`, for continuous integration. Whatever fails once more is broken. What passes every time is listed by
name at the end of the log, as a fault of that test which somebody has to mend.
"""

from __future__ import annotations

import json
import subprocess
import sys

from tests.tree import ROOT

FAILED = ROOT / "build" / "failed.json"
# More than a few at once are no chance, and one pass is no proof.
FEW = 3
TIMES = 5


def main() -> int:
    failed: dict[str, str] = json.loads(FAILED.read_text(encoding="utf-8")) if FAILED.exists() else {}
    if why := why_it_is_no_chance(failed):
        return _say(why, 1)
    for test in failed:
        for turn in range(1, TIMES + 1):
            _say(f"once more, alone ({turn} of {TIMES}): {test}", 0)
            if not _passes(test):
                return _say(f"It failed again, so it is broken: {test}", 1)
    for test in failed:
        _say(f"FAILED BY CHANCE, and passed {TIMES} times alone. Somebody has to mend it: {test}", 0)
    return 0


def why_it_is_no_chance(failed: dict[str, str]) -> str | None:
    """Say why nothing needs to be run again to know that the run was bad."""
    if not failed:
        return "No test failed, so it was something else: read what is above."
    if len(failed) > FEW:
        return f"{len(failed)} tests failed: that is no chance."
    if unclean := [test for test, phase in failed.items() if phase != "call"]:
        return f"What is made or looked at for several tests failed, and is not the same alone: {', '.join(unclean)}."
    return None


def _passes(test: str) -> bool:
    command = [sys.executable, "-m", "pytest", "-n", "0", "-m", "", test]
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def _say(line: str, code: int) -> int:
    sys.stdout.write(f"== {line}\n")
    sys.stdout.flush()
    return code


if __name__ == "__main__":
    sys.exit(main())
