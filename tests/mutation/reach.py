"""Which tests reach which functions: measured once by running them, and kept until a file of theirs changes."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tests.mutation.apart import apart
from tests.tree import PACKAGE, ROOT, TESTS, python_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import CodeType, FrameType

    from _typeshed import TraceFunction

# What a test that takes longer would notice is asked by quicker ones too; it would be run for each mutant.
LONGEST_TEST = 3.0
# Its name, its seconds, and what it ran.
_Test: TypeAlias = tuple[str, float, list[str]]
_LONGEST_FILE = 200.0
_OPTIONS = ("-q", "-n0", "--no-header", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")


@dataclass(frozen=True, slots=True)
class Reached:
    """A test: how many seconds it took, and what it ran: functions as `file:name`, and lines as `file:number`."""

    test: str
    seconds: float
    ran: frozenset[str]


def options(folder: Path) -> list[str]:
    """Return how pytest is started for the tests of a mutant."""
    return [*_OPTIONS, f"--basetemp={folder / 'tests'}"]


def is_on_aws(item: pytest.Item) -> bool:
    """Tell whether a test asks on AWS what others ask on the embedded engine: its server takes seconds to start."""
    return isinstance(item, pytest.Function) and hasattr(item, "callspec") and "aws" in item.callspec.params.values()


def measure(files: Sequence[Path], broken: Sequence[Path], folder: Path, until: float) -> list[Reached]:
    """Run quick tests and write down what each of them runs; files that come after the deadline are left out.

    Lines are told of the broken files alone. A file whose tests are known from before is not run again.
    """
    kept = folder / f"reached-{_digest_of_names(broken)}.json"
    state = _state()
    known = json.loads(kept.read_text()) if kept.is_file() else {}
    known = {name: each for name, each in known.items() if each["state"] == state}
    found: list[_Test] = []
    for file in files:
        name, digest = str(file.relative_to(ROOT)), _digest([file])
        if name in known and known[name]["digest"] == digest:
            found += known[name]["tests"]
        elif (seconds := min(until - time.monotonic(), _LONGEST_FILE)) > 0:
            tests, is_whole = _measure(file, broken, folder, seconds)
            found += tests
            if is_whole:
                known[name] = {"state": state, "digest": digest, "tests": tests}
                kept.write_text(json.dumps(known))
    reached = (Reached(test, seconds, frozenset(ran)) for test, seconds, ran in found)
    return [each for each in reached if each.seconds <= LONGEST_TEST]


def _measure(file: Path, broken: Sequence[Path], folder: Path, seconds: float) -> tuple[list[_Test], bool]:
    """Return what was measured in this time, and whether it is all of the file."""
    notes = folder / "notes.jsonl"
    notes.unlink(missing_ok=True)

    def run() -> int:
        return int(pytest.main([*options(folder), str(file)], plugins=[Recorder(notes, frozenset(map(str, broken)))]))

    is_whole = apart(run, seconds) is not None
    lines = notes.read_text().splitlines() if notes.is_file() else []
    return [json.loads(line) for line in lines if line.endswith("]")], is_whole


def _state() -> str:
    """Return a digest of everything besides the tests themselves that could change what a test calls."""
    others = [file for file in python_files(TESTS) if not file.is_relative_to(Path(__file__).parent)]
    support = [file for file in others if not file.name.startswith("test_")]
    return _digest([*python_files(PACKAGE), *support])


def _digest_of_names(files: Sequence[Path]) -> str:
    return hashlib.sha256("\0".join(map(str, files)).encode()).hexdigest()[:12]


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


@dataclass(eq=False)
class Recorder:
    """A plugin for pytest that writes down what each test that passes runs, also in what is set up for several."""

    notes: Path
    broken: frozenset[str]
    _ran: set[CodeType | str] = field(default_factory=set)
    _set_up: dict[object, set[CodeType | str]] = field(default_factory=dict)
    _failed: bool = False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        asks_aws = any("aws" in Path(file).relative_to(PACKAGE).parts for file in self.broken)
        items[:] = [item for item in items if asks_aws or not is_on_aws(item)]

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: object) -> Iterator[None]:
        before, self._ran = self._ran, set()
        try:
            return (yield)
        finally:
            self._set_up[fixturedef] = self._ran
            self._ran |= before

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._ran, self._failed = set(), False
        began = time.perf_counter()
        threading.settrace(self._note)
        sys.settrace(self._note)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            if not self._failed:
                test = (item.nodeid, time.perf_counter() - began, self._functions(item))
                with self.notes.open("a", encoding="utf-8") as notes:
                    notes.write(f"{json.dumps(test)}\n")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed or report.skipped

    def _functions(self, item: pytest.Item) -> list[str]:
        ran = set(self._ran)
        about = getattr(item, "_fixtureinfo", None)
        for fixtures in about.name2fixturedefs.values() if about else ():
            ran.update(code for each in fixtures for code in self._set_up.get(each, ()))
        lines = {each for each in ran if isinstance(each, str)}
        ours = (each for each in ran if not isinstance(each, str) and each.co_filename.startswith(str(PACKAGE)))
        return sorted(lines | {function_of(code) for code in ours})

    def _note(self, frame: FrameType, event: str, _: object) -> TraceFunction | None:
        if event == "line":
            self._ran.add(f"{frame.f_code.co_filename}:{frame.f_lineno}")
        else:
            self._ran.add(frame.f_code)
        return self._note if frame.f_code.co_filename in self.broken else None


def function_of(code: CodeType) -> str:
    """Return the outermost function of a piece of code, as `file:name`."""
    return f"{code.co_filename}:{code.co_qualname.partition('.<locals>')[0]}"
