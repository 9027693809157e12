"""One sentence for one session, shown on the next page and then gone."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.dashboard.visit import PageVisit

_LONGEST = 2_000


def say_next(visit: PageVisit, sentence: str) -> None:
    """Keep a sentence until this browser opens a page."""
    path = _path(visit)
    path.write_text(sentence[:_LONGEST], encoding="utf-8")
    path.chmod(0o600)


def said(visit: PageVisit) -> str:
    """Return the sentence, once."""
    if not visit.secret:
        return ""
    path = _path(visit)
    with suppress(OSError, UnicodeDecodeError):
        sentence = path.read_text(encoding="utf-8")
        path.unlink()
        return sentence
    return ""


def _path(visit: PageVisit) -> Path:
    # Named by another hash than the session's, so that neither can be mistaken for the other.
    name = hashlib.sha256(b"said" + visit.secret.encode()).hexdigest()
    return visit.house.sessions.folder / f"said-{name}"
