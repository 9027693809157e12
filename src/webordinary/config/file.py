"""The file of the configuration: read with a mark of what it says, and written anew only if nobody else has."""

from __future__ import annotations

import difflib
import fcntl
import hashlib
import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.config.load import read_config
from webordinary.errors import Misconfigured, Refused, TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.config.load import Config

_BOM = "\ufeff"


class ChangedMeanwhile(TryAgain):
    """Somebody else has changed the configuration since it was read."""


@dataclass(frozen=True, slots=True)
class ConfigText:
    """What the file says, and a mark by which a change of it is noticed."""

    path: Path
    text: str

    @classmethod
    def read(cls, path: Path) -> ConfigText:
        try:
            return cls(path, path.read_bytes().decode("utf-8"))
        except FileNotFoundError:
            raise Misconfigured(f"There is no file {path}: this installation is configured by variables.") from None
        except UnicodeDecodeError as error:
            raise Misconfigured(f"{path} is not UTF-8 text (byte {error.start}); save it as UTF-8.") from None
        except OSError as error:
            raise Misconfigured(f"{path} cannot be read: {error.strerror}.") from None

    @property
    def mark(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def plain(self) -> str:
        """The text without the mark that some editors write in front of it."""
        return self.text.removeprefix(_BOM)

    def differs_by(self, text: str) -> list[str]:
        """Return the lines that a new text adds and takes away, and nothing around them: a password may stand there."""
        lines = difflib.unified_diff(self.plain.splitlines(), text.splitlines(), lineterm="", n=0)
        return [line for at, line in enumerate(lines) if at > 1]

    def check(self, text: str, environ: Mapping[str, str]) -> Config:
        """Read a new text as the whole installation would, or refuse it with the line that is wrong."""
        return read_config(text, self.path, environ)

    def replace(self, text: str, environ: Mapping[str, str]) -> None:
        """Write the new text, whole or not at all; ChangedMeanwhile when the file says something else by now."""
        self.check(text, environ)
        goal = self.path.resolve()
        with _alone(goal):
            if ConfigText.read(self.path).mark != self.mark:
                raise ChangedMeanwhile
            _write(goal, (_BOM if self.text.startswith(_BOM) else "") + text)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep others of us from writing between our look and our write; the folder itself is the lock."""
    handle = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _write(path: Path, text: str) -> None:
    draft: Path | None = None
    try:
        if not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="", dir=path.parent, delete=False) as file:
            draft = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, draft)
        _copy_owner(path, draft)
        draft.replace(path)
    except OSError as error:
        if draft is not None:
            draft.unlink(missing_ok=True)
        why = f"{path} cannot be written by the user that the dashboard runs as ({error.strerror})"
        remedy = f"let that user write the file and the folder {path.parent}, or put the change in by hand"
        raise Refused(f"{why}: {remedy}. Nothing was changed.") from None


def _copy_owner(path: Path, draft: Path) -> None:
    """Leave the file to whom it belonged; who is not allowed to give it away keeps it."""
    found = path.stat()
    with suppress(PermissionError):
        os.chown(draft, found.st_uid, found.st_gid)
