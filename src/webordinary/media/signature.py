"""Pictures that nobody meant: logos in signatures and tracking pixels.

A photo that was meant and is skipped is worse than a logo that is kept, so every doubt speaks for the picture.
"""

from __future__ import annotations

import re

from webordinary.languages import any_of
from webordinary.mail.message import picture_mark
from webordinary.mail.words.announce import announcement_at

# Nothing can be seen in two pixels; such pictures only tell their sender that a mail was opened.
_UNSEEN = 2
_LARGEST_LOGO_PIXELS = 150_000
_LONGEST_LOGO_SIDE = 900
_LARGEST_LOGO_BYTES = 150_000

_LINES_OF_A_SIGNATURE = 12
_LINES_LOOKED_AT = 100
_LONGEST_LINE_OF_ONE = 120
_WORDS_OF_A_SIGN_OFF = 6
# "Thanks for the last change" begins a request, "Thanks, Scott" ends one.
_WORDS_OF_THANKS = 3
_DELIMITER = re.compile(r"\s*(?:--|—|_{3,}|-{3,})\s*")
_SIGN_OFF = re.compile(rf"\W*(?:sent from my|{any_of(lambda each: each.letters.sign_offs)})\b", re.IGNORECASE)
_THANKS = re.compile(rf"\W*(?:{any_of(lambda each: each.letters.thanks)})\b", re.IGNORECASE)
_CONTACT = re.compile(r"@\w|www\.|https?://|\+\d{2}|(?:tel|fon|phone|fax|mobil)\w*\W", re.IGNORECASE)
_NEAR = 3
_SPEAKS_OF_PICTURES = re.compile(any_of(lambda each: each.letters.speaks_of_pictures), re.IGNORECASE)


def is_pixel(size: tuple[int, int]) -> bool:
    return min(size) <= _UNSEEN


def is_small(size: tuple[int, int], length: int) -> bool:
    """Tell whether a picture is as small as logos in signatures are."""
    width, height = size
    fits = width * height <= _LARGEST_LOGO_PIXELS and max(size) <= _LONGEST_LOGO_SIDE
    return fits and length <= _LARGEST_LOGO_BYTES


def stands_in_signature(text: str, name: str, *, has_other_pictures: bool) -> bool:
    """Tell whether a picture's place in the text is one where nobody puts what he speaks of."""
    above, mark, below = text.partition(picture_mark(name))
    if not mark:
        return False
    if above.rpartition("\n")[2].lstrip().startswith(">"):
        return True
    before = [line for line in above.split("\n") if line.strip() and not line.lstrip().startswith(">")]
    begins = _signature_begins(before)
    after = _own_lines(below.split("\n"))
    if begins is None and not _is_among_contacts(before, after):
        return False
    if len(after) > _LINES_OF_A_SIGNATURE or any(len(line) > _LONGEST_LINE_OF_ONE for line in after):
        return False
    said = before[:begins] if begins is not None else before
    return has_other_pictures or not _SPEAKS_OF_PICTURES.search(" ".join(_without_marks(said)))


def _signature_begins(before: list[str]) -> int | None:
    """Return at which of the lines before a picture its signature begins."""
    for number in range(max(0, len(before) - _LINES_OF_A_SIGNATURE), len(before)):
        if _ends_a_mail(before[number].strip()):
            return number
    return None


def _ends_a_mail(line: str) -> bool:
    words = len(line.split())
    if _DELIMITER.fullmatch(line) or (words <= _WORDS_OF_A_SIGN_OFF and _SIGN_OFF.match(line)):
        return True
    return words <= _WORDS_OF_THANKS and _THANKS.match(line) is not None


def _own_lines(lines: list[str]) -> list[str]:
    """Return what still follows before the quoted mail, whose author's address is nobody's signature."""
    lines = lines[:_LINES_LOOKED_AT]
    quoted = (n for n, line in enumerate(lines) if line.lstrip().startswith(">") or announcement_at(lines, n))
    return [line for line in lines[: next(quoted, len(lines))] if line.strip()]


def _is_among_contacts(before: list[str], after: list[str]) -> bool:
    return any(_CONTACT.search(line) for line in (*_without_marks(before)[-_NEAR:], *after[:_NEAR]))


def _without_marks(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.strip().startswith("[picture: ")]
