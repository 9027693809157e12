"""Search by content: mails, requests and answers with their receipts, found by the words in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

# Longer questions are cut: nobody types so many words.
MOST_WORDS = 12
_LONGEST_WORD = 60
_AROUND = 90
_TYPED = re.compile(r'"([^"]*)"|([^\s"]+)')


class SearchKind(StrEnum):
    """What was found."""

    REQUEST = "job"
    ANSWER = "letter"
    MAIL = "mail"


class SearchTerm(NamedTuple):
    """Words that stand together in what is looked for; with `is_beginning` the last of them may go on."""

    text: str
    is_beginning: bool = False


class ExcerptPart(NamedTuple):
    """A piece of an excerpt."""

    text: str
    is_match: bool = False


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One thing that has all the words; its job is the one that it is about."""

    kind: SearchKind
    id: str
    at: datetime
    title: str
    excerpt: tuple[ExcerptPart, ...]
    job: str | None = None
    project: str | None = None
    person: str | None = None


@dataclass(frozen=True, slots=True)
class SearchHits:
    """A page of what was found, newest first; `after` is where the next page begins.

    `reaches_to` says that nothing older was looked at; None means that everything was.
    """

    items: Sequence[SearchHit]
    after: str | None = None
    reaches_to: datetime | None = None


class ContentSearch(Protocol):
    """Finds words; they are data, whatever signs stand in them."""

    def find(
        self,
        words: str,
        *,
        projects: tuple[str, ...] | None = None,
        after: str | None = None,
        limit: int = 50,
    ) -> SearchHits:
        """Return what has all of these words, the newest first; nothing for a text without a word."""

    def catch_up(self) -> bool:
        """Read a small part of what is new or changed; True when there is nothing left to read."""


def terms_of(words: str) -> list[SearchTerm]:
    """Return what somebody typed as terms: words in quotes stand together, a star ends the beginning of a word."""
    found = []
    for phrase, word in _TYPED.findall(words.replace("\x00", " ")):
        text = (phrase or word)[:_LONGEST_WORD]
        if any(sign.isalnum() for sign in text):
            found.append(SearchTerm(text.rstrip("*"), is_beginning=text.endswith("*")))
    return found[:MOST_WORDS]


def excerpt_of(text: str, terms: Sequence[SearchTerm]) -> tuple[ExcerptPart, ...]:
    """Return the place where the first of the words stands, with every word marked."""
    flat = " ".join(text.split())
    pattern = re.compile("|".join(re.escape(term.text) for term in terms) or r"(?!)", re.IGNORECASE)
    first = pattern.search(flat)
    begins = max(0, first.start() - _AROUND) if first else 0
    piece = flat[begins : begins + 3 * _AROUND]
    parts, at = ([ExcerptPart("… ")] if begins else []), 0
    for match in pattern.finditer(piece):
        parts += [ExcerptPart(piece[at : match.start()]), ExcerptPart(match[0], is_match=True)]
        at = match.end()
    ending = " …" if begins + len(piece) < len(flat) else ""
    return tuple(part for part in (*parts, ExcerptPart(piece[at:] + ending)) if part.text)


def has_all(text: str, terms: Sequence[SearchTerm]) -> bool:
    """Tell whether a text has every term, where nothing but the text itself can be looked at."""
    folded = text.casefold()
    return bool(terms) and all(_stands_in(term, folded) for term in terms)


def _stands_in(term: SearchTerm, folded: str) -> bool:
    ends = "" if term.is_beginning else r"(?!\w)"
    return re.search(rf"(?<!\w){re.escape(term.text.casefold())}{ends}", folded) is not None
