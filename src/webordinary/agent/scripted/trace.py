"""Where words come from that stand nowhere where they could be changed: the wish is tried on all other files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.agent.agent import Unfound
from webordinary.agent.scripted.edit import edit
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
    WaitFor,
)

if TYPE_CHECKING:
    from webordinary.agent.scripted.pages import Site

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
