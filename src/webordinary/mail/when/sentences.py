"""The sentences of a mail in which a date can be a wish: without what is quoted, in one plain spelling.

Every place in them is the same as in the mail, so that what was read can be shown and cut out.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.languages import any_of, known

if TYPE_CHECKING:
    from collections.abc import Iterable

# No owner writes more; what a stranger may send is not worth the patterns' time.
LONGEST_TEXT = 6_000
LONGEST_SENTENCE = 500
_WRAPPED = 60
# No pattern may look past the next opening mark: that keeps a page full of opening marks linear.
_QUOTED = re.compile(
    r"\"[^\"]*\"|„[^„“”\"]*[“”\"]|[“”][^“”]*”|«[^«»]*»|»[^«»]*«|`[^`]*`|‘[^‘’]*’(?!\w)|(?<!\w)'[^'\n]*'(?!\w)"  # noqa: RUF001 - people write curly marks
    r"|^[ \t]*>.*$|\[picture: [^\]\n]{1,80}\]|\[struck out: [^\]\n]{1,2000}\]",
    re.MULTILINE,
)
_BULLET = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s")
_STOP = re.compile(r"[!?…]+|\.(?=\s|$)|\n")
_LONGEST_SHORT_FORM = 5


def _short_forms(names: Iterable[str]) -> str:
    """Return the short forms of names, each of which begins with its whole word."""
    found = (short for spellings in names for short in spellings.split("|")[1:] if len(short) <= _LONGEST_SHORT_FORM)
    return "|".join(sorted(set(found)))


_MONTHS = _short_forms(name for each in known() for name in each.when.months)
_DAYS = _short_forms(name for each in known() for name in each.when.weekdays)
_NO_STOP = re.compile(rf"(?:\d|\b(?:{_MONTHS}|{_DAYS}|{any_of(lambda each: each.when.abbreviations)}))$")
# A whole date may also end a sentence: then the next one begins with a capital.
_WHOLE_DATE = re.compile(rf"(?:20\d\d|\d\.\d{{1,2}}|\b(?:{_MONTHS}))$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence in plain lower case, and where it begins in the mail."""

    text: str
    start: int
    is_question: bool = False

    def original(self, mail: str) -> str:
        """Return the sentence as it stands in the mail."""
        return mail[self.start : self.start + len(self.text)].strip()

    def joined(self, following: Sentence) -> Sentence:
        """Return this and the next sentence as one."""
        gap = " " * (following.start - self.start - len(self.text))
        return Sentence(f"{self.text}{gap}{following.text}", self.start, self.is_question or following.is_question)


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text."""
    plain = _unwrapped(_folded(_QUOTED.sub(lambda found: "\ue000" * len(found[0]), text[:LONGEST_TEXT])))
    found: list[Sentence] = []
    start = 0
    for stop in [*_STOP.finditer(plain), None]:
        end = len(plain) if stop is None else stop.start()
        if stop is not None and stop[0] == "." and not _is_stop(plain[max(start, end - 8) : end], text[end + 1 :]):
            continue
        if plain[start:end].strip() and end - start <= LONGEST_SENTENCE:
            found.append(Sentence(plain[start:end], start, is_question=stop is not None and "?" in stop[0]))
        start = end if stop is None else stop.end()
    return found


def _is_stop(before: str, behind: str) -> bool:
    """Tell whether a full stop ends a sentence, and not only a number or a short form."""
    if _NO_STOP.search(before) is None:
        return True
    return _WHOLE_DATE.search(before) is not None and behind.lstrip()[:1].isupper()


def _folded(text: str) -> str:
    return "".join(_plain(letter) for letter in text)


def _plain(letter: str) -> str:
    if unicodedata.category(letter) == "Pd":
        return "-"
    if letter in "’‘ʼ":  # noqa: RUF001 - they stand for the plain one
        return "'"
    if letter.isspace() and letter != "\n":
        return " "
    lower = letter.lower()
    return lower if len(lower) == 1 else letter


def _unwrapped(text: str) -> str:
    """Take the breaks out that a mail program put into long lines."""
    lines = text.split("\n")
    joined = lines[0]
    for before, line in itertools.pairwise(lines):
        is_wrapped = len(before.strip()) >= _WRAPPED and line.strip() and not _BULLET.match(line)
        joined += (" " if is_wrapped else "\n") + line
    return joined
