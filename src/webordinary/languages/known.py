"""The languages that are known here: the built-in ones, and those that other packages bring by an entry point."""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Final

from webordinary.languages.de import GERMAN
from webordinary.languages.en import ENGLISH
from webordinary.languages.es import SPANISH
from webordinary.languages.fr import FRENCH
from webordinary.languages.it import ITALIAN
from webordinary.languages.language import NOTHING, Language
from webordinary.languages.nl import DUTCH
from webordinary.languages.others import OTHERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GROUP: Final = "webordinary.languages"
_BUILT_IN: Final = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH)
_log = logging.getLogger(__name__)


@cache
def known() -> tuple[Language, ...]:
    """Return every language, English first; what a package brings stands behind the built-in ones."""
    found = {each.code: each for each in _BUILT_IN}
    for each in _from_outside():
        found.setdefault(each.code, each)
    return tuple(found.values())


def codes() -> tuple[str, ...]:
    """Return the two letters of every language."""
    return tuple(each.code for each in known())


@cache
def find(code: str) -> Language | None:
    """Return the language with this code."""
    return next((each for each in known() if each.code == code), None)


@cache
def telling_words() -> dict[str, str]:
    """Return the small words that only one language has, and one of ours, each with its code."""
    spoken_in: dict[str, list[str]] = {}
    for each in (*known(), OTHERS):
        for word in each.detected_by.split():
            spoken_in.setdefault(word, []).append(each.code)
    return {word: code for word, (code, *others) in spoken_in.items() if code and not others}


def any_of(*pieces: Callable[[Language], str]) -> str:
    """Return one pattern for what any language says; none of it is empty, because that would match everything."""
    said = dict.fromkeys(piece(each) for piece in pieces for each in (*known(), OTHERS))
    return "|".join(each for each in said if each and each != NOTHING) or NOTHING


def listed(piece: Callable[[Language], str], separator: str = "|") -> frozenset[str]:
    """Return the words or phrases of all languages."""
    said = (piece(each) for each in (*known(), OTHERS))
    return frozenset(word for text in said if text != NOTHING for word in text.split(separator) if word)


def _from_outside() -> Iterator[Language]:
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        if (language := _loaded(point)) is not None:
            yield language


def _loaded(point: EntryPoint) -> Language | None:
    """Return the language of an entry point; a package that is broken must not keep everybody else's mails waiting."""
    try:
        language = point.load()
    except Exception:  # noqa: BLE001 - whatever another package raises
        _log.exception(
            "The language %s cannot be loaded from %s: mend or remove that package.", point.name, point.value
        )
        return None
    if not isinstance(language, Language):
        _log.error("The entry point %s of %s is no Language: mend or remove that package.", point.name, point.value)
        return None
    return language
