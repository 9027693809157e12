"""A lane: one editor's line of work on one project, the unit of order and of ownership."""

from __future__ import annotations

import re
from dataclasses import dataclass

from webordinary.errors import Misconfigured

# A project's id is also a label of its preview's host name and of its mail domain; 28 characters leave room
# for the rest of a name that may have 63.
LONGEST_ID = 28
ID_RULE = f"must be lower-case letters, digits and inner hyphens, at most {LONGEST_ID} characters"

_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?", re.ASCII)


def is_id(text: str) -> bool:
    """Say whether the text may name a project or a user."""
    return len(text) <= LONGEST_ID and _ID.fullmatch(text) is not None


def check_id(text: str, what: str) -> str:
    """Return the id as it is, or refuse it with a sentence that begins with what it is."""
    if not is_id(text):
        raise Misconfigured(f"{what} {ID_RULE}, not {text[:60]!r}.")
    return text


@dataclass(frozen=True, slots=True, order=True)
class Lane:
    """One user of one project."""

    project: str
    user: str

    @property
    def key(self) -> str:
        """The name under which stores and people know the lane."""
        return f"{self.project}#{self.user}"

    @classmethod
    def parse(cls, key: str) -> Lane:
        """Read a lane's key back; a key without a '#' has an empty user, which no lane may have."""
        project, _, user = key.partition("#")
        return cls(check_id(project, "The project of a lane"), check_id(user, "The user of a lane"))

    def __str__(self) -> str:
        return self.key
