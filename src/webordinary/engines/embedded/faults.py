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


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Let no driver error out: what may pass is TryAgain, what a person must mend is Misconfigured."""
    try:
        yield
    except apsw.FullError as error:
        raise Outage(f"the disk under {path} is full: free some space, nothing was lost") from error
    except apsw.IOError as error:
        raise Outage(f"the disk under {path} could not be used right now ({error})") from error
    except _PASSING as error:
        raise TryAgain(f"the database {path} could not be used right now ({error})") from error
    except _BROKEN as error:
        if isinstance(error, apsw.CantOpenError) and path.is_file() and os.access(path, os.R_OK | os.W_OK):
            # Nothing is wrong with the file: something is used up that comes back, such as descriptors.
            raise Outage(f"the database {path} could not be opened right now ({error})") from error
        raise Misconfigured(f"the database {path} cannot be opened ({error}): restore a backup of it") from error


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
