"""Breaks the code in one small way at a time and says which breakages no quick test notices.

`python -m tests.mutation.run routing` for a room, a file or several of them; `--changed` for the lines that differ from
where this branch began. What is known to be no mistake stands in `equivalent.json`, with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mutation.judge import Fate, Judge, Verdict
from tests.mutation.mutant import Mutant, mutants_of
from tests.mutation.near import Users, files_of_tests_near
from tests.mutation.reach import measure
from tests.tree import PACKAGE, ROOT, python_files

if TYPE_CHECKING:
    from collections.abc import Sequence

EQUIVALENT = Path(__file__).with_name("equivalent.json")
_NOTICED = {Fate.CAUGHT, Fate.HUNG}
# A few that survive can be chance, such as a test whose threads met in another way; one of four cannot.
_ENOUGH = 0.75
_FEWEST = 20
# While pytest runs here, it has another one.
_TERMINAL = sys.stdout
_HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a sample of mutants."""

    verdicts: Sequence[Verdict]
    explained: Sequence[Verdict]

    @property
    def survivors(self) -> list[Verdict]:
        return [each for each in self.verdicts if each.fate is Fate.SURVIVED and each not in self.explained]

    @property
    def noticed(self) -> int:
        return sum(each.fate in _NOTICED for each in self.verdicts)

    @property
    def share(self) -> float:
        counted = self.noticed + len(self.survivors)
        return self.noticed / counted if counted else 1.0

    @property
    def is_enough(self) -> bool:
        return self.share >= _ENOUGH or self.noticed + len(self.survivors) < _FEWEST

    def as_json(self, seed: str) -> str:
        counts = Counter(each.fate.value for each in self.verdicts)
        shown = {"seed": seed, "share": round(self.share, 3), "counts": counts, "explained": len(self.explained)}
        return json.dumps(shown | {"survivors": [_described(each) for each in self.survivors]}, indent=1)


def main(arguments: Sequence[str]) -> int:
    """Judge a sample, tell of each survivor, and write it all to build/mutation.json."""
    asked = _options().parse_args(arguments)
    os.environ.pop("WEBORDINARY_STRICT", None)
    began = time.monotonic()
    mutants = changed_mutants() if asked.changed else mutants_in(files_of(asked.rooms))
    chosen = sample(mutants, asked.number, asked.seed)
    if not chosen:
        print("There is nothing to break.")  # noqa: T201 - the one thing that a person wants to read
        return 0
    folder = ROOT / "build" / "mutation"
    folder.mkdir(parents=True, exist_ok=True)
    files = sorted({each.file for each in (chosen if asked.changed else mutants)})
    tests = dict.fromkeys([*(ROOT / each for each in asked.tests.split()), *files_of_tests_near(files)])
    reached = measure(list(tests), files, folder, began + asked.seconds * 0.5)
    judge = Judge(Users(reached).tests_of, folder, began + asked.seconds, _tell)
    verdicts = judge.judge(chosen)
    report = Report(verdicts, [each for each in verdicts if each.fate is Fate.SURVIVED and explanation_of(each.mutant)])
    (ROOT / "build" / "mutation.json").write_text(report.as_json(asked.seed), encoding="utf-8")
    _conclude(report, len(mutants), len(chosen))
    # What changed is told of: a sample of a few lines is no reason to stop anybody.
    return 0 if asked.changed or report.is_enough else 1


def files_of(rooms: Sequence[str]) -> list[Path]:
    """Return the modules of rooms such as `routing`, `mail/identity` or `site/facts/find.py`."""
    found: list[Path] = []
    for room in rooms:
        place = PACKAGE / room
        file = place.with_suffix(".py")
        if not place.is_dir() and not file.is_file():
            raise SystemExit(f"There is no room {room!r} in {PACKAGE.relative_to(ROOT)}.")
        found += python_files(place) if place.is_dir() else [file]
    return found


def mutants_in(files: Sequence[Path]) -> list[Mutant]:
    return [each for file in files for each in mutants_of(file)]


def changed_mutants() -> list[Mutant]:
    """Return the mutants of lines that differ from where this branch began; on main, from the commit before."""
    begun = _git("merge-base", "HEAD", "origin/main") or _git("merge-base", "HEAD", "main")
    since = begun if begun and begun != _git("rev-parse", "HEAD") else _git("rev-parse", "HEAD~1")
    if not since:
        return []
    lines = changed_lines(_git("diff", "-U0", "-M", "--no-color", since, "--", str(PACKAGE.relative_to(ROOT))))
    files = [file for file in lines if file.suffix == ".py" and file.is_file()]
    return [each for each in mutants_in(files) if not lines[each.file].isdisjoint(each.lines)]


def changed_lines(diff: str) -> dict[Path, set[int]]:
    """Return which lines a difference has put into which file."""
    lines: dict[Path, set[int]] = {}
    file = ROOT
    for line in diff.splitlines():
        if line.startswith("+++ "):
            file = ROOT / line.removeprefix("+++ ").removeprefix("b/")
        elif hunk := _HUNK.match(line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines.setdefault(file, set()).update(range(first, first + count))
    return lines


def sample(mutants: Sequence[Mutant], number: str, seed: str) -> list[Mutant]:
    """Return so many of the mutants, the same ones for the same seed."""
    ranked = sorted(mutants, key=lambda each: each.rank(seed))
    return ranked if number == "all" else ranked[: int(number)]


def explanation_of(mutant: Mutant) -> str | None:
    """Return why nobody could notice a mutant, if somebody has found that out."""
    before, after = mutant.diff
    for each in json.loads(EQUIVALENT.read_text(encoding="utf-8")):
        if (each["function"], each["before"], each["after"]) == (mutant.function, before, after):
            return str(each["why"])
    return None


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tests.mutation.run", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rooms", nargs="*", help="rooms or files of the package: routing, mail/identity, site/facts")
    parser.add_argument("--changed", action="store_true", help="what differs from where this branch began")
    parser.add_argument("--tests", default="", help="files of tests to ask first: tests/checks/test_corpus.py")
    parser.add_argument("--number", default="40", help="how many mutants; `all` for every one")
    parser.add_argument("--seed", default="1", help="which ones")
    parser.add_argument("--seconds", type=float, default=1800.0, help="after which it ends with what it has")
    return parser


def _git(*words: str) -> str:
    ran = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return ran.stdout.strip() if ran.returncode == 0 else ""


def _tell(verdict: Verdict) -> None:
    if verdict.fate is Fate.SURVIVED:
        told = _described(verdict)
        why = f"  explained: {told['explained']}\n" if told["explained"] else ""
        where = f"{told['place']} {told['function']} ({told['tests']} tests)"
        text = f"\n{where}\n- {told['before']}\n+ {told['after']}\n{why}"
    else:
        text = "." if verdict.fate in _NOTICED else f"({verdict.fate.value})"
    _TERMINAL.write(text)
    _TERMINAL.flush()


def _described(verdict: Verdict) -> dict[str, object]:
    mutant = verdict.mutant
    before, after = mutant.diff
    return {
        "place": f"{mutant.file.relative_to(ROOT)}:{mutant.line}",
        "function": mutant.function,
        "before": before,
        "after": after,
        "tests": verdict.asked,
        "explained": explanation_of(mutant) or "",
    }


def _conclude(report: Report, possible: int, chosen: int) -> None:
    counts = Counter(each.fate.value for each in report.verdicts)
    told = ", ".join(f"{count} {fate}" for fate, count in sorted(counts.items()))
    print(f"\n{len(report.verdicts)} of {chosen} chosen of {possible} mutants: {told}.")  # noqa: T201 - for a person
    print(f"{report.share:.0%} were noticed; {len(report.explained)} of the others are explained.")  # noqa: T201 - the same


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
