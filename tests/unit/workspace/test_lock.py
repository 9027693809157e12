"""The lock that outlives its owner: what nobody owns is ended, and those who only wait are left alone."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.workspace.lock import take_lock

if TYPE_CHECKING:
    from pathlib import Path

_OWNER = """
import subprocess, sys
from datetime import timedelta
from pathlib import Path
from webordinary.workspace.lock import take_lock
lock = take_lock(Path(sys.argv[1]), patience=timedelta(0))
subprocess.Popen(["sleep", "1000"], stdout=subprocess.DEVNULL, pass_fds=(lock.fileno(),), start_new_session=True)
print("held", flush=True)
sys.stdin.read()
"""
_WAITER = """
import sys
from datetime import timedelta
from pathlib import Path
from webordinary.workspace.lock import take_lock
lock = take_lock(Path(sys.argv[1]), patience=timedelta(minutes=1), when_busy=lambda: print("waits", flush=True))
print("taken" if lock else "given up", flush=True)
"""


def start(code: str, file: Path) -> subprocess.Popen[str]:
    argv = [sys.executable, "-c", code, str(file)]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_those_who_wait_end_the_orphan_of_a_dead_owner_and_not_each_other(tmp_path: Path) -> None:
    file = tmp_path / "lane.lock"
    owner = start(_OWNER, file)
    assert read_line(owner) == "held"
    waiters = [start(_WAITER, file) for _ in range(3)]
    assert [read_line(waiter) for waiter in waiters] == ["waits"] * 3

    owner.kill()
    owner.communicate()

    assert [(waiter.communicate()[0].strip(), waiter.returncode) for waiter in waiters] == [("taken", 0)] * 3


def test_a_new_owner_that_has_not_yet_written_its_name_is_not_ended(tmp_path: Path) -> None:
    file, guard = tmp_path / "lane.lock", tmp_path / "lane.lock.guard"
    file.write_text("1:1", encoding="ascii")
    held = [os.open(path, os.O_RDWR | os.O_CREAT) for path in (guard, file)]
    for descriptor in held:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    with subprocess.Popen(["sleep", "1000"], pass_fds=held, start_new_session=True) as owner:
        for descriptor in held:
            os.close(descriptor)

        try:
            assert take_lock(file, patience=timedelta(milliseconds=100)) is None
            assert owner.poll() is None
        finally:
            owner.kill()
