"""What a check can find, and whether somebody has to say ok before it goes live."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Problem(StrEnum):
    """What a check can find; the words for it stand with the words of all mails."""

    # The job fails.
    STORAGE_ADDRESS = "storage_address"
    SECRET = "secret"  # noqa: S105 - the name of a problem
    # Somebody has to say ok.
    UNASKED = "unasked"
    QUOTED = "quoted"
    ATTACHED = "attached"
    MISTYPED = "mistyped"
    BROKEN_LINK = "broken_link"
    PAGE_GONE = "page_gone"
    SHRUNK = "shrunk"
    UNREAD = "unread"
    UNCHECKED = "unchecked"
    NEW_PROGRAM = "new_program"
    NEW_FRAME = "new_frame"
    NEW_FORM = "new_form"
    NEW_ORDER = "new_order"
    NEW_HOST = "new_host"
    UNEXPLAINED = "unexplained"
    MORE_THAN_TOLD = "more_than_told"
    NEW_LOOK = "new_look"
    DEED_GONE = "deed_gone"
    NEW_DATA = "new_data"
    # A sentence in the answer; the parts of these are separated by tabs.
    MISSING = "missing"
    PART_DONE = "part_done"
    PART_MISSING = "part_missing"
    OLD_COPY = "old_copy"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found, and what it is about."""

    problem: Problem
    about: str

    @property
    def needs_ok(self) -> bool:
        return self.problem not in _NO_OK


_NO_OK = frozenset(
    {
        Problem.STORAGE_ADDRESS,
        Problem.SECRET,
        Problem.MISSING,
        Problem.PART_DONE,
        Problem.PART_MISSING,
        Problem.OLD_COPY,
    }
)
