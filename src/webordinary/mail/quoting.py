"""What the person wrote, told apart from the mail of ours that they answer.

We know what we sent, so only our own marker line decides where history begins; guessing by language or layout
would lose instructions. Nothing is thrown away: what is cut is kept beside what stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from webordinary.mail.marker import MARKER_LINES, marker_line

MARKER = marker_line()

_BLANK = " \t\r\xa0\u200b\ufeff>"
_DECORATION = _BLANK + "|*_=^~"
_MARKER_WORDS = frozenset(line.strip(_DECORATION).casefold() for line in MARKER_LINES)
_QUOTED = re.compile(r"[ \t\xa0]*>")
_CLOCK = re.compile(r"\d{1,2}[:.h]\d{2}")
_DATE = re.compile(r"(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2}")
_ADDRESS_IN_BRACKETS = re.compile(r"<[^<>@\s]{1,64}@[^<>@\s]{1,255}>")
_OUTLOOK_FIELD = re.compile(r"\*?[^\s:][^:]{0,30}:")
_RULE = re.compile(r"_{5,}|-{3,}[^-]{0,60}-{3,}")
_SIGNATURE_LINES = 8
_OUTLOOK_LINES = range(3, 9)
_LONGEST_ATTRIBUTION = 400


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The person's own lines, and the lines that were cut off."""

    kept: str
    cut: str


def own_words(text: str, *, is_reply: bool) -> OwnWords:
    """Separate a person's words from our history and their signature; only a reply to us has history."""
    lines = text.replace("\r\n", "\n").split("\n")
    history = _history(lines) if is_reply else set()
    kept = [number for number in range(len(lines)) if number not in history]
    kept = kept[: len(kept) - _signature_length([lines[number] for number in kept])]
    staying = set(kept)
    cut = [line for number, line in enumerate(lines) if number not in staying]
    return OwnWords(_joined([lines[number] for number in kept]), _joined(cut))


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n")


def _signature_length(lines: list[str]) -> int:
    """Return how many lines at the very end are a signature, together with the line that announces it."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    for number in range(end - 1, max(-1, end - 2 - _SIGNATURE_LINES), -1):
        if lines[number] in {"-- ", "--\xa0"}:
            return len(lines) - number
    return 0


def _history(lines: list[str]) -> set[int]:
    marker = next((number for number in range(len(lines)) if _is_marker(lines, number)), None)
    if marker is None:
        return set()
    start = _attribution_start(lines, marker)
    history = set(range(start, len(lines)))
    if _QUOTED.match(lines[marker]):
        history -= _answers_between(lines, marker)
    return history


def _is_marker(lines: list[str], number: int) -> bool:
    """Tell whether our marker stands here; a client that quotes a quote may have broken it over two lines."""
    if "webordinary" not in lines[number].casefold():
        return False
    line = _plain(lines[number])
    if line in _MARKER_WORDS:
        return True
    following = _plain(lines[number + 1]) if number + 1 < len(lines) else ""
    return f"{line} {following}" in _MARKER_WORDS


def _plain(line: str) -> str:
    return " ".join(line.strip(_DECORATION).casefold().split())


def _answers_between(lines: list[str], marker: int) -> set[int]:
    """Return the unquoted lines below a quoted marker, each with the quoted paragraph that it answers."""
    below = range(marker + 1, len(lines))
    quoted = [number for number in below if _QUOTED.match(lines[number])]
    end_of_quote = quoted[-1] if quoted else marker
    own = [number for number in below if lines[number].strip() and not _QUOTED.match(lines[number])]
    if not own or own[0] > end_of_quote:
        # Everything was written below the whole quote, so there is no single question to show with it.
        return set(range(end_of_quote + 1, len(lines)))
    questions = {line for number in own for line in _question_above(lines, number, marker)}
    blanks = {number for number in below if not lines[number].strip()}
    return set(own) | questions | blanks


def _question_above(lines: list[str], answer: int, marker: int) -> range:
    end = answer
    while end - 1 > marker and not lines[end - 1].strip(_BLANK):
        end -= 1
    start = end
    while start - 1 > marker and _QUOTED.match(lines[start - 1]) and _plain(lines[start - 1]):
        start -= 1
    return range(start, end)


def _attribution_start(lines: list[str], marker: int) -> int:
    """Return where the lines begin that a client puts above what it quotes, or the marker itself."""
    last = _last_line_above(lines, marker)
    if last is None:
        return marker
    if _is_attribution(lines[last]):
        return last
    if last > 0 and _is_attribution(f"{lines[last - 1]} {lines[last]}") and _DATE.search(lines[last - 1]):
        return last - 1
    return _outlook_start(lines, last) or marker


def _last_line_above(lines: list[str], below: int) -> int | None:
    for number in range(below - 1, -1, -1):
        if lines[number].strip(_BLANK):
            return number
    return None


def _is_attribution(line: str) -> bool:
    """Recognise "On 3 Nov 2026 at 10:00, NAME <ADDRESS> wrote:" in any language."""
    line = line.strip()
    if len(line) > _LONGEST_ATTRIBUTION or not line.endswith((":", "\uff1a")):
        return False
    dated = _DATE.search(line) is not None and _CLOCK.search(line) is not None
    return dated or _ADDRESS_IN_BRACKETS.search(line) is not None


def _outlook_start(lines: list[str], last: int) -> int | None:
    """Return where the From, Sent, To and Subject lines begin that Outlook copies above a quoted mail."""
    first = last
    while first > 0 and last - first + 1 < _OUTLOOK_LINES.stop and _OUTLOOK_FIELD.match(lines[first - 1]):
        first -= 1
    # A person's own "From: 10:00" may stand right above; the copied lines begin with somebody's address.
    addressed = [number for number in range(first, last + 1) if "@" in lines[number]]
    if not addressed or last - addressed[0] + 1 not in _OUTLOOK_LINES or not _OUTLOOK_FIELD.match(lines[last]):
        return None
    above = _last_line_above(lines, addressed[0])
    return above if above is not None and _RULE.fullmatch(lines[above].strip()) else addressed[0]
