"""Bubblewrap: the program sees a machine that has only what it is given."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_NOBODY = "1000"
WALLS = (
    *("--unshare-all", "--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY, "--cap-drop", "ALL"),
    *("--die-with-parent", "--new-session", "--hostname", "sandbox"),
)
# Bubblewrap before 0.8 does not know this one; without it a program inside could build a sandbox of its own.
NO_SANDBOX_INSIDE = "--disable-userns"
# What lies in these is memory that no process is asked for.
_SMALL, _SMALLER = str(1024**3), str(64 * 1024**2)
SYSTEM = ("/usr", "/nix/store", "/gnu/store")
LINKS_INTO_USR = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_OF_ETC = (
    *("alternatives", "ca-certificates", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime"),
    *("mime.types", "nsswitch.conf", "pki", "ssl", "debian_version", "os-release", "lsb-release"),
)
# Who is where, and where packages come from; nothing of it is a secret.
OF_NETWORK = ("/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf", "/etc/pip.conf", "/etc/npmrc")
OF_ETC = tuple(f"/etc/{name}" for name in _OF_ETC)
# Who is inside, by number and by name: some programs look themselves up.
PEOPLE = {f"/etc/{name}": Path(__file__).with_name("people") / name for name in ("passwd", "group")}
# Settings of the kernel, which ask for a number and not for a power; bubblewrap covers only what may be written now.
_OF_KERNEL = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus")


def bubblewrapped(
    walls: tuple[str, ...],
    argv: Sequence[str],
    *,
    checkout: Path,
    writable: tuple[Path, ...],
    readable: tuple[Path, ...],
    limits: Mapping[str, int],
) -> tuple[str, ...]:
    """Return the whole command; inside, everything has the path that it has outside."""
    return (
        *(("prlimit", *(f"--{name}={most}" for name, most in limits.items()), "--") if limits else ()),
        *("bwrap", *walls, *_memory(are_small=NO_SANDBOX_INSIDE in walls), *_system()),
        *(word for path in readable for word in ("--ro-bind", str(path), str(path))),
        *(word for path in (*writable, checkout) for word in ("--bind", str(path), str(path))),
        *_repository(checkout),
        # Last: whatever is mounted before makes its folder there.
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(checkout), "--", *argv),
    )


def _memory(*, are_small: bool) -> Iterator[str]:
    """Make the folders that are new inside; bubblewrap before 0.7 cannot say how large they may become."""
    yield from ("--proc", "/proc", "--dev", "/dev")
    for place, size in (("/tmp", _SMALL), ("/dev/shm", _SMALL), ("/run", _SMALLER)):  # noqa: S108 - new ones inside
        yield from ("--size", size) if are_small else ()
        yield from ("--perms", "1777", "--tmpfs", place)
    for place in _OF_KERNEL:
        yield from ("--ro-bind-try", place, place)


def _system() -> Iterator[str]:
    """Show the machine's programs and nothing that belongs to anybody."""
    for place in (*SYSTEM, *OF_ETC):
        yield from ("--ro-bind-try", place, place)
    for place, ours in PEOPLE.items():
        yield from ("--ro-bind", str(ours), place)
    for place in LINKS_INTO_USR:
        if os.path.islink(place):  # noqa: PTH114 - the same word for both
            yield from ("--symlink", os.readlink(place), place)  # noqa: PTH115 - the same
        else:
            yield from ("--ro-bind-try", place, place)


def _repository(checkout: Path) -> tuple[str, ...]:
    """Keep the repository as it is: a folder, or in a linked working tree a file that names one."""
    repository = checkout / ".git"
    if repository.is_symlink() or not repository.exists():
        return ()
    return ("--ro-bind", str(repository), str(repository))
