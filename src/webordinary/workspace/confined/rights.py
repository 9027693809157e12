"""What a process gives up: its identity, the powers that root has, and everybody's network for one of its own.

A network of its own for one program: the same ports as everybody's, and nobody there but what it starts itself.
Landlock judges ports and not addresses: a port that leads to the model on this machine would lead out on every other.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_READ_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1
_LOOPBACK = b"lo"

_libc = ctypes.CDLL(None, use_errno=True)


def leave_network() -> bool:
    """Leave the machine's network for an empty one with a loopback; False where that is not allowed."""
    uid, gid = os.geteuid(), os.getegid()
    if _libc.unshare(_NEW_NETWORK if uid == 0 else _NEW_USER | _NEW_NETWORK):
        return False
    if uid != 0:
        # An ordinary user may do it inside a namespace of its own, and stays who it is there.
        for name, line in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:  # noqa: PTH123 - starts before pathlib is there
                file.write(line)
    _raise_loopback()
    return True


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        asked = struct.pack("16sh14x", _LOOPBACK, 0)
        (flags,) = struct.unpack("16xh14x", fcntl.ioctl(way, _READ_FLAGS, asked))
        fcntl.ioctl(way, _SET_FLAGS, struct.pack("16sh14x", _LOOPBACK, flags | _UP))


_DROP_FROM_BOUND, _AMBIENT, _CLEAR_ALL, _NO_NEW_PRIVILEGES = 24, 47, 4, 38
_MOST_POWERS = 64
_VERSION = 0x20080522


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
