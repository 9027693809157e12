"""A filter of the kernel for system calls: no network but what is asked for, no looking into other processes."""

from __future__ import annotations

import ctypes
import platform
import socket
import struct
from enum import Enum

_SECCOMP, _FILTER = 22, 2
_LOAD, _IS, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000 | 1  # EPERM
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
_TYPE_BITS = 0xF
_AND = 0x54
# A second set of numbers for the same calls begins here on x86-64.
_X32 = 0x40000000

# For each machine its name in the kernel, `socket`, and what nobody inside needs: ptrace, process_vm_readv and writev,
# io_uring (which makes sockets without a system call), keyctl, bpf, mount, unshare, setns, pivot_root, kexec, modules,
# performance counters, taking files from other processes; then what all processes share by numbers instead of names:
# shmget and shmat, semget, semop and semtimedop, msgget, msgsnd and msgrcv, mq_open.
_CALLS = {
    "x86_64": (
        *(0xC000003E, 41),
        (
            *(101, 310, 311, 425, 426, 427, 250, 321, 165, 272, 308, 155, 246, 175, 313, 298, 438),
            *(29, 30, 64, 65, 220, 68, 69, 70, 240),
        ),
    ),
    "aarch64": (
        *(0xC00000B7, 198),
        (
            *(117, 270, 271, 425, 426, 427, 219, 280, 40, 97, 268, 41, 104, 105, 273, 241, 438),
            *(194, 196, 190, 193, 192, 186, 189, 188, 180),
        ),
    ),
}

# The variable with a second filter, for a launcher that needs something which the program behind it must not have.
LAST_FILTER = "WEBORDINARY_LAST_FILTER"

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def is_known_machine() -> bool:
    """Say whether the numbers of this machine's system calls are known here."""
    return platform.machine() in _CALLS


class Reach(Enum):
    """How far a program may talk: to other processes, by plain TCP for Landlock to judge, or to everybody."""

    NOTHING = "nothing"
    LOOPBACK = "loopback"
    EVERYTHING = "everything"


def filter_calls(*, reach: Reach, sockets: bool) -> None:
    """Refuse the network that is not asked for, other processes, and without `sockets` those who listen at a file."""
    code = filter_code(reach=reach, sockets=sockets)
    program = _Program(len(code) // 8, code)
    if _libc.prctl(_SECCOMP, _FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel did not take the filter for system calls")


def filter_code(*, reach: Reach, sockets: bool) -> bytes:
    """Return the filter as the kernel takes it."""
    architecture, socket_call, refused = _CALLS[platform.machine()]
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_IS, architecture, yes=1),
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
        _line(_AT_LEAST, _X32, no=1),
        _line(_RETURN, _REFUSE),
    ]
    for number in refused:
        lines += [_line(_IS, number, no=1), _line(_RETURN, _REFUSE)]
    families = _families(reach, sockets=sockets)
    lines += [_line(_IS, socket_call, no=len(families)), *families, _line(_RETURN, _ALLOW)]
    return b"".join(lines)


def _families(reach: Reach, *, sockets: bool) -> list[bytes]:
    """Allow perhaps sockets between processes, TCP or all of the internet; each other kind is refused.

    A pair of sockets for a process and its child is another call, and leads nowhere else.
    """
    lines = [_line(_LOAD, _FIRST)]
    if sockets:
        lines += [_line(_IS, socket.AF_UNIX, no=1), _line(_RETURN, _ALLOW)]
    if reach is Reach.EVERYTHING:
        for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
            lines += [_line(_IS, family, no=1), _line(_RETURN, _ALLOW)]
    if reach is Reach.LOOPBACK:
        lines += [
            _line(_IS, socket.AF_INET, no=4),
            _line(_LOAD, _SECOND),
            _line(_AND, _TYPE_BITS),
            _line(_IS, socket.SOCK_STREAM, no=1),
            _line(_RETURN, _ALLOW),
        ]
    return [*lines, _line(_RETURN, _REFUSE)]


def _line(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value & 0xFFFFFFFF)
