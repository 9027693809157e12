"""What a mail says, in the language of the person, from the texts in `templates`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from webordinary.languages import codes, find
from webordinary.reply.blocks import read_template
from webordinary.reply.kinds import kind_of
from webordinary.reply.tell import tell_facts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

    from webordinary.reply.blocks import Template, Wording

_SPOKEN = re.compile(r"[a-z]{2,3}")


class Phrases(msgspec.Struct, frozen=True, kw_only=True):
    """The few words of a language that belong to no mail alone."""

    open_quote: str
    close_quote: str
    thousands: str
    footer: str
    agency_footer: str
    # Whose ok a change needs before it goes live.
    approval: dict[str, str]
    tones: dict[str, str]
    states: dict[str, str]
    # What is different now, and what of it is said otherwise as long as it only would be.
    changes: dict[str, str]
    would: dict[str, str]
    unasked: dict[str, str]
    # On so many pages, and in a part of so many.
    on_pages: dict[str, str]
    of_pages: dict[str, str]
    regions: dict[str, str]
    places: dict[str, str]
    # Fields of what a page tells to programs.
    for_programs: str
    fields: dict[str, str]
    missing: str
    not_mentioned: str
    files: dict[str, str]
    problems: dict[str, str]
    reasons: dict[str, str]
    # What is left to do: parts of a request, and old values that still stand elsewhere.
    left: dict[str, str]
    pictures: dict[str, str]
    # What may not be changed by mail: where words come from, who knows of it, and the places for the agency.
    sources: dict[str, str]
    at_most: str
    a_day: str
    steps: str
    no_subject: str
    days: tuple[str, ...]
    months: tuple[str, ...]
    date: str
    # A moment, and an end: at midnight that of the day before it.
    moment: str
    end_of_day: str
    ends_at: str
    at_once: str
    for_good: str
    dates: dict[str, str]
    # The page on which somebody says ok without an account.
    ok_page: dict[str, str]


def wording(kind: str, language: str, facts: Mapping[str, str]) -> Wording:
    """Return the words of a mail of this kind."""
    is_done = kind_of(kind).is_live
    language = spoken(language)
    return template(kind, language).fill(tell_facts(facts, phrases(language), is_done=is_done))


def spoken(language: str) -> str:
    """Return the language in which we answer somebody who speaks this one."""
    found = _SPOKEN.match(language.lower())
    return found[0] if found and found[0] in codes() else codes()[0]


@cache
def template(kind: str, language: str) -> Template:
    """Return the text of a kind."""
    return read_template(f"{language}/{kind}", _read(language, f"{kind}.txt"))


@cache
def phrases(language: str) -> Phrases:
    """Return the phrases of a language."""
    return msgspec.convert(tomllib.loads(_read(language, "phrases.toml")), Phrases)


def templates_folder() -> Traversable:
    """Return where our own texts lie."""
    return files("webordinary.reply") / "templates"


def templates_of(language: str) -> Traversable:
    """Return where the texts of a language lie: with ours, or with the package that brings it."""
    known = find(language)
    return (known and known.templates) or templates_folder() / language


def _read(language: str, name: str) -> str:
    return (templates_of(language) / name).read_text(encoding="utf-8")
