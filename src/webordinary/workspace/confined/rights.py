"""Rights of a process: another identity, and none of the powers that root has."""

from __future__ import annotations

import ctypes
import os

_DROP_FROM_BOUND, _AMBIENT, _CLEAR_ALL, _NO_NEW_PRIVILEGES = 24, 47, 4, 38
_MOST_POWERS = 64
_VERSION = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Powers(ctypes.Structure):
    _fields_ = (("values", ctypes.c_uint32 * 6),)


def become(uid: int, gid: int) -> None:
    """Take another identity for good, with no group of the old one and no way back to a power."""
    _close_bounds()
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)


def give_up_powers() -> None:
    """Keep no power of root, and let nothing that is started from here gain one."""
    _close_bounds()
    _libc.prctl(_AMBIENT, _CLEAR_ALL, 0, 0, 0)
    if _libc.capset(ctypes.byref(_Header(_VERSION, 0)), ctypes.byref(_Powers())):
        raise OSError(ctypes.get_errno(), "the kernel did not take the powers")
    if _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel did not take no_new_privs")


def _close_bounds() -> None:
    # Refused for powers that the kernel does not have, and for everybody but root, who has none to lose.
    for power in range(_MOST_POWERS):
        _libc.prctl(_DROP_FROM_BOUND, power, 0, 0, 0)
