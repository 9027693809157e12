"""Worker processes that start with everything already imported: a real process each, forked from one that only waits.

`python -m tests.rigs.nursery` reads what to start, line by line, and ends when its input does; its workers see that and
drain themselves. Starting one from nothing costs a second of a processor, and the stories start some hundreds.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn
from zoneinfo import ZoneInfo

from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Whoever brings these modules along needs nothing more for a job of the scripted agent, on either engine.
_KNOWN = (
    "webordinary.serve.worker_process",
    "webordinary.engines.embedded.open",
    "webordinary.agent.scripted_agent",
    "tests.rigs.dying_worker",
)
_ENGINE_OF_MANY = "webordinary.engines.aws.clients"


class Nursling:
    """A worker that was forked: signalled by its pidfd, and buried by the one who forked it."""

    def __init__(self, module: str, arguments: Sequence[str], env: Mapping[str, str]) -> None:
        self.pid = int(_nursery().ask({"module": module, "arguments": list(arguments), "env": dict(env)}))
        # Not buried before we ask for it: the number cannot be of another one yet.
        self._pidfd = os.pidfd_open(self.pid)

    def signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, number)

    def bury(self) -> int:
        """Wait for its end and return how it ended."""
        select.select([self._pidfd], [], [])
        os.close(self._pidfd)
        return int(_nursery().ask({"bury": self.pid}))


class _Nursery:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.rigs.nursery"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "AWS_ACCESS_KEY_ID": "nobody", "AWS_SECRET_ACCESS_KEY": "nobody"},
            start_new_session=True,
        )

    def ask(self, request: Mapping[str, Any]) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@lru_cache(maxsize=1)
def _nursery() -> _Nursery:
    nursery = _Nursery()
    atexit.register(nursery.close)
    return nursery


def main() -> None:
    """Start and bury what is asked for."""
    for module in _KNOWN:
        importlib.import_module(module)
    # Compile the patterns of a language and of facts, which takes longer than the rest of a worker's first mail.
    importlib.import_module("webordinary.site.facts.find").find_facts("The same.")
    when = importlib.import_module("webordinary.mail.when.read")
    when.read_span("The same.", datetime.now(UTC), ZoneInfo("UTC"), ("en",))
    # Reads the descriptions of all services that a worker calls; nothing is asked of anybody.
    aws = importlib.import_module(_ENGINE_OF_MANY)
    aws.open_clients(aws.AwsSettings(region="eu-central-1", endpoint="http://127.0.0.1:1", account="123456789012"))
    for line in sys.stdin:
        request = json.loads(line)
        answer = _bury(request["bury"]) if "bury" in request else _start(**request)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def _bury(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _start(module: str, arguments: list[str], env: dict[str, str]) -> int:
    return os.fork() or _live(module, arguments, env)


def _live(module: str, arguments: list[str], env: dict[str, str]) -> NoReturn:
    """Be what `python -m MODULE ARGUMENTS` would be."""
    code = 1
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        # What we were asked by is of the nursery; a worker speaks where errors go.
        os.dup2(2, 1)
        os.environ.clear()
        os.environ.update(env)
        sys.argv = [module, *arguments]
        code = importlib.import_module(module).main() or 0
    except BaseException:  # noqa: BLE001 - told, and nothing of the nursery is run again
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
