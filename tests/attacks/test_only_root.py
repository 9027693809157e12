"""What only a worker that is root could give away."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.attacks.rungs import RUNGS, Walls, build_walls
from webordinary.workspace.leaving import take_powers
from webordinary.workspace.own_uid import hand_over, uid_of
from webordinary.workspace.sandbox import SandboxKind

ALL = (*RUNGS, SandboxKind.NONE)


def test_on_every_rung_what_is_given_may_lie_behind_closed_doors_and_nothing_else_is_seen_there(rung: Walls) -> None:
    """As in root's home folder."""
    rung.folder.chmod(0o700)
    finished = rung.shell(f'echo x > {rung.checkout}/x && echo y > "$HOME/y" && pwd; ls {rung.folder}')
    assert finished.stdout.decode().split() == [str(rung.checkout), "checkout", "home"], finished.stderr


def test_capabilities_are_taken_from_what_leaves(tmp_path: Path) -> None:
    program = tmp_path / "run.exe"
    program.write_bytes(Path("/usr/bin/env").read_bytes())
    program.chmod(0o755)
    # cap_setuid, as setcap writes it.
    os.setxattr(program, "security.capability", bytes.fromhex("01000002" + "80000000" + "00000000" * 3))
    take_powers(tmp_path)
    assert "security.capability" not in os.listxattr(program)


def test_handing_over_gives_away_neither_what_a_link_leads_to_nor_a_second_name_of_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("root's")
    checkout = tmp_path / "checkout"
    (checkout / "folder").mkdir(parents=True)
    (checkout / "soft").symlink_to(secret)
    (checkout / "hard").hardlink_to(secret)
    (checkout / "folder" / "page").write_text("page")
    hand_over((checkout,))
    assert secret.stat().st_uid == 0
    assert (checkout / "folder" / "page").stat().st_uid == uid_of(checkout)
    assert (checkout / "soft").lstat().st_uid == uid_of(checkout)


def test_two_checkouts_have_two_numbers_and_the_same_one_has_the_same_again(tmp_path: Path) -> None:
    assert uid_of(tmp_path / "one") != uid_of(tmp_path / "two")
    assert uid_of(tmp_path / "one") == uid_of(tmp_path / "one") > 0


@pytest.mark.parametrize("kind", ALL, ids=[kind.value for kind in ALL])
def test_root_reads_what_the_program_wrote_and_the_program_what_root_wrote(kind: SandboxKind, tmp_path: Path) -> None:
    walls = build_walls(tmp_path, kind)
    finished = walls.shell("mkdir -p closed; echo x > closed/x; chmod 0 closed/x; chmod 0 closed; id -u")
    assert finished.succeeded, finished.stderr
    assert int(finished.stdout) > 0
    page = walls.checkout / "closed" / "x"
    assert page.read_text() == "x\n"
    (walls.checkout / "fresh").mkdir(mode=0o700)
    (walls.checkout / "fresh" / "page").write_text("of root\n")
    again = walls.shell("cat fresh/page && echo more >> fresh/page && rm -r fresh")
    assert again.stdout == b"of root\n", again.stderr
    assert not (walls.checkout / "fresh").exists()
    assert not stat.S_IMODE(page.lstat().st_mode)
