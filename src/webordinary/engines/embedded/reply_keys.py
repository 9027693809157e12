"""The key of the reply addresses: a file beside the database that only its owner can read."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.engines.embedded.faults import disk_errors
from webordinary.mail.tokens import ReplyKey, new_secret

if TYPE_CHECKING:
    from pathlib import Path

FILE = "reply.key"


class FileReplyKeys:
    """Made by the first process that needs it; a key from the configuration goes before it."""

    def __init__(self, folder: Path, configured: str | None = None) -> None:
        self._path = folder / FILE
        self._known = ReplyKey(configured.encode()) if configured else None

    def current(self) -> ReplyKey:
        if self._known is None:
            with disk_errors(self._path.parent):
                self._known = ReplyKey(self._read_or_make())
        return self._known

    def _read_or_make(self) -> bytes:
        with suppress(FileNotFoundError):
            return self._path.read_bytes()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_name(f".{FILE}.{os.getpid()}.{threading.get_ident()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(new_secret())
            file.flush()
            os.fsync(file.fileno())
        # A link, not a rename: the second process must take the key of the first and not replace it.
        with suppress(FileExistsError):
            os.link(draft, self._path)
        draft.unlink()
        return self._path.read_bytes()
