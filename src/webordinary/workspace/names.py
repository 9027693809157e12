"""Names that become folders, branches and refs: nothing in them may mean anything to a path or to git."""

from __future__ import annotations

import re

from webordinary.errors import Misconfigured
from webordinary.routing.lane import Lane

# A label of a host name may have 63 characters, and a thread is one in its preview's address.
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)


def check_name(text: str, what: str) -> str:
    """Return the name as it is, or refuse it with a sentence that begins with what it names."""
    if _NAME.fullmatch(text) is None:
        raise Misconfigured(f"{what} may have only a-z, 0-9 and inner hyphens in its name, not {text[:80]!r}.")
    return text


def check_commit(text: str) -> str:
    """Return the full name of a commit as it is; a branch or a shortened name would not be one moment."""
    if _COMMIT.fullmatch(text) is None:
        raise Misconfigured(f"{text[:80]!r} is not the full name of a commit.")
    return text


def lane_file(lane: str) -> str:
    """Name a lane in one word: neither side of the '_' can contain one, so no two lanes share it."""
    parsed = Lane.parse(lane)
    return f"{parsed.project}_{parsed.user}"
