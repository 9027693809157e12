"""Renders facts in a language: they are recorded once, and each person reads them in their own.

Most facts are texts and stay as they are. The others are told line by line, as `jobs/lines.py` has them; `day` is a
date, and `starts` and `ends` are moments.

An agent's own words in a mail: a short note in plain sentences, never ours and never more than that.
Whatever an agent says may be false, and may come from somebody who told it what to say. So only sentences of ordinary
words and numbers are kept: a link, an address, a file, a line of a program or of its complaints is no such sentence.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING

from webordinary.jobs.lines import (
    ChangeLine,
    CopyLine,
    ElsewhereLine,
    FileLine,
    KindLine,
    RequestLine,
    SiteLine,
    TroubleLine,
    read_lines,
)
from webordinary.site.read.structured import in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from webordinary.jobs.lines import L
    from webordinary.reply.words import Phrases


def tell_change(line: ChangeLine, phrases: Phrases, *, is_done: bool) -> str:
    """Tell what changed, or would change; what is no such line is told as it stands."""
    patterns = phrases.changes if is_done else {**phrases.changes, **phrases.would}
    pattern = patterns.get(line.kind)
    if pattern is None or not line.texts:
        return " ".join(line.fields)
    region = phrases.regions.get(line.place) if line.count else None
    where = _pages(line.texts[0], line.count, phrases, region or "{}")
    where = where if region else ", ".join(filter(None, (where, _place_of(line.place, phrases))))
    return filled(pattern, [where, *line.texts[1:]])


def tell_unasked(line: KindLine, phrases: Phrases) -> str:
    """Tell what nobody asked for, such as `words_gone`, as it would be."""
    pattern = phrases.unasked.get(line.kind)
    return filled(pattern, line.texts) if pattern else " ".join(line.fields)


def filled(pattern: str, parts: Sequence[str]) -> str:
    """Fill a phrase; a line with too few parts is torn, and an empty place is better than no mail."""
    return pattern.format(*parts, *[""] * pattern.count("{}"))


def _pages(names: str, count: str, phrases: Phrases, region: str) -> str:
    """Tell on which pages: all of them, or so many with the names of some."""
    some, _, all_of_them = count.partition("/")
    if not some:
        return names
    is_all = some == all_of_them
    some = f"{int(some):,}".replace(",", phrases.thousands) if some.isdecimal() else some
    on = phrases.on_pages if region == "{}" else phrases.of_pages
    told = on["all"].format(some) if is_all else on["some"].format(some, names)
    return region.format(told)


def _place_of(place: str, phrases: Phrases) -> str:
    name, _, field = place.partition(":")
    if not field:
        return phrases.places.get(name, name)
    return phrases.for_programs.format(_called(field, phrases.fields))


def _called(field: str, known: Mapping[str, str]) -> str:
    return known.get(field) or known.get(field.rpartition(":")[2]) or in_words(field)


_LONGEST, _LONGEST_READ = 280, 4_000
_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
# What begins a line in the writing of most programs, and what only makes words stand out.
_MARKS = re.compile(r"^\s*(?:#{1,6}|[-*+\u2022>]|\d{1,2}[.)])\s+")
_STRESS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_SENTENCE = re.compile(r".+?(?:[.!?\u2026]+[\"'\u201d\u201c\u00bb)]*(?=\s|$)|$)")
_AROUND = " \t\u00a0.,;:!?\u2026\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb()[]\u2013\u2014-"
# Words, also with a hyphen, an apostrophe or a stroke in them; times, prices and other numbers with a short unit.
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019&+/-][^\W\d_]+)*|[^\W\d_](?:\.[^\W\d_])+")
_NUMBER = re.compile(r"[+$\u20ac\u00a3]?\d+(?:[.,:/\u2013-]\d+)*(?:[%\u20ac$\u00a3\u00b0]|[^\W\d_]{1,4})?")
_DIGITS = re.compile(r"[0-9]{1,18}")
_PLAIN = frozenset({"&", "+", "=", "\u2192", "->", "/", "\u20ac", "$", "\u00a3", "%"})
# No word of any of our languages has a capital letter behind a small one.
_OF_PROGRAMS = re.compile(r"[a-z][A-Z]|^[Tt]raceback$")


def note_of(said: str, changes: str = "") -> str:
    """Return what is shown of an agent's words; nothing when none of them is a plain sentence.

    A sentence with a number that stands in none of the changes tells of something that was not done.
    """
    kept: list[str] = []
    told = _numbers(changes)
    for sentence in _sentences(said):
        if changes and not _numbers(sentence) <= told:
            continue
        if not kept and len(sentence) > _LONGEST:
            return f"{sentence[: _LONGEST - 1].rstrip()}…"
        if len(" ".join((*kept, sentence))) > _LONGEST:
            break
        kept.append(sentence)
    return " ".join(kept)


def _numbers(text: str) -> set[int]:
    return {int(found) for found in _DIGITS.findall(text)}


def _sentences(said: str) -> list[str]:
    lines = [_STRESS.sub("", _MARKS.sub("", line)) for line in _FENCED.sub("\n", said[:_LONGEST_READ]).splitlines()]
    found = [" ".join(each.split()) for line in lines for each in _SENTENCE.findall(line)]
    return [sentence for sentence in found if sentence and _is_plain(sentence)]


def _is_plain(sentence: str) -> bool:
    words = [word.strip(_AROUND) for word in sentence.split()]
    return any(map(_WORD.fullmatch, words)) and all(_is_ordinary(word) for word in words if word)


def _is_ordinary(word: str) -> bool:
    is_word = _WORD.fullmatch(word) is not None and not _OF_PROGRAMS.search(word)
    return is_word or word in _PLAIN or _NUMBER.fullmatch(word) is not None


_LONGEST_FACT, _MOST_LINES = 6_000, 60
_UNASKED = "unasked"
_CHANGES = frozenset({_UNASKED, "unexplained"})


def tell_facts(facts: Mapping[str, str], phrases: Phrases, *, is_done: bool = True) -> dict[str, str]:
    """Return all facts, ready to stand in a mail of this language; a change is live, or only would be."""
    tellers = {**_TELLERS, "changes": _each(ChangeLine, partial(tell_change, is_done=is_done))}
    tellers["summary"] = lambda fact, _: note_of(fact, facts.get("changes", ""))
    if "asker" in facts:
        # The approver has not written the request.
        tellers["reasons"] = _each(KindLine, partial(_reason, is_asker=False))
    bounded = {name: _bounded(fact) for name, fact in facts.items()}
    return {name: tellers[name](fact, phrases) if name in tellers else fact for name, fact in bounded.items()}


def _bounded(fact: str) -> str:
    """Return as much of a fact as anybody reads: whatever it came from, an answer stays a mail."""
    lines = fact[: 2 * _LONGEST_FACT].split("\n")
    is_whole = len(fact) <= _LONGEST_FACT and len(lines) <= _MOST_LINES
    return fact if is_whole else "\n".join(lines[:_MOST_LINES])[: _LONGEST_FACT - 1] + "…"


def _each(kind: type[L], tell: Callable[[L, Phrases], str]) -> Callable[[str, Phrases], str]:
    """Return what tells a fact line by line."""

    def told(fact: str, phrases: Phrases) -> str:
        return "\n".join(tell(line, phrases) for line in read_lines(kind, fact))

    return told


def _file(line: FileLine, phrases: Phrases) -> str:
    told = phrases.files.get(line.fate, "{}").format(line.name)
    reason = phrases.problems.get(line.problem or "", "")
    if line.limit and reason:
        reason = f"{reason}, {phrases.at_most.format(line.limit)}"
    return f"{told} ({reason})" if reason else told


def _reason(line: KindLine, phrases: Phrases, *, is_asker: bool = True) -> str:
    """Tell why somebody is asked; what nobody asked for is told as a change."""
    pattern = phrases.reasons.get(line.kind)
    if pattern is None:
        return " ".join(line.fields)
    if line.kind not in _CHANGES or not line.texts:
        return filled(pattern, line.texts)
    is_said_to_others = line.kind == _UNASKED and not is_asker
    told = tell_unasked(KindLine.of(line.texts), phrases)
    return (phrases.not_mentioned if is_said_to_others else pattern).format(told)


def _missing(line: KindLine, phrases: Phrases) -> str:
    return phrases.missing.format(" ".join(line.fields))


def _part(line: KindLine, phrases: Phrases) -> str:
    """Tell whether a part of the request is done."""
    pattern = phrases.left.get(line.kind)
    return pattern.format(*line.texts, "", "") if pattern else " ".join(line.fields)


def _copy(line: CopyLine, phrases: Phrases) -> str:
    place = phrases.places.get(line.place, "")
    page = ", ".join(filter(None, (line.pages, place)))
    return _part(KindLine(line.kind, (page, line.shown, line.more, line.was, line.now)), phrases)


def _site(line: SiteLine, phrases: Phrases) -> str:
    after = phrases.approval.get(f"{line.ok}_of_many")
    return f"{line.name}: {line.address} ({after})" if after else f"{line.name}: {line.address}"


def _elsewhere(line: ElsewhereLine, phrases: Phrases) -> str:
    pattern = phrases.sources.get(line.kind, phrases.sources["other"])
    return phrases.sources.get(line.told, "{}").format(filled(pattern, (line.words, line.where)))


def _place(line: KindLine, phrases: Phrases) -> str:
    """Tell where the agency finds what is wanted; a path alone is told as it stands."""
    pattern = phrases.sources.get(f"wanted_{line.kind}")
    return filled(pattern, line.texts) if pattern and line.texts else " ".join(line.fields)


def _request(line: RequestLine, phrases: Phrases) -> str:
    moments = [] if line.at is None else [_MOMENTS[line.state](line.at, phrases)]
    title = f"{phrases.open_quote}{line.subject}{phrases.close_quote}" if line.subject else phrases.no_subject
    return phrases.states.get(line.state, phrases.states["failed"]).format(title, *moments)


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


def _trouble(line: TroubleLine, phrases: Phrases) -> str:
    """Tell why a time was not understood; of two readings both are told."""
    pattern = phrases.dates.get(line.trouble)
    if pattern is None:
        return " ".join(line.fields)
    return filled(pattern, [line.said, *(_while(starts, ends, phrases) for starts, ends in line.whiles)])


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
    "files": _each(FileLine, _file),
    "reasons": _each(KindLine, _reason),
    "missing": _each(KindLine, _missing),
    "elsewhere": _each(ElsewhereLine, _elsewhere),
    "wanted": _each(KindLine, _place),
    "parts": _each(KindLine, _part),
    "copies": _each(CopyLine, _copy),
    "requests": _each(RequestLine, _request),
    "called": _each(RequestLine, _request),
    "replaced": _each(RequestLine, _request),
    "day": _day,
    "starts": _starts,
    "ends": _ends,
    "trouble": _each(TroubleLine, _trouble),
    "limit": _limit,
    "sites": _each(SiteLine, _site),
    "approval": lambda fact, phrases: phrases.approval.get(fact, ""),
}
