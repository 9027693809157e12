"""The escapes that others test for, as far as they are not among our own; `SECURITY.md` goes through their lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.attacks.rungs import IS_ROOT
from webordinary.workspace.sandbox import SandboxKind

if TYPE_CHECKING:
    from tests.attacks.rungs import Walls

_DEVICES = """
import os
for name in ("null", "zero", "full", "random", "urandom"):
    open(f"/dev/{name}", "rb").close()
open("/dev/null", "wb").write(b"x")
others = ("mem", "kmem", "port", "kvm", "fuse", "loop-control", "vda", "sda", "nvme0n1", "kmsg", "uinput", "vhost-net")
for name in others:
    for flags in (os.O_RDONLY, os.O_WRONLY):
        try:
            os.close(os.open(f"/dev/{name}", flags | os.O_NONBLOCK))
            print(name)
        except OSError:
            pass
print("tried")
"""
_SOCKETS = """
import socket
kinds = [(socket.AF_INET, socket.SOCK_RAW, 1), (socket.AF_PACKET, socket.SOCK_RAW, 0), (socket.AF_NETLINK, 3, 9),
         (40, socket.SOCK_STREAM, 0), (socket.AF_INET6, socket.SOCK_STREAM, 0), (socket.AF_INET, socket.SOCK_DGRAM, 0)]
for family, kind, protocol in kinds:
    try:
        with socket.socket(family, kind, protocol) as made:
            made.settimeout(1)
            if family in (socket.AF_INET6, socket.AF_INET) and kind != socket.SOCK_RAW:
                made.connect(("::1" if family == socket.AF_INET6 else "192.0.2.1", 9))
            if family == 40:
                made.connect((2, 9))
            print("made", family, kind)
    except OSError:
        pass
for abstract in ("\\0/tmp/.X11-unix/X0", "\\0dbus"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            with socket.socket(socket.AF_UNIX, kind) as made:
                made.connect(abstract)
                print("connected", abstract)
        except OSError:
            pass
print("tried")
"""
_LOCKS = """
import multiprocessing
try:
    lock = multiprocessing.Lock()
    with lock:
        print("works")
except OSError as refused:
    print("refused", refused.errno)
"""


def test_on_every_rung_there_are_the_harmless_devices_and_no_others(rung: Walls) -> None:
    finished = rung.python(_DEVICES)
    assert finished.stdout == b"tried\n", finished.stderr


def test_on_every_rung_no_device_can_be_made(rung: Walls) -> None:
    finished = rung.shell("mknod disk b 254 0; mknod -m 666 zero c 1 5; mkfifo pipe; test -p pipe && echo pipe; ls")
    assert finished.stdout.split() == [b"pipe", b"pipe"], finished.stderr


def test_on_every_rung_no_kind_of_socket_leads_out(rung: Walls) -> None:
    finished = rung.python(_SOCKETS)
    said = [line for line in finished.stdout.decode().splitlines() if "made 16" not in line]
    assert said == ["tried"], finished.stderr


def test_on_every_rung_locks_between_processes_work_or_are_refused(rung: Walls) -> None:
    finished = rung.python(_LOCKS)
    is_without = rung.sandbox.kind is SandboxKind.LANDLOCK and not IS_ROOT
    assert finished.stdout.startswith(b"refused" if is_without else b"works"), finished.stderr


def test_on_every_rung_no_capability_is_left_in_any_set(rung: Walls) -> None:
    finished = rung.shell("grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status")
    assert {line.split()[1] for line in finished.stdout.splitlines()} == {b"0" * 16}
    assert len(finished.stdout.splitlines()) == 4


def test_on_every_rung_other_namespaces_cannot_be_made(rung: Walls) -> None:
    finished = rung.shell("for kind in user mount net pid ipc uts cgroup; do unshare --$kind true && echo $kind; done")
    assert finished.stdout == b""


def test_on_every_rung_no_name_of_the_own_process_leads_out(rung: Walls) -> None:
    """`/proc/self/root`, `/proc/self/cwd` and descriptors that were left open are the old ways out."""
    finished = rung.shell(
        f"cat /proc/self/root{rung.secret} /proc/self/cwd/../secret.txt /proc/1/root{rung.secret}; "
        "for each in /proc/self/fd/*; do cat $each/../secret.txt; ls $each/..; done; cat ../secret.txt"
    )
    assert b"hunter2" not in finished.stdout
