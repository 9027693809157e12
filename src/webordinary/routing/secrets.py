"""Secrets that an installation keeps for its projects, such as what lets it in at a repository."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?", re.ASCII)
_LARGEST = 100_000
NAME_RULE = "lower-case letters, digits and inner hyphens, at most 64 characters"


class Secrets(Protocol):
    """Found by a name; each question reads anew, because a secret may be renewed while everything runs."""

    def has(self, name: str) -> bool: ...

    def read(self, name: str) -> str:
        """Return a secret; Misconfigured when there is none."""

    def keep(self, name: str, secret: str) -> None:
        """Put a secret there, in the place of an older one; a reader sees one of the two."""

    def alone(self, name: str) -> AbstractContextManager[None]:
        """Let no other process of this machine be in the same block, where the secret is replaced.

        TryAgain when it waits for too long, or when nothing could be kept now.
        """


@contextmanager
def reading(complaint: Callable[[str], str]) -> Iterator[None]:
    """Read a file that a person named; Misconfigured with a complaint that is made of the reason."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise Misconfigured(complaint(why)) from None


def read_named_file(path: Path, complaint: Callable[[str], str]) -> str:
    """Return the text of such a file."""
    with reading(complaint), path.open("rb") as file:
        # Some have no end, such as /dev/zero.
        found = file.read(_LARGEST + 1)
        if len(found) > _LARGEST:
            raise Misconfigured(complaint("it is too large for what it should hold"))
        return found.decode()


def is_secret_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def check_secret_name(name: str) -> str:
    """Return the name, or refuse one that could lead to another place than it says."""
    if not is_secret_name(name):
        raise Misconfigured(f"The name of a secret must be {NAME_RULE}, not {name[:40]!r}; correct what names it.")
    return name
