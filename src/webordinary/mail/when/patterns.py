"""The patterns of one language: where a date can say from when until when, and what makes that a wish."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from webordinary.mail.when.dates import GAP, any_of, date_pattern, spaced, words_of

if TYPE_CHECKING:
    from webordinary.languages import When
    from webordinary.mail.when.dates import Written
    from webordinary.mail.when.sentences import Sentence

_MOST_BETWEEN = 60
_BREAK = re.compile(r"[,;:]")
# "Closed: 24 Dec - 2 Jan" is said shortly, and nothing else stands there that could be meant.
_ONLY_BREAK = re.compile(r"\s*[,:]\s*")
_ANY_NUMBER = re.compile(r"\d")
_AMOUNT_LAST = re.compile(r"\d[\d.,]*\s*[a-z€$£.]{0,8}\s*$")


class How(StrEnum):
    """In which way dates bound a while."""

    RANGE = "range"
    UNTIL = "until"
    SINCE = "since"
    ON = "on"


class Sense(StrEnum):
    """What a single day says about a change."""

    NOTHING = "nothing"
    # It holds on that day, or from it on; or nobody can tell which of them.
    DAY = "day"
    SINCE = "since"
    EITHER = "either"
    # On the next of these weekdays, or on all of them.
    WEEKLY = "weekly"


@dataclass(frozen=True, slots=True)
class DateContext:
    """A date's place in its sentence."""

    before: str
    after: str
    phrase: str
    is_question: bool


@dataclass(frozen=True, slots=True)
class Patterns:
    """Compiled once for each language."""

    code: str
    when: When
    dates: tuple[tuple[How, re.Pattern[str]], ...]
    # With the date behind the verb, and before it.
    take_down: tuple[re.Pattern[str], ...]
    take_back: tuple[re.Pattern[str], ...]
    # Another day right behind a while, which the while does not hold for.
    also: re.Pattern[str]
    lasts: re.Pattern[str]

    def is_meant(self, how: How, place: DateContext) -> bool:
        """Tell whether the sentence asks for something that holds for that while."""
        return self.is_wish(place) and (
            self.is_about_closing(place)
            or self._is_about_hours(place)
            or self._is_about_price(how, place)
            or self._is_ordered(how, place)
        )

    def sense_of_day(self, place: DateContext, day: Written, we: re.Pattern[str]) -> Sense:
        """Tell what a single day says; a weekday alone may be one of every week."""
        if not self.is_wish(place):
            return Sense.NOTHING
        if self._is_published(place):
            return Sense.SINCE
        is_event = _word(self.when.event).search(place.before) is not None and we.search(place.before) is None
        if self.is_about_closing(place) and not self._opens_again(place) and not is_event:
            return Sense.DAY if not day.is_bare_weekday else Sense.WEEKLY if self.may_be_once(place) else Sense.NOTHING
        is_ours = self._starts(place) or (self._ends(place) and we.search(place.before) is not None)
        if is_ours and self._is_about_hours(place):
            # "On Saturday we open at nine" is how hours are told.
            return Sense.NOTHING if day.is_bare_weekday else Sense.DAY
        return self._sense_of_order(place, day)

    def _sense_of_order(self, place: DateContext, day: Written) -> Sense:
        if self._starts(place) and _word(self.when.costs).search(place.after):
            return Sense.DAY if day.ahead == 0 else Sense.EITHER
        is_ordered = self.starts_with_order(place) or self._closes_quoted_order(place)
        if not (is_ordered or self._is_done_on(place, day)) or day.ahead == 0:
            return Sense.NOTHING
        # "Tomorrow, replace …" may only say when to do it, and 'add the course "Bread" on 5 May' when it is.
        adds = self._ends(place) and not self._orders_before(place, also_moves=True)
        return Sense.DAY if day.has_calendar and not adds else Sense.EITHER

    def starts_with_order(self, place: DateContext) -> bool:
        """Tell whether a sentence begins with a date and orders something for it."""
        return self._starts(place) and self._orders_behind(place)

    def is_listed(self, place: DateContext) -> bool:
        """Tell whether another day stands right before this one: "on 24 and 25 December"."""
        when = self.when
        before = rf"\d{{1,2}}(?:\.|{when.ordinal})?\s*(?:,|&|\+|/|{when.joins})\s*(?:(?:{when.article})\s)?$"
        return re.search(before, place.before) is not None

    def may_be_once(self, place: DateContext) -> bool:
        """Tell whether days of the week may be only the next ones; "Sunday: closed" is a line of every week's hours."""
        if self.is_shut(place):
            when = self.when
            small = rf"\W*(?:(?:{spaced(when.closed)}|{when.plus}|{any_of(when.weekdays)})(?!\w)\W*)*"
            is_line = re.fullmatch(small, f"{place.before} {place.after}") is not None
            return not is_line or re.match(rf"(?:{when.on}|{when.range_from})\s", place.phrase) is not None
        return self.is_wish(place) and self._is_ordered(How.RANGE, place)

    def is_shut(self, place: DateContext) -> bool:
        """Tell whether the sentence says that somebody is closed, and not at what time."""
        around = f"{place.before} \ue000 {place.after}"
        has_time = _ANY_NUMBER.search(around) or _word(self.when.numbers).search(around)
        return self.is_wish(place) and self.is_about_closing(place) and not has_time

    def is_for_a_while(self, place: DateContext) -> bool:
        """Tell whether the sentence would be a timed one, if its while had dates; "our plans for the summer" is not."""
        lasts = re.match(self.when.over, place.phrase) is not None and self._is_ordered(How.RANGE, place)
        return self.is_shut(place) or (self.is_wish(place) and (lasts or self.starts_with_order(place)))

    def is_when_to_do(self, place: DateContext) -> bool:
        """Tell whether a while may only say when an order is to be done: "put the photo on the page next week"."""
        is_said = self.is_about_closing(place) or self._is_about_hours(place) or self._is_about_price(How.RANGE, place)
        is_shown = re.match(rf"{self._polite}(?:{self.when.shows})", place.before) is not None
        return not is_said and not self._starts(place) and not is_shown

    def is_meant_by_name(self, place: DateContext, *, is_month: bool) -> bool:
        """Tell the same of a while without dates; "use the photo of the party in August" means another August."""
        if not is_month:
            return self.is_meant(How.RANGE, place)
        is_said = self.is_about_closing(place) or self._is_about_hours(place) or self.starts_with_order(place)
        return self.is_wish(place) and is_said

    def is_done_again(self, place: DateContext) -> bool:
        """Tell whether somebody orders something, or is closed, again and again."""
        return self.is_wish(place) and (self.is_shut(place) or self._is_ordered(How.RANGE, place))

    def gap_before(self, place: DateContext) -> str:
        """Return what stands between "closed" and the day behind it."""
        found = list(_word(self.when.closed).finditer(place.before))
        return place.before[found[-1].end() :] if found else ""

    def follows_at_once(self, gap: str) -> bool:
        """Tell whether nothing but small words and orders stand between two dates."""
        when = self.when
        small = f"{when.polite}|{when.plus}|{when.orders}|{when.adds}|{when.publish}"
        return re.fullmatch(rf"\W*(?:(?:{spaced(small)})(?!\w)\W*)*", gap) is not None

    def _is_done_on(self, place: DateContext, day: Written) -> bool:
        """Tell whether an order names the day for it: "put it up tomorrow", but not "remove the concert on 5 May"."""
        is_near = day.ahead is not None or re.match(rf"(?:{self.when.on})\s", place.phrase) is not None
        return is_near and not day.has_calendar and self._ends(place) and self._orders_before(place)

    def _closes_quoted_order(self, place: DateContext) -> bool:
        """Tell whether a time stands behind an order whose words are quoted: 'replace "a" with "b" on 24 December'."""
        return (
            "\ue000" in place.before
            and self._ends(place)
            and (self._orders_before(place, also_moves=True) or self._adds_before(place))
        )

    def _opens_again(self, place: DateContext) -> bool:
        return _word(f"{self.when.opens}|{self.when.back}").search(place.after) is not None

    def is_wish(self, place: DateContext) -> bool:
        """Tell whether the sentence is no story, no doubt, no denial and no mere question."""
        if _word(self.when.no_wish).search(f"{place.before} \ue000 {place.after}"):
            return False
        return not place.is_question or _word(self.when.polite).search(place.before) is not None

    def is_end(self, place: DateContext) -> bool:
        """Tell whether the same sentence asks for what is to be taken back; "remove it on 5 May" alone is a request."""
        when = self.when
        orders = f"{when.orders}|{when.moves}|{when.adds}|{when.publish}"
        asks = "\ue000" in place.before or _word(orders).search(place.before)
        return bool(asks) and self.is_wish(place)

    def is_about_closing(self, place: DateContext) -> bool:
        """Look for "closed" beside the date: behind a comma it belongs to something else."""
        closed = _word(self.when.closed)
        for found in closed.finditer(place.before):
            # "On 24, 25 and 31 December" is one list.
            gap = re.sub(rf"\d{{1,2}}(?:{self.when.ordinal}|\.)?,", " ", place.before[found.end() :])
            if (not _BREAK.search(gap) and len(gap) <= _MOST_BETWEEN) or self._is_heading(place.before, found, gap):
                return True
        found_behind = closed.search(place.after)
        gap = place.after[: found_behind.start()] if found_behind else ""
        if "," in place.phrase:
            # "… am Donnerstag, den 24. Dezember, geschlossen".
            gap = gap.removeprefix(",")
        if found_behind is None or len(gap) > _MOST_BETWEEN:
            return False
        return self._starts(place) or not _BREAK.search(self._clause(place.before) + gap)

    def _is_heading(self, before: str, found: re.Match[str], gap: str) -> bool:
        return not before[: found.start()].strip() and _ONLY_BREAK.fullmatch(gap) is not None

    def _clause(self, before: str) -> str:
        """Return the clause that a date stands in: "Please write on the page, that we ..." asks for what comes then."""
        clause = _BREAK.split(before)[-1]
        return clause if re.match(rf"\s*(?:{self.when.that})(?!\w)", clause) else before

    def _is_about_price(self, how: How, place: DateContext) -> bool:
        """Look for a price that holds from a day on: "From 1 May it costs 5", "it costs 5 from 1 May"."""
        costs = _word(self.when.costs)
        if re.fullmatch(self._polite, place.before.rpartition(":")[2]):
            return costs.search(place.after) is not None
        said = costs.search(place.before)
        if said is None:
            return False
        if self._ends(place) or how is not How.SINCE:
            return self._ends(place) and _AMOUNT_LAST.search(place.before, said.end()) is not None
        return not place.before[said.end() :].strip() and _ANY_NUMBER.match(place.after.strip()) is not None

    def _is_about_hours(self, place: DateContext) -> bool:
        around = f"{place.before} \ue000 {place.after}"
        has_time = _ANY_NUMBER.search(around) or _word(self.when.numbers).search(around)
        return bool(_word(self.when.opens).search(around) and has_time)

    def _is_ordered(self, how: How, place: DateContext) -> bool:
        if self._starts(place):
            return self._orders_behind(place)
        is_loose = how is How.SINCE and re.match(rf"(?:{self.when.loose_since})\b", place.phrase)
        is_last = self._ends(place) and self._orders_before(place)
        return not is_loose and (is_last or (how is not How.SINCE and self._closes_quoted_order(place)))

    def more_days(self, sentence: str, end: int) -> str:
        """Return the other day that stands right behind a while; on which one opens again is no part of it."""
        more = self.also.match(sentence, end)
        opens = _word(f"{self.when.opens}|{self.when.back}")
        return "" if more is None or opens.search(sentence, more.end()) else more[0]

    def days_from(self, sentence: str) -> int | None:
        """Return how many days a sentence says that it lasts; None when it does not, 0 when nobody can tell."""
        found = self.lasts.search(sentence)
        if found is None:
            return None
        return _number_in(found["count"], self.when.counts) * _number_in(found["unit"], self.when.units)

    def _is_published(self, place: DateContext) -> bool:
        publish = self.when.publish
        before = re.search(rf"(?<!\w)(?:{publish})\W*$", place.before)
        return bool(before or re.match(rf"\W*(?:\w+\W+){{0,2}}(?:{publish})(?!\w)", place.after))

    def _starts(self, place: DateContext) -> bool:
        return re.fullmatch(self._polite, place.before) is not None

    def _ends(self, place: DateContext) -> bool:
        return re.fullmatch(self._polite, place.after) is not None

    def _orders_before(self, place: DateContext, *, also_moves: bool = False) -> bool:
        orders = f"{self.when.orders}|{self.when.moves}" if also_moves else self.when.orders
        return re.match(rf"{self._polite}(?:{orders})(?!\w)", place.before) is not None

    def _adds_before(self, place: DateContext) -> bool:
        return re.match(rf"{self._polite}(?:{self.when.adds})(?!\w)", place.before) is not None

    def _orders_behind(self, place: DateContext) -> bool:
        when = self.when
        orders = f"(?:{when.orders}|{when.moves}|{when.adds})"
        if re.match(rf"{self._polite}{orders}(?!\w)", place.after):
            return True
        return when.order_last and re.search(rf"(?<!\w){orders}\W*$", place.after) is not None

    @property
    def _polite(self) -> str:
        return rf"\W*(?:(?:{self.when.polite})(?!\w)\W*)*"


@cache
def patterns_of(code: str) -> Patterns:
    """Return the patterns of a language."""
    when = words_of(code)
    first = date_pattern(when, "a", day_alone=True)
    last = date_pattern(when, "b", day_alone=when.month_may_lead)
    alone = date_pattern(when, "b")
    until, since, on = (rf"(?:{words})" for words in (when.until, when.since, when.on))
    tail = rf"(?:\s(?:{when.including})\b)?"
    to = rf"(?:\s(?:{when.range_to}){GAP}|\s?-\s?)(?:(?:{when.including})\s)?"
    both = rf"(?:(?:{when.range_from}){GAP})?{first}{to}{last}{tail}"
    between = rf"(?:{when.between})\s{first}\s(?:{when.between_and})\s{last}"
    named = alone.replace("b_", "a_")
    on_day = rf"(?:{on}{GAP})?"
    take_down, take_back = (
        (
            _compiled(rf"(?:{words})[^\d\n]{{0,20}}?\s{on_day}{alone}"),
            _compiled(rf"(?<!\w){on_day}{named}\s[^\d\n]{{0,20}}?(?:{words})"),
        )
        for words in (when.take_down, when.take_back)
    )
    dates = (
        (How.RANGE, _compiled(both)),
        (How.RANGE, _compiled(between)),
        (How.UNTIL, _compiled(rf"{until}{GAP}{alone}{tail}")),
        (How.SINCE, _compiled(rf"{since}{GAP}{named}(?:\s(?:{when.onwards})\b)?")),
        (How.ON, _compiled(rf"(?:{on}{GAP})?{named}")),
    )
    also = rf"\s?(?:{when.plus})\s(?:{on}\s)?{named}(?!\w)"
    counts, units = (any_of(tuple(word for word, _ in words)) for words in (when.counts, when.units))
    # German needs no word before it: "ab 1. Mai zwei Wochen geschlossen".
    for_ = rf"(?:(?:{when.lasting})\s)" + ("?" if when.order_last else "")
    known, vague = rf"{for_}(?P<count>\d{{1,3}}|{counts})", rf"(?:{when.lasting})\s(?P<vague>\w+)"
    # "For three days a week" is no end.
    lasts = rf"(?:{known}|{vague})\s(?P<unit>{units})(?!\w|\s(?:{when.per})\s)"
    return Patterns(code, when, dates, take_down, take_back, re.compile(spaced(also)), _compiled(lasts))


def _number_in(text: str | None, words: tuple[tuple[str, int], ...]) -> int:
    if text is None or text.isdecimal():
        return int(text or 0)
    return next((number for word, number in words if re.fullmatch(word, text)), 0)


def place_of(sentence: Sentence, match: re.Match[str]) -> DateContext:
    """Return where in its sentence a date stands."""
    text = sentence.text
    return DateContext(text[: match.start()], text[match.end() :], match[0], sentence.is_question)


@cache
def _word(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{spaced(words)})(?!\w)")


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,/-]){spaced(pattern)}(?!\w)")
