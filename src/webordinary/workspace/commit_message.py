"""What a commit says about a change: its author, its words, and trailers that nobody can imitate."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Git drops these at both ends of a name and then refuses one of which nothing is left.
_DROPPED = " .,:;<>\"'\\"


def author(name: str, address: str) -> dict[str, str]:
    """Name the author for git by its environment."""
    known = printable(name).strip(_DROPPED) or "Editor"
    return {"GIT_AUTHOR_NAME": known, "GIT_AUTHOR_EMAIL": printable(address).strip(_DROPPED)}


def write_message(message: str, trailers: Mapping[str, str]) -> bytes:
    """Write the trailers into a last paragraph of their own, so that none of the message's lines is one."""
    body = "\n".join(printable(line) for line in message.strip().splitlines()) or "Change"
    last = "\n".join(f"{key}: {printable(value)}" for key, value in trailers.items())
    return f"{body}\n\n{last}".strip().encode(errors="replace") + b"\n"


def printable(text: str) -> str:
    """Leave out control characters: some end a line, some hide what stands before them."""
    return "".join(each for each in text if each == "\t" or unicodedata.category(each) not in {"Cc", "Cs", "Cf"})
