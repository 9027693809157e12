"""Tries the whole corpus and writes `build/checks.json`: `python -m tests.checks.run`."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.checks.case import Want
from tests.checks.corpus import CASES
from tests.checks.judge import judge
from tests.tree import ROOT

if TYPE_CHECKING:
    from tests.checks.judge import Verdict

MOST_HELD_WITHOUT_NEED = 2
_REPORT = ROOT / "build" / "checks.json"


def try_all() -> list[Verdict]:
    """Judge every case, each in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return [judge(case, _fresh(Path(folder) / str(number))) for number, case in enumerate(CASES)]


def _fresh(folder: Path) -> Path:
    folder.mkdir()
    return folder


def figures(verdicts: list[Verdict]) -> dict[str, int]:
    """Count what became of them: of the wrong edits, and of the correct ones."""
    wrong = [verdict for verdict in verdicts if not verdict.case.is_correct]
    correct = [verdict for verdict in verdicts if verdict.case.is_correct]
    became = Counter(verdict.became for verdict in wrong if not verdict.hidden)
    return {
        "cases": len(wrong),
        "held": became[Want.HELD],
        "told": became[Want.TOLD] + became[Want.NOTHING],
        "hidden": sum(bool(verdict.hidden) for verdict in verdicts),
        "correct": len(correct),
        "held_without_need": sum(verdict.waits_without_need for verdict in correct),
        "not_as_expected": sum(not verdict.is_right and not verdict.waits_without_need for verdict in verdicts),
    }


def is_kept(found: dict[str, int]) -> bool:
    """Tell whether the promise is kept: nothing is hidden, and hardly anything waits without need."""
    return not found["hidden"] and found["held_without_need"] <= MOST_HELD_WITHOUT_NEED and not found["not_as_expected"]


def table(verdicts: list[Verdict]) -> str:
    """Return the figures by the points of the promise, and each case that is not as it should be."""
    lines = ["point  cases  held  told  hidden  live  wrong outcome"]
    for point in sorted({verdict.case.point for verdict in verdicts}):
        some = [verdict for verdict in verdicts if verdict.case.point == point]
        held, live = (sum(each.became is want for each in some) for want in (Want.HELD, Want.LIVE))
        hidden = sum(bool(each.hidden) for each in some)
        told = sum(each.became in {Want.TOLD, Want.NOTHING} and not each.hidden for each in some)
        off = sum(not each.is_right for each in some)
        lines.append(f"{point:5}  {len(some):5}  {held:4}  {told:4}  {hidden:6}  {live:4}  {off:13}")
    for verdict in verdicts:
        if not verdict.is_right:
            lines.append(f"\n{verdict.case.name} (point {verdict.case.point})")
            lines += [f"  {problem}" for problem in verdict.problems[:4]]
    return "\n".join(lines)


def main() -> int:
    """Try everything, write it down and say it."""
    verdicts = try_all()
    found = figures(verdicts)
    _REPORT.parent.mkdir(exist_ok=True)
    _REPORT.write_text(f"{json.dumps(found, indent=2)}\n", encoding="utf-8")
    told = ", ".join(f"{name} {number}" for name, number in found.items())
    sys.stdout.write(f"{table(verdicts)}\n\n{told}\n")
    return 0 if is_kept(found) else 1


if __name__ == "__main__":
    sys.exit(main())
