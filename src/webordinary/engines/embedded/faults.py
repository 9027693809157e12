"""SQLite's and the file system's errors, translated into what the caller should do."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from webordinary.errors import Misconfigured, Outage, TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PASSING = (
    apsw.BusyError,
    apsw.LockedError,
    apsw.FullError,
    apsw.InterruptError,
    apsw.ProtocolError,
)
# What comes back: descriptors and memory that others have used up.
_USED_UP = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
_BROKEN = (apsw.NotADBError, apsw.CorruptError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError)


class translated:  # noqa: N801 - a block that is written like a call
    """Let no driver error out: what may pass is TryAgain, what a person must mend is Misconfigured.

    A class, because every transaction goes through it and a generator costs several times as much.
    """

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, apsw.Error):
            translate(error, self._path)


def translate(error: apsw.Error, path: Path) -> None:
    """Raise what the caller should do about a driver's error, if that is known."""
    match error:
        case apsw.FullError():
            raise Outage(f"the disk under {path} is full: free some space, nothing was lost") from error
        case apsw.IOError():
            raise Outage(f"the disk under {path} could not be used right now ({error})") from error
        case _ if isinstance(error, _PASSING):
            raise TryAgain(f"the database {path} could not be used right now ({error})") from error
        case apsw.CantOpenError() if path.is_file() and os.access(path, os.R_OK | os.W_OK):
            # Nothing is wrong with the file: something is used up that comes back, such as descriptors.
            raise Outage(f"the database {path} could not be opened right now ({error})") from error
        case _ if isinstance(error, _BROKEN):
            raise Misconfigured(f"the database {path} cannot be opened ({error}): restore a backup of it") from error
        case _:
            pass


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Translate a failed write of a file beside the database."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise Outage(f"the disk under {path} is full: free some space, nothing was lost") from error
        if error.errno in _USED_UP:
            raise Outage(f"{path} cannot be written right now ({error.strerror})") from error
        raise Misconfigured(f"{path} cannot be written ({error.strerror}): check the folder's owner") from error
