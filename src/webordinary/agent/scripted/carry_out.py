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

from webordinary.agent.scripted.answered import with_answer
from webordinary.agent.scripted.edit import edit
from webordinary.agent.scripted.instruction import (
    Instruction,
    InstructionOutcome,
    PlacePicture,
    RequestPicture,
    WaitFor,
    listed,
    shortened,
)
from webordinary.agent.scripted.pages import Site
from webordinary.agent.scripted.places import pictures_beside, without_pictures
from webordinary.agent.scripted.trace import trace
from webordinary.agent.scripted.understand import understand
from webordinary.mail.words.shown import without_descriptions

if TYPE_CHECKING:
    from webordinary.agent.agent import Unfound
    from webordinary.agent.scripted.instruction import Said

_POINTED_AT = re.compile(
    r"\b(put|place|add|show|use|insert)\s(?:it|them|this|these|that|those|both|all(?:\sof\sthem)?)(?=\s(?:on|onto|to|in|at)\b)",
    re.IGNORECASE,
)
GATES = "WEBORDINARY_SCRIPTED_GATES"
Event = dict[str, str | None]
Emit = Callable[[Event], None]
# A request with more wishes than a person would write in one mail is carried out this far, and says so.
MOST_INSTRUCTIONS = 40
_MOST_NAMED = 5
_POLL_SECONDS = 0.005
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


def _carried_out(
    site: Site, wish: Instruction, request: ScriptedRequest, emit: Emit, gates: Path | None
) -> InstructionOutcome:
    if isinstance(wish, WaitFor):
        if gates is None:
            return InstructionOutcome("", understood=False)
        emit({"event": "said", "text": f"waiting for {wish.name}"})
        worker = os.getppid()
        while not (gates / wish.name).exists():
            if os.getppid() != worker:
                # Whoever waited for us is gone, and would never take what we do.
                raise SystemExit(1)
            time.sleep(_POLL_SECONDS)
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
