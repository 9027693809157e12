"""What `webordinary doctor` found last, kept beside the data: the dashboard shows it to who was not there."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from webordinary.findings import Check

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_NAME = "doctor.json"


class KeptFindings(msgspec.Struct, frozen=True):
    """All that was looked at, and when."""

    at: datetime
    checks: tuple[Check, ...]


def keep_findings(data: Path, checks: Sequence[Check], at: datetime) -> None:
    """Keep what was found instead of what was found before; where nothing can be written, nobody is told."""
    draft = data / f"{_NAME}.new"
    with suppress(OSError):
        draft.write_bytes(msgspec.json.encode(KeptFindings(at, tuple(checks))))
        draft.replace(data / _NAME)


def last_findings(data: Path) -> KeptFindings | None:
    """Return what was found last; None if nobody has looked, or it cannot be read."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode((data / _NAME).read_bytes(), type=KeptFindings)
    return None
