"""Judges what became of a case: whether it is the one right outcome, and whether anything was hidden."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from tests.checks.case import Want
from tests.checks.oracle import Sort, differences
from tests.checks.way import Answered, answer
from webordinary.jobs.job import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.checks.case import Case
    from tests.checks.oracle import Difference

_TAGS = re.compile(r"<(?:style|head)\b.*?</(?:style|head)>|<[^>]*>", re.DOTALL)
_NOT_SAID, _LONG = 3, 40
_FILE = Path(__file__).with_name("reasons.json")
# Why each case that waits has to, by the name that the reason has in answers.
REASONS = {name: why for why, names in json.loads(_FILE.read_text(encoding="utf-8")).items() for name in names}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a case; `problems` says what is wrong with that, and `hidden` what nobody would have read."""

    case: Case
    became: Want
    answered: Answered
    hidden: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        return not self.problems

    @property
    def waits_without_need(self) -> bool:
        return self.case.is_correct and self.became is not Want.LIVE


def judge(case: Case, folder: Path) -> Verdict:
    """Try a case and hold what became of it against what should have."""
    answered = answer(case, folder)
    became = _became(case, answered)
    hidden = tuple(_hidden(case, answered)) if became in {Want.TOLD, Want.LIVE, Want.NOTHING} else ()
    problems = [f"it broke: {answered.broke}"] if answered.broke else []
    if became is not case.want:
        problems.append(f"it was {became.value} and should be {case.want.value} ({answered.words})")
    problems += [f"the answer does not say {said!r}" for said in case.says if not _says(answered, said)]
    problems += [f"the answer says {said!r}" for said in case.silent if said in _plain(answered.text)]
    problems += _agent_first(case, answered)
    problems += _other_reasons(case, answered)
    problems += hidden
    return Verdict(case, became, answered, hidden, tuple(dict.fromkeys(problems)))


def _became(case: Case, answered: Answered) -> Want:
    match answered.outcome:
        case Outcome.PUBLISHED:
            return Want.LIVE if case.is_correct else Want.TOLD
        case Outcome.NOTHING_CHANGED:
            return Want.NOTHING
        case _:
            return Want.HELD


def _hidden(case: Case, answered: Answered) -> Iterator[str]:
    """Find what differs and is not said: what the case names, and whatever the second opinion sees."""
    if case.want is not Want.NOTHING:
        yield from (f"hidden: {said!r} is not in the answer" for said in case.says if not _says(answered, said))
    found = differences(case.was(), case.now(), case.built_again())
    yield from (
        f"hidden on {each.page}: {each.sort.value} {each.about[:120]!r}" for each in found if not _told(each, answered)
    )


def _agent_first(case: Case, answered: Answered) -> Iterator[str]:
    """Find an answer that begins with the agent's words: what is ours comes first."""
    text, first = _plain(answered.text), " ".join(case.summary.split()[:4])
    said = [text.find(each) for each in case.says if each in text]
    if said and first and first in text and text.find(first) < min(said):
        yield "the agent's words stand before what was found"


def _other_reasons(case: Case, answered: Answered) -> Iterator[str]:
    """Find a change that waits, but not for the reason that it should."""
    wanted = REASONS.get(case.name)
    if wanted is not None and wanted not in {*answered.reasons, answered.words}:
        yield f"it should wait because of {wanted!r}, and does because of {', '.join(answered.reasons)}"


def _told(found: Difference, answered: Answered) -> bool:
    text, about = _plain(answered.text), found.about.partition("\t")[0]
    match found.sort:
        case Sort.WORDS:
            return all(word in text for word in about.split()[:_NOT_SAID])
        case Sort.ADDRESS:
            return about.rstrip("/")[:80] in text or _ending(about) in text
        case Sort.FILE:
            return about in text or _stem(about) in text
        case Sort.DATA | Sort.LOOK:
            return answered.is_live and any(kind not in _ONLY_WORDS for kind in answered.kinds)
        case Sort.ACTIVE:
            return _plain(about)[:_LONG].strip("<>") in text


_ONLY_WORDS = frozenset({"words", "words_added", "words_gone"})


def _ending(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2] or address


def _stem(name: str) -> str:
    return re.split(r"[._-][0-9A-Za-z]{8}\.", name)[0]


def _says(answered: Answered, said: str) -> bool:
    texts = (_plain(answered.text), _plain(unescape(_TAGS.sub(" ", answered.html))))
    return all(any(each in text for each in said.split("|")) for text in texts)


def _plain(text: str) -> str:
    return " ".join(text.split())
