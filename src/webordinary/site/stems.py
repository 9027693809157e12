"""The words of a text that say what it is about, and what is the same in "Sundays" and "Sunday" of them."""

from __future__ import annotations

import re

from webordinary.languages import listed

# They stand in every other mail and say nothing about a sentence of the site.
_SMALL = listed(lambda each: each.site.small_words, " ")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SHORT = 3
_STEM = 5


def words_of(text: str) -> set[str]:
    """Return the words of a text that say what it is about."""
    return set(_WORD.findall(text.lower())) - _SMALL


def content_words(text: str) -> set[str]:
    """Return those of them that are no short ones."""
    return {word for word in words_of(text) if len(word) > _SHORT}


def stems_of(text: str) -> frozenset[str]:
    """Return how the words of a text begin that say what it is about."""
    return frozenset(word[:_STEM] for word in words_of(text))
