"""What the file does when its process can open nothing more, in a process of its own: `python -m … FOLDER`."""

from __future__ import annotations

import resource
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.embedded.database import Database
from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def no_more_descriptors() -> Iterator[None]:
    """Let this process open nothing more; what is open stays open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def the_file_is_tried_again_and_not_given_up(folder: Path) -> None:
    database = Database(folder / "w.db")
    database.close()
    with no_more_descriptors(), pytest.raises(TryAgain, match="right now"), database.read():
        pass
    with database.read() as cursor:
        assert cursor.execute("SELECT count(*) FROM meta").fetchall() == [(0,)]


def what_was_accepted_is_accepted_although_nobody_could_be_rung(folder: Path) -> None:
    ports = open_embedded_ports(folder)
    ports.engine.claims.wait_for_work("w1", ports.now)
    with no_more_descriptors():
        job = ports.queue()
    assert ports.job(job).state.is_live


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
