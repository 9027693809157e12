"""Texts that a build, an agent or a mail left behind: decoded, cut and without what could mislead a reader."""

from __future__ import annotations

import re
from dataclasses import dataclass

from webordinary.mail.tokens import hide_tokens

LONGEST_SHOWN = 64_000
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
# Control characters, and those that let a line be read in another order than it stands.
_ODD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MARK = "\ufffd"


@dataclass(frozen=True, slots=True)
class ShownText:
    """A piece of a text, and how much there is of it."""

    text: str
    size: int
    is_cut: bool = False


def beginning_of(raw: bytes, most: int = LONGEST_SHOWN) -> ShownText:
    """Return the beginning of a text."""
    return ShownText(plain(raw[:most]), len(raw), len(raw) > most)


def end_of(raw: bytes, most: int = LONGEST_SHOWN) -> ShownText:
    """Return the end of a text, where a log says why it broke."""
    return ShownText(plain(raw[-most:]), len(raw), len(raw) > most)


def hide_tokens_in(raw: bytes) -> bytes:
    """Return a text file without what only the reader of a mail may use; everything else of it stays as it is."""
    return hide_tokens(raw.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def plain(text: bytes | str) -> str:
    """Return a text in which every odd character is a replacement mark, and without what only its reader may use."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    text = _COLOURS.sub("", text.replace("\r\n", "\n"))
    return hide_tokens(_ODD.sub(_MARK, text))
