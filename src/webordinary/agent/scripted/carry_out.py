"""A whole request carried out sentence by sentence, with an honest summary at the end."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from webordinary.agent.agent import Unfound
from webordinary.agent.scripted.edit import edit
from webordinary.agent.scripted.edit_items import list_named
from webordinary.agent.scripted.edit_words import not_found
from webordinary.agent.scripted.instruction import (
    AddItem,
    AddText,
    Describe,
    Heading,
    Instruction,
    InstructionOutcome,
    NewTitle,
    PlacePicture,
    RemoveText,
    Replace,
    RequestPicture,
    Said,
    WaitFor,
    listed,
    shortened,
)
from webordinary.agent.scripted.pages import Site
from webordinary.agent.scripted.understand import understand
from webordinary.mail.words.shown import descriptions, without_descriptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_PICTURE = re.compile(r"\[picture: ([^\]\n]+)\]")
# The beginning of a sentence is enough to find it again; its end may have been read away.
_BEGINNING = 25


def without_pictures(text: str) -> str:
    return _PICTURE.sub(" ", text)


def pictures_beside(text: str, wishes: Sequence[str]) -> list[tuple[str, ...]]:
    """Return for each of these sentences the pictures that stand with it.

    A picture belongs to the words before it, or to those after it in a mail that begins with a picture.
    """
    plain, places = _laid_out(text)
    starts = _starts(plain, wishes)
    come_first = bool(places) and not plain[: places[0][0]].strip() and bool(plain[places[-1][0] :].strip())
    beside: list[list[str]] = [[] for _ in wishes]
    for place, name in places:
        known = [number for number, start in enumerate(starts) if start >= 0 and (start >= place) == come_first]
        if known:
            beside[known[0] if come_first else known[-1]].append(name)
    return [tuple(names) for names in beside]


def _laid_out(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the words in one line, and where between them each picture stands."""
    plain, places = "", []
    words, *others = _PICTURE.split(text)
    plain = _squeezed(words)
    for name, following in zip(others[::2], others[1::2], strict=True):
        places.append((len(plain), name))
        plain += _squeezed(following)
    return plain, places


def _squeezed(words: str) -> str:
    return "".join(f"{word} " for word in words.split())


def _starts(plain: str, wishes: Sequence[str]) -> list[int]:
    starts, at = [], 0
    for wish in wishes:
        start = plain.find(_squeezed(wish)[:_BEGINNING].rstrip(), at)
        starts.append(start)
        at = max(at, start + 1)
    return starts


_OnOnePage = NewTitle | Heading | AddText | PlacePicture
_MOST_EARLIER = 5
_LONGEST_PAGE_ANSWER = 60
_LONGEST_DESCRIPTION = 160
_ANY = "it"


def with_answer(site: Site, said: list[Said], text: str, thread: Sequence[str], *, has_pictures: bool) -> list[Said]:
    """Take a reply as the answer to a question: on which page, to which list, which picture, or what it shows."""
    answer = without_pictures(text).strip()
    if any(each.instructions for each in said):
        return said
    earlier = [each for words in reversed(thread[-_MOST_EARLIER:]) for each in reversed(understand(words))]
    if not answer:
        return _first(Said(each.words, _placing(each)) for each in earlier) if has_pictures else said
    if len(answer) <= _LONGEST_PAGE_ANSWER and site.page_called(as_page(answer)):
        named = (
            Said(answer, tuple(replace(wish, page=as_page(answer)) for wish in _without_page(site, each)))
            for each in earlier
        )
        return _first(named) or said
    if len(answer) <= _LONGEST_PAGE_ANSWER and (listed := _first(_listed(site, each, answer) for each in earlier)):
        return listed
    if has_pictures or len(answer) > _LONGEST_DESCRIPTION or "\n" in answer or answer.endswith("?"):
        return said
    words = descriptions(answer, (_ANY,)).get(_ANY, answer).rstrip(" .!")
    return (
        _first(Said(answer, tuple(Describe(words, wish.page) for wish in _placing(each))) for each in earlier) or said
    )


def as_page(answer: str) -> str:
    words = answer.rstrip(" .!").split()
    return " ".join(words[1:] if words and words[0].lower() in {"on", "to", "in", "i", "oh"} else words)


def _listed(site: Site, said: Said, answer: str) -> Said:
    adding = (wish for wish in said.instructions if isinstance(wish, AddItem))
    return Said(answer, tuple(told for wish in adding if (told := list_named(site, wish, answer)) is not None))


def _first(found: Iterable[Said]) -> list[Said]:
    return next(([each] for each in found if each.instructions), [])


def _placing(said: Said) -> tuple[PlacePicture, ...]:
    return tuple(wish for wish in said.instructions if isinstance(wish, PlacePicture))


def _without_page(site: Site, said: Said) -> list[_OnOnePage]:
    wishes = [wish for wish in said.instructions if isinstance(wish, NewTitle | Heading | AddText | PlacePicture)]
    return [wish for wish in wishes if site.page_called(wish.page) is None]


_MOST_PLACES = 5
_OnePage = NewTitle | Heading | AddText | PlacePicture | Describe


def trace(site: Site, wish: Instruction, outcome: InstructionOutcome) -> tuple[InstructionOutcome, Unfound | None]:
    """Look behind a wish that found nothing to change; who knows the built site decides what is told of it."""
    if outcome.changed or isinstance(wish, WaitFor | AddItem) or (outcome.understood and not outcome.question):
        return outcome, None
    closed = site.closed()
    if isinstance(wish, _OnePage):
        page = closed.page_called(wish.page) if wish.page and site.page_called(wish.page) is None else None
        return outcome, Unfound(wish.page or "", outcome.text, (closed.place_of(page),)) if page else None
    tried = edit(closed, replace(wish, page=None) if isinstance(wish, Replace | RemoveText) else wish)
    places = tuple(closed.places[:_MOST_PLACES]) if tried.changed else ()
    if not places and not outcome.unfound:
        return outcome, None
    words = outcome.unfound or places[0].before
    if not outcome.understood:
        # Only the words of the site can tell whether this was a wish at all.
        return (not_found(words), Unfound(words, not_found(words).text, places)) if places else (outcome, None)
    return outcome, Unfound(words, outcome.text, places)


_POINTED_AT = re.compile(
    r"\b(put|place|add|show|use|insert)\s(?:it|them|this|these|that|those|both|all(?:\sof\sthem)?)(?=\s(?:on|onto|to|in|at)\b)",
    re.IGNORECASE,
)
GATES = "WEBORDINARY_SCRIPTED_GATES"
# A file of that folder: the next one to begin takes it away, and waits until what it made of it is gone.
SLOWLY = "slowly"
Event = dict[str, str | None]
Emit = Callable[[Event], None]
# A request with more wishes than a person would write in one mail is carried out this far, and says so.
MOST_INSTRUCTIONS = 40
_MOST_NAMED = 5
_POLL_SECONDS = 0.005
_UNHURRIED_SECONDS, _LONGEST_WAIT_SECONDS = 0.1, 300.0
EXAMPLES = (
    "“We open at nine now.”",
    "“Replace ‘old words’ with ‘new words’.”",
    "“Put this photo on the about page.”",
)
_WHAT_I_UNDERSTAND = (
    "I am the simple built-in agent and know only a few plain instructions, so nothing was changed."
    f" For example: {listed(EXAMPLES, last='or')}"
)


@dataclass(frozen=True, slots=True)
class ScriptedRequest:
    """What the agent is asked: the words, the files that came with them, and what was said before."""

    text: str
    attachments: tuple[RequestPicture, ...] = ()
    thread_so_far: tuple[str, ...] = ()
    # Files that came along and could not be used.
    refused: tuple[str, ...] = ()
    # What may be changed, and what may not and why; without a list the usual pages.
    texts: tuple[str, ...] | None = None
    closed: Mapping[str, str] = field(default_factory=dict)

    @property
    def pictures(self) -> tuple[RequestPicture, ...]:
        return tuple(each for each in self.attachments if each.content_type.lower().startswith("image/"))

    def showing(self, names: tuple[str, ...]) -> ScriptedRequest:
        """Return the request with these pictures alone, or as it is when none of them is there."""
        named = tuple(each for each in self.pictures if each.name in names)
        return replace(self, attachments=named) if named else self


@dataclass(frozen=True, slots=True)
class Result:
    """How a request ended."""

    summary: str
    stopped: Literal["done", "not_understood", "question"]
    question: str | None = None
    unfound: tuple[Unfound, ...] = ()
    undescribed: tuple[str, ...] = ()
    wants: str = ""


def carry_out(request: ScriptedRequest, root: Path, emit: Emit, gates: Path | None = None) -> Result:
    """Carry out what is understood of a request, telling each step, and sum up what was done and what not."""
    _take_time(emit, gates)
    site = Site(root, request.texts, request.closed)
    said = with_answer(
        site, understand(_wishes_of(request)), request.text, request.thread_so_far, has_pictures=bool(request.pictures)
    )
    placing = [each.words for each in said if any(isinstance(wish, PlacePicture) for wish in each.instructions)]
    beside = dict(zip(placing, pictures_beside(request.text, placing), strict=True))
    outcomes: list[InstructionOutcome] = []
    missed: list[str] = []
    unfound: list[Unfound] = []
    tried = 0
    for each in said:
        wishes = each.instructions if tried < MOST_INSTRUCTIONS else ()
        tried += len(wishes)
        shown = request.showing(beside.get(each.words, ()))
        traced = [trace(site, wish, _carried_out(site, wish, shown, emit, gates)) for wish in wishes]
        unfound += [each for _, each in traced if each is not None]
        found = [outcome for outcome, _ in traced]
        understood = [outcome for outcome in found if outcome.understood]
        outcomes += understood
        if not understood:
            missed.append(each.words)
        for outcome in understood:
            _tell(emit, outcome)
    return replace(_summed_up(outcomes, missed, _unused(request, said)), unfound=tuple(unfound))


def _wishes_of(request: ScriptedRequest) -> str:
    """Return the words that ask for something; with pictures there, "put it on the page" means them."""
    names = list(dict.fromkeys(picture.name for picture in request.pictures))
    text = without_pictures(without_descriptions(request.text, names))
    return _POINTED_AT.sub(r"\1 these photos", text) if names else text


def gates_of_the_environment() -> Path | None:
    """Return the folder whose files release waiting tests, if a test named one."""
    folder = os.environ.get(GATES)
    return Path(folder) if folder else None


def _take_time(emit: Emit, gates: Path | None) -> None:
    """Wait once, if a demo has asked for it: then there is a middle in which a worker can be seen, or killed."""
    if gates is None:
        return
    mine = gates / f"{SLOWLY}.{os.getpid()}"
    try:
        # Whoever moves it away is the one who waits.
        (gates / SLOWLY).rename(mine)
    except FileNotFoundError:
        return
    emit({"event": "said", "text": "I take my time, as the demo has asked me to"})
    ends_at = time.monotonic() + _LONGEST_WAIT_SECONDS
    _wait_while(lambda: mine.exists() and time.monotonic() < ends_at, _UNHURRIED_SECONDS)


def _wait_while(is_waiting: Callable[[], bool], every: float = _POLL_SECONDS) -> None:
    worker = os.getppid()
    while is_waiting():
        if os.getppid() != worker:
            # The process that waited for us is gone, and would never take what we do.
            raise SystemExit(1)
        time.sleep(every)


def _carried_out(
    site: Site, wish: Instruction, request: ScriptedRequest, emit: Emit, gates: Path | None
) -> InstructionOutcome:
    if isinstance(wish, WaitFor):
        if gates is None:
            return InstructionOutcome("", understood=False)
        emit({"event": "said", "text": f"waiting for {wish.name}"})
        gate = gates / wish.name
        _wait_while(lambda: not gate.exists())
        return InstructionOutcome(f"Waited for {wish.name}.")
    return edit(site, wish, request.pictures, request.refused)


def _tell(emit: Emit, outcome: InstructionOutcome) -> None:
    for path in outcome.changed:
        emit({"event": "edited", "path": path})
    emit({"event": "said", "text": outcome.text})


def _unused(request: ScriptedRequest, said: list[Said]) -> str:
    used = any(isinstance(wish, PlacePicture) for each in said for wish in each.instructions)
    names = list(dict.fromkeys(picture.name for picture in request.pictures))
    if used or not names:
        return ""
    return f"I did not use {listed(names[:_MOST_NAMED])}: tell me on which page it should go."


def _summed_up(outcomes: list[InstructionOutcome], missed: list[str], unused: str) -> Result:
    lines = [*(outcome.text for outcome in outcomes), _not_understood(missed)]
    if not outcomes:
        return Result(_text([*lines, _WHAT_I_UNDERSTAND, unused]), "not_understood")
    questions = [outcome.question for outcome in outcomes if outcome.question]
    summary = _text([*lines, unused])
    undescribed = tuple(name for outcome in outcomes for name in outcome.undescribed)
    if questions and not any(outcome.changed for outcome in outcomes):
        wants = next((outcome.wants for outcome in outcomes if outcome.wants), "")
        return Result(summary, "question", "\n".join(questions), wants=wants)
    return Result(summary, "done", undescribed=undescribed)


def _text(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line)


def _not_understood(missed: list[str]) -> str:
    if not missed:
        return ""
    named = [f"“{shortened(words.rstrip(' .'))}”" for words in missed[:_MOST_NAMED]]
    more = len(missed) - len(named)
    sentences = listed([*named, f"{more} more"] if more else named)
    return f"I did not understand: {sentences}."
