"""Installations that earlier versions have used go on with this one; each release keeps one in `tests/earlier`."""

from __future__ import annotations

import mailbox
import re
import tarfile
from typing import TYPE_CHECKING

import apsw
import pytest

from tests.cli.program import Program
from tests.cli.test_serve import listener_of
from tests.earlier.__main__ import KEPT
from webordinary.doors.submit import submit
from webordinary.engines.embedded.database import migrations
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from pathlib import Path

SCOTT = "scott@example.org"


def unpacked(kept: Path, folder: Path) -> Program:
    with tarfile.open(kept) as archive:
        archive.extractall(folder, filter="data")
    path = folder / "webordinary.toml"
    path.write_text(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:0", path.read_text()))
    return Program(folder)


def version_of(folder: Path) -> int:
    connection = apsw.Connection(str(folder / "data" / "webordinary.db"), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return int(connection.pragma("user_version"))
    finally:
        connection.close()


@pytest.mark.thorough
@pytest.mark.parametrize("kept", sorted(KEPT.glob("*.tar.xz")), ids=lambda kept: kept.name)
def test_what_an_earlier_version_published_is_undone_by_a_reply_to_this_one(kept: Path, tmp_path: Path) -> None:
    program = unpacked(kept, tmp_path)
    page, newest = tmp_path / "live" / "amelia" / "live" / "contact.html", migrations()[-1][0]
    (answer,) = mailbox.Maildir(tmp_path / "mailbox", create=False)
    reply = write_mail(
        sender=SCOTT, to=answer["From"], text="undo", subject=answer["Subject"], in_reply_to=answer["Message-ID"]
    )
    assert "9:00 – 18:00" in page.read_text(encoding="utf-8")
    assert version_of(tmp_path) < newest

    with program.start("serve") as server:
        submit(reply, *listener_of(server), SCOTT, ["amelia@edit.localhost"])
        server.line_with("is done (")
        assert server.end() == 0, server.said

    assert "8:00 – 18:00" in page.read_text(encoding="utf-8")
    assert version_of(tmp_path) == newest
    assert [job["state"] for job in program.read("show", "jobs")] == ["done", "done"]
