"""Facts in the words of a language: what is recorded once is told to each person in theirs.

Most facts are texts and stay as they are. The others are lines of fields with a tab between them: `changes` and
`files` begin with what happened, `requests` with a state, and `day` is a date.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.reply.words import Phrases


def tell_facts(facts: Mapping[str, str], phrases: Phrases) -> dict[str, str]:
    """Return all facts, ready to stand in a mail of this language."""
    return {name: _TELLERS[name](fact, phrases) if name in _TELLERS else fact for name, fact in facts.items()}


def _each_line(tell: Callable[[list[str], Phrases], str]) -> Callable[[str, Phrases], str]:
    def told(fact: str, phrases: Phrases) -> str:
        return "\n".join(tell(line.split("\t"), phrases) for line in fact.split("\n") if line.strip())

    return told


def _change(fields: list[str], phrases: Phrases) -> str:
    """Tell `changed<TAB>index.html`; what is no such line is told as it stands."""
    pattern = phrases.changes.get(fields[0])
    return pattern.format(fields[1]) if pattern and fields[1:] else " ".join(fields)


def _file(fields: list[str], phrases: Phrases) -> str:
    """Tell `refused<TAB>menu.svg<TAB>why`; the reason may be one of ours or any text."""
    pattern = phrases.files.get(fields[0])
    if pattern is None or not fields[1:]:
        return " ".join(fields)
    reason = phrases.reasons.get(fields[2], fields[2]) if fields[2:] else ""
    told = pattern.format(fields[1])
    return f"{told} ({reason})" if reason else told


def _request(fields: list[str], phrases: Phrases) -> str:
    """Tell `running<TAB>Opening hours`."""
    state, subject = fields[0], " ".join(fields[1:]).strip()
    title = f"{phrases.open_quote}{subject}{phrases.close_quote}" if subject else phrases.no_subject
    return phrases.states.get(state, phrases.states["failed"]).format(title)


def _day(fact: str, phrases: Phrases) -> str:
    try:
        day = date.fromisoformat(fact)
    except ValueError:
        return fact
    names = {"weekday": phrases.days[day.weekday()], "month": phrases.months[day.month - 1]}
    return phrases.date.format(day=day.day, year=day.year, **names)


_TELLERS: dict[str, Callable[[str, Phrases], str]] = {
    "changes": _each_line(_change),
    "files": _each_line(_file),
    "requests": _each_line(_request),
    "day": _day,
}
