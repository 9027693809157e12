"""`serve` on a disk that somebody else fills: `python -m … FOLDER`, where FOLDER is a small file system of its own."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

from tests.cli.program import Program
from webordinary.testing.story import wait_for

_SLICE = 1024 * 1024
_LOOKS = 8


def fill(folder: Path) -> Path:
    """Take all the room that is left."""
    filler = folder / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (_SLICE, 4096, 1):
            with suppress(OSError):
                while True:
                    file.write(b"x" * size)
    assert os.statvfs(folder).f_bavail == 0
    return filler


def main(folder: Path) -> None:
    program = Program(folder)
    program.run("pause", "amelia")
    program.run("ask", "amelia", "scott", "We open at nine now.")
    (waiting,) = program.read("show", "jobs")
    assert waiting["state"] == "queued", waiting
    # Full but for what the word `resume` needs; the rest is taken as soon as that is said.
    filler = fill(folder)
    os.truncate(filler, filler.stat().st_size - 2 * _SLICE)
    with program.start("serve") as server:
        server.line_with("is ready")
        said = threading.Thread(target=lambda: server.lines.extend(server.process.stdout or ()))
        said.start()
        program.run("resume", "amelia")
        fill(folder)

        def state() -> str:
            (job,) = program.read("show", "jobs")
            return str(job["state"])

        # Whatever it does meanwhile, it does not call it done, and it does not end.
        assert not {state() for _ in range(_LOOKS)} & {"done", "failed", "dead"}, server.said
        assert server.process.poll() is None
        filler.unlink()
        wait_for(lambda: state() == "done" or None, "the change", lambda: server.said)
        server.process.terminate()
        said.join()
    (job,) = program.read("show", "jobs")
    assert job["outcome"] == "published", job
    assert server.process.returncode == 0, server.said
    sys.stdout.write(f"{server.said}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
