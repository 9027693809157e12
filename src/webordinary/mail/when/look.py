"""The whiles of one sentence: what each of its dates bounds, and which of them only a person can put right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.mail.when.dates import NoSuchDay, TwoReadings, Written, read_date
from webordinary.mail.when.patterns import How, Patterns, Sense, place_of
from webordinary.mail.when.span import Bounds, Misread, Named, Trouble, whiles_of

if TYPE_CHECKING:
    import re

    from webordinary.mail.when.sentences import Sentence

# Where a weekday alone is a single day, and not that day of every week.
_ONE_DAY = frozenset({How.SINCE, How.ON})
_BOTH = 2
_ASKED = {Sense.WEEKLY: Trouble.WEEKLY, Sense.EITHER: Trouble.DAY_OR_SINCE}


class SentenceReader:
    """Looks at one sentence with the eyes of one language."""

    def __init__(self, sentence: Sentence, patterns: Patterns, text: str) -> None:
        self._sentence = sentence
        self._patterns = patterns
        self._whiles = whiles_of(patterns.code)
        self._text = text
        self._taken: list[tuple[int, int]] = []

    def find(self) -> list[Bounds | Misread]:
        """Return every while of the sentence; "from X" and "until Y" apart from each other are one."""
        if (again := self._again()) is not None:
            return [again]
        if (apart := self._on_and_down()) is not None:
            return [apart]
        found = [*self._named(), *self._dated()]
        return self._joined(found) or self._vague()

    def _dated(self) -> list[tuple[How, Bounds | Misread]]:
        found: list[tuple[How, Bounds | Misread]] = []
        for how, pattern in self._patterns.dates:
            for match in pattern.finditer(self._sentence.text):
                # A part of something longer says nothing by itself: "from 3 May" of "from 3 May to 5 May".
                if self._is_taken(match):
                    continue
                if how is not How.ON:
                    self._taken.append(match.span())
                if (read := self._read(how, match)) is not None:
                    found.append((how, read))
        return found

    def _named(self) -> list[tuple[How, Bounds | Misread]]:
        found: list[tuple[How, Bounds | Misread]] = []
        for named, match in self._whiles.find_named(self._sentence.text):
            is_month = named.name is Named.MONTH
            if self._patterns.is_meant_by_name(place_of(self._sentence, match), is_month=is_month):
                self._taken.append(match.span())
                bounds = Bounds(None, None, self._said(match), named=named, is_for_all=self._is_for_all(match))
                found.append((How.RANGE, self._doubt(match) or bounds))
        return found

    def _doubt(self, match: re.Match[str]) -> Misread | None:
        if self._other_days(match):
            return Misread(Trouble.SEVERAL, self._sentence.original(self._text))
        is_deed = self._patterns.is_when_to_do(place_of(self._sentence, match))
        return Misread(Trouble.DAY_OR_SINCE, self._said(match)) if is_deed else None

    def _is_taken(self, match: re.Match[str]) -> bool:
        return any(start < match.end() and match.start() < end for start, end in self._taken)

    def _said(self, match: re.Match[str], end: int | None = None) -> str:
        start = self._sentence.start
        return self._text[start + match.start() : start + (end or match.end())].strip(" ,;:\n")

    def _read(self, how: How, match: re.Match[str]) -> Bounds | Misread | None:
        if how is How.ON:
            return self._read_day(match)
        if not self._patterns.is_meant(how, place_of(self._sentence, match)):
            return None
        down = self._down_behind(match) if how is How.SINCE else None
        said = self._said(match, down.end() if down else None)
        try:
            first = read_date(match, "a", self._patterns.when) if how is not How.UNTIL else None
            last = read_date(match, "b", self._patterns.when) if how is not How.SINCE else None
            if down:
                last = read_date(down, _which(down), self._patterns.when)
        except (NoSuchDay, TwoReadings) as wrong:
            return _misread(wrong, said)
        return self._bounded(how, match, Bounds(first, last, said, last_counts=down is None))

    def _bounded(self, how: How, match: re.Match[str], bounds: Bounds) -> Bounds | Misread | None:
        """Leave out what names no single day, "from 9 to 5", and find what bounds it besides its dates."""
        if all(each.lacks_month for each in (bounds.first, bounds.last) if each is not None):
            return None
        place, text = place_of(self._sentence, match), self._sentence.text
        if how is How.RANGE and bounds.first is not None and bounds.first.is_bare_weekday:
            # "Monday to Friday": of this week or of every one.
            return Misread(Trouble.WEEKLY, bounds.said) if self._patterns.may_be_once(place) else None
        if how is How.RANGE and (more := self._patterns.more_days(text, match.end())):
            rest = self._text[self._sentence.start + match.end() :]
            return Misread(Trouble.SEVERAL, bounds.said + rest[: len(more)])
        days = self._patterns.days_from(text) if bounds.last is None else None
        if days == 0:
            return Misread(Trouble.NO_END, bounds.said)
        needs_end = how is How.SINCE and self._patterns.is_shut(place) and not self._is_for_good()
        return replace(bounds, days=days or 0, needs_end=needs_end, is_for_all=self._is_for_all(match))

    def _read_day(self, match: re.Match[str]) -> Bounds | Misread | None:
        """Read a single day: what holds on it ends with it, and what is published on it stays."""
        if any(each.end() == match.end() for each in self._whiles.weekly.finditer(self._sentence.text)):
            return None
        place = place_of(self._sentence, match)
        try:
            day = read_date(match, "a", self._patterns.when)
        except (NoSuchDay, TwoReadings) as wrong:
            sense = self._patterns.sense_of_day(place, Written(1, 1), self._whiles.we)
            return _misread(wrong, self._said(match)) if sense is not Sense.NOTHING else None
        sense = self._patterns.sense_of_day(place, day, self._whiles.we)
        if sense is Sense.NOTHING or day.lacks_month or (sense is Sense.WEEKLY and self._is_for_good()):
            return None
        if sense in _ASKED:
            return Misread(_ASKED[sense], self._said(match))
        return self._published(match, day) if sense is Sense.SINCE else self._one_day(match, day)

    def _one_day(self, match: re.Match[str], day: Written) -> Bounds | Misread:
        if self._other_days(match):
            return Misread(Trouble.SEVERAL, self._sentence.original(self._text))
        # A time of day belongs to what is ordered for it; an hour at which we close is for the site.
        is_moment = self._patterns.starts_with_order(place_of(self._sentence, match))
        return Bounds(day if is_moment else replace(day, at=None), None, self._said(match), days=1)

    def _published(self, match: re.Match[str], day: Written) -> Bounds | Misread:
        down = self._down_behind(match)
        said = self._said(match, down.end() if down else None)
        try:
            last = read_date(down, _which(down), self._patterns.when) if down else None
        except (NoSuchDay, TwoReadings) as wrong:
            return _misread(wrong, said)
        return Bounds(day, last, said, last_counts=False, is_for_all=True)

    def _down_behind(self, match: re.Match[str]) -> re.Match[str] | None:
        found = (pattern.search(self._sentence.text, match.end()) for pattern in self._patterns.take_down)
        return next((down for down in found if down is not None), None)

    def _other_days(self, match: re.Match[str]) -> bool:
        """Tell whether the sentence names more days than this one: "on 24, 25 and 31 December"."""
        text, place = self._sentence.text, place_of(self._sentence, match)
        on = self._patterns.dates[-1][1]
        others = (each for each in on.finditer(text) if each.start() >= match.end() or each.end() <= match.start())
        is_counted = any(letter.isdecimal() for letter in self._patterns.gap_before(place))
        is_listed = is_counted or self._patterns.is_listed(place)
        return is_listed or any(others) or self._whiles.weekly.search(text) is not None

    def _on_and_down(self) -> Bounds | Misread | None:
        """Read "put it up on A and take it down on B", and an end that is said by itself: "… take it down on B"."""
        text = self._sentence.text
        match = next((found for each in self._patterns.take_back if (found := each.search(text))), None)
        if match is None or not self._patterns.is_end(place_of(self._sentence, match)):
            return None
        try:
            last = read_date(match, _which(match), self._patterns.when)
            if last.lacks_month:
                return None
            ranges = (pattern for how, pattern in self._patterns.dates if how in {How.RANGE, How.UNTIL})
            if any(pattern.search(text[: match.start()]) for pattern in ranges):
                return None
            firsts = list(self._patterns.dates[-1][1].finditer(text[: match.start()]))
            if not firsts:
                return Bounds(None, last, self._said(match), last_counts=False)
            return self._both(firsts, match, last)
        except (NoSuchDay, TwoReadings) as wrong:
            return _misread(wrong, self._said(match))

    def _both(self, firsts: list[re.Match[str]], down: re.Match[str], last: Written) -> Bounds | Misread:
        """Take the day before the end for the beginning, unless it may as well belong to what is shown."""
        text = self._sentence.text
        is_near = self._patterns.follows_at_once(text[firsts[0].end() : down.start()])
        if len(firsts) > 1 or not (is_near or self._patterns.starts_with_order(place_of(self._sentence, firsts[0]))):
            return Misread(Trouble.SEVERAL, self._said(firsts[0], down.end()))
        first = read_date(firsts[0], "a", self._patterns.when)
        return Bounds(first, last, self._said(firsts[0], down.end()), last_counts=False)

    def _again(self) -> Misread | None:
        """Ask about what repeats itself, unless the site should say so for good."""
        match = self._whiles.again.search(self._sentence.text)
        if match is None or self._is_for_good():
            return None
        place = place_of(self._sentence, match)
        return Misread(Trouble.AGAIN, self._said(match)) if self._patterns.is_done_again(place) else None

    def _vague(self) -> list[Bounds | Misread]:
        if self._is_for_good():
            return []
        for trouble, pattern in ((Trouble.VAGUE, self._whiles.vague), (Trouble.WEEKLY, self._whiles.either)):
            match = pattern.search(self._sentence.text)
            if match is not None and self._patterns.is_for_a_while(place_of(self._sentence, match)):
                return [Misread(trouble, self._said(match))]
        match = self._patterns.lasts.search(self._sentence.text)
        if match is not None and self._patterns.is_shut(place_of(self._sentence, match)):
            return [Misread(Trouble.VAGUE, self._said(match))]
        return []

    def _is_for_good(self) -> bool:
        return self._whiles.always.search(self._sentence.text) is not None

    def _is_for_all(self, match: re.Match[str]) -> bool:
        """Tell whether the sentence speaks of all that was asked for: "show it until Friday", "From 1 to 5 May:"."""
        rest = self._sentence.text[: match.start()] + self._sentence.text[match.end() :]
        return not any(letter.isalnum() for letter in rest) or self._whiles.all_of_it.search(rest) is not None

    def _joined(self, found: list[tuple[How, Bounds | Misread]]) -> list[Bounds | Misread]:
        bounds = [(how, each) for how, each in found if isinstance(each, Bounds)]
        hows = [how for how, _ in bounds]
        if len(bounds) == len(found) == _BOTH and hows[0] is How.UNTIL and hows[1] in _ONE_DAY:
            (_, until), (_, since) = bounds
            return [Bounds(since.first, until.last, since.said)]
        return [each for _, each in found]


def _misread(wrong: Exception, said: str) -> Misread:
    return Misread(Trouble.UNCLEAR if isinstance(wrong, TwoReadings) else Trouble.IMPOSSIBLE, said)


def _which(match: re.Match[str]) -> str:
    """Return under which name a date was found that may stand before or behind its verb."""
    found = {key.partition("_")[0] for key, value in match.groupdict().items() if value is not None}
    return "b" if "b" in found else "a"
