"""A reply that is no wish of its own: it answers what was open in the thread."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.agent.scripted.instruction import AddText, Describe, Heading, NewTitle, PlacePicture, Said
from webordinary.agent.scripted.places import without_pictures
from webordinary.agent.scripted.understand import understand
from webordinary.mail.words.shown import descriptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webordinary.agent.scripted.pages import Site

_OnePage = NewTitle | Heading | AddText | PlacePicture
_MOST_EARLIER = 5
_LONGEST_PAGE_ANSWER = 60
_LONGEST_DESCRIPTION = 160
_ANY = "it"


def with_answer(site: Site, said: list[Said], text: str, thread: Sequence[str], *, has_pictures: bool) -> list[Said]:
    """Take a reply as the answer to a question: on which page, which picture, or what it shows."""
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
    if has_pictures or len(answer) > _LONGEST_DESCRIPTION or "\n" in answer or answer.endswith("?"):
        return said
    words = descriptions(answer, (_ANY,)).get(_ANY, answer).rstrip(" .!")
    return (
        _first(Said(answer, tuple(Describe(words, wish.page) for wish in _placing(each))) for each in earlier) or said
    )


def as_page(answer: str) -> str:
    words = answer.rstrip(" .!").split()
    return " ".join(words[1:] if words and words[0].lower() in {"on", "to", "in", "i", "oh"} else words)


def _first(found: Iterable[Said]) -> list[Said]:
    return next(([each] for each in found if each.instructions), [])


def _placing(said: Said) -> tuple[PlacePicture, ...]:
    return tuple(wish for wish in said.instructions if isinstance(wish, PlacePicture))


def _without_page(site: Site, said: Said) -> list[_OnePage]:
    wishes = [wish for wish in said.instructions if isinstance(wish, NewTitle | Heading | AddText | PlacePicture)]
    return [wish for wish in wishes if site.page_called(wish.page) is None]
