from __future__ import annotations

import fcntl
import os
import socket
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webordinary.child import Child, run
from webordinary.errors import Misconfigured
from webordinary.site.build import build_site
from webordinary.workspace.installation import find_installation
from webordinary.workspace.sandbox import Kind, Sandbox, choose_sandbox

if TYPE_CHECKING:
    from webordinary.child import Finished

LONG = timedelta(minutes=1)


class Walls:
    """A checkout with a sandbox around it, and a secret beside it."""

    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.checkout = folder / "checkout"
        self.home = folder / "home"
        self.secret = folder / "secret.txt"
        self.env = {"PATH": os.defpath, "HOME": str(self.home)}
        self.checkout.mkdir()
        self.home.mkdir()
        self.secret.write_text("hunter2")

    def wrap(self, *argv: str) -> tuple[str, ...]:
        return self.sandbox.wrap(argv, checkout=self.checkout, writable=(self.home,))

    def shell(self, script: str) -> Finished:
        return run(self.wrap("sh", "-c", script), cwd=self.checkout, env=self.env, deadline=LONG)


@pytest.fixture
def walls(tmp_path: Path) -> Walls:
    try:
        return Walls(tmp_path, choose_sandbox("bubblewrap"))
    except Misconfigured as missing:
        if "CI" in os.environ:
            raise
        pytest.skip(str(missing))


def test_the_checkout_and_the_home_can_be_written_at_their_usual_paths(walls: Walls) -> None:
    assert walls.shell('pwd; echo page > index.html; echo note > "$HOME/note"').stdout.decode() == f"{walls.checkout}\n"
    assert (walls.checkout / "index.html").read_text() == "page\n"
    assert (walls.home / "note").read_text() == "note\n"


def test_nothing_else_of_the_machine_can_be_read_or_written(walls: Walls) -> None:
    peek = f"cat {walls.secret}; ls {walls.secret.parent}; ls /root /home /var; cat /etc/shadow /etc/passwd"
    finished = walls.shell(f"{peek}; echo x > /usr/x")
    assert finished.stdout.decode().split() == ["checkout", "home"]
    assert not finished.succeeded
    assert not Path("/usr/x").exists()


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_the_repository_cannot_be_changed_replaced_or_removed(walls: Walls, kind: str) -> None:
    repository = walls.checkout / ".git"
    inside = repository
    if kind == "folder":
        repository.mkdir()
        inside = repository / "config"
    inside.write_text("gitdir: elsewhere")
    finished = walls.shell(f"echo x > {inside}; rm -rf .git; mv .git old; echo done")
    assert finished.stdout == b"done\n"
    assert inside.read_text() == "gitdir: elsewhere"


def test_the_network_is_off_even_to_this_machine(walls: Walls) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket; socket.create_connection(('127.0.0.1', {port}), timeout=5)"
        finished = run(walls.wrap(sys.executable, "-I", "-c", code), cwd=walls.checkout, env=walls.env)
    assert b"ConnectionRefusedError" in finished.stderr


def test_the_environment_of_the_worker_cannot_be_read(walls: Walls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    finished = walls.shell("env; cat /proc/[0-9]*/environ")
    assert b"HOME=" in finished.stdout
    assert b"hunter2" not in finished.stdout


def test_processes_outside_cannot_be_seen_and_there_are_no_powers(walls: Walls) -> None:
    finished = walls.shell(
        f"id -u; kill -0 {os.getpid()} || echo unseen; grep CapEff /proc/self/status; unshare -r true || echo shut"
    )
    assert finished.stdout.split() == [b"1000", b"unseen", b"CapEff:", b"0" * 16, b"shut"]


def test_everything_inside_ends_with_the_child_and_holds_its_lock_until_then(walls: Walls) -> None:
    lock = os.open(walls.home / "lock", os.O_CREAT | os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    ready = threading.Event()
    child = Child(
        walls.wrap("sh", "-c", "setsid sleep 1000 & echo ready; sleep 1000"),
        cwd=walls.checkout,
        env=walls.env,
        keep_open=(lock,),
        on_line=lambda _: ready.set(),
    )
    assert ready.wait(60)
    os.close(lock)
    other = os.open(walls.home / "lock", os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    child.stop(timedelta(0))
    fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(other)


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


def test_without_a_sandbox_the_command_stays_as_it_is(tmp_path: Path) -> None:
    assert choose_sandbox("none") == Sandbox(Kind.NONE)
    assert choose_sandbox("none").wrap(["make", "site"], checkout=tmp_path) == ("make", "site")


def test_a_machine_without_bubblewrap_refuses_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    choose_sandbox.cache_clear()
    for mode in ("auto", "bubblewrap"):
        with pytest.raises(
            Misconfigured, match=r"need bubblewrap, which does not work here .*'bwrap' cannot be started"
        ):
            choose_sandbox(mode)


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


def test_a_program_without_an_installation_is_shown_alone(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "generate"
    program.write_text("#!/bin/sh")
    program.chmod(0o755)
    (tmp_path / "link").symlink_to("bin/generate")
    assert find_installation(str(tmp_path / "link")) == (tmp_path / "link", program)
    assert find_installation("./bin/generate") == ()
    assert find_installation("sh") == ()
