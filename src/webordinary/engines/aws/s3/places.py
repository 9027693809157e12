"""Where sites lie in their bucket: every prefix by a rule, so that CloudFront's function can work it out by itself.

`PROJECT/files/ID/` holds a release and never changes. What is replaced file by file lies under names that no
project can have: `_previews/PROJECT/THREAD/`, and `_overflow/PROJECT/` for a live site that CloudFront's store has no
room for.
"""

from __future__ import annotations

import secrets

from webordinary.site.sites import checked_name

PREVIEWS = "_previews/"
OVERFLOW = "_overflow/"
# Which projects wait to be written to the key-value store.
WAITING = "_waiting/"
_MOST_OF_COMMIT = 8
_RANDOM_BYTES = 3
_RANDOM_LETTERS = 2 * _RANDOM_BYTES


def new_release_place(project: str, commit: str) -> str:
    """Return a place for an upload: short, because the store keeps it, and nobody else's."""
    return f"{releases_place(project)}{commit[:_MOST_OF_COMMIT]}{secrets.token_hex(_RANDOM_BYTES)}/"


def releases_place(project: str) -> str:
    return f"{checked_name(project)}/files/"


def id_in_store(place: str) -> str:
    """Return what tells a release's place from the others of its project."""
    return place.rstrip("/").rpartition("/")[2]


def begins_commit(place: str) -> str:
    """Return how the commit begins whose upload this is; earlier versions wrote it whole, with a hyphen behind it."""
    named = id_in_store(place)
    return named.rpartition("-")[0] or named[:-_RANDOM_LETTERS]


def preview_place(project: str, thread: str) -> str:
    """Return where a thread's preview lies, always."""
    return f"{PREVIEWS}{checked_name(project)}/{checked_name(thread)}/"


def overflow_place(project: str) -> str:
    """Return where a live site lies that has no key in the store."""
    return f"{OVERFLOW}{checked_name(project)}/"
