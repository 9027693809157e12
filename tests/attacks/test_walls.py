"""What a program inside may do, and what it may not, on every rung."""

from __future__ import annotations

import fcntl
import os
import re
import socket
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.attacks.rungs import LONG, PYTHON, Walls, build_walls
from webordinary.agent import bridge
from webordinary.child import Child, ResourceLimits, run
from webordinary.workspace.sandbox import SandboxKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.child import Finished


@pytest.fixture
def walls(tmp_path: Path) -> Walls:
    return build_walls(tmp_path, SandboxKind.BUBBLEWRAP)


def test_on_every_rung_the_checkout_and_the_home_can_be_written(rung: Walls) -> None:
    finished = rung.shell('mkdir -p pages; echo page > pages/index.html; mv pages/index.html .; echo n > "$HOME/n"')
    assert finished.succeeded, finished.stderr
    assert (rung.checkout / "index.html").read_text() == "page\n"
    assert (rung.home / "n").read_text() == "n\n"


def test_on_every_rung_secrets_beside_the_checkout_cannot_be_read(rung: Walls) -> None:
    finished = rung.shell(f"cat {rung.secret} {rung.neighbour}/index.html /etc/shadow; ls {rung.neighbour}")
    assert finished.stdout == b""


def test_on_every_rung_nothing_outside_can_be_written_or_removed(rung: Walls) -> None:
    neighbour = rung.neighbour / "index.html"
    rung.shell(
        f"echo x > {neighbour}; rm -rf {rung.neighbour}; echo x > {rung.secret}; echo x > /usr/x; echo x > /etc/x"
    )
    assert neighbour.read_text() == "of somebody else"
    assert rung.secret.read_text() == "hunter2"
    assert not Path("/usr/x").exists()
    assert not Path("/etc/x").exists()


def test_on_every_rung_a_link_does_not_lead_out(rung: Walls) -> None:
    finished = rung.shell(f"ln -s {rung.secret} link; cat link; echo x > link; ln {rung.secret} hard; cat hard")
    assert finished.stdout == b""
    assert rung.secret.read_text() == "hunter2"


def test_on_every_rung_the_environment_of_the_worker_cannot_be_read(
    rung: Walls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    finished = rung.shell(f"env; cat /proc/1/environ /proc/{os.getpid()}/environ /proc/[0-9]*/environ")
    assert b"HOME=" in finished.stdout
    assert b"hunter2" not in finished.stdout
    # Nor what the kernel keeps of this very process since it began; a shell in there may have names of its own for it.
    ours = set(Path("/proc/self/environ").read_bytes().split(b"\0")) - set(rung.shell("env").stdout.splitlines())
    assert not ours & set(re.split(rb"[\0\n]", finished.stdout)) - {b""}


def test_on_every_rung_the_network_is_off(rung: Walls) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"""
import socket
for kind, place in (
    (socket.SOCK_STREAM, ("127.0.0.1", {port})), (socket.SOCK_STREAM, ("169.254.169.254", 80)),
    (socket.SOCK_DGRAM, ("127.0.0.1", {port})),
):
    try:
        socket.socket(socket.AF_INET, kind).connect(place)
    except OSError as refused:
        continue
    if kind == socket.SOCK_STREAM:
        print("connected to", place)
print("tried")
"""
        finished = rung.python(code)
        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert finished.stdout == b"tried\n", finished.stderr


_KNOCK = """
import socket, sys
try:
    with socket.socket(socket.AF_UNIX) as found:
        found.connect(sys.argv[1])
        print("reached")
except OSError:
    print("refused")
a, b = socket.socketpair()
a.send(b"x")
print(b.recv(1))
"""


@contextmanager
def listening_at(path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        path.chmod(0o777)
        yield server


def test_on_every_rung_other_programs_cannot_be_reached_by_a_socket_file(rung: Walls) -> None:
    """Whoever holds the keys of SSH, or runs containers, listens at one."""
    path = rung.checkout.parent / "keys"
    with listening_at(path):
        argv = rung.wrap(PYTHON, "-I", "-c", _KNOCK, str(path))
        finished = run(argv, cwd=rung.checkout, env=rung.env, deadline=LONG)
    assert finished.stdout == b"refused\nb'x'\n", finished.stderr


def answer_once(server: socket.socket) -> None:
    with server.accept()[0] as caller:
        caller.send(b"answer")


def test_where_the_loopback_is_shared_only_the_bridge_uses_socket_files(open_folder: Path) -> None:
    walls = build_walls(open_folder, SandboxKind.LANDLOCK)
    port, relay, keys = walls.sandbox.port_for_model(), open_folder / "relay", open_folder / "keys"
    ask = f"import socket; socket.create_connection(('127.0.0.1', {port}), timeout=20).recv(9)"
    program = (PYTHON, "-I", "-c", f"{ask}\n{_KNOCK}", str(keys))
    crossing = (sys.executable, "-I", bridge.__file__, str(relay), str(port))
    argv = walls.sandbox.wrap(
        (*crossing, *program), checkout=walls.checkout, readable=(Path(bridge.__file__), relay), port=port
    )
    with listening_at(relay) as model, listening_at(keys):
        answering = threading.Thread(target=answer_once, args=(model,), daemon=True)
        answering.start()
        finished = run(argv, cwd=walls.checkout, env=walls.env, deadline=LONG)
        answering.join(60)
    assert finished.stdout == b"refused\nb'x'\n", finished.stderr


def reached(walls: Walls) -> list[bool]:
    """Return whether a program with a port reaches who listens there outside, and who listens elsewhere."""
    code = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=20)"
    with socket.create_server(("127.0.0.1", 0)) as wanted, socket.create_server(("127.0.0.1", 0)) as other:
        named, closed = wanted.getsockname()[1], other.getsockname()[1]
        argvs = [walls.wrap(sys.executable, "-I", "-c", code, str(port), port=named) for port in (named, closed)]
        return [run(argv, cwd=walls.checkout, env=walls.env, deadline=LONG).succeeded for argv in argvs]


def test_a_program_with_a_port_is_alone_in_its_network(open_folder: Path) -> None:
    assert reached(build_walls(open_folder, SandboxKind.LANDLOCK)) == [False, False]


def test_where_the_loopback_is_shared_only_the_named_port_can_be_reached(open_folder: Path) -> None:
    walls = build_walls(open_folder, SandboxKind.LANDLOCK)
    walls.sandbox = replace(walls.sandbox, leaves_network=False)
    assert reached(walls) == [True, False]


def test_on_every_rung_other_processes_cannot_be_ended_or_looked_into(rung: Walls) -> None:
    victim = Child(["sleep", "1000"], cwd=rung.checkout, env={"PATH": os.defpath, "WORKER_KEY": "hunter2"})
    with victim:
        finished = rung.shell(
            f"kill -9 {victim.pid} && echo killed; cat /proc/{victim.pid}/environ; ls /proc/{victim.pid}/cwd/; "
            f"cat /proc/{victim.pid}/maps"
        )
        assert finished.stdout == b""


def test_on_every_rung_nothing_is_left_behind(rung: Walls) -> None:
    code = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        sys.stdout.close(); sys.stderr.close(); os.close(1); os.close(2)
        while True:
            # Without a byte in it: whoever waits for the disk cannot be killed before the disk is done.
            os.close(os.open("alive", os.O_CREAT))
    os._exit(0)
os.wait()
while not os.path.exists("alive"):
    pass
print("ready", flush=True)
"""
    finished = rung.python(code)
    assert finished.stdout == b"ready\n", finished.stderr
    (rung.checkout / "alive").unlink()
    assert not find_orphans(rung.checkout)
    assert not (rung.checkout / "alive").exists()


def find_orphans(folder: Path) -> list[str]:
    """Return the processes that still stand in the folder."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            place = link.readlink()
        except OSError:
            continue
        if place == folder:
            found.append(link.parent.name)
    return found


def test_on_every_rung_no_new_rights_can_be_gained(rung: Walls) -> None:
    finished = rung.shell("grep -E 'NoNewPrivs|CapEff' /proc/self/status; unshare -r true && echo open; su -c id")
    assert finished.stdout.split() == [b"CapEff:", b"0" * 16, b"NoNewPrivs:", b"1"]


def test_a_family_that_eats_too_much_memory_is_ended(rung: Walls) -> None:
    code = "import time\nheap = []\nwhile True:\n    heap.append(bytes(1) * 2**24)"
    finished = eat(rung, code, ResourceLimits(rung.checkout, memory=200 * 2**20))
    assert finished.exceeded == "it needed more than 200 MB of memory"


def test_memory_that_belongs_to_no_process_is_counted_too(rung: Walls) -> None:
    code = """
import os, signal
kept = [os.memfd_create("x") for _ in range(40)]
for each in kept:
    os.write(each, bytes(2**24))
signal.pause()
"""
    finished = eat(rung, code, ResourceLimits(rung.checkout, memory=200 * 2**20))
    assert finished.exceeded == "it needed more than 200 MB of memory"


def test_folders_that_are_kept_in_memory_are_small(walls: Walls) -> None:
    code = """
import os
for place in ("/", "/dev", "/dev/shm", "/tmp", "/run", "/proc", "/etc"):
    try:
        open(place + "/new", "w").close()
        size = os.statvfs(place)
        print(place, size.f_blocks * size.f_frsize <= 2**30)
    except OSError:
        print(place, "closed")
"""
    said = walls.python(code).stdout.decode().splitlines()
    assert [line.split()[1] for line in said] == ["closed", "closed", "True", "True", "True", "closed", "closed"]


def test_a_family_that_grows_without_end_is_ended(rung: Walls) -> None:
    code = "import os, signal\nwhile True:\n    if os.fork() == 0:\n        signal.pause()"
    finished = eat(rung, code, ResourceLimits(rung.checkout, processes=30))
    assert finished.exceeded == "it started more than 30 processes"
    assert not find_orphans(rung.checkout)


def test_a_family_that_fills_the_disk_is_ended(rung: Walls) -> None:
    code = "block = bytes(2**20)\nwith open('big', 'wb') as file:\n    while True:\n        file.write(block)"
    finished = eat(rung, code, ResourceLimits(rung.checkout, disk=64 * 2**20))
    (rung.checkout / "big").unlink()
    assert finished.exceeded == "it filled the disk"


def eat(rung: Walls, code: str, resource_limits: ResourceLimits) -> Finished:
    argv = rung.wrap(PYTHON, "-I", "-c", code)
    with Child(argv, cwd=rung.checkout, env=rung.env, resource_limits=resource_limits) as child:
        return child.wait(LONG)


def test_nothing_else_of_the_machine_can_be_read_or_written(walls: Walls) -> None:
    people = "grep -v -e ^root: -e ^sandbox: -e ^nobody: /etc/passwd"
    peek = f"cat {walls.secret}; ls {walls.secret.parent}; ls /root /home /var; cat /etc/shadow; {people}"
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


def test_on_every_rung_the_network_is_there_for_who_may_fetch_packages_and_nothing_else_is(rung: Walls) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"""
import pathlib, socket
socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), timeout=20)
socket.getaddrinfo("localhost", 80)
try:
    print(pathlib.Path({str(rung.secret)!r}).read_text())
except OSError:
    print("tried")
"""
        finished = rung.python(code, network=True)
    assert finished.stdout == b"tried\n", finished.stderr


def test_with_uids_of_their_own_two_lanes_work_at_once_and_cannot_see_each_other(open_folder: Path) -> None:
    sandbox = build_walls(open_folder, SandboxKind.OWN_UID).sandbox
    lanes = [open_folder / "workspace" / "lanes" / project / "scott" for project in ("amelia", "flora")]
    homes = [open_folder / "scratch" / name / "home" for name in ("one", "two")]
    for folder in (*lanes, *homes):
        folder.mkdir(parents=True)
    (open_folder / "workspace" / "projects").mkdir()
    for lane in lanes:
        (lane / "index.html").write_text("mine")
    commands = [
        sandbox.wrap(
            (
                "sh",
                "-c",
                f"cat {lane}/index.html; echo x > {home}/x; cat {other}/index.html; ls {open_folder}/workspace",
            ),
            checkout=lane,
            writable=(home,),
        )
        for lane, other, home in zip(lanes, reversed(lanes), homes, strict=True)
    ]
    for command, lane, home in zip(commands, lanes, homes, strict=True):
        finished = run(command, cwd=lane, env={"PATH": os.defpath}, deadline=LONG)
        assert finished.stdout == b"minelanes\n"
        assert (home / "x").is_file(), finished.stderr
        assert finished.stderr.count(b"No such file") == 1


def test_where_root_cannot_cover_doors_two_lanes_cannot_see_each_other_either(open_folder: Path) -> None:
    sandbox = replace(build_walls(open_folder, SandboxKind.OWN_UID).sandbox, has_stage=False)
    lanes = [open_folder / "workspace" / "lanes" / project / "scott" for project in ("amelia", "flora")]
    for lane in lanes:
        lane.mkdir(parents=True)
        (lane / "index.html").write_text("mine")
    for lane, other in zip(lanes, reversed(lanes), strict=True):
        script = f"cat {lane}/index.html; cat {other}/index.html; ls {open_folder}/workspace"
        argv = sandbox.wrap(("sh", "-c", script), checkout=lane)
        finished = run(argv, cwd=lane, env={"PATH": os.defpath}, deadline=LONG)
        assert finished.stdout == b"mine"
        assert finished.stderr.count(b"Permission denied") == 2
