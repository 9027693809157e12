from __future__ import annotations

import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from webordinary.doors.submit import submit
from webordinary.errors import Refused
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Program, Started

SCOTT = "scott@example.org"
TO = "amelia@edit.localhost"


def listener_of(server: Started) -> tuple[str, int]:
    """Read from its first line where the server listens for mail."""
    host, _, port = server.line_with("Listening for mail on").split(",")[0].rpartition(" ")[2].rpartition(":")
    return host, int(port)


def write(text: str) -> bytes:
    return write_mail(sender=SCOTT, to=TO, text=text)


def test_serving_says_where_it_listens_and_which_workers_it_has(bakery: Program) -> None:
    with bakery.start("serve") as server:
        assert listener_of(server)[1] > 0
        workers = {server.line_with("is ready").split()[1] for _ in range(2)}

        assert server.end(signal.SIGTERM) == 0

    assert len(workers) == 2
    assert "amelia@edit.localhost" in server.said
    assert "Everything has ended." in server.said


def test_a_mail_is_taken_by_smtp_and_held_because_nobody_vouches_for_it(bakery: Program) -> None:
    with bakery.start("serve") as server:
        host, port = listener_of(server)

        said = submit(write("We open at nine now."), host, port, SCOTT, [TO])

        server.line_with("is held, nothing will be done")
        server.end()
    (mail,) = bakery.read("show", "mail")
    assert mail["id"] == said.rpartition(" ")[2]
    assert (mail["outcome"], mail["sender"]) == ("held", SCOTT)


def test_mail_for_another_domain_is_refused_by_smtp(bakery: Program) -> None:
    with bakery.start("serve") as server:
        host, port = listener_of(server)

        with pytest.raises(Refused, match="its own projects only"):
            submit(write("Hello."), host, port, SCOTT, ["somebody@example.net"])
        server.end()


def test_a_mail_of_thirty_megabytes_is_refused_by_smtp_and_the_trail_says_so(bakery: Program) -> None:
    line = b"0" * 70 + b"\r\n"
    with bakery.start("serve") as server:
        host, port = listener_of(server)

        with pytest.raises(Refused, match="552"):
            submit(write("A photo:") + line * (30 * 1024 * 1024 // len(line)), host, port, SCOTT, [TO])

        server.line_with("larger than 25 MB")
        assert server.end() == 0
    assert bakery.read("show", "mail") == []


@pytest.mark.thorough
def test_ending_gives_a_running_job_back_and_the_next_start_runs_it(
    bakery: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gates = tmp_path / "gates"
    gates.mkdir()
    monkeypatch.setenv("WEBORDINARY_SCRIPTED_GATES", str(gates))
    with bakery.start("serve") as server:
        server.line_with("is ready")
        bakery.run("ask", "amelia", "scott", "wait for the file oven\nWe open at nine now.")
        server.line_with("waiting for oven")

        assert server.end(signal.SIGTERM) == 0
    assert "it keeps its place" in server.said
    assert bakery.processes() == []
    (job,) = bakery.read("show", "jobs")
    assert (job["state"], job["attempt"]) == ("queued", 0)

    (gates / "oven").write_text("open")
    with bakery.start("serve") as server:
        server.line_with("is done (published)")
        server.end(signal.SIGTERM)


def test_a_worker_that_is_killed_is_replaced(bakery: Program) -> None:
    with bakery.start("work", "--count", "1") as workers:
        first = workers.line_with("is ready").split()[1]
        bakery.kill(first)

        workers.line_with(f"{first} is gone")
        assert workers.line_with("is ready").split()[1] != first
        assert workers.end(signal.SIGTERM) == 0
    assert bakery.processes() == []


def test_a_worker_whose_parent_died_before_it_could_look_ends_by_itself(bakery: Program) -> None:
    with subprocess.Popen(["true"]) as parent:
        parent.wait()
    argv = [sys.executable, "-m", "webordinary.serve.worker_process", "webordinary.toml", "w1", str(parent.pid)]

    assert subprocess.run(argv, cwd=bakery.folder, check=False).returncode == 0


def test_ctrl_c_ends_everything_cleanly(bakery: Program) -> None:
    with bakery.start("serve") as server:
        server.line_with("is ready")

        assert server.end(signal.SIGINT) == 0
    assert bakery.processes() == []
    assert "Traceback" not in server.said


def test_a_port_in_use_is_a_sentence(bakery: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        path = bakery.folder / "webordinary.toml"
        path.write_text(path.read_text().replace('listen = "127.0.0.1:0"', f'listen = "127.0.0.1:{port}"', 1))

        said = bakery.run("serve", code=2)

    assert f"127.0.0.1:{port}" in said
    assert "free port" in said
