"""Tries every way of doing too much and writes `build/least.json`: `python -m tests.least.run`."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.checks.way import answer_least
from tests.least.cases import CASES, Became, OverEdit
from tests.tree import ROOT
from webordinary.jobs.job import Outcome

if TYPE_CHECKING:
    from tests.checks.case import Files

_REPORT = ROOT / "build" / "least.json"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the extra, whether the answer says all of it that is live, and whether the asked part is there."""

    name: str
    became: Became
    is_asked_lost: bool = False
    problem: str = ""


def try_one(over: OverEdit, folder: Path) -> Result:
    """Take an over-edit the way of the product and compare the files at its end with what was asked for."""
    answered, now = answer_least(over.case(), folder)
    if answered.broke or answered.outcome not in {Outcome.PUBLISHED, Outcome.PROPOSED}:
        return Result(over.name, Became.HELD, is_asked_lost=True, problem=answered.broke or answered.words)
    asked = over.asked_only()
    was = over.was()
    is_lost = any(_lacks(now, was, asked, name) for name in over.asked)
    if now == asked:
        became = Became.TAKEN_OUT if answered.is_live else Became.HELD
    else:
        became = Became.LIVE if answered.is_live else Became.HELD
    return Result(over.name, became, is_asked_lost=is_lost)


def _lacks(now: Files, was: Files, asked: Files, name: str) -> bool:
    """Tell whether a line that was asked for is not there, or one that was to go still is."""
    had, has, wanted = (_lines(files.get(name, b"")) for files in (was, now, asked))
    if has or name in now:
        return not wanted - had <= has or bool((had - wanted) & has)
    # It may be called otherwise, where all of it waits for an ok.
    return not any(wanted - had <= _lines(content) for content in now.values())


def _lines(content: bytes) -> set[str]:
    return {" ".join(line.split()) for line in content.decode(errors="replace").splitlines()}


def try_all() -> list[Result]:
    """Try each in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return [try_one(over, _fresh(Path(folder) / str(number))) for number, over in enumerate(CASES)]


def _fresh(folder: Path) -> Path:
    folder.mkdir()
    return folder


def figures(results: list[Result]) -> dict[str, int]:
    """Count what became of them."""
    became = Counter(result.became for result in results)
    return {
        "of": len(results),
        "taken_out": became[Became.TAKEN_OUT],
        "held": became[Became.HELD],
        "extra_live": became[Became.LIVE],
        "asked_lost": sum(result.is_asked_lost for result in results),
    }


def main() -> int:
    """Try everything, write it down and say it."""
    results = try_all()
    found = figures(results)
    _REPORT.parent.mkdir(exist_ok=True)
    _REPORT.write_text(f"{json.dumps(found, indent=2)}\n", encoding="utf-8")
    lines = [f"{each.name:32} {each.became:10} {'ASKED PART LOST' * each.is_asked_lost}".rstrip() for each in results]
    told = ", ".join(f"{name} {number}" for name, number in found.items())
    sys.stdout.write("\n".join((*lines, "", told)) + "\n")
    return 1 if found["extra_live"] or found["asked_lost"] else 0


if __name__ == "__main__":
    sys.exit(main())
