"""As whom programs run, and what they leave: nothing runs as root, and nothing that leaves makes anybody root."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from tests.attacks.rungs import IS_ROOT, LONG, RUNGS, Walls, build_walls
from webordinary.site.release.build import build_site
from webordinary.workspace.leaving import take_powers
from webordinary.workspace.own_uid import uid_of

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.workspace.sandbox import SandboxKind

# Everything that decides by a number and not by a power; each is opened for writing and closed again.
_SETTINGS = """
import glob, os
places = [
    "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches",
    "/proc/self/root/proc/sys/kernel/core_pattern", "/sys/kernel/uevent_helper", "/sys/power/state",
    *glob.glob("/sys/fs/cgroup/*/release_agent"), *glob.glob("/sys/fs/cgroup/*.procs"),
]
for place in places:
    try:
        os.close(os.open(place, os.O_WRONLY))
        print(place)
    except OSError:
        pass
print("tried", len(places) > 6)
"""
_LEAVE_PROGRAMS = """
mkdir -p dist/deep; cp /usr/bin/env dist/run.exe; chmod 4755 dist/run.exe
cp /usr/bin/env dist/deep/group.exe; chmod 2755 dist/deep/group.exe; chmod 2777 dist/deep
cp /usr/bin/env kept.exe; chmod 6755 kept.exe; cp /usr/bin/env "$HOME/run.exe"; chmod 6111 "$HOME/run.exe"
echo page > dist/index.html
"""


def test_on_every_rung_no_program_runs_as_root(rung: Walls) -> None:
    finished = rung.shell("touch mine; id -u")
    assert finished.succeeded, finished.stderr
    assert (rung.checkout / "mine").stat().st_uid == (uid_of(rung.checkout) if IS_ROOT else os.geteuid())
    assert int(finished.stdout) != 0


def test_on_every_rung_no_setting_of_the_kernel_can_be_opened_for_writing(rung: Walls) -> None:
    finished = rung.python(_SETTINGS)
    assert finished.stdout == b"tried True\n", finished.stderr


@pytest.mark.parametrize("kind", RUNGS, ids=[kind.value for kind in RUNGS])
def test_a_build_leaves_no_setuid_program_behind(kind: SandboxKind, tmp_path: Path) -> None:
    walls = build_walls(tmp_path, kind)
    into = tmp_path / "scratch" / "site"
    build_site(
        walls.checkout,
        ("sh", "-c", _LEAVE_PROGRAMS),
        "dist",
        deadline=LONG,
        sandbox=lambda: walls.sandbox,
        into=into,
        watch=lambda _: None,
    )
    assert (into / "run.exe").exists()
    assert with_powers(tmp_path) == []


def with_powers(folder: Path) -> list[str]:
    found = [path for path in (folder, *folder.rglob("*")) if not path.is_symlink()]
    return [str(path) for path in found if path.stat().st_mode & (stat.S_ISUID | stat.S_ISGID)]


def test_powers_are_taken_without_following_links_and_from_the_deepest_folder(tmp_path: Path) -> None:
    outside = tmp_path / "outside.exe"
    outside.write_text("")
    outside.chmod(0o4755)
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(outside)
    deep = os.open(inside, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("d", dir_fd=deep)
        inner = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = inner
    os.close(os.open("deep.exe", os.O_CREAT | os.O_WRONLY, 0o755, dir_fd=deep))
    os.chmod("deep.exe", 0o4755, dir_fd=deep)  # noqa: S103 - that is the attack
    take_powers(inside)
    assert outside.stat().st_mode & stat.S_ISUID
    with os.scandir(deep) as left:
        assert not list(left)
    os.close(deep)
