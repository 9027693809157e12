"""Failures that are nobody's fault but the machine's: its disk is full, or something of it is used up."""

from __future__ import annotations

import errno
import re
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.errors import JobFailed, Outage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_USED_UP = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EROFS, errno.EIO}
)
# As git and other programs of ours say it.
_SAID = re.compile(
    r"no space left on device|disk quota exceeded|too many open files|cannot allocate memory", re.IGNORECASE
)
# Below this nobody can finish anything; the reserve of the store is of the same size.
LITTLE = 64 * 1024 * 1024


def find_outage(problem: Exception, data: Path | None) -> Outage | None:
    """Return the outage behind an error; None when the machine is well, or nothing says otherwise."""
    if isinstance(problem, Outage):
        return problem
    for each in _causes(problem):
        if isinstance(each, OSError) and each.errno in _USED_UP:
            return Outage(f"this machine cannot go on now ({each.strerror}): {problem}")
        if _SAID.search(f"{getattr(each, 'details', '')}"):
            return Outage(f"this machine cannot go on now: {problem}")
    if isinstance(problem, JobFailed) and data is not None and is_full(data):
        # What a build or an agent says on a full disk is about the disk.
        return Outage(f"the disk under {data} is full, free some space ({problem})")
    return None


def _causes(problem: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = problem
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def is_full(data: Path, little: int = LITTLE) -> bool:
    """Tell whether so little is free under a folder that nobody can finish anything."""
    with suppress(OSError):
        return shutil.disk_usage(data).free < little
    return False
