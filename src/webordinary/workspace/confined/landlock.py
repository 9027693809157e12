"""Landlock: a process gives up, for itself and all that it starts, every file and every port it does not name."""

from __future__ import annotations

import ctypes
import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# The same numbers on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_BENEATH, _PORT = 1, 2

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = (1 << bit for bit in range(4))
_REFER, _TRUNCATE, _DEVICE = 1 << 13, 1 << 14, 1 << 15
_READING = _EXECUTE | _READ_FILE | _READ_DIR
# What the first version knew.
_FIRST = (1 << 13) - 1
_DEVICE_NODES = 1 << 6 | 1 << 11
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICE
_BIND_TCP, _CONNECT_TCP = 1, 2
_ABSTRACT_SOCKETS, _SIGNALS = 1, 2

_WITH_MOVING, _WITH_EMPTYING, _WITH_PORTS, _WITH_DEVICES, _WITH_SCOPES = 2, 3, 4, 5, 6

_libc = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _Port(ctypes.Structure):
    _fields_ = (("allowed", ctypes.c_uint64), ("port", ctypes.c_uint64))


def landlock_version() -> int:
    """Return what this kernel can do; 0 when it has no Landlock."""
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, 0, _VERSION)))


def restrict_self(
    readable: Iterable[str],
    writable: Iterable[str],
    devices: Iterable[str],
    ports: Iterable[int] | None,
    *,
    most: int | None = None,
) -> None:
    """Leave only these folders, devices and ports to this thread and everything that it starts; cannot be undone.

    None instead of ports leaves all of them. With `most` no more is used than what kernels of that version can do.
    """
    version = landlock_version() if most is None else min(most, landlock_version())
    later = ((_WITH_MOVING, _REFER), (_WITH_EMPTYING, _TRUNCATE), (_WITH_DEVICES, _DEVICE))
    files = _FIRST | sum(right for since, right in later if version >= since)
    network = _BIND_TCP | _CONNECT_TCP if version >= _WITH_PORTS and ports is not None else 0
    scoped = _ABSTRACT_SOCKETS | _SIGNALS if version >= _WITH_SCOPES else 0
    wanted = _Ruleset(files, network, scoped)
    ruleset = _called(_CREATE_RULESET, ctypes.byref(wanted), ctypes.sizeof(wanted), 0)
    for place in readable:
        _allow(ruleset, place, _READING & files)
    for place in writable:
        _allow(ruleset, place, files & ~_DEVICE & ~_DEVICE_NODES)
    for place in devices:
        _allow(ruleset, place, (_READ_FILE | _WRITE_FILE | _DEVICE) & files)
    if network:
        for port in ports or ():
            _called(_ADD_RULE, ruleset, _PORT, ctypes.byref(_Port(_BIND_TCP | _CONNECT_TCP, port)), 0)
    _called(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, place: str, access: int) -> None:
    try:
        opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(f"/proc/self/fd/{opened}"):  # noqa: PTH112 - what is opened, not what the name means now
            access &= _OF_A_FILE
        _called(_ADD_RULE, ruleset, _BENEATH, ctypes.byref(_Beneath(access, opened)), 0)
    finally:
        os.close(opened)


def _called(number: int, *arguments: object) -> int:
    result = int(_libc.syscall(number, *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"Landlock: {errno.errorcode.get(code, code)}")
    return result
