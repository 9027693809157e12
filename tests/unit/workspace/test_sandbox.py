from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.attacks.rungs import LONG, Walls, build_walls
from webordinary.child import run
from webordinary.errors import Misconfigured
from webordinary.site.release.build import build_site
from webordinary.workspace.installation import find_installation
from webordinary.workspace.own_uid import uid_of
from webordinary.workspace.sandbox import Sandbox, SandboxKind, _choose, choose_sandbox

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def walls(tmp_path: Path) -> Walls:
    return build_walls(tmp_path, SandboxKind.BUBBLEWRAP)


def test_one_file_cannot_grow_beyond_its_limit(walls: Walls) -> None:
    assert b"unlimited" not in walls.shell("ulimit -f; ulimit -c").stdout


def test_the_checkout_and_the_home_can_be_written_at_their_usual_paths(walls: Walls) -> None:
    assert walls.shell('pwd; echo page > index.html; echo note > "$HOME/note"').stdout.decode() == f"{walls.checkout}\n"
    assert (walls.checkout / "index.html").read_text() == "page\n"
    assert (walls.home / "note").read_text() == "note\n"


def test_a_program_from_a_virtual_environment_runs_inside(walls: Walls) -> None:
    finished = run(
        walls.wrap(sys.executable, "-I", "-c", "import sys, encodings; print(sys.executable)"),
        cwd=walls.checkout,
        env=walls.env,
    )
    assert finished.stdout.decode().strip() == sys.executable


def test_a_program_that_is_missing_inside_is_named(walls: Walls) -> None:
    finished = run(walls.wrap("no-such-program"), cwd=walls.checkout, env=walls.env)
    assert b"execvp no-such-program: No such file or directory" in finished.stderr


def test_a_site_is_built_inside(walls: Walls, tmp_path: Path) -> None:
    built = build_site(
        walls.checkout,
        ("sh", "-c", f"mkdir dist && echo page > dist/index.html && ! cat {walls.secret}"),
        "dist",
        deadline=LONG,
        sandbox=lambda: walls.sandbox,
        into=tmp_path / "site",
        watch=lambda _: None,
    )
    assert (built / "index.html").read_text() == "page\n"


def test_without_a_sandbox_a_user_s_command_stays_as_it_is_and_root_s_is_not_run_by_root(tmp_path: Path) -> None:
    chosen = choose_sandbox("none")
    assert chosen.kind is SandboxKind.NONE
    argv = chosen.wrap(["id", "-u"], checkout=tmp_path)
    if os.geteuid() != 0:
        assert argv == ("id", "-u")
    finished = run(argv, cwd=tmp_path, env={"PATH": os.defpath}, deadline=LONG)
    assert int(finished.stdout) == (os.geteuid() or uid_of(tmp_path)), finished.stderr


def test_a_machine_without_bubblewrap_takes_the_next_rung(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    _choose.cache_clear()
    with pytest.raises(Misconfigured, match=r"none works here \(bubblewrap: it is not installed\)"):
        choose_sandbox("bubblewrap")
    monkeypatch.setenv("PATH", os.defpath)
    which = shutil.which
    monkeypatch.setattr("shutil.which", lambda name: None if name == "bwrap" else which(name))
    _choose.cache_clear()
    assert choose_sandbox("auto").kind in {SandboxKind.LANDLOCK, SandboxKind.OWN_UID}
    _choose.cache_clear()


def test_a_uid_of_its_own_is_not_enough_for_an_agent_with_a_model() -> None:
    with pytest.raises(Misconfigured, match="needs bubblewrap or Landlock"):
        Sandbox(SandboxKind.OWN_UID).port_for_model()
    assert Sandbox(SandboxKind.BUBBLEWRAP).port_for_model() > 0
    assert Sandbox(SandboxKind.LANDLOCK).port_for_model() > 0


def test_where_root_cannot_cover_doors_a_uid_of_its_own_needs_a_folder_that_others_may_enter(tmp_path: Path) -> None:
    walls = build_walls(tmp_path, SandboxKind.OWN_UID)
    walls.sandbox = replace(walls.sandbox, has_stage=False)
    with pytest.raises(Misconfigured, match="is closed to others: move `data`"):
        walls.wrap("true")


def test_an_unknown_sandbox_is_refused() -> None:
    with pytest.raises(Misconfigured, match="There is no sandbox 'docker'"):
        choose_sandbox("docker")


def test_an_installation_is_shown_without_what_lies_beside_it(tmp_path: Path) -> None:
    environment = tmp_path / "env"
    (environment / "bin").mkdir(parents=True)
    (environment / "data").mkdir()
    (environment / "pyvenv.cfg").touch()
    (environment / "bin" / "python").symlink_to("/usr/bin/python3")
    program = environment / "bin" / "generate"
    program.write_text("#!python")
    program.chmod(0o755)
    assert find_installation(str(program)) == (environment / "bin", environment / "pyvenv.cfg")


def test_a_program_without_an_installation_is_shown_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.defpath)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "generate"
    program.write_text("#!/bin/sh")
    program.chmod(0o755)
    (tmp_path / "link").symlink_to("bin/generate")
    assert find_installation(str(tmp_path / "link")) == (tmp_path / "link", program)
    assert find_installation("./bin/generate") == ()
    assert find_installation("sh") == ()
