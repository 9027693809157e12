"""Facts in the words of a language: what is recorded once is told to each person in theirs.

Most facts are texts and stay as they are. The others are told line by line: `changes` as `changed index.html`, `files`,
`requests` and `called` as fields with tabs between them, which begin with a fate or a state; `day` is a date, and
`starts` and `ends` are moments.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.reply.words import Phrases

_LONGEST_FACT, _MOST_LINES = 6_000, 60


def tell_facts(facts: Mapping[str, str], phrases: Phrases) -> dict[str, str]:
    """Return all facts, ready to stand in a mail of this language."""
    bounded = {name: _bounded(fact) for name, fact in facts.items()}
    return {name: _TELLERS[name](fact, phrases) if name in _TELLERS else fact for name, fact in bounded.items()}


def _bounded(fact: str) -> str:
    """Return as much of a fact as anybody reads: whatever it came from, an answer stays a mail."""
    lines = fact[: 2 * _LONGEST_FACT].split("\n")
    is_whole = len(fact) <= _LONGEST_FACT and len(lines) <= _MOST_LINES
    return fact if is_whole else "\n".join(lines[:_MOST_LINES])[: _LONGEST_FACT - 1] + "…"


def _each_line(tell: Callable[[list[str], Phrases], str]) -> Callable[[str, Phrases], str]:
    def told(fact: str, phrases: Phrases) -> str:
        return "\n".join(tell(line.split("\t"), phrases) for line in fact.split("\n") if line.strip())

    return told


def _change(fields: list[str], phrases: Phrases) -> str:
    """Tell `changed index.html`; what is no such line is told as it stands."""
    if len(fields) > 1:
        kind, _, place = fields[0].partition("@")
        where = f"{fields[1]}, {phrases.places[place]}" if place in phrases.places else fields[1]
        pattern = phrases.changes.get(kind)
        return _filled(pattern, [where, *fields[2:]]) if pattern else " ".join(fields)
    kind, _, path = fields[0].partition(" ")
    pattern = phrases.changes.get(kind)
    return pattern.format(path) if pattern and path else " ".join(fields)


def _file(fields: list[str], phrases: Phrases) -> str:
    """Tell `refused<TAB>menu.svg<TAB>problem<TAB>limit`."""
    fate, name, problem, limit = (*fields, "", "", "")[:4]
    told = phrases.files.get(fate, "{}").format(name)
    reason = phrases.problems.get(problem, "")
    if limit and reason:
        reason = f"{reason}, {phrases.at_most.format(limit)}"
    return f"{told} ({reason})" if reason else told


def _reason(fields: list[str], phrases: Phrases) -> str:
    """Tell `unasked<TAB>Cake 4.50 → Cake 5.50`."""
    pattern = phrases.reasons.get(fields[0])
    return _filled(pattern, fields[1:]) if pattern else " ".join(fields)


def _filled(pattern: str, parts: list[str]) -> str:
    """Fill a phrase; a line with too few parts is torn, and an empty place is better than no mail."""
    return pattern.format(*parts, *[""] * pattern.count("{}"))


def _request(fields: list[str], phrases: Phrases) -> str:
    """Tell `running<TAB>Opening hours`; a moment that is to come stands behind a third tab."""
    state, *rest = fields
    tell_moment = _MOMENTS.get(state)
    moments = [tell_moment(rest.pop(), phrases)] if tell_moment and rest else []
    subject = " ".join(rest).strip()
    title = f"{phrases.open_quote}{subject}{phrases.close_quote}" if subject else phrases.no_subject
    return phrases.states.get(state, phrases.states["failed"]).format(title, *moments)


def _limit(fact: str, phrases: Phrases) -> str:
    """Tell `20 USD a day`; every other limit is a number with its unit, the same in all of our languages."""
    amount, a_day, rest = fact.partition(" a day")
    return phrases.a_day.format(amount) if a_day and not rest else fact


def _day(fact: str, phrases: Phrases) -> str:
    try:
        day = date.fromisoformat(fact)
    except ValueError:
        return fact
    names = {"weekday": phrases.days[day.weekday()], "month": phrases.months[day.month - 1]}
    return phrases.date.format(day=day.day, year=day.year, **names)


def _trouble(fields: list[str], phrases: Phrases) -> str:
    """Tell `past<TAB>24 Dec`."""
    pattern = phrases.dates.get(fields[0])
    return pattern.format(" ".join(fields[1:])) if pattern else " ".join(fields)


def _starts(fact: str, phrases: Phrases) -> str:
    """Tell a moment on the owner's own clock."""
    try:
        at = datetime.fromisoformat(fact)
    except ValueError:
        return fact
    return phrases.moment.format(date=_day(at.date().isoformat(), phrases), time=f"{at:%H:%M}")


def _ends(fact: str, phrases: Phrases) -> str:
    """Tell an end: what ends at midnight ends with the day before, as everybody says it."""
    try:
        at = datetime.fromisoformat(fact)
    except ValueError:
        return fact
    if at.time() != time(0):
        return _starts(fact, phrases)
    return phrases.end_of_day.format(date=_day((at.date() - timedelta(days=1)).isoformat(), phrases))


_MOMENTS: dict[str, Callable[[str, Phrases], str]] = {"publish_at": _starts, "revert_at": _ends, "was_planned": _starts}
_TELLERS: dict[str, Callable[[str, Phrases], str]] = {
    "changes": _each_line(_change),
    "files": _each_line(_file),
    "reasons": _each_line(_reason),
    "requests": _each_line(_request),
    "called": _each_line(_request),
    "day": _day,
    "starts": _starts,
    "ends": _ends,
    "trouble": _each_line(_trouble),
    "limit": _limit,
}
