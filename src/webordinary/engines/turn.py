"""One process of a machine at a time: a lock of the kernel, which ends with the process that holds it."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import TryAgain
from webordinary.workspace.lock import try_lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# With the question that others ask meanwhile it stays below what a letter is reserved for.
_PATIENCE = timedelta(seconds=10)
_LOOK_AGAIN = 0.02


@contextmanager
def take_turn(path: Path, what: str, patience: timedelta = _PATIENCE) -> Iterator[None]:
    """Wait until nobody else is in the block that this file stands for; it is made if needed and never removed."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise TryAgain(f"{path} cannot be opened ({error.strerror}), so {what} cannot be renewed") from error
    try:
        gives_up_at = time.monotonic() + patience.total_seconds()
        # The kernel can wait for a lock, but not until a moment.
        while not try_lock(descriptor):
            if time.monotonic() >= gives_up_at:
                raise TryAgain(f"another process has been renewing {what} for too long")
            time.sleep(_LOOK_AGAIN)
        yield
    finally:
        os.close(descriptor)
