"""A worker that is killed the moment a step is recorded: `python -m tests.rigs.dying_worker CONFIG NAME STEP`."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from webordinary.config import find_config
from webordinary.serve.assemble import Installation
from webordinary.serve.worker_process import run_worker

if TYPE_CHECKING:
    from webordinary.ownership.attempts import Attempts

COMMIT_POINT, FINISHED = "commit point", "finished"
_CALLS = {"pass_commit_point": COMMIT_POINT, "finish": FINISHED}


class Deadly:
    """Writes what it is told to, and is dead before anybody hears that it was written."""

    def __init__(self, attempts: Attempts, step: str) -> None:
        self._attempts = attempts
        self._step = step

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the port has
        call = getattr(self._attempts, name)

        def called(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - the same
            result = call(*arguments, **named)
            step = arguments[2] if name == "journal" else _CALLS.get(name)
            if step == self._step:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return called


def main() -> None:
    config, name, step = sys.argv[1:]
    here = Installation.open(find_config(Path(config), os.environ))
    attempts = cast("Attempts", Deadly(here.engine.attempts, step))
    run_worker(replace(here, engine=replace(here.engine, attempts=attempts)), name, os.getppid())


if __name__ == "__main__":
    main()
