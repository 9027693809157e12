"""The tool that breaks the code: what it breaks, that the breakage runs, and that a sample is the same each time."""

from __future__ import annotations

import gc
import importlib.util
import json
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.mutation.apart import apart
from tests.mutation.judge import Fate, Verdict, put_in
from tests.mutation.mutant import Mutant, mutants_of
from tests.mutation.run import EQUIVALENT, Report, changed_lines, explanation_of, sample
from tests.tree import PACKAGE, ROOT, python_files

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = '''"""Says how long it takes."""
import logging
_log = logging.getLogger(__name__)
MOST = 10

class Road:
    """A road."""
    is_open: bool = True

    def takes(self, miles: int, hurry: bool = False) -> int:
        """Return the hours, at most as many as a day has."""
        if miles > 100 and not hurry:
            _log.info("far")
            return min(24, miles // 10)
        return miles // 20
'''


def written(folder: Path, source: str) -> Path:
    file = folder / "sample.py"
    file.write_text(source, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("return a < b", {"return None", "return (a <= b)"}),
        ("return a == b != c", {"return None", "return (a != b != c)", "return (a == b == c)"}),
        ("return a and b", {"return None", "return (a or b)", "return (a)", "return (b)"}),
        ("x = not a", {"x = (a)"}),
        ("x = a + 1", {"x = (a - 1)", "x = a + 2"}),
        ("x = True", {"x = False"}),
        ("x = 'queued'", {"x = 'queued~'"}),
        ("x = 'a sentence for a person'", set()),
        ("x = a[0]", set()),
        ("raise ValueError(a == b)", set()),
        ("x = min(a, key=b)", {"x = min(a)", "x = max(a, key=b)"}),
        ("x = a.lower()", {"x = (a)"}),
        ("a.close()", {"pass"}),
        ("x = [y for y in a if y.ok]", {"x = [y for y in a if True]"}),
        ("x = 1 if a else b", {"x = 2 if a else b", "x = 1 if (not (a)) else b"}),
        ("a -= b", {"a += b"}),
    ],
)
def test_one_thing_at_a_time_is_wrong(tmp_path: Path, line: str, wrong: set[str]) -> None:
    found = mutants_of(written(tmp_path, f"def decide(a, b, c):\n    {line}\n"))
    assert {each.diff[1] for each in found} == wrong
    assert {each.function for each in found} <= {"decide"}


def test_settings_words_for_people_and_logs_are_left_alone(tmp_path: Path) -> None:
    found = mutants_of(written(tmp_path, SAMPLE))
    assert {each.diff[0] for each in found if not each.function} == {
        "is_open: bool = True",
        "def takes(self, miles: int, hurry: bool = False) -> int:",
    }
    assert not [each for each in found if "_log" in each.diff[0] or "MOST" in each.diff[0]]
    for each in found:
        compile(each.source, "sample", "exec")


def test_a_breakage_takes_hold_in_a_program_that_runs_already(tmp_path: Path) -> None:
    file = written(tmp_path, SAMPLE)
    road = imported(file).Road()
    assert road.takes(300) == 24
    (greater,) = [each for each in mutants_of(file) if "max(24" in each.diff[1]]
    # As the tests do with all that was collected.
    gc.freeze()
    assert put_in(greater)
    assert road.takes(300) == 30


def imported(file: Path) -> Any:  # noqa: ANN401 - a module that the test has written
    spec = importlib.util.spec_from_file_location("sample", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_hangs_is_ended_and_what_breaks_is_told() -> None:
    def hang() -> int:
        while True:
            signal.pause()

    def fail() -> int:
        raise RuntimeError

    assert apart(hang, 0.1) is None
    assert apart(lambda: 7, 60) == 7
    assert apart(fail, 60) == 99


def test_a_sample_is_the_same_for_the_same_seed_wherever_the_lines_stand(tmp_path: Path) -> None:
    first = sample(mutants_of(written(tmp_path, SAMPLE)), "5", "1")
    words = [each.replacement for each in first]
    moved = sample(mutants_of(written(tmp_path, SAMPLE.replace("MOST", "\n\nMOST"))), "5", "1")
    assert [each.replacement for each in moved] == words
    everything = mutants_of(written(tmp_path, SAMPLE))
    assert len(sample(everything, "all", "1")) == len(everything)
    assert any([each.replacement for each in sample(everything, "5", str(seed))] != words for seed in range(2, 9))


def test_only_lines_that_differ_are_looked_at() -> None:
    diff = "+++ b/src/a.py\n@@ -1,0 +2,2 @@\n+x\n+y\n@@ -9 +11 @@\n+++ b/src/b.py\n@@ -3,2 +4,0 @@\n"
    assert changed_lines(diff) == {ROOT / "src/a.py": {2, 3, 11}, ROOT / "src/b.py": set()}


def verdicts(mutant: Mutant, *fates: Fate) -> list[Verdict]:
    return [Verdict(mutant, fate) for fate in fates]


def test_a_few_survivors_are_told_and_only_many_fail_a_run(tmp_path: Path) -> None:
    mutant = mutants_of(written(tmp_path, SAMPLE))[0]
    few = verdicts(mutant, *[Fate.CAUGHT] * 20, *[Fate.SURVIVED] * 5, *[Fate.UNREACHED] * 30)
    assert Report(few, []).is_enough
    assert len(Report(few, []).survivors) == 5
    assert not Report(verdicts(mutant, *[Fate.CAUGHT] * 14, *[Fate.SURVIVED] * 6), []).is_enough
    assert Report(verdicts(mutant, *[Fate.SURVIVED] * 3), []).is_enough


@pytest.mark.thorough
def test_the_breakages_of_a_room_are_judged_by_its_tests() -> None:
    words = [sys.executable, "-m", "tests.mutation.run", "routing/lane", "--number", "3", "--seconds", "60"]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    judged = re.search(r"^3 of 3 chosen of \d+ mutants: (\d) caught", ran.stdout, re.MULTILINE)
    assert judged, ran.stdout
    assert int(judged[1]) > 0
    assert json.loads((ROOT / "build" / "mutation.json").read_text())["seed"] == "1"


@pytest.mark.thorough
def test_every_explanation_is_about_a_breakage_that_can_be_made() -> None:
    explained = json.loads(EQUIVALENT.read_text(encoding="utf-8"))
    known = {(each["function"], each["before"], each["after"]) for each in explained}
    names = {function.rpartition(".")[2] for function, _, _ in known}
    found = set()
    for file in python_files(PACKAGE):
        if names & set(re.findall(r"def (\w+)", file.read_text(encoding="utf-8"))):
            of_file = [each for each in mutants_of(file) if each.function.rpartition(".")[2] in names]
            found |= {(each.function, *each.diff) for each in of_file if explanation_of(each)}
    assert known - found == set()
    assert all(len(each["why"]) > 20 for each in explained)
