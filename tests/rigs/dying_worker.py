"""Workers that are killed the moment a step is recorded, or about to be, and at last one that lives.

`python -m tests.rigs.dying_worker CONFIG DEATHS ERRAND STEP…`: each worker takes over what the one before it has left,
and dies behind its own step of the next job of this errand. Who died behind which step is written into DEATHS.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.rigs.ahead import AHEAD, Ahead
from webordinary.config import find_config
from webordinary.engines.installation import Installation
from webordinary.jobs.about import read_about
from webordinary.jobs.job import Job
from webordinary.jobs.proposals import Proposal
from webordinary.reply.outbox import Letter
from webordinary.serve.worker_process import run_worker
from webordinary.worker.loop import new_worker_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.engine import Engine

COMMIT_POINT, CLOSED, FINISHED, HANDED_OVER = "commit point", "proposal closed", "finished", "handed over"
MOMENT_CLOSED = "moment closed"
# In front of a step: what it says was done, and nobody has written it down.
BEFORE = "before "
# Instead of a step: nobody takes over before the test has done something.
UNTIL_TOLD = "until told"
_CALLS = {"pass_commit_point": COMMIT_POINT, "finish": FINISHED, "close": CLOSED, "deliver": HANDED_OVER}
EDIT = "edit"
_JOB = re.compile(r"job-[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Doom:
    """Behind which step, and in whose job."""

    step: str
    errand: str
    spared: frozenset[str]
    deaths: Path

    def meets(self, step: str | None, names: tuple[str, ...]) -> None:
        if step != self.step or self.spared & set(names):
            return
        with self.deaths.open("a", encoding="utf-8") as file:
            file.write("\t".join((step, *names)) + "\n")
        os.kill(os.getpid(), signal.SIGKILL)


class Deadly:
    """A port that does what it is told to, and whose caller is dead before hearing that it was done."""

    def __init__(self, port: object, doom: Doom, calls: Mapping[str, str] = _CALLS) -> None:
        self._port = port
        self._doom = doom
        self._calls = calls

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the port has
        call = getattr(self._port, name)

        def called(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - the same
            step = arguments[2] if name == "journal" else self._calls.get(name)
            names = next((found for each in arguments if (found := _names(each, self._doom.errand))), ())
            if names:
                self._doom.meets(f"{BEFORE}{step}", names)
            result = call(*arguments, **named)
            if names:
                self._doom.meets(step, names)
            return result

        return called if callable(call) else call


def _names(argument: object, errand: str) -> tuple[str, ...]:
    """Return the names by which a job of this errand is known; none for anything else."""
    match argument:
        case Job():
            about = read_about(argument.about)
            is_meant = (about.errand.value if about else EDIT) == errand
            return (argument.id, *([about.name] if about else ())) if is_meant else ()
        case Proposal():
            return (argument.id,)
        case Letter(kind="answer", job=str(job)):
            return (job,)
        case str() if _JOB.fullmatch(argument):
            # The job for whose sake a moment is taken off the list.
            return (argument,)
        case _:
            return ()


def _doomed(engine: Engine, doom: Doom) -> Engine:
    ports: dict[str, Any] = {name: Deadly(getattr(engine, name), doom) for name in ("attempts", "proposals", "outbox")}
    return replace(engine, schedules=Deadly(engine.schedules, doom, {"close": MOMENT_CLOSED}), **ports)


def _work(config: str, name: str, before: str, doom: Doom | None) -> None:
    here = Installation.open(find_config(Path(config), os.environ))
    if AHEAD in os.environ:
        here = replace(here, clock=Ahead(Path(os.environ[AHEAD])))
    if before:
        # As the supervisor of a machine does, which sees a death at once; that leases end by time is shown elsewhere.
        here.engine.claims.lapse(before, here.clock.now())
        if not here.does_chores:
            # Where machines only work, the next one is another machine and has nothing of what lay on this one.
            shutil.rmtree(here.config.data / "workspace", ignore_errors=True)
    run_worker(replace(here, engine=_doomed(here.engine, doom)) if doom else here, name, os.getppid())


def go_on_file(deaths: Path) -> Path:
    """Return the file for which the next worker waits."""
    return deaths.with_name("go-on")


def _wait_for(file: Path) -> None:
    pause = threading.Event()
    while not file.exists():
        pause.wait(0.01)


def main() -> None:
    config, deaths, errand, *steps = sys.argv[1:]
    before, spared = "", frozenset[str]()
    for step in steps:
        if step == UNTIL_TOLD:
            _wait_for(go_on_file(Path(deaths)))
            continue
        name = new_worker_name()
        # Forked before anything is opened: only the modules are shared.
        child = os.fork()
        if not child:
            _work(config, name, before, Doom(step, errand, spared, Path(deaths)))
            os._exit(0)
        os.waitpid(child, 0)
        lines = Path(deaths).read_text(encoding="utf-8").splitlines() if Path(deaths).exists() else []
        before, spared = name, frozenset(lines[-1].split("\t")[1:]) if lines else frozenset()
    _work(config, new_worker_name(), before, None)


if __name__ == "__main__":
    main()
