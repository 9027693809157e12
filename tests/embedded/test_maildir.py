"""A maildir on this machine, as people leave it behind."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from webordinary.engines.embedded.mail_transport import MaildirTransport

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("missing", [("cur", "new", "tmp"), ("tmp",), ("new",)])
def test_a_maildir_without_its_folders_gets_them_again(tmp_path: Path, missing: tuple[str, ...]) -> None:
    maildir = tmp_path / "maildir"
    postman = MaildirTransport(maildir)
    postman.deliver(b"Subject: one\r\n\r\nDone.\r\n", "scott@example.org")
    for name in missing:
        shutil.rmtree(maildir / name)
    postman.deliver(b"Subject: two\r\n\r\nDone.\r\n", "scott@example.org")
    assert b"Subject: two" in b"".join(path.read_bytes() for path in (maildir / "new").iterdir())
