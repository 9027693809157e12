"""A receipt in the words of a language: what is different now, or what would be if somebody says ok."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.site.read.structured import in_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.reply.words import Phrases


def tell_change(fields: list[str], phrases: Phrases, *, is_done: bool) -> str:
    """Tell `words@title*12/40<TAB>Contact, Menu, …<TAB>before<TAB>after`; what is no such line is told as it stands."""
    what, _, count = fields[0].partition("*")
    kind, _, place = what.partition("@")
    patterns = phrases.changes if is_done else {**phrases.changes, **phrases.would}
    pattern = patterns.get(kind)
    if pattern is None or len(fields) == 1:
        return " ".join(fields)
    region = phrases.regions.get(place) if count else None
    where = _pages(fields[1], count, phrases, region or "{}")
    where = where if region else ", ".join(filter(None, (where, _place(place, phrases))))
    return filled(pattern, [where, *fields[2:]])


def tell_unasked(fields: list[str], phrases: Phrases) -> str:
    """Tell `words_gone<TAB>4.80 €`, which nobody asked for, as it would be."""
    pattern = phrases.unasked.get(fields[0])
    return filled(pattern, fields[1:]) if pattern else " ".join(fields)


def filled(pattern: str, parts: list[str]) -> str:
    """Fill a phrase; a line with too few parts is torn, and an empty place is better than no mail."""
    return pattern.format(*parts, *[""] * pattern.count("{}"))


def _pages(names: str, count: str, phrases: Phrases, region: str) -> str:
    """Tell on which pages: all of them, or so many with the names of some."""
    some, _, all_of_them = count.partition("/")
    if not some:
        return names
    is_all = some == all_of_them
    some = f"{int(some):,}".replace(",", phrases.thousands) if some.isdecimal() else some
    on = phrases.on_pages if region == "{}" else phrases.of_pages
    told = on["all"].format(some) if is_all else on["some"].format(some, names)
    return region.format(told)


def _place(place: str, phrases: Phrases) -> str:
    name, _, field = place.partition(":")
    if not field:
        return phrases.places.get(name, name)
    return phrases.for_programs.format(_called(field, phrases.fields))


def _called(field: str, known: Mapping[str, str]) -> str:
    return known.get(field) or known.get(field.rpartition(":")[2]) or in_words(field)
