"""Starts one program behind walls and ends with it: `python -m webordinary.workspace.confined RULES PROGRAM …`.

It stays outside as the parent of whatever the program leaves behind, so that nothing outlives it.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from contextlib import suppress
from typing import Any, NoReturn

from webordinary.workspace.confined.landlock import restrict_self
from webordinary.workspace.confined.rights import become, give_up_powers, leave_network
from webordinary.workspace.confined.seccomp import LAST_FILTER, Reach, filter_calls, filter_code

_DIE_WITH_PARENT, _ADOPT = 1, 36
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
_HEARD = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)
_NO_SUCH_PROGRAM = 127
_BROKEN = 125
_libc = ctypes.CDLL(None, use_errno=True)


def confine(rules: dict[str, Any]) -> None:
    """Give everything up that the rules do not leave."""
    for name, most in rules["limits"].items():
        resource.setrlimit(getattr(resource, name), (most, most))
    if rules["walls"] and _reach(rules) is Reach.LOOPBACK and rules["own_network"]:
        # Where it is refused the trial of the sandbox has found that out, and no agent with a model is started.
        leave_network()
    if rules["uid"] is not None:
        _change_identity(rules)
    if rules["walls"]:
        give_up_powers()
        _build_walls(rules)


def _change_identity(rules: dict[str, Any]) -> None:
    """Stop being root; before that, root's own view of the files is made ready where it may be."""
    if rules["stage"] is not None:
        from webordinary.workspace.confined.stage import introduce, keep_repository, set_stage  # noqa: PLC0415 - root's

        checkout, shared = os.getcwd(), rules["stage"]  # noqa: PTH109 - starts before pathlib is there
        set_stage(rules["uid"], rules["readable"], rules["writable"], shared)
        # Nobody else has these, so that it may write there as everywhere.
        rules["writable"] += shared
        if shared:
            introduce(rules["uid"], os.environ.get("HOME", "/"), shared[0])
            keep_repository(checkout)
        # Where it stood before is behind the stage now.
        os.chdir(checkout)
    become(rules["uid"], rules["uid"])


def _build_walls(rules: dict[str, Any]) -> None:
    if rules["files"]:
        ports = None if rules["network"] else rules["ports"]
        restrict_self(rules["readable"], rules["writable"], _DEVICES, ports, most=rules["landlock"])
    reach = _reach(rules)
    filter_calls(reach=reach, sockets=rules["sockets"] or reach is not Reach.NOTHING)
    if reach is Reach.LOOPBACK and not rules["sockets"]:
        # Landlock does not judge sockets at files. The bridge needs one, and takes this filter on behind itself.
        os.environ[LAST_FILTER] = filter_code(reach=reach, sockets=False).hex()


def _reach(rules: dict[str, Any]) -> Reach:
    if rules["network"]:
        return Reach.EVERYTHING
    return Reach.LOOPBACK if rules["ports"] and rules["files"] else Reach.NOTHING


def _start(rules: dict[str, Any], argv: list[str], parent: int) -> NoReturn:
    try:
        _libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(_BROKEN)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            # Python ignores them, and so would the program.
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
        confine(rules)
        # A process that changes its user loses this.
        _libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    except OSError as problem:
        os.write(2, f"{argv[0]} could not be confined: {problem}\n".encode())
        os._exit(_BROKEN)
    try:
        os.execvp(argv[0], argv)  # noqa: S606 - an argument list, never a shell
    except OSError as problem:
        # Some folder on the search path may be closed to it, which says nothing about the program.
        os.write(2, f"execvp {argv[0]}: {problem.strerror}: there is no such program for it\n".encode())
        os._exit(_NO_SUCH_PROGRAM)


def _end_what_is_left() -> None:
    """Kill and bury whatever the program has left behind: it is ours now."""
    with suppress(OSError):
        while True:
            for name in _children():
                os.kill(name, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> list[int]:
    with open("/proc/thread-self/children", encoding="ascii") as file:  # noqa: PTH123 - starts before pathlib is there
        return [int(pid) for pid in file.read().split()]


def _wait(child: int) -> int:
    """Pass on what we are told until the program has ended, and bury what it leaves meanwhile."""
    while True:
        number = signal.sigwait(_HEARD)
        if number != signal.SIGCHLD:
            os.kill(child, number)
            continue
        while (ended := os.waitpid(-1, os.WNOHANG))[0] not in {0, child}:
            pass
        if ended[0] == child:
            return os.waitstatus_to_exitcode(ended[1])


def main() -> int:
    """Run the program and return how it ended; one that builds walls of its own takes our place."""
    rules, argv = json.loads(sys.argv[1]), sys.argv[2:]
    if not rules["walls"]:
        _start(rules, argv, os.getppid())
    _libc.prctl(_ADOPT, 1, 0, 0, 0)
    # From here on they are waited for and interrupt nothing: one that came just before a wait would go unheard, and
    # a process that died of one would leave behind what the program has started.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, _HEARD)
    _libc.prctl(_DIE_WITH_PARENT, signal.SIGTERM, 0, 0, 0)
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _start(rules, argv, parent)
    code = _wait(child)
    _end_what_is_left()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
