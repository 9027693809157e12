"""What one job could leave for the next, and what programs miss inside."""

from __future__ import annotations

import ctypes
import os
import shutil
from pathlib import Path

import pytest

from tests.attacks.rungs import IS_ROOT, LONG, PYTHON, Walls
from tests.node import node_path
from webordinary.child import run
from webordinary.workspace.sandbox import SandboxKind

_MEMORY = """
import ctypes, sys
libc = ctypes.CDLL(None)
for key in map(int, sys.argv[1:]):
    print(*("found" if each >= 0 else "nothing" for each in (
        libc.shmget(key, 0, 0), libc.semget(key, 0, 0), libc.msgget(key, 0))))
"""


def test_on_every_rung_no_memory_is_shared_with_other_jobs(rung: Walls) -> None:
    libc = ctypes.CDLL(None)
    key = 0x57420000 + os.getpid() % 0xFFFF
    kept = (libc.shmget(key, 4096, 0o1666), libc.semget(key, 1, 0o1666), libc.msgget(key, 0o1666))
    try:
        argv = rung.wrap(PYTHON, "-I", "-c", _MEMORY, str(key))
        finished = run(argv, cwd=rung.checkout, env=rung.env, deadline=LONG)
    finally:
        libc.shmctl(kept[0], 0, None)
        libc.semctl(kept[1], 0, 0)
        libc.msgctl(kept[2], 0, None)
    assert min(kept) >= 0
    assert finished.stdout == b"nothing nothing nothing\n", finished.stderr


def test_on_every_rung_nothing_in_the_shared_folders_outlives_a_job_or_comes_from_another(rung: Walls) -> None:
    mark = f"left-{os.getpid()}"
    ours = [Path(folder, mark) for folder in ("/tmp", "/var/tmp", "/dev/shm")]  # noqa: S108 - they are the question
    for path in ours:
        path.write_text("of another job")
        path.chmod(0o666)
    try:
        finished = rung.shell("; ".join(f"cat {path}; echo x > {path}; echo x > {path}.new" for path in ours))
        assert finished.stdout == b""
        assert [path.read_text() for path in ours] == ["of another job"] * len(ours)
        assert not any(path.with_name(f"{mark}.new").exists() for path in ours)
    finally:
        for path in ours:
            path.unlink()


@pytest.mark.parametrize("form", ["file", "folder"])
def test_on_every_rung_the_repository_is_as_it_was_after_a_program_tried_to_replace_it(rung: Walls, form: str) -> None:
    if rung.sandbox.kind is SandboxKind.LANDLOCK and not IS_ROOT:
        # Landlock has no word for it. The worker never looks at that name, and puts it right when it enters again:
        # tests/unit/workspace/test_checkout.py shows it.
        return
    repository = inside = rung.checkout / ".git"
    if form == "folder":
        repository.mkdir()
        inside = repository / "config"
    inside.write_text("gitdir: elsewhere")
    finished = rung.shell(f"echo x > {inside}; rm -rf .git; mv .git old; mkdir .git; ln -sf /etc .git; echo done")
    assert finished.stdout == b"done\n"
    assert inside.read_text() == "gitdir: elsewhere"
    assert not (rung.checkout / "old").exists()


def test_on_every_rung_a_program_can_look_itself_up(rung: Walls) -> None:
    finished = rung.python(
        "import os, pwd, grp; print(pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name)"
    )
    assert finished.succeeded or not knows_me(), finished.stderr


def test_on_every_rung_node_knows_its_user(rung: Walls) -> None:
    node = shutil.which("node", path=node_path()) or "node"
    argv = rung.wrap(node, "-e", "console.log(require('os').userInfo().uid > 0)")
    finished = run(argv, cwd=rung.checkout, env=rung.env, deadline=LONG)
    assert finished.stdout == b"true\n" or not knows_me(), finished.stderr


def test_on_every_rung_a_script_that_the_command_names_can_be_read_and_nothing_beside_it(rung: Walls) -> None:
    """As in `command = ["python3", "/opt/edit.py"]`."""
    script = rung.folder / "edit.py"
    script.write_text("import pathlib; pathlib.Path('page').write_text('edited'); print(pathlib.Path(__file__).name)")
    script.chmod(0o644)
    finished = run(rung.wrap(PYTHON, str(script)), cwd=rung.checkout, env=rung.env, deadline=LONG)
    assert finished.stdout == b"edit.py\n", finished.stderr
    assert (rung.checkout / "page").read_text() == "edited"
    peek = rung.wrap("sh", "-c", f"cat {rung.secret}; echo x > {script}", str(script))
    assert run(peek, cwd=rung.checkout, env=rung.env, deadline=LONG).stdout == b""
    assert script.read_text().startswith("import")


def knows_me() -> bool:
    """Say whether this machine knows us by name; a program that shares its list of users with it knows no more."""
    users = Path("/etc/passwd").read_text(encoding="utf-8").splitlines()
    return IS_ROOT or any(line.split(":")[2] == str(os.getuid()) for line in users)
