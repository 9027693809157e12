"""A reply that says nothing but another time: "until Sunday instead, please".

Every word of it has to be known: whatever else it says, somebody has to do.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from webordinary.mail.when.dates import NoSuchDay, TwoReadings, read_date, words_of
from webordinary.mail.when.patterns import How, patterns_of
from webordinary.mail.when.read import in_order
from webordinary.mail.when.sentences import sentences
from webordinary.mail.when.span import Bounds, Misread, Span, Trouble, resolved

if TYPE_CHECKING:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from webordinary.mail.when.patterns import Patterns
    from webordinary.mail.when.sentences import Sentence

_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_NAME = 3


def read_move(text: str, now: datetime, zone: ZoneInfo, languages: tuple[str, ...] = ()) -> Span | Misread | None:
    """Return the time that a reply asks for and nothing else; None when it says more, or no time."""
    said = sentences(text)
    for language in in_order(languages):
        patterns = patterns_of(language)
        read = [(each, _bounds(each, patterns, text)) for each in said]
        found = [bounds for _, bounds in read if bounds is not None]
        others = [each for each, bounds in read if bounds is None]
        if len(found) == 1 and all(_is_small(each.text, language, may_be_name=True) for each in others):
            bounds = found[0]
            return resolved(bounds, now, zone) if isinstance(bounds, Bounds) else bounds
    return None


def _bounds(sentence: Sentence, patterns: Patterns, text: str) -> Bounds | Misread | None:
    """Return the only time of a sentence, if the rest of it are small words."""
    for match, how in _times(sentence, patterns):
        if "\ue000" in sentence.text or not _is_small(
            f"{sentence.text[: match.start()]} {sentence.text[match.end() :]}", patterns.code
        ):
            continue
        said = text[sentence.start + match.start() : sentence.start + match.end()].strip(" ,;:\n")
        names = {key.partition("_")[0] for key, value in match.groupdict().items() if value is not None}
        try:
            first = read_date(match, "a", patterns.when) if how in {How.RANGE, How.SINCE} else None
            last = read_date(match, "b" if "b" in names else "a", patterns.when) if how is not How.SINCE else None
        except (NoSuchDay, TwoReadings) as wrong:
            return Misread(Trouble.UNCLEAR if isinstance(wrong, TwoReadings) else Trouble.IMPOSSIBLE, said)
        if all(each.lacks_month for each in (first, last) if each is not None):
            continue
        return Bounds(first, last, said, last_counts=how is not How.ON)
    return None


def _times(sentence: Sentence, patterns: Patterns) -> list[tuple[re.Match[str], How]]:
    """Return each way in which a sentence may say a time; "take it down on Friday" is one of them."""
    dated = [(how, pattern) for how, pattern in patterns.dates if how is not How.ON]
    ends = [(How.ON, pattern) for pattern in (*patterns.take_back, *patterns.take_down)]
    return [(match, how) for how, pattern in (*dated, *ends) for match in pattern.finditer(sentence.text)]


def _is_small(words: str, language: str, *, may_be_name: bool = False) -> bool:
    """Tell whether all words are small ones; below them somebody may have put their name."""
    unknown = [word for word in _WORD.findall(words) if word not in _small_words(language)]
    return not unknown or (may_be_name and len(unknown) <= _LONGEST_NAME and len(_WORD.findall(words)) <= _LONGEST_NAME)


@cache
def _small_words(code: str) -> frozenset[str]:
    return frozenset(words_of(code).small.split())
