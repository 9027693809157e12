"""Facts in the words of a language: what is recorded once is told to each person in theirs.

Most facts are texts and stay as they are. The others are told line by line: `changes`, `files`, `requests`, `called`
and `replaced` as fields with tabs between them, which begin with what happened, a fate or a state; `day` is a date, and
`starts` and `ends` are moments.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING

from webordinary.reply.changes import filled, tell_change, tell_unasked
from webordinary.reply.note import note_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.reply.words import Phrases

_LONGEST_FACT, _MOST_LINES = 6_000, 60
_UNASKED = "unasked"
_CHANGES = frozenset({_UNASKED, "unexplained"})


def tell_facts(facts: Mapping[str, str], phrases: Phrases, *, is_done: bool = True) -> dict[str, str]:
    """Return all facts, ready to stand in a mail of this language; a change is live, or only would be."""
    tellers = {**_TELLERS, "changes": _each_line(partial(tell_change, is_done=is_done))}
    tellers["summary"] = lambda fact, _: note_of(fact, facts.get("changes", ""))
    if "asker" in facts:
        # Whoever decides has not written the request.
        tellers["reasons"] = _each_line(partial(_reason, is_asker=False))
    bounded = {name: _bounded(fact) for name, fact in facts.items()}
    return {name: tellers[name](fact, phrases) if name in tellers else fact for name, fact in bounded.items()}


def _bounded(fact: str) -> str:
    """Return as much of a fact as anybody reads: whatever it came from, an answer stays a mail."""
    lines = fact[: 2 * _LONGEST_FACT].split("\n")
    is_whole = len(fact) <= _LONGEST_FACT and len(lines) <= _MOST_LINES
    return fact if is_whole else "\n".join(lines[:_MOST_LINES])[: _LONGEST_FACT - 1] + "…"


def _each_line(tell: Callable[[list[str], Phrases], str]) -> Callable[[str, Phrases], str]:
    def told(fact: str, phrases: Phrases) -> str:
        return "\n".join(tell(line.split("\t"), phrases) for line in fact.split("\n") if line.strip())

    return told


def _file(fields: list[str], phrases: Phrases) -> str:
    """Tell `refused<TAB>menu.svg<TAB>problem<TAB>limit`."""
    fate, name, problem, limit = (*fields, "", "", "")[:4]
    told = phrases.files.get(fate, "{}").format(name)
    reason = phrases.problems.get(problem, "")
    if limit and reason:
        reason = f"{reason}, {phrases.at_most.format(limit)}"
    return f"{told} ({reason})" if reason else told


def _reason(fields: list[str], phrases: Phrases, *, is_asker: bool = True) -> str:
    """Tell `page_gone<TAB>menu.html`; what nobody asked for is told as a change."""
    pattern = phrases.reasons.get(fields[0])
    if pattern is None:
        return " ".join(fields)
    if fields[0] not in _CHANGES:
        return filled(pattern, fields[1:])
    is_said_to_others = fields[0] == _UNASKED and not is_asker
    return (phrases.not_mentioned if is_said_to_others else pattern).format(tell_unasked(fields[1:], phrases))


def _missing(fields: list[str], phrases: Phrases) -> str:
    return phrases.missing.format(" ".join(fields))


def _part(fields: list[str], phrases: Phrases) -> str:
    """Tell `part_missing<TAB>Apple cake is 4.80 now<TAB>4.80`."""
    pattern = phrases.left.get(fields[0])
    return pattern.format(*fields[1:], "", "") if pattern else " ".join(fields)


def _copy(fields: list[str], phrases: Phrases) -> str:
    """Tell `still_there@link<TAB>Contact<TAB>030 123456<TAB>0<TAB>030 654321`."""
    kind, _, place = fields[0].partition("@")
    page = f"{fields[1]}, {phrases.places[place]}" if place in phrases.places and fields[1:] else "".join(fields[1:2])
    return _part([kind, page, *fields[2:]], phrases)


def _site(fields: list[str], phrases: Phrases) -> str:
    """Tell `Amelia's Bakery<TAB>amelia@edit.example.com<TAB>own`."""
    name, address, ok = (*fields, "", "")[:3]
    after = phrases.approval.get(f"{ok}_of_many")
    return f"{name}: {address} ({after})" if after else f"{name}: {address}"


def _elsewhere(fields: list[str], phrases: Phrases) -> str:
    """Tell `settings<TAB>told<TAB>Open from eight<TAB>_config.yml`."""
    kind, who, *parts = (*fields, "", "")
    pattern = phrases.sources.get(kind, phrases.sources["other"])
    return phrases.sources.get(who, "{}").format(filled(pattern, parts))


def _place(fields: list[str], phrases: Phrases) -> str:
    """Tell `line<TAB>_config.yml<TAB>2<TAB>Open from eight<TAB>Open from nine`; a path alone is told as it stands."""
    pattern = phrases.sources.get(f"wanted_{fields[0]}")
    return filled(pattern, fields[1:]) if pattern and len(fields) > 1 else " ".join(fields)


def _request(fields: list[str], phrases: Phrases) -> str:
    """Tell `running<TAB>Opening hours`; a moment that is to come stands behind a third tab."""
    state, *rest = fields
    tell_moment = _MOMENTS.get(state)
    moments = [tell_moment(rest.pop(), phrases)] if tell_moment and rest else []
    subject = " ".join(rest).strip()
    title = f"{phrases.open_quote}{subject}{phrases.close_quote}" if subject else phrases.no_subject
    return phrases.states.get(state, phrases.states["failed"]).format(title, *moments)


def _limit(fact: str, phrases: Phrases) -> str:
    """Tell `20 USD a day` or `40 steps`; other limits are a number with its unit, the same in all of our languages."""
    for ending, pattern in ((" a day", phrases.a_day), (" steps", phrases.steps)):
        if fact.endswith(ending):
            return pattern.format(fact.removesuffix(ending))
    return fact


def _day(fact: str, phrases: Phrases) -> str:
    try:
        day = date.fromisoformat(fact)
    except ValueError:
        return fact
    names = {"weekday": phrases.days[day.weekday()], "month": phrases.months[day.month - 1]}
    return phrases.date.format(day=day.day, year=day.year, **names)


def _trouble(fields: list[str], phrases: Phrases) -> str:
    """Tell `past<TAB>24 Dec`; of `differs` the moments of both readings stand behind further tabs."""
    pattern = phrases.dates.get(fields[0])
    if fields[0] == "differs":
        whiles = [_while(starts, ends, phrases) for starts, ends in zip(fields[2::2], fields[3::2], strict=False)]
        return filled(pattern or "", [*fields[1:2], *whiles])
    return pattern.format(" ".join(fields[1:])) if pattern else " ".join(fields)


def _while(starts: str, ends: str, phrases: Phrases) -> str:
    begins = _starts(starts, phrases) if starts else phrases.at_once
    return f"{begins} \N{EN DASH} {_ends(ends, phrases) if ends else phrases.for_good}"


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
        return phrases.ends_at.format(date=_day(at.date().isoformat(), phrases), time=f"{at:%H:%M}")
    return phrases.end_of_day.format(date=_day((at.date() - timedelta(days=1)).isoformat(), phrases))


_MOMENTS: dict[str, Callable[[str, Phrases], str]] = {"publish_at": _starts, "revert_at": _ends, "was_planned": _starts}
_TELLERS: dict[str, Callable[[str, Phrases], str]] = {
    "files": _each_line(_file),
    "reasons": _each_line(_reason),
    "missing": _each_line(_missing),
    "elsewhere": _each_line(_elsewhere),
    "wanted": _each_line(_place),
    "parts": _each_line(_part),
    "copies": _each_line(_copy),
    "requests": _each_line(_request),
    "called": _each_line(_request),
    "replaced": _each_line(_request),
    "day": _day,
    "starts": _starts,
    "ends": _ends,
    "trouble": _each_line(_trouble),
    "limit": _limit,
    "sites": _each_line(_site),
    "approval": lambda fact, phrases: phrases.approval.get(fact, ""),
}
