"""What a mail says about when its change holds; a date that is only a fact of the site is never taken for that.

A sentence counts when it says that we are closed, on holiday, or open at another time, gives an order or names a price,
and says in the right place from when, until when, or on which day. Whatever is in doubt is left to the agent.

A mail of which only one sentence holds for a while may ask in another one for something of its own.
What is asked for beside it would end with it, so that is asked about first.

A reply can say nothing but another time: "until Sunday instead, please".
Every word of it has to be known: whatever else it says, somebody has to do.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from webordinary.languages import any_of, codes, telling_words
from webordinary.mail.when.dates import NoSuchDay, TwoReadings, read_date, spaced, words_of
from webordinary.mail.when.look import SentenceReader
from webordinary.mail.when.patterns import DateContext, How, patterns_of
from webordinary.mail.when.sentences import LONGEST_TEXT, Sentence, sentences
from webordinary.mail.when.span import WEAK, Bounds, Misread, Span, Trouble, resolved, whiles_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from webordinary.mail.when.patterns import Patterns


_CONTENT = re.compile(r"[\d\ue000]")
# What comes after the while, or is said about it, is no wish beside it.
_ABOUT_IT = re.compile(rf"(?<!\w)(?:{any_of(lambda each: each.when.afterwards)})(?!\w)")


def is_wish_of_its_own(sentence: Sentence, patterns: Patterns, text: str) -> bool:
    """Tell whether a sentence without a date asks for more than to show what holds for a while."""
    words = sentence.text
    if not _CONTENT.search(words) or sentence.is_question:
        return False
    if _any(patterns.when.closed).search(sentence.original(text).lower()):
        # 'Replace "8:00" with "closed"' is what should be seen in that while.
        return False
    if _order(patterns.code, patterns.when.changes).search(words):
        return True
    when, whiles = patterns.when, whiles_of(patterns.code)
    is_said = _any(f"{when.costs}|{when.opens}").search(words) and not whiles.all_of_it.search(words)
    if is_said and not _ABOUT_IT.search(words):
        return True
    orders = _order(patterns.code, f"{when.orders}|{when.adds}|{when.moves}")
    return orders.search(words) is not None and whiles.also.search(words) is not None


@cache
def _order(code: str, orders: str) -> re.Pattern[str]:
    when = words_of(code)
    start = rf"\A\W*(?:(?:{when.polite}|{when.also})(?!\w)\W*)*(?:{orders})(?!\w)"
    # German may keep its verb for the end.
    return re.compile(spaced(rf"{start}|(?<!\w)(?:{orders})\W*\Z" if when.order_last else start))


@cache
def _any(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{spaced(words)})(?!\w)")


_WORD = re.compile(r"[^\W\d_]+")
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
    for language in in_order(languages, text):
        patterns = patterns_of(language)
        joined = list(_with_ends(said, patterns))
        found = [_Found(each, bounds) for each in joined for bounds in SentenceReader(each, patterns, text).find()]
        if found:
            return _agree(found, joined, patterns, text, now, zone)
    return None


def in_order(languages: tuple[str, ...], text: str) -> Iterator[str]:
    """Yield the languages that a text may be in, those that are likely first.

    A text that shows its language is read in no other: Dutch has months and an "open" like English, and another "not".
    """
    telling = telling_words()
    shown = {telling[word] for word in _WORD.findall(text[:LONGEST_TEXT].casefold()) if word in telling}
    likely = [each for each in languages if each in codes()]
    for language in dict.fromkeys((*likely, *codes())):
        if not shown or language in shown or language in likely[:1]:
            yield language


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
    place = DateContext(sentence.text[: match.start()], sentence.text[match.end() :], match[0], sentence.is_question)
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


_LONGEST_NAME = 3


def read_move(text: str, now: datetime, zone: ZoneInfo, languages: tuple[str, ...] = ()) -> Span | Misread | None:
    """Return the time that a reply asks for and nothing else; None when it says more, or no time."""
    said = sentences(text)
    for language in in_order(languages, text):
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
