"""Whether the tests notice a mutant: each is put into a fork of a process that has everything imported already."""

from __future__ import annotations

import gc
import importlib.abc
import importlib.machinery
import inspect
import os
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests.mutation.apart import BROKEN, apart
from tests.mutation.reach import options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from tests.mutation.mutant import Mutant
    from tests.mutation.reach import Reached

_NOTICED = 1
_IMPOSSIBLE = 98
# The quickest tests come first; what they do not notice in this time stays unnoticed.
_SECONDS_OF_TESTS = 20.0
# A test under a mutant may take several times as long as alone before it counts as hanging.
_PATIENCE_SECONDS = 20.0
_PATIENCE = 5


class Fate(StrEnum):
    """What became of a mutant; one that makes its tests hang was noticed too."""

    CAUGHT = "caught"
    HUNG = "hung"
    SURVIVED = "survived"
    # No quick test that was measured runs the line, as far as can be seen from the test's own process.
    UNREACHED = "unreached"
    # It cannot be put into a program that runs.
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A mutant, what became of it, and how many tests were asked."""

    mutant: Mutant
    fate: Fate
    asked: int = 0


@dataclass(eq=False)
class Judge:
    """Asks the tests of each mutant, until the deadline."""

    tests_of: Callable[[Mutant], list[Reached]]
    folder: Path
    until: float
    tell: Callable[[Verdict], None]
    verdicts: list[Verdict] = field(default_factory=list)

    def judge(self, mutants: Sequence[Mutant]) -> list[Verdict]:
        """Return what became of each mutant that there was time for."""
        asked = {mutant: _quickest(self.tests_of(mutant)) for mutant in mutants}
        inside = {mutant: tests for mutant, tests in asked.items() if mutant.function}
        if inside and time.monotonic() < self.until:
            _run_pytest(_Forks(self, inside), [test for tests in inside.values() for test in tests], self.folder)
        for mutant in (each for each in mutants if not each.function):
            self.conclude(mutant, asked[mutant], partial(_run_anew, mutant, self.folder))
        return self.verdicts

    def conclude(self, mutant: Mutant, tests: list[Reached], run: Callable[[list[Reached]], int]) -> None:
        """Run the tests of one mutant apart, if there is time left, and tell what became of it."""
        if time.monotonic() > self.until:
            return
        fate = Fate.UNREACHED
        if tests:
            patience = _PATIENCE_SECONDS + _PATIENCE * sum(test.seconds for test in tests)
            fate = _fate(apart(lambda: run(tests), patience))
        verdict = Verdict(mutant, fate, len(tests))
        self.verdicts.append(verdict)
        self.tell(verdict)


@dataclass(eq=False)
class _Forks:
    """A plugin for pytest that collects the tests once, and runs some of them in a fork for each mutant."""

    judge: Judge
    mutants: dict[Mutant, list[Reached]]
    failed: bool = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for mutant, tests in self.mutants.items():
            known = [test for test in tests if test.test in items]
            self.judge.conclude(mutant, known, partial(self._run, session, mutant, items))
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    def _run(
        self, session: pytest.Session, mutant: Mutant, known: Mapping[str, pytest.Item], tests: list[Reached]
    ) -> int:
        if not put_in(mutant):
            return _IMPOSSIBLE
        items = [known[test.test] for test in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                break
        status = _NOTICED if self.failed else 0
        session.config.hook.pytest_sessionfinish(session=session, exitstatus=status)
        return status


@dataclass(eq=False)
class _Only:
    """A plugin for pytest that leaves all tests out but the wanted ones; random examples are the same each time."""

    tests: Sequence[Reached]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        quick = tuple(phase for phase in hypothesis.Phase if phase is not hypothesis.Phase.shrink)
        hypothesis.settings.register_profile(
            "mutation", hypothesis.settings(), derandomize=True, database=None, phases=quick
        )
        hypothesis.settings.load_profile("mutation")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        order = {test.test: number for number, test in enumerate(self.tests)}
        items[:] = sorted((each for each in items if each.nodeid in order), key=lambda each: order[each.nodeid])


class _Changed(importlib.machinery.SourceFileLoader):
    """Reads a module as if its file had the mistake."""

    mutant: Mutant

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the name that importlib calls
        return compile(self.mutant.source, self.path, "exec")


@dataclass(eq=False)
class _Finder(importlib.abc.MetaPathFinder):
    mutant: Mutant

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or Path(spec.origin) != self.mutant.file:
            return None
        loader = _Changed(fullname, spec.origin)
        loader.mutant = self.mutant
        spec.loader = loader
        return spec


def put_in(mutant: Mutant) -> bool:
    """Let each living copy of the function run the code with the mistake; False when there is nothing to change."""
    before = compile(mutant.file.read_text(encoding="utf-8"), str(mutant.file), "exec")
    after = compile(mutant.source, str(mutant.file), "exec")
    pairs = zip(_functions(before), _functions(after), strict=True)
    wrong = {(old.co_qualname, old.co_firstlineno): new for old, new in pairs if old.co_qualname == mutant.function}
    found = False
    # What was collected is frozen, and what is frozen is not listed.
    gc.unfreeze()
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__code__.co_filename == str(mutant.file):
            new = wrong.get((each.__code__.co_qualname, each.__code__.co_firstlineno))
            if new is not None and new != each.__code__:
                each.__code__ = new
                found = True
    return found


def _functions(module: CodeType) -> Iterator[CodeType]:
    """Return the functions of a module and of its classes, not those that stand in functions."""
    for constant in module.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & inspect.CO_OPTIMIZED:
                yield constant
            else:
                yield from _functions(constant)


def _run_anew(mutant: Mutant, folder: Path, tests: list[Reached]) -> int:
    """Import everything again, with the mistake in the module."""
    for name in [name for name in sys.modules if name.partition(".")[0] in {"webordinary", "tests"}]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Finder(mutant))
    status = _run_pytest(None, tests, folder)
    return BROKEN if status == pytest.ExitCode.NO_TESTS_COLLECTED else min(int(status), _NOTICED)


def _run_pytest(plugin: _Forks | None, tests: Sequence[Reached], folder: Path) -> int:
    files = sorted({test.test.partition("::")[0] for test in tests})
    plugins = [_Only(tests), *([plugin] if plugin else [])]
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return int(pytest.main([*options(folder), "-x", *files], plugins=plugins))


def _quickest(tests: list[Reached]) -> list[Reached]:
    chosen, seconds = [], 0.0
    for test in sorted(tests, key=lambda each: each.seconds):
        seconds += test.seconds
        if seconds > _SECONDS_OF_TESTS:
            break
        chosen.append(test)
    return chosen


def _fate(status: int | None) -> Fate:
    if status is None:
        return Fate.HUNG
    if status == 0:
        return Fate.SURVIVED
    return Fate.IMPOSSIBLE if status in {_IMPOSSIBLE, BROKEN} else Fate.CAUGHT
