"""What an agent said at its end, for an owner, and the end of its error output, for the agency: without secrets."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from webordinary.agent.agent import Period, Question, Report, WhyStopped
from webordinary.mail.mime.charset import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webordinary.child import Finished


_LONGEST = 500
# Looked through for secrets: more than is told, so that none is cut in two.
_LOOKED_AT = 8000
_SHORTEST_SECRET = 6
_HIDDEN = "…"
# Whatever is called a key, and what the makers of keys and tokens let theirs begin with.
_LOOKS_SECRET = re.compile(
    r"(?i:\b[\w-]{0,40}(?:key|token|secret|password|passwd|authorization|cookie)[\w-]{0,40}[\"']?\s*[=:]\s*(?:bearer\s+|basic\s+)?)"
    r"(?P<named>[\"']?[^\s\"',;]+)"
    r"|(?i:\bbearer\s+)(?P<bearer>\S+)"
    r"|(?P<known>\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|relay)[-_][\w-]{8,}|\bA[KS]IA[0-9A-Z]{12,}"
    r"|\beyJ[\w-]{10,}\.[\w.-]+)"
    r"|(?<=://)(?P<login>[^\s/@]+:[^\s/@]+)(?=@)"
)
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def read_complaint(finished: Finished, secrets: Iterable[str] = ()) -> str:
    """Return the last words in one line; empty when it said nothing."""
    text = _COLOURS.sub("", finished.stderr.decode(errors="replace"))
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, _HIDDEN)
    text = _LOOKS_SECRET.sub(_hide, text[-_LOOKED_AT:])
    line = " ".join(word for word in text.split() if word.isprintable())
    return line if len(line) <= _LONGEST else f"{_HIDDEN}{line[-_LONGEST:]}"


def with_complaint(message: str, finished: Finished, secrets: Iterable[str] = ()) -> str:
    """Return what went wrong together with the agent's own last words about it."""
    said = read_complaint(finished, secrets)
    return f"{message}; the end of its error output: {said}" if said else message


def _hide(found: re.Match[str]) -> str:
    name = found.lastgroup or "known"
    start, end = found.start(name) - found.start(), found.end(name) - found.start()
    return f"{found[0][:start]}{_HIDDEN}{found[0][end:]}"


LONGEST_SAID = 20_000
_LONGEST_SUMMARY = 2_000
_LONGEST_QUESTION, _LONGEST_CHOICE, _MOST_CHOICES = 1_000, 200, 9
_LONGEST_SCHEDULE = 200
_LONGEST_DENIED, _MOST_DENIED = 200, 20
_CHOICE = re.compile(r"\s*(?:\d{1,2}[.)]|[-*])\s+(.+)")


def report_on(
    said: str,
    *,
    session: str | None = None,
    usd: float | None = None,
    turns: int | None = None,
    denied: Sequence[str] = (),
) -> Report:
    """Return what is kept of a run that came to its end; of too many words the last ones count."""
    said = _end_of(clean_text(said[-LONGEST_SAID:]), LONGEST_SAID)
    question = read_question(said)
    return Report(
        WhyStopped.QUESTION if question else WhyStopped.DONE,
        _end_of(without_question(said), _LONGEST_SUMMARY),
        session,
        question,
        usd,
        turns,
        tuple(_short(clean_text(each[: 2 * _LONGEST_DENIED]), _LONGEST_DENIED) for each in denied[:_MOST_DENIED]),
        read_period(said),
    )


def read_question(said: str) -> Question | None:
    """Return the question that an agent ends with, if it does."""
    found = _between(said, "question")
    if found is None:
        return None
    lines = [line for line in found.splitlines() if line.strip()]
    choices = [_short(match[1].strip(), _LONGEST_CHOICE) for line in lines if (match := _CHOICE.fullmatch(line))]
    text = " ".join(line.strip() for line in lines if not _CHOICE.fullmatch(line))
    return Question(_short(text, _LONGEST_QUESTION), tuple(choices[:_MOST_CHOICES])) if text else None


def read_period(said: str) -> Period | None:
    """Return from when until when the change shall hold, if an agent says so; what cannot be read is told, not lost."""
    found = _between(said, "schedule")
    if found is None:
        return None
    try:
        told = json.loads(found)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        return Period(found[:_LONGEST_SCHEDULE] or "?")
    return Period(*(str(told.get(name) or "")[:_LONGEST_SCHEDULE] for name in ("from", "until")))


def without_question(said: str) -> str:
    """Return what an agent says besides its question and its dates."""
    return _without(_without(said, "question"), "schedule").strip()


def _between(said: str, mark: str) -> str | None:
    _, opened, rest = said.partition(f"<{mark}>")
    inside, closed, _ = rest.partition(f"</{mark}>")
    return inside.strip() if opened and closed else None


def _without(said: str, mark: str) -> str:
    kept: list[str] = []
    while True:
        before, _, rest = said.partition(f"<{mark}>")
        _, closed, after = rest.partition(f"</{mark}>")
        if not closed:
            return "".join([*kept, said])
        kept.append(before)
        said = after


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _end_of(text: str, most: int) -> str:
    return text if len(text) <= most else f"…{text[1 - most :]}"
