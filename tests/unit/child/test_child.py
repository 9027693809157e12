from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from webordinary.child import Child, ResourceLimits, identity, is_alive, kill_group, run
from webordinary.child.family import FamilyWatch, find_family
from webordinary.errors import Misconfigured

ENV = {"PATH": os.defpath}
LONG = timedelta(minutes=1)
AT_ONCE = timedelta(0)


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", code]


class Lines:
    """What a child said so far, to be waited for instead of slept for."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._came = threading.Condition()

    def __call__(self, line: str) -> None:
        with self._came:
            self.all.append(line)
            self._came.notify_all()

    def wait_for(self, count: int) -> list[str]:
        with self._came:
            assert self._came.wait_for(lambda: len(self.all) >= count, timeout=30)
            return self.all


def lives(pid: int) -> bool:
    try:
        return is_alive(identity(pid))
    except ProcessLookupError:
        return False


def test_what_a_child_leaves_behind_in_its_group_is_killed_also_when_nobody_is_searched_for(tmp_path: Path) -> None:
    left = run(["sh", "-c", "sleep 1000 > /dev/null 2>&1 & echo $!"], cwd=tmp_path, env=ENV, stays_in_group=True)
    pidfd = _open_if_there(int(left.stdout))
    if pidfd is not None:
        # Killed, and perhaps not buried by its new parent yet.
        assert select.select([pidfd], [], [], 30)[0]
        os.close(pidfd)


def _open_if_there(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


def test_a_finished_child_tells_its_code_and_both_streams(tmp_path: Path) -> None:
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    finished = run(python(code), cwd=tmp_path, env=ENV)
    assert (finished.code, finished.stdout, finished.stderr) == (3, b"out\n", b"err\n")
    assert not finished.succeeded
    assert not finished.truncated


def test_a_child_sees_only_the_environment_it_was_given(tmp_path: Path) -> None:
    finished = run(["/usr/bin/env"], cwd=tmp_path, env={"ONLY": "this"})
    assert finished.stdout == b"ONLY=this\n"


def test_arguments_are_never_read_by_a_shell(tmp_path: Path) -> None:
    finished = run(["echo", "$HOME; touch x", "`id`"], cwd=tmp_path, env=ENV)
    assert finished.stdout == b"$HOME; touch x `id`\n"
    assert list(tmp_path.iterdir()) == []


def test_a_large_input_and_a_large_output_do_not_block_each_other(tmp_path: Path) -> None:
    data = os.urandom(3_000_000)
    finished = run(["cat"], cwd=tmp_path, env=ENV, stdin=data, limit=4_000_000)
    assert finished.stdout == data


def test_a_child_that_never_reads_its_input_still_finishes(tmp_path: Path) -> None:
    assert run(["true"], cwd=tmp_path, env=ENV, stdin=b"x" * 1_000_000).succeeded


def test_too_much_output_is_cut_at_its_beginning_and_said_so(tmp_path: Path) -> None:
    code = "print('begin'); print('x' * 5_000_000); print('end')"
    finished = run(python(code), cwd=tmp_path, env=ENV, limit=1000)
    assert finished.succeeded
    assert finished.truncated
    assert len(finished.stdout) == 1000
    assert finished.stdout.endswith(b"x\nend\n")


def test_lines_arrive_while_the_child_still_runs_and_answers_can_be_sent(tmp_path: Path) -> None:
    lines = Lines()
    code = "import sys\nprint('ready', flush=True)\nfor line in sys.stdin: print('got', line, end='', flush=True)"
    with Child(python(code), cwd=tmp_path, env=ENV, hold_input=True, on_line=lines) as child:
        lines.wait_for(1)
        child.send(b"one\n")
        lines.wait_for(2)
        child.send(b"two")
        child.end_input()
        assert child.wait(LONG).succeeded
    assert lines.all == ["ready", "got one", "got two"]


def test_a_line_callback_that_raises_ends_the_child_and_is_raised_again(tmp_path: Path) -> None:
    def refuse(line: str) -> None:
        raise ValueError(line)

    child = Child(python("print('bad', flush=True)\nwhile True: pass"), cwd=tmp_path, env=ENV, on_line=refuse)
    with pytest.raises(ValueError, match="bad"):
        child.wait(LONG)
    assert not lives(child.pid)


def test_a_child_that_passes_its_deadline_is_ended(tmp_path: Path) -> None:
    finished = run(["sleep", "1000"], cwd=tmp_path, env=ENV, deadline=AT_ONCE)
    assert finished.timed_out
    assert not finished.stopped
    assert not finished.succeeded


STUBBORN_FAMILY = """
import os, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    if sys.argv[1] == "other-session": os.setsid()
    print(os.getpid(), flush=True)
    while True: signal.pause()
print(os.getpid(), flush=True)
while True: signal.pause()
"""


@pytest.mark.parametrize("where", ["same-session", "other-session"])
def test_stop_from_another_thread_kills_the_whole_family_even_if_it_ignores_the_polite_signal(
    tmp_path: Path, where: str
) -> None:
    lines = Lines()
    child = Child([*python(STUBBORN_FAMILY), where], cwd=tmp_path, env=ENV, on_line=lines)
    pids = [int(line) for line in lines.wait_for(2)]
    stopping = threading.Thread(target=child.stop, args=(AT_ONCE,))
    stopping.start()
    finished = child.wait(LONG)
    stopping.join()
    assert finished.stopped
    assert not finished.timed_out
    assert [pid for pid in pids if lives(pid)] == []


def test_a_child_that_ends_politely_is_not_killed(tmp_path: Path) -> None:
    lines = Lines()
    code = (
        "import os, signal\n"
        "def leave(*_): os.write(1, b'bye\\n'); os._exit(7)\n"
        "signal.signal(signal.SIGTERM, leave)\nprint('ready', flush=True)\nwhile True: signal.pause()"
    )
    child = Child(python(code), cwd=tmp_path, env=ENV, on_line=lines)
    lines.wait_for(1)
    child.stop(LONG)
    finished = child.wait()
    assert (finished.code, finished.stdout, finished.stopped) == (7, b"ready\nbye\n", True)


def test_stopping_twice_or_after_the_end_changes_nothing(tmp_path: Path) -> None:
    child = Child(["true"], cwd=tmp_path, env=ENV)
    finished = child.wait(LONG)
    child.stop(AT_ONCE)
    child.stop(AT_ONCE)
    child.send(b"too late")
    assert child.wait() == finished
    assert finished.succeeded


def test_what_a_finished_child_left_running_is_ended_too(tmp_path: Path) -> None:
    code = (
        "import os, signal\nreadable, writable = os.pipe()\nif os.fork() == 0:\n"
        "    os.write(writable, b'x')\n    while True: signal.pause()\nos.read(readable, 1)"
    )
    held, inherited = os.pipe()
    finished = run(python(code), cwd=tmp_path, env=ENV, keep_open=(inherited,), deadline=LONG)
    os.close(inherited)
    assert finished.succeeded
    # The pipe is at its end only when nobody holds its other side any more.
    assert select.select([held], [], [], 0)[0] == [held]
    os.close(held)


def test_a_lock_handed_to_a_child_is_held_until_the_child_is_dead(tmp_path: Path) -> None:
    mine = os.open(tmp_path / "lock", os.O_CREAT | os.O_RDONLY)
    fcntl.flock(mine, fcntl.LOCK_EX)
    child = Child(["sleep", "1000"], cwd=tmp_path, env=ENV, keep_open=(mine,))
    os.close(mine)
    other = os.open(tmp_path / "lock", os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    child.stop(AT_ONCE)
    fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(other)


def test_a_missing_program_is_a_sentence_for_the_operator(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="'no-such-program' cannot be started"):
        run(["no-such-program"], cwd=tmp_path, env=ENV)


def test_a_missing_folder_is_not_mistaken_for_a_missing_program(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="nowhere does not exist"):
        run(["true"], cwd=tmp_path / "nowhere", env=ENV)


def test_an_orphaned_group_is_killed_by_its_recorded_identity(tmp_path: Path) -> None:
    with Child(["sleep", "1000"], cwd=tmp_path, env=ENV) as child:
        assert child.identity == identity(child.pid)
        assert kill_group(child.identity)
        assert child.wait(LONG).code == -9
        assert not is_alive(child.identity)
        assert not kill_group(child.identity)


def test_a_reused_number_is_left_alone(tmp_path: Path) -> None:
    with Child(["sleep", "1000"], cwd=tmp_path, env=ENV) as child:
        group, _, started = child.identity.partition(":")
        assert not kill_group(f"{group}:{int(started) - 1}")
        assert lives(child.pid)


SESSION_WITHOUT_LEADER = """
import os, signal
def started(): return open("/proc/self/stat").read().rpartition(")")[2].split()[19]
leader = os.fork()
if leader == 0:
    os.setsid()
    since = started()
    if os.fork() > 0: os._exit(0)
    print(os.getsid(0), since, os.getpid(), flush=True)
    while True: signal.pause()
os.waitpid(leader, 0)
while True: signal.pause()
"""


def test_members_of_a_session_are_killed_after_their_leader_is_gone(tmp_path: Path) -> None:
    lines = Lines()
    with Child(python(SESSION_WITHOUT_LEADER), cwd=tmp_path, env=ENV, on_line=lines):
        session, started, member = lines.wait_for(1)[0].split()
        assert kill_group(f"{session}:{started}")
        assert not lives(int(member))


@pytest.mark.parametrize("torn", ["", "\n", "17", "17:", "a:b", "1:2:3"])
def test_a_torn_record_names_nobody(torn: str) -> None:
    assert not kill_group(torn)


def test_no_process_has_no_identity() -> None:
    with pytest.raises(ProcessLookupError):
        identity(2**30)


def test_a_family_whose_folder_is_gone_is_watched_all_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    eat = f"import os; os.rmdir({str(folder)!r}); eaten = bytearray(b'x') * 300_000_000\nwhile True: pass"
    with Child(python(eat), cwd=tmp_path, env=ENV, resource_limits=ResourceLimits(folder, memory=100_000_000)) as child:
        assert "memory" in child.wait(LONG).exceeded


# It starts one process after the other, each in a session of its own, as browsers and shells in the background do.
_FRUITFUL = """
import os, signal
pids = os.open("pids", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
told, tell = os.pipe()
for number in range(3000):
    child = os.fork()
    if not child:
        os.setsid()
        os.write(pids, b"%d\\n" % os.getpid())
        if number == 50:
            print("ready", flush=True)
        os.write(tell, b".")
        signal.pause()
    os.read(told, 1)
"""


@pytest.mark.parametrize("grace", [AT_ONCE, timedelta(seconds=2)])
def test_what_is_started_while_a_family_is_being_ended_is_ended_too(tmp_path: Path, grace: timedelta) -> None:
    lines = Lines()
    with Child(python(_FRUITFUL), cwd=tmp_path, env=ENV, on_line=lines) as child:
        lines.wait_for(1)
        child.stop(grace)
    assert survivors(tmp_path) == []


def test_what_is_started_while_an_orphaned_group_is_being_ended_is_ended_too(tmp_path: Path) -> None:
    lines = Lines()
    with Child(python(_FRUITFUL), cwd=tmp_path, env=ENV, on_line=lines) as child:
        lines.wait_for(1)
        assert kill_group(child.identity)
    assert survivors(tmp_path) == []


def survivors(folder: Path) -> list[int]:
    """Return which of them still live, and end those."""
    left = [int(line) for line in (folder / "pids").read_text(encoding="ascii").split()]
    left = [pid for pid in left if lives(pid) and Path(f"/proc/{pid}/cwd").readlink() == folder]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return left


def test_a_family_that_is_looked_at_again_and_again_is_found_with_those_who_came_later(tmp_path: Path) -> None:
    lines = Lines()
    argv = ["sh", "-c", "echo ready; read line; sleep 1000 & setsid sleep 1000 & echo two; wait"]
    with Child(argv, cwd=tmp_path, env=ENV, on_line=lines, hold_input=True) as child:
        lines.wait_for(1)
        watch = FamilyWatch(child.identity)
        assert [entry.pid for entry in watch.find()] == [child.pid]
        child.send(b"go\n")
        lines.wait_for(2)
        assert {entry.pid for entry in watch.find()} >= {entry.pid for entry in find_family(child.identity)}
        assert len(watch.find()) == 3
        assert os.getpid() not in {entry.pid for entry in watch.find()}
