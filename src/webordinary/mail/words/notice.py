"""What servers and scanners put below every mail that goes out: it is no part of what the person wrote.

A notice is known by what such notices have in common, not by one wording: it speaks of the mail, of secrecy, of the
one for whom it is meant, and of what everybody else has to do. One that is announced with a colon may be meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.languages import any_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_LINES = 60
_LONGEST_BLOCK = 6_000
_FEWEST_LETTERS = 100
_SIGNS = tuple(
    re.compile(any_of(lambda each, sign=sign: each.programs.notice[sign]), re.IGNORECASE)  # type: ignore[misc]  # a sign each
    for sign in range(4)
)
_SCANNER = re.compile(
    rf"(?:{any_of(lambda each: each.programs.scanned)})|<#[0-9a-f-]{{36}}>|<?https?://www\.(?:avast|avg)\.com\S{{0,300}}>?",
    re.IGNORECASE | re.DOTALL,
)
_RULE = re.compile(r"[-_=*#~\u2013\u2014\s]{3,}")


def notice_length(lines: Sequence[str]) -> int:
    """Return how many lines at the very end are such notices."""
    end = _end_of_words(lines, len(lines))
    cut = len(lines)
    while (start := _start_of_block(lines, end)) is not None and len(lines) - start <= _MOST_LINES:
        block = "\n".join(lines[start:end])
        if _is_notice(block):
            cut = start
        elif not _RULE.fullmatch(block.strip()):
            break
        elif cut < len(lines):
            # A rule alone says nothing: it goes with the notice below it.
            cut = start
        end = _end_of_words(lines, start)
    above = _end_of_words(lines, cut)
    announced = above > 0 and lines[above - 1].rstrip().endswith((":", "\uff1a"))
    return 0 if announced or not above else len(lines) - cut


def _end_of_words(lines: Sequence[str], end: int) -> int:
    while end and not lines[end - 1].strip():
        end -= 1
    return end


def _start_of_block(lines: Sequence[str], end: int) -> int | None:
    """Return where the lines without a gap begin that end here."""
    start = end
    while start and lines[start - 1].strip() and end - start < _MOST_LINES:
        start -= 1
        if _RULE.fullmatch(lines[start].strip()):
            break
    return start if start < end else None


def _is_notice(block: str) -> bool:
    first = block.partition("\n")[0]
    block = " ".join(block[:_LONGEST_BLOCK].split())
    if block.startswith(">") or not any(sign.search(first) for sign in (*_SIGNS, _SCANNER)):
        return False
    # All of it together is said by nobody who wants a page to be changed.
    is_legal = len(block) >= _FEWEST_LETTERS and all(sign.search(block) for sign in _SIGNS)
    return is_legal or _SCANNER.fullmatch(block) is not None
