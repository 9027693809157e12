"""Secrets as files under `secrets` beside the database, which only their owner can read."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.engines.embedded.faults import disk_errors
from webordinary.engines.turn import take_turn
from webordinary.errors import Misconfigured
from webordinary.routing.secrets import check_secret_name, reading

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = "secrets"
_OTHERS_MAY_READ = 0o077
# More than any secret needs.
_ROOM = 65_536


class FileSecrets:
    """One file for each; a person may write them as well."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def has(self, name: str) -> bool:
        return self._path(name).is_file()

    def read(self, name: str) -> str:
        path = self._path(name)
        with reading(lambda why: f"The secret {name} cannot be read ({why}); write it to {path} and chmod 600 it."):
            if path.stat().st_mode & _OTHERS_MAY_READ:
                raise Misconfigured(f"Others may read the secret {path}; chmod 600 it.")
            return path.read_text(encoding="utf-8")

    def keep(self, name: str, secret: str) -> None:
        path = self._path(name)
        with self._draft(name, secret.encode()) as draft:
            draft.replace(path)
            self._sync_names()

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        place = self._path(name).with_name(f".{name}.turn")
        with self._draft(name, bytes(_ROOM)):
            # A caller that replaces a secret may no longer have the older one: the place for it must be there before.
            pass
        with take_turn(place, f"the secret {name}"):
            yield

    @contextmanager
    def _draft(self, name: str, content: bytes) -> Iterator[Path]:
        """Write a file that only its owner may read; gone at the end of the block unless it got another name."""
        with disk_errors(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, made = tempfile.mkstemp(prefix=f".{name}.", dir=self._folder)
            draft = Path(made)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                yield draft
            finally:
                draft.unlink(missing_ok=True)

    def _sync_names(self) -> None:
        """Without it the older secret could be back after a power cut."""
        descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _path(self, name: str) -> Path:
        return self._folder / check_secret_name(name)
