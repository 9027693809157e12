"""The family of a child: who belongs to it, and how to end all of them and nobody else."""

from __future__ import annotations

import os
import select
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child.table import living, read_entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webordinary.child.table import ProcessEntry

# A killed process can hang in the kernel for a while (a dead network disk); waiting longer helps nobody.
_DEATH_TAKES_AT_MOST = 5.0
_STOPPING_TAKES_AT_MOST = 2.0
_LOOK_AGAIN = 0.002
_STRANGERS_FOR = 20


def identity(pid: int) -> str:
    """Name a process, and the group it leads, so that it is known again after its number went to another."""
    entry = read_entry(pid)
    if entry is None:
        raise ProcessLookupError(f"There is no process {pid}.")
    return entry.identity


def is_alive(recorded: str) -> bool:
    """Say whether the process with this identity still lives."""
    pid, _, started = recorded.partition(":")
    entry = read_entry(int(pid)) if pid.isdecimal() else None
    return entry is not None and entry.lives and str(entry.started) == started


def is_stopped(recorded: str) -> bool:
    """Say whether the process with this identity is stopped, as by a debugger or by SIGSTOP."""
    pid = recorded.partition(":")[0]
    entry = read_entry(int(pid)) if pid.isdecimal() else None
    return entry is not None and entry.is_stopped and entry.identity == recorded.strip()


def holders_of(file: Path) -> list[str]:
    """Return the identities of all other processes that hold the file's lock; who only waits for it is none."""
    held = [entry for entry in living() if entry.pid != os.getpid() and _holds(entry.pid, file)]
    return [entry.identity for entry in held]


def _holds(pid: int, file: Path) -> bool:
    try:
        wanted = file.stat()
        handles = list(Path(f"/proc/{pid}/fd").iterdir())
        return any(os.path.samestat(wanted, handle.stat()) and _is_locked(pid, handle.name) for handle in handles)
    except OSError:
        # It ended while we looked, or belongs to somebody else.
        return False


def _is_locked(pid: int, descriptor: str) -> bool:
    """Say whether the lock came in through this descriptor, in this process or in the one it inherited it from."""
    lines = Path(f"/proc/{pid}/fdinfo/{descriptor}").read_text(encoding="ascii", errors="replace").splitlines()
    return any(line.startswith("lock:") and "FLOCK" in line for line in lines)


def kill_group(recorded: str) -> bool:
    """Kill what is left of the group with this identity, and say whether any of it still lived."""
    found = False
    ends_at = time.monotonic() + _DEATH_TAKES_AT_MOST
    # Again and again, because one that could not be stopped may start another one while we look.
    while (family := freeze(recorded)) and time.monotonic() < ends_at:
        found = True
        kill(family)
    return found


def freeze(*recorded: str) -> list[ProcessEntry]:
    """Stop everybody in these families and return them: nobody starts another one that would then be missed."""
    ends_at = time.monotonic() + _STOPPING_TAKES_AT_MOST
    beyond_us: set[int] = set()
    while True:
        family = find_family(*recorded)
        moving = [entry for entry in family if not entry.is_stopped and entry.pid not in beyond_us]
        if not moving or time.monotonic() >= ends_at:
            return family
        beyond_us.update(entry.pid for entry in moving if not _tell(entry, signal.SIGSTOP))
        time.sleep(_LOOK_AGAIN)


def thaw(entries: Iterable[ProcessEntry]) -> None:
    """Let those go on that were stopped."""
    for entry in entries:
        _tell(entry, signal.SIGCONT)


def find_family(*recorded: str) -> list[ProcessEntry]:
    """Find the leaders with these identities, their sessions and all descendants, also those in other sessions.

    A leader with another start time is a stranger under a reused number: it has no family here. If the leader
    is gone, the members of its session are its own: a number is not given away while a session has it.
    """
    return _members(recorded, living()) if recorded else []


class FamilyWatch:
    """Finds one family again and again; who was seen to be a stranger is not looked at each time.

    Nobody joins a family later. A number that is given to another process is noticed when the strangers are forgotten.
    """

    def __init__(self, recorded: str) -> None:
        self._recorded = recorded
        self._strangers: set[int] = set()
        self._looks = 0

    def find(self) -> list[ProcessEntry]:
        if self._looks % _STRANGERS_FOR == 0:
            self._strangers.clear()
        self._looks += 1
        table = living(besides=self._strangers)
        family = _members((self._recorded,), table)
        self._strangers.update({entry.pid for entry in table} - {entry.pid for entry in family})
        return family


def _members(recorded: Iterable[str], table: list[ProcessEntry]) -> list[ProcessEntry]:
    groups = {group for each in recorded if (group := _group(each)) is not None}
    if not groups:
        return []
    found = {entry.pid: entry for entry in table if groups & {entry.pid, entry.session, entry.group}}
    while grown := [entry for entry in table if entry.parent in found and entry.pid not in found]:
        found.update((entry.pid, entry) for entry in grown)
    return list(found.values())


def _group(recorded: str) -> int | None:
    numbers = [int(number) for number in recorded.split(":") if number.isdecimal()]
    if len(numbers) != 2:  # noqa: PLR2004 - an identity has two parts; a torn record names nobody
        return None
    group, started = numbers
    leader = read_entry(group)
    return group if leader is None or leader.started == started else None


def kill(entries: Iterable[ProcessEntry]) -> None:
    """Kill these processes and wait until they are dead."""
    dying = [pidfd for entry in entries if (pidfd := _shoot(entry)) is not None]
    ends_at = time.monotonic() + _DEATH_TAKES_AT_MOST
    for pidfd in dying:
        _await_death(pidfd, ends_at)


def await_namespace(folder: Path) -> None:
    """Wait until nobody from another process namespace stands in the folder.

    A sandbox tells how its program ended before the kernel has killed everybody in there, and who is left belongs
    to no session and no parent that we know.
    """
    ends_at = time.monotonic() + _DEATH_TAKES_AT_MOST
    for entry in living():
        if not _stands_elsewhere_in(folder, entry.pid):
            continue
        with suppress(ProcessLookupError, PermissionError):
            _await_death(os.pidfd_open(entry.pid), ends_at)


def _stands_elsewhere_in(folder: Path, pid: int) -> bool:
    try:
        here = Path("/proc/self/ns/pid").readlink() == Path(f"/proc/{pid}/ns/pid").readlink()
        return not here and Path(f"/proc/{pid}/cwd").readlink() == folder
    except OSError:
        return False


def _await_death(pidfd: int, ends_at: float) -> None:
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    poll.poll(max(0.0, ends_at - time.monotonic()) * 1000)
    os.close(pidfd)


def _shoot(entry: ProcessEntry) -> int | None:
    pidfd = _handle(entry)
    if pidfd is not None:
        with suppress(ProcessLookupError, PermissionError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            return pidfd
        os.close(pidfd)
    return None


def _tell(entry: ProcessEntry, number: signal.Signals) -> bool:
    """Send a signal, and say whether it may be sent to that process."""
    pidfd = _handle(entry)
    if pidfd is None:
        return False
    try:
        signal.pidfd_send_signal(pidfd, number)
    except (ProcessLookupError, PermissionError):
        return False
    finally:
        os.close(pidfd)
    return True


def _handle(entry: ProcessEntry) -> int | None:
    try:
        pidfd = os.pidfd_open(entry.pid)
    except (ProcessLookupError, PermissionError):
        return None
    now = read_entry(entry.pid)
    # Read again behind the open handle: only now is it sure that the number still means the same process.
    if now is not None and now.started == entry.started:
        return pidfd
    os.close(pidfd)
    return None
