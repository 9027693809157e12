"""What stands below a person's words and says nothing: signatures, and the lines that phones add."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.languages import any_of
from webordinary.mail.words.wish import asks_for_something

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGNATURE_LINES = 8
_LONGEST_LINE = 120
_MOST_PHONE_LINES = 3
# Exactly what programs put there unless a person changes it; anything else may be an instruction.
_DEVICE = r"(?:iphone|ipad|ipod|android|samsung|galaxy|huawei|xiaomi|pixel|blackberry|windows phone|smartphone|mobile)"
_APP = (
    r"(?:outlook|mail|mail app|yahoo mail|aol|proton ?mail|gmx|web\.de|gmx mail|web\.de mail|tutanota|tuta|spark|"
    r"bluemail|k-9 mail|fairemail|windows mail|superhuman)"
)
_WHERE = any_of(lambda each: each.programs.phone_where)
_STANDS_FOR = {
    "{device}": _DEVICE,
    "{app}": _APP,
    "{thing}": f"(?:{_DEVICE}|{_APP})",
    "{where}": rf"(?: (?:{_WHERE})(?: (?:windows(?: 10| 11)?|mac|[\w ]{{0,20}})))?",
    "{any}": r"[\w .'-]{0,30}",
    "{rest}": r"[\w .,'-]{0,30}",
}


def _phone_line() -> re.Pattern[str]:
    pattern = any_of(lambda each: each.programs.phone_lines)
    for name, piece in _STANDS_FOR.items():
        pattern = pattern.replace(name, piece)
    return re.compile(f"(?:{pattern})", re.IGNORECASE)


_PHONE_LINE = _phone_line()
_LINK = re.compile(r"\s*[<(\[]https?://[^<>\s]{1,100}[>)\]]")


def is_phone_line(line: str) -> bool:
    """Tell whether a phone or a mail program wrote this line, in words that it always uses."""
    if len(line) > _LONGEST_LINE:
        return False
    line = _LINK.sub("", line.replace("\u2019", "'").replace("\xa0", " ")).strip(" .!\t*_")
    return _PHONE_LINE.fullmatch(line) is not None


def ending_length(lines: Sequence[str]) -> int:
    """Return how many lines at the very end are a signature, a phone's or blank."""
    end = _without_phone_lines(lines, len(lines))
    for number in range(end - 1, max(-1, end - 2 - _SIGNATURE_LINES), -1):
        if lines[number] in {"-- ", "--\xa0"} and not any(asks_for_something(line) for line in lines[number + 1 : end]):
            return len(lines) - _without_phone_lines(lines, number)
    return len(lines) - end


def _without_phone_lines(lines: Sequence[str], end: int) -> int:
    """Return where the lines end before those of programs, of which no mail has more than a few."""
    found = False
    for _ in range(_MOST_PHONE_LINES):
        end = _without_blank_lines(lines, end)
        if not end or not is_phone_line(lines[end - 1].strip()):
            break
        end, found = end - 1, True
    end = _without_blank_lines(lines, end)
    # Some programs leave out the space behind the dashes above their own line, and a page has none.
    return _without_blank_lines(lines, end - 1) if found and end and lines[end - 1].strip() == "--" else end


def _without_blank_lines(lines: Sequence[str], end: int) -> int:
    while end and not lines[end - 1].strip():
        end -= 1
    return end
