"""The lines with which mail programs announce a mail that they quote or forward."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from webordinary.languages import any_of, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

_COLONS = (":", "\uff1a")
_CLOCK = re.compile(r"\d{1,2}[:.h]\d{2}")
_DATE = re.compile(r"(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2}")
_BRACKETED = re.compile(r"(?:<|\[mailto:)[^<>@\s]{1,64}@[^<>@\s]{1,255}")
# Nobody but us makes such an address, and nobody types one.
_OUR_ADDRESS = re.compile(r"\bre\+[a-z2-7]{30,60}@[^\s<>@]{1,255}", re.IGNORECASE)
_FIELD = re.compile(r"[*\s]{0,5}[^\s:\uff1a*][^:\uff1a]{0,30}[:\uff1a]")
_RULE = re.compile(r"_{5,}|-{3,}[^-]{0,60}-{3,}|-{5,}")
_DASHES = re.compile(r"[-_\u2013\u2014\u2500= ]{3,}")
_LONGEST_LINE = 400
_MOST_FIELDS = 8
_FEWEST_FIELDS = 3
_MOST_LINES_OF_AN_ATTRIBUTION = 3


_WROTE = re.compile(any_of(lambda each: each.programs.wrote), re.IGNORECASE)
_ORIGINALS = listed(lambda each: each.programs.originals)
_FORWARDS = listed(lambda each: each.programs.forwards)
# What stands before the author in the lines that are copied above a quoted mail.
_AUTHORS = listed(lambda each: each.programs.authors)
_SUBJECTS = listed(lambda each: each.programs.subjects)
_FORWARD_SUBJECT = re.compile(
    rf"(?:{any_of(lambda each: each.programs.forwarded)})(?:\[\d{{1,3}}\])?\s?[:\uff1a]", re.IGNORECASE
)


class AnnouncedKind(Enum):
    """What comes below an announcement."""

    ANSWERED = "answered"
    FORWARDED = "forwarded"


@dataclass(frozen=True, slots=True)
class Announcement:
    """The lines from `first` up to `end` announce a mail; its words begin at `end`."""

    kind: AnnouncedKind
    first: int
    end: int


def is_forward_subject(subject: str) -> bool:
    """Tell whether a mail program named this mail a forward."""
    return _FORWARD_SUBJECT.match(subject.strip()) is not None


def is_forward_line(line: str) -> bool:
    """Tell whether a program says here, in words that it always uses, that a forwarded mail follows."""
    return _phrase_between_dashes(line) in _FORWARDS


def announcement_at(lines: Sequence[str], number: int) -> Announcement | None:
    """Return what is announced by the line with this number and those below, in unquoted text."""
    line = lines[number][:_LONGEST_LINE].strip()
    if not line or line[0] == ">":
        return None
    if (kind := _separator(lines, number)) is not None:
        return Announcement(kind, number, _after_fields(lines, number + 1))
    ruled = _RULE.fullmatch(line) is not None
    first = _next_filled(lines, number + 1) if ruled else number
    end = _copied_fields(lines, first, ruled=ruled) or attribution_end(lines, number)
    return Announcement(AnnouncedKind.ANSWERED, number, end) if end else None


def names_nobody(lines: Sequence[str]) -> bool:
    """Tell whether an announcement is a mere sentence with a date, which a person could have written themselves."""
    joined = " ".join(lines)
    return joined.rstrip().endswith(_COLONS) and not _BRACKETED.search(joined) and not _OUR_ADDRESS.search(joined)


def is_of_ours(line: str) -> bool:
    """Tell whether a line has the address that only our own mails have."""
    return _OUR_ADDRESS.search(line[:_LONGEST_LINE]) is not None


def begins_a_mail(lines: Sequence[str]) -> bool:
    """Tell whether these lines, which a program has marked as quoted, are the first of a mail."""
    first = lines[0].strip()[:_LONGEST_LINE]
    sentence = first.endswith(_COLONS) and _is_announcing(first, broken=False)
    return sentence or announcement_at(lines, 0) is not None


def _separator(lines: Sequence[str], number: int) -> AnnouncedKind | None:
    line = lines[number].strip()
    phrase = _phrase_between_dashes(line)
    if phrase in _FORWARDS:
        return AnnouncedKind.FORWARDED
    if _DASHES.match(line) and (phrase in _ORIGINALS or _is_attribution_between_dashes(line)):
        return AnnouncedKind.ANSWERED
    # Without dashes these are ordinary words: "Original message" may be a heading.
    copied = line.casefold() in _ORIGINALS and number + 1 < len(lines) and _names_author(lines[number + 1])
    return AnnouncedKind.ANSWERED if copied else None


def _is_attribution_between_dashes(line: str) -> bool:
    return line.endswith("--") and _is_attribution(line.strip("- "))


def _phrase_between_dashes(line: str) -> str:
    line = line.strip()
    if len(line) > _LONGEST_LINE or not (_DASHES.match(line) or line.endswith(_COLONS)):
        return ""
    return " ".join(line.strip("-_\u2013\u2014\u2500=:\uff1a* \xa0").casefold().replace("\u2019", "'").split())


def _next_filled(lines: Sequence[str], number: int) -> int:
    while number < len(lines) and not lines[number].strip():
        number += 1
    return number


def _after_fields(lines: Sequence[str], number: int) -> int:
    """Return where the From, Date, To and Subject lines below a separator end, if there are any."""
    fields, end = _fields_from(lines, _next_filled(lines, number))
    return end if fields else number


def _copied_fields(lines: Sequence[str], first: int, *, ruled: bool) -> int | None:
    """Return where the From, Sent, To and Subject lines end that Outlook copies above a quoted mail.

    A person's own "From: 10:00" or "Contact: Anna <anna@x.example>" is no such line: one names the author, with an
    address in brackets or with a subject below, and one has a date and a time of day.
    """
    fields, end = _fields_from(lines, first)
    if len(fields) < _FEWEST_FIELDS:
        return None
    timed = [_CLOCK.search(line) is not None for line in fields]
    dated = [clock and _DATE.search(line) is not None for clock, line in zip(timed, fields, strict=True)]
    # Some programs write the date above the author; below a rule there is nothing of the person's own in between.
    author = next((line for line in fields[: 3 if ruled else 2 if dated[0] else 1] if _names_author(line)), None)
    titled = any(_label(line) in _SUBJECTS for line in fields) and not re.search(r"\d", author or "")
    named = author is not None and (ruled or titled or _BRACKETED.search(author) is not None)
    told_when = any(dated) or (any(timed) and len(fields) > _FEWEST_FIELDS)
    ours = author is not None and _OUR_ADDRESS.search(author) is not None
    return end if named and (told_when or ours) else None


def _fields_from(lines: Sequence[str], first: int) -> tuple[list[str], int]:
    """Return the lines like "From: NAME" from here on; a long address may stand on a line of its own."""
    fields: list[str] = []
    end = first
    while end < len(lines) and len(fields) < _MOST_FIELDS:
        line = lines[end][:_LONGEST_LINE]
        if _FIELD.match(line):
            fields.append(line)
        elif fields and line.startswith("<") and "@" in line:
            fields[-1] += line
        else:
            break
        end += 1
    return fields, end


def _names_author(field: str) -> bool:
    return _label(field) in _AUTHORS


def _label(field: str) -> str:
    label = re.split("[:\uff1a]", field[:_LONGEST_LINE], maxsplit=1)[0]
    return label.strip(" *\t\xa0").casefold()


def attribution_end(lines: Sequence[str], number: int) -> int | None:
    """Return where a line like "On 3 Nov 2026 at 10:00, NAME <ADDRESS> wrote:" ends; it may be broken into three."""
    pieces: list[str] = []
    for end in range(number, min(number + _MOST_LINES_OF_AN_ATTRIBUTION, len(lines))):
        line = lines[end].strip()
        if not line or line[0] == ">" or len(line) > _LONGEST_LINE:
            return None
        pieces.append(line)
        if line.endswith(_COLONS):
            shorter = any(_stands_alone(pieces, start) for start in range(1, len(pieces)))
            return end + 1 if _is_attribution(" ".join(pieces)) and not shorter else None
    return None


def _stands_alone(pieces: Sequence[str], start: int) -> bool:
    """Tell whether the lines from here on are an attribution, and those above are the person's own."""
    above, below = " ".join(pieces[:start]), " ".join(pieces[start:])
    # Without an address below, the one above belongs to it; and so does the name before an address.
    whole = _BRACKETED.search(below) is not None or _BRACKETED.search(above) is None
    # Gmail breaks the line on either side of the bracket.
    inside = above.endswith("<") or below.startswith(("<", "(<"))
    return whole and not inside and _is_attribution(below)


def _is_attribution(line: str) -> bool:
    if len(line) > _LONGEST_LINE:
        return False
    if _OUR_ADDRESS.search(line):
        return True
    if not (_DATE.search(line) and _CLOCK.search(line)):
        return False
    return _BRACKETED.search(line) is not None or _WROTE.search(line) is not None


def loose_attribution_start(lines: Sequence[str], quote: int) -> int | None:
    """Return where the line begins that announces the quoted lines from `quote` on; the `>` is most of the proof."""
    last = quote - 1
    while last >= 0 and not lines[last].strip():
        last -= 1
    if last < 0 or lines[last].strip()[0] == ">":
        return None
    return _loose_sentence(lines, last) if lines[last].strip().endswith(_COLONS) else _loose_fields(lines, last)


def _loose_sentence(lines: Sequence[str], last: int) -> int | None:
    for first in range(last, max(-1, last - _MOST_LINES_OF_AN_ATTRIBUTION), -1):
        if not lines[first].strip():
            return None
        joined = " ".join(line.strip() for line in lines[first : last + 1])
        if len(joined) <= _LONGEST_LINE and _is_announcing(joined, broken=first < last):
            return first
    return None


def _is_announcing(line: str, *, broken: bool) -> bool:
    if broken:
        return _is_attribution(line)
    dated = _DATE.search(line) is not None and _CLOCK.search(line) is not None
    return dated or _BRACKETED.search(line) is not None


def _loose_fields(lines: Sequence[str], last: int) -> int | None:
    """Return where copied From, Sent, To and Subject lines begin; a person's own fields may stand right above."""
    first = last
    while first > 0 and last - first + 1 < _MOST_FIELDS and _FIELD.match(lines[first - 1][:_LONGEST_LINE]):
        first -= 1
    addressed = next((number for number in range(first, last + 1) if "@" in lines[number]), None)
    if addressed is None or last - addressed + 1 < _FEWEST_FIELDS or not _FIELD.match(lines[last][:_LONGEST_LINE]):
        return None
    above = addressed - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    return above if above >= 0 and _RULE.fullmatch(lines[above].strip()[:_LONGEST_LINE]) else addressed
