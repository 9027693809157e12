"""What a mail says about when its change holds; a date that is only a fact of the site is never taken for that.

A sentence counts when it says that we are closed, on holiday, or open at another time, gives an order or names a price,
and says in the right place from when, until when, or on which day. Whatever is in doubt is left to the agent.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.languages import any_of, codes
from webordinary.mail.when.look import Look
from webordinary.mail.when.patterns import How, Place, patterns_of
from webordinary.mail.when.rest import is_wish_of_its_own
from webordinary.mail.when.sentences import Sentence, sentences
from webordinary.mail.when.span import WEAK, Bounds, Misread, Span, Trouble, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from webordinary.mail.when.patterns import Patterns


# What somebody wants to be read: "write that …", „schreiben Sie, dass …“.
_TO_BE_READ = re.compile(rf"\b(?:{any_of(lambda each: each.when.to_be_read)})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Found:
    """A while, and the sentence that it stands in."""

    sentence: Sentence
    bounds: Bounds | Misread

    def read(self, now: datetime, zone: ZoneInfo) -> Span | Misread | None:
        """Return the while; what people should read about days to come is there before them."""
        if isinstance(self.bounds, Misread):
            return self.bounds
        span = resolved(self.bounds, now, zone)
        # Who says from when until when has said it.
        is_one_while = (
            self.bounds.named is not None or self.bounds.last is None or self.bounds.first == self.bounds.last
        )
        if isinstance(span, Span) and span.ends_at is not None and is_one_while and self._is_to_be_read():
            return replace(span, starts_at=None)
        return span

    def _is_to_be_read(self) -> bool:
        before, found, _ = self.sentence.text.lower().partition(self.bounds.said.strip().lower())
        return bool(found) and _TO_BE_READ.search(before) is not None


def read_span(text: str, now: datetime, zone: ZoneInfo, languages: tuple[str, ...] = ()) -> Span | Misread | None:
    """Return the while that a mail asks for; None when none of its dates is meant so."""
    said = sentences(text)
    for language in in_order(languages):
        patterns = patterns_of(language)
        joined = list(_with_ends(said, patterns))
        found = [_Found(each, bounds) for each in joined for bounds in Look(each, patterns, text).find()]
        if found:
            return _agree(found, joined, patterns, text, now, zone)
    return None


def in_order(languages: tuple[str, ...]) -> Iterator[str]:
    """Yield every language, those that are likely first."""
    yield from dict.fromkeys((*(each for each in languages if each in codes()), *codes()))


def _with_ends(said: list[Sentence], patterns: Patterns) -> Iterator[Sentence]:
    """Yield the sentences; "Take it down on 5 May." belongs to the one before it."""
    waiting: Sentence | None = None
    for each in said:
        if waiting is not None and (_is_end_alone(each, patterns) or _is_heading(waiting, patterns)):
            waiting = waiting.joined(each)
            continue
        if waiting is not None:
            yield waiting
        waiting = each
    if waiting is not None:
        yield waiting


def _is_heading(sentence: Sentence, patterns: Patterns) -> bool:
    """Tell whether a line is nothing but a time for what comes below it: "From 1 to 5 May:"."""
    bare = sentence.text.strip()
    hows = (pattern for how, pattern in patterns.dates if how is not How.ON)
    return bare.endswith(":") and any(pattern.fullmatch(bare.rstrip(" :")) for pattern in hows)


def _is_end_alone(sentence: Sentence, patterns: Patterns) -> bool:
    matches = (each.search(sentence.text) for each in patterns.take_back)
    match = next((each for each in matches if each is not None), None)
    if match is None:
        return False
    place = Place(sentence.text[: match.start()], sentence.text[match.end() :], match[0], sentence.is_question)
    return patterns.follows_at_once(place.before) and patterns.is_wish(place)


def _agree(
    found: list[_Found], said: list[Sentence], patterns: Patterns, text: str, now: datetime, zone: ZoneInfo
) -> Span | Misread | None:
    """Take one while for the whole mail: a second one would need a change of its own."""
    clear = [read for each in found if (read := each.read(now, zone)) is not None]
    spans = [each for each in clear if isinstance(each, Span)]
    wrong = [each for each in clear if isinstance(each, Misread) and not (spans and each.trouble in WEAK)]
    if wrong:
        return wrong[0]
    if len({(each.starts_at, each.ends_at) for each in spans}) > 1:
        return Misread(Trouble.SEVERAL, "; ".join(each.said for each in spans))
    if not spans:
        return None
    is_for_all = any(isinstance(each.bounds, Bounds) and each.bounds.is_for_all for each in found)
    others = itertools.filterfalse({each.sentence for each in found}.__contains__, said)
    if not is_for_all and any(is_wish_of_its_own(each, patterns, text) for each in others):
        return Misread(Trouble.REST, spans[0].said)
    return spans[0]
