"""What stands below a person's words and asks for nothing: signatures, the lines that phones add, and business cards.

The business card below a letter: name, firm, street and numbers that say who writes and ask for nothing.
What looks like a card and may have been meant stays a part of the letter: one that is announced with a colon, one
that the words above speak of ("our new number"), and one that is all there is.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.languages import any_of, known

if TYPE_CHECKING:
    from collections.abc import Sequence


_MOST_WORDS = 14
_LONGEST_WISH = 200
_ITEM = re.compile(r"\s*(?:[-*\u2022\u00b7]\s|\d{1,2}[.)]\s)\s*\S")
# Verbs in the forms in which people ask for a change, and the words with which they ask politely.
_ASKS = re.compile(rf"\b(?:{any_of(lambda each: each.letters.asks)})\b", re.IGNORECASE)
# What servers and careful people put below every mail.
_ENVIRONMENT = re.compile(any_of(lambda each: each.programs.environment), re.IGNORECASE)


def asks_for_something(line: str) -> bool:
    """Tell whether a line orders a change, is an item of a list, a question or a long sentence."""
    line = line.strip()
    if len(line) > _LONGEST_WISH or len(line.split(None, _MOST_WORDS)) > _MOST_WORDS or line.endswith("?"):
        return not _ENVIRONMENT.search(line[:_LONGEST_WISH])
    if _ITEM.match(line):
        return True
    return _ASKS.search(line) is not None and _ENVIRONMENT.search(line) is None


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
        end = end_of_words(lines, end)
        if not end or not is_phone_line(lines[end - 1].strip()):
            break
        end, found = end - 1, True
    end = end_of_words(lines, end)
    # Some programs leave out the space behind the dashes above their own line, and a page has none.
    return end_of_words(lines, end - 1) if found and end and lines[end - 1].strip() == "--" else end


def end_of_words(lines: Sequence[str], end: int) -> int:
    """Return where the lines before this one end, without blank ones."""
    while end and not lines[end - 1].strip():
        end -= 1
    return end


_MOST_LINES = 14
_LONGEST_CARD_LINE = 100
_MOST_LOOSE = 2
_MOST_ABOVE = 20_000


class _Kind(StrEnum):
    """What a line of a card can be; a loose one alone could be anything."""

    BLANK = "blank"
    SIGN_OFF = "sign-off"
    CONTACT = "contact"
    FIRM = "firm"
    PLACE = "place"
    TITLE = "title"
    LOOSE = "loose"


_SIGN_OFF = re.compile(
    rf"(?:{any_of(lambda each: each.letters.sign_offs)}|{any_of(lambda each: each.letters.thanks)})[,.!]*",
    re.IGNORECASE,
)
_NUMBER = r"(?:\+|\(\+?|00)?\d[\d\s()/.\u2013-]{3,24}\d"
# A number without a label, as it is grouped in the United States, in Britain, Italy, the Netherlands, Germany, France
# and Spain; a date, a price or opening hours are grouped otherwise.
_GROUPED = (
    r"(?:1[-. ])?(?:\(\d{3}\)\s?|\d{3}[-. ])\d{3}[-. ]\d{4}(?:\s?(?:x|ext\.?)\s?\d{1,5})?"
    r"|\(?0\d{2,4}\)?[ ]\d{3,4}[ ]\d{3,4}|\(?0\d{3,4}\)?[ ]\d{5,6}|07\d{9}"
    r"|(?=(?:\D{0,3}\d){8})(?!0\d[0-5]\d\s?[/-]\s?[0-2]\d[0-5]\d$)\(?0\d{1,5}\)?\s?[/-]\s?\d{2,4}"
    r"[ ]?\d{2,4}(?:[ -]\d{1,4}){0,3}|0\d{2,5}[ ]\d{4,8}(?:[- ]\d{1,4})?"
    r"|0\d{1,3}[- ]\d{6,8}|06[- ]?\d{8}|06(?:[- ]\d\d){4}|3\d{2}[ -]?\d{3}[ ]?\d{4}"
    r"|0\d(?:[ .]\d\d){4}|[6-9]\d{2}(?:[ ]\d{3}){2}|[6-9]\d{2}(?:[ ]\d\d){3}"
)
_LABEL = rf"(?:{any_of(lambda each: each.letters.labels)})"
_MAIL = r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"
_WEB = r"(?:https?://|www\.)\S{3,80}|[\w-]{2,63}\.(?:de|com|net|org|eu|at|ch|fr|es|it|nl|be|info|co\.uk|uk|us)(?:/\S{0,60})?"
_MAIL_LABEL = rf"(?:{any_of(lambda each: each.letters.mail_labels)})"
_PART = (
    rf"(?:{_LABEL}\s?[.:]{{0,2}}\s?{_NUMBER}|\+{_NUMBER}|(?:{_GROUPED})(?![\d:])"
    rf"|{_MAIL_LABEL}\s?[.:]{{0,2}}\s?{_MAIL}|{_MAIL}"
    rf"|(?:(?:web(?:site|seite)?|internet|homepage|site|[wi])\s?:\s?)?(?:{_WEB}))"
)
_CONTACT = re.compile(rf"{_PART}(?:\s?[|,;·•/\u2013-]\s?{_PART}|\s{_PART}){{0,3}}", re.IGNORECASE)
_FIRM = re.compile(
    r"(?:gmbh(?:\s?&\s?co\.?\s?kg)?|mbh|ug|ag|kg|ohg|gbr|e\.\s?k\.?|e\.\s?v\.?|ltd\.?|limited|llp|llc|inc\.?|plc"
    r"|s\.?à?a?\.?r\.?l\.?|sàrl|sas|eurl|s\.?r\.?l\.?s?|s\.?p\.?a\.?|s\.?n\.?c\.?|v\.?o\.?f\.?|n\.?v\.?|llc\.?"
    r"|corp\.?|co\.?|sp\.\sz\so\.o\.|lda\.?|s\.\s?a\.?|s\.\s?l\.?(?:\s?u\.?)?|b\.?v\.?|oy|ab)",
    re.IGNORECASE,
)
_STREET = re.compile(any_of(lambda each: each.letters.streets), re.IGNORECASE)
_TOWN = re.compile(
    r"(?:[A-Z]{1,2}[- ])?\d{4,5}\s[A-ZÄÖÜÉ][\w.\u2019' -]{1,40}(?:,\s[A-Z][\w ]{2,25})?"
    r"|[A-Z][\w\u2019' -]{1,30},?\s[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}"
    r"|[A-Z][\w.\u2019' -]{1,30},?\s[A-Z]{2},?\s\d{5}(?:-\d{4})?|[A-Z]{2}\s\d{5}(?:-\d{4})?"
    r"|\d{4}\s?[A-Z]{2}\s{1,2}[A-Z][\w\u2019' -]{1,30}|(?:I-)?\d{5}\s[A-Z][\w\u2019' -]{1,30}\s\(?[A-Z]{2}\)?"
)
_PREFIXES = any_of(lambda each: each.letters.title_prefixes)
_TITLE = re.compile(rf"(?:(?:{_PREFIXES})\s){{0,2}}(?:{any_of(lambda each: each.letters.titles)})", re.IGNORECASE)
_REGISTER = re.compile(rf"(?:{any_of(lambda each: each.letters.registers)})\b(?:\s?:\s?|\s).{{2,70}}", re.IGNORECASE)
_PICTURE = re.compile(r"\[picture: [^\]\n]{1,80}\]")
_GREETING = re.compile(rf"(?:{any_of(lambda each: each.letters.greetings)})\b[^.:?]{{0,40}}[,!.]?", re.IGNORECASE)
# Words that ask for what stands on a card: below them nobody can tell a card from a wish.
_SPOKEN_OF = re.compile(rf"\b(?:{any_of(lambda each: each.letters.spoken_of)})", re.IGNORECASE)
_WEEKDAYS = "|".join(name.partition("|")[0] for each in known() for name in each.when.weekdays)
_NO_NAME = re.compile(rf"\b(?:{any_of(lambda each: each.letters.no_name)}|{_WEEKDAYS})", re.IGNORECASE)
_NAME = re.compile(
    rf"(?:(?:{any_of(lambda each: each.letters.name_titles)})\.?\s){{0,2}}"
    rf"[^\W\d_a-z][\w.'\u2019-]{{0,30}}(?:\s(?:(?:{any_of(lambda each: each.letters.names_join)}|&|[|·])\s){{0,2}}"
    r"[^\W\d_][\w.'\u2019-]{0,30}){0,3}",
)


def card_length(lines: Sequence[str], *, about: str = "", writer: str | None = None) -> int:
    """Return how many lines at the very end are a business card; `about` are words that may speak of what is on it.

    Without a sign-off it must be the card of the `writer`, if their name and address are given: below "it takes place
    here" the same lines are what somebody wants on a page.
    """
    kinds = _kinds(lines)
    for first in range(len(lines) - len(kinds), len(lines)):
        card = kinds[first - len(lines) :]
        theirs = writer is None or card[0] is _Kind.SIGN_OFF or _is_of(writer, lines[first:])
        if theirs and _begins(lines, first, card[0]) and _is_card(card) and not _is_meant(lines[:first], about):
            return len(lines) - first
    return 0


def _is_of(writer: str, card: Sequence[str]) -> bool:
    """Tell whether a card names who wrote the mail, in its first line or by their very address."""
    *names, address = writer.casefold().split() or [""]
    own = {word for name in (*names, address.partition("@")[0]) for word in re.findall(r"[^\W\d_]{3,}", name)}
    named = own & set(re.findall(r"[^\W\d_]{3,}", card[0].casefold()))
    return bool(named) or bool(address and any(address in line.casefold() for line in card))


def without_card(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines above a card."""
    return lines[: len(lines) - card_length(lines)]


def is_contact_line(line: str) -> bool:
    """Tell whether a line is a labelled number, an address of mail or web, and nothing else."""
    return len(line) <= _LONGEST_CARD_LINE and _CONTACT.fullmatch(line.strip(" *_|")) is not None


def _kinds(lines: Sequence[str]) -> list[_Kind]:
    """Return what the last lines are, as far up as they could belong to a card."""
    found: list[_Kind] = []
    filled = 0
    for line in reversed(lines):
        kind = _kind(line.strip(" \t\xa0*_|"))
        filled += kind is not _Kind.BLANK
        if kind is None or filled > _MOST_LINES:
            break
        found.append(kind)
    return found[::-1]


def _kind(line: str) -> _Kind | None:
    if not line or _PICTURE.fullmatch(line) or is_phone_line(line):
        return _Kind.BLANK
    if len(line) > _LONGEST_CARD_LINE or line.startswith(">"):
        return None
    if is_contact_line(line):
        return _Kind.CONTACT
    tests = ((_SIGN_OFF, _Kind.SIGN_OFF), (_TITLE, _Kind.TITLE), (_REGISTER, _Kind.FIRM))
    known = next((kind for pattern, kind in tests if pattern.fullmatch(line)), None)
    return known or _place_or_name(line)


def _place_or_name(line: str) -> _Kind | None:
    parts = _parts(line)
    places = [part for part in parts if _STREET.fullmatch(part) or _TOWN.fullmatch(part)]
    if len(places) == len(parts):
        return _Kind.PLACE
    if _SPOKEN_OF.search(line) or _NO_NAME.search(line):
        return None
    others = [part for part in parts if part not in places and not _CONTACT.fullmatch(part)]
    if len(others) < len(parts) and all(_NAME.fullmatch(part) or _TITLE.fullmatch(part) for part in others):
        # "12 Main St, Springfield, IL 62701", or a name with its number on one line.
        return _Kind.PLACE if places else _Kind.CONTACT
    words = line.split()
    if len(words) > 1 and _FIRM.fullmatch(words[-1].strip(",")) and words[0][0].isupper():
        return _Kind.FIRM
    return _Kind.LOOSE if _NAME.fullmatch(line.rstrip(",.")) else None


def _parts(line: str) -> list[str]:
    return [part.strip() for part in re.split(r"\s?[,|·•]\s|\s\u2013\s", line) if part.strip()] or [line]


def _begins(lines: Sequence[str], first: int, kind: _Kind) -> bool:
    """Tell whether a card can begin here: with a sign-off, or with a name that has a line of its own above it."""
    if kind is _Kind.SIGN_OFF:
        return True
    return kind in {_Kind.LOOSE, _Kind.FIRM} and first > 0 and not lines[first - 1].strip()


def _is_card(kinds: Sequence[_Kind]) -> bool:
    signed = kinds[0] is _Kind.SIGN_OFF
    below = [kind for kind in kinds if kind is not _Kind.BLANK][signed:]
    if not below or below[0] not in {_Kind.LOOSE, _Kind.FIRM} or _Kind.SIGN_OFF in below:
        return False
    firm = any(kind in {_Kind.CONTACT, _Kind.FIRM, _Kind.PLACE} for kind in below)
    if _Kind.FIRM in below[:1] and not any(kind in {_Kind.CONTACT, _Kind.PLACE} for kind in below):
        return False
    # The name itself is loose too.
    return (firm or (signed and _Kind.TITLE in below)) and below.count(_Kind.LOOSE) <= 1 + _MOST_LOOSE


def _is_meant(above: Sequence[str], about: str) -> bool:
    said = [line.strip() for line in above if line.strip() and not line.lstrip().startswith(">")]
    if not said or said[-1].endswith(":") or all(_GREETING.fullmatch(line) for line in said):
        return True
    return _SPOKEN_OF.search("\n".join([about, *said])[:_MOST_ABOVE]) is not None
