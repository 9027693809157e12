"""What holds for every test: a clean environment, no deadlines, and no silent skips in strict mode."""

from __future__ import annotations

import gc
import json
import os
import signal
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

import hypothesis
import pytest

from tests.again import FAILED
from tests.plans import Judge
from tests.programs import MISSING
from webordinary.engines.embedded import database

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

STRICT = os.environ.get("WEBORDINARY_STRICT") == "1"
# Where each of several runs leaves what the last one lists; see the Makefile.
LISTED_LATER = os.environ.get("WEBORDINARY_LISTED_LATER")
LISTED_BEFORE = os.environ.get("WEBORDINARY_LISTED_BEFORE")
WRITES_FAILED = os.environ.get("WEBORDINARY_WRITES_FAILED") == "1"

# Whoever imports something from these asks for a program of the machine, or for a sandbox.
_ASKING = {
    "tests.programs",
    "tests.browser.browser",
    "tests.doors.dovecot",
    "tests.oauth.provider",
    "tests.remotes.ssh_server",
    "webordinary.workspace.sandbox",
}
# How long an example takes says something about the machine and nothing about the code. In strict mode
# the examples are the same each time, so that a red build can be repeated.
hypothesis.settings.register_profile(
    "webordinary",
    deadline=None,
    derandomize=STRICT,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("webordinary")


@pytest.fixture(autouse=True, scope="session")
def clean_environment() -> Iterator[None]:
    """Hide what a git hook exports and what a developer has set: the product must depend on neither."""
    with pytest.MonkeyPatch.context() as environment:
        for name in [name for name in os.environ if name.startswith(("GIT_", "WEBORDINARY_"))]:
            environment.delenv(name)
        environment.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        environment.setenv("GIT_CONFIG_NOSYSTEM", "1")
        # They take seconds for each answer; the few tests that look at them say so.
        environment.setenv("WEBORDINARY_PICTURES_MODE", "off")
        yield


@pytest.fixture(autouse=True, scope="session")
def query_plans() -> Iterator[Judge]:
    """Let every statement that the embedded engine runs in any test be judged, once."""
    judge, open_connection = Judge(), database.open_connection

    def watched(path: Path) -> apsw.Connection:
        connection = open_connection(path)
        judge.watch(connection)
        return connection

    with pytest.MonkeyPatch.context() as environment:
        environment.setattr(database, "open_connection", watched)
        yield judge
    # Also those that nobody has heard of, because a chore that breaks is only logged.
    assert judge.refused == {}


class LeftOut:
    """Ends a run with one short list: what to install to see the tests that were left out.

    In strict mode each of them, and each that was expected to fail, fails the whole run by name.
    """

    def __init__(self, *, strict: bool) -> None:
        self._strict = strict
        self._reasons: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped or hasattr(report, "wasxfail"):
            self._reasons[report.nodeid] = _reason(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._reasons[report.nodeid] = _reason(report)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Iterator[None]:
        nothing_failed = session.exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
        if self._strict and self._reasons and nothing_failed:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        return (yield)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if LISTED_BEFORE and Path(LISTED_BEFORE).exists():
            self._reasons |= json.loads(Path(LISTED_BEFORE).read_text())
        if LISTED_LATER and not self._strict:
            Path(LISTED_LATER).write_text(json.dumps(self._reasons))
            return
        if self._strict and self._reasons:
            terminalreporter.section("strict mode: these tests did not run to their end", red=True)
            for test, reason in sorted(self._reasons.items()):
                terminalreporter.line(f"{test}: {reason}")
        elif self._reasons:
            terminalreporter.section(f"{len(self._reasons)} tests were left out")
            for line in _what_to_do(list(self._reasons.values())):
                terminalreporter.line(line)


class Failed:
    """Writes down which tests failed and in which phase, for `make test-again`."""

    def __init__(self) -> None:
        self._phases: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._phases[report.nodeid] = report.when

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._phases[report.nodeid] = "collect"

    def pytest_sessionfinish(self) -> None:
        FAILED.parent.mkdir(exist_ok=True)
        FAILED.write_text(json.dumps(self._phases), encoding="utf-8")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    expected_to_fail = getattr(report, "wasxfail", None)
    if expected_to_fail is not None:
        return f"expected to fail ({expected_to_fail or 'no reason given'})"
    return report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)


def _what_to_do(reasons: list[str]) -> Iterator[str]:
    """Say what to install, and name each other reason once."""
    reasons = [reason.removeprefix("Skipped: ") for reason in reasons]
    packages = Counter(reason.partition(MISSING)[2].strip() for reason in reasons if MISSING in reason)
    if packages:
        yield f"to see {packages.total()} of them (on Debian and Ubuntu): apt install {' '.join(sorted(packages))}"
    for reason, count in sorted(Counter(reason for reason in reasons if MISSING not in reason).items()):
        yield f"{count}: {reason}"


def pytest_configure(config: pytest.Config) -> None:
    # What a shell runs in the background ignores Ctrl-C, and so would every program that a test starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # The processes of xdist send their reports to the one that started them: only that one judges.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(LeftOut(strict=STRICT), "left-out")
        if WRITES_FAILED:
            config.pluginmanager.register(Failed(), "failed")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for rubbish neither while thousands of tests are collected nor among them later: there is none."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to slower runs what takes long or only asks again: a second store, AWS for a story of a known shape."""
    for item in items:
        given = item.callspec.params.values() if _has_parameters(item) else ()
        engines = {"aws", "second-opinion"} & {each for each in given if isinstance(each, str)}
        is_story = "tests/scenarios/" in item.nodeid and item.get_closest_marker("both_engines") is None
        is_above = item.get_closest_marker("one_engine") is not None
        # The templates of AWS take half a minute to write.
        reads_templates = not {"synthesized", "on_machines"}.isdisjoint(getattr(item, "fixturenames", ()))
        if reads_templates or "second-opinion" in engines or ("aws" in engines and (is_story or is_above)):
            item.add_marker(pytest.mark.thorough)
        is_above_the_store = "second-opinion" in engines and item.get_closest_marker("above_the_store") is not None
        if is_above_the_store or ("aws" in engines and is_story):
            # `make chaos` and `make chaos-aws` ask it there.
            item.add_marker(pytest.mark.long)
        if _asks_for_programs(item):
            item.add_marker(pytest.mark.programs)


def _asks_for_programs(item: pytest.Item) -> bool:
    """Tell whether a test needs a program of the machine, or a sandbox, which is another one without bubblewrap."""
    module = item.getparent(pytest.Module)
    return (module is not None and _uses_programs(module)) or "sandbox" in getattr(item, "fixturenames", ())


@cache
def _uses_programs(module: pytest.Module) -> bool:
    return not _ASKING.isdisjoint(getattr(each, "__module__", "") for each in vars(module.obj).values())


def _has_parameters(item: pytest.Item) -> TypeGuard[pytest.Function]:
    return isinstance(item, pytest.Function) and hasattr(item, "callspec")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:  # noqa: ARG001 - the plugin's own signature
    """Start one more than there are cores: now and then each of them waits for a process, a lease or a server."""
    return (os.cpu_count() or 1) + 1
