"""A receipt in the words of a language: what is different now, or what would be if somebody says ok."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.site.read.structured import in_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webordinary.jobs.lines import ChangeLine, KindLine
    from webordinary.reply.words import Phrases


def tell_change(line: ChangeLine, phrases: Phrases, *, is_done: bool) -> str:
    """Tell what changed, or would change; what is no such line is told as it stands."""
    patterns = phrases.changes if is_done else {**phrases.changes, **phrases.would}
    pattern = patterns.get(line.kind)
    if pattern is None or not line.texts:
        return " ".join(line.fields)
    region = phrases.regions.get(line.place) if line.count else None
    where = _pages(line.texts[0], line.count, phrases, region or "{}")
    where = where if region else ", ".join(filter(None, (where, _place(line.place, phrases))))
    return filled(pattern, [where, *line.texts[1:]])


def tell_unasked(line: KindLine, phrases: Phrases) -> str:
    """Tell what nobody asked for, such as `words_gone`, as it would be."""
    pattern = phrases.unasked.get(line.kind)
    return filled(pattern, line.texts) if pattern else " ".join(line.fields)


def filled(pattern: str, parts: Sequence[str]) -> str:
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
