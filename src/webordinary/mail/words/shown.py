"""What an owner's words say about the pictures of a mail: "it shows our new counter", "the second one is the oven"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.languages import any_of, known

if TYPE_CHECKING:
    from collections.abc import Sequence

_PICTURE = rf"(?:{any_of(lambda each: each.letters.pictures)})s?"
_ORDINALS = tuple(
    tuple(word for each in known() for word in each.letters.nth_picture[number].split("|")) for number in range(6)
)
_WHICH = "|".join(word for words in _ORDINALS for word in words)
_AND = any_of(lambda each: each.letters.and_)
# A dot inside of a name or a number ends no sentence.
_REST = r"(?P<what>(?!\d)(?:[^\n.;!?\[\],]|[.,](?=\S)){2,120}?)"
_THE = any_of(lambda each: each.letters.the)
_NEXT_ONE = rf"(?:,|\s+(?:{_AND}))\s+(?:on\s)?(?:{_THE})\s?(?:{_WHICH})\b"
_END = rf"(?={_NEXT_ONE}|,?\s*(?:[.;!?](?!\S)|\n|\Z)|\[|,\s)"
_SHOWS = rf"(?:{any_of(lambda each: each.letters.picture_shows)})"
_BEGINS = rf"(?:(?<=[\s,;.!?\]])|\A)(?:(?:{_AND})\s)?"
_ARTICLE = rf"(?:{any_of(lambda each: each.letters.articles)})"
_IT = any_of(lambda each: each.letters.it)
_POINTS = any_of(lambda each: each.letters.pointing)
_IS = any_of(lambda each: each.letters.is_)
_SAYS = re.compile(
    rf"{_BEGINS}(?:(?:{_THE})\s?(?P<which>{_WHICH})(?:\s(?:one|{_PICTURE}))?(?:\s{_SHOWS}|(?=\s{_ARTICLE}\s))"
    rf"|(?:(?:{_THE})\s?{_PICTURE}|{_IT}|(?P<name>[\w-]+\.\w{{3,4}}))\s{_SHOWS})\s{_REST}{_END}"
    rf"|{_BEGINS}(?:{_POINTS})\s?(?:{_IS})?\s"
    rf"(?P<pointed>{_ARTICLE}\s(?:[^\n.;!?\[\],]|[.,](?=\S)){{2,80}}?){_END}",
    re.IGNORECASE,
)
_OF = re.compile(
    rf"\b{_PICTURE}\s(?:{any_of(lambda each: each.letters.picture_of)})\s(?P<what>[^\n.;!?\[\],]{{2,80}}?)"
    rf"(?=\s(?:{any_of(lambda each: each.letters.picture_goes)})\b|[.;!?,\[\n]|\Z)",
    re.IGNORECASE,
)
_MARK = re.compile(r"\[picture: ([^\]\n]{1,200})\]")
_CAPTION = re.compile(r"[ \t]*\n?[ \t]*(?P<what>[^\W\d_][^\n\[]{2,79}?)[ \t]*(?=\n|\[|\Z)")
_ASKS = re.compile(rf"\b(?:{any_of(lambda each: each.letters.no_caption)})\b|[?:]\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Said:
    """One description: of which picture, in which words, and where in the text."""

    name: str | None
    what: str
    span: tuple[int, int]


def descriptions(text: str, names: Sequence[str]) -> dict[str, str]:
    """Return what is said of each picture, in the owner's words; what is said of none in particular is said of all."""
    said = _found(text, names)
    of_all = next((each.what for each in said if each.name is None), "")
    if not of_all and (match := _OF.search(text)):
        of_all = _tidy(match["what"])
    known = {each.name: each.what for each in reversed(said) if each.name}
    return {name: what for name in names if (what := known.get(name, of_all))}


def without_descriptions(text: str, names: Sequence[str]) -> str:
    """Return the text without what is only said about pictures: the rest is what should be done."""
    if not names:
        return text
    for each in sorted(_found(text, names), key=lambda each: each.span, reverse=True):
        start, end = each.span
        before, after = text[:start].rstrip(" ,"), text[end:]
        text = before + (after if before and before[-1] not in ".!?\n" else after.lstrip(".!?;"))
    return text


def _found(text: str, names: Sequence[str]) -> list[_Said]:
    if not names:
        return []
    said = [
        _Said(_meant(match, names), _tidy(match["what"] or match["pointed"]), match.span())
        for match in _SAYS.finditer(text)
    ]
    return [*said, *_captions(text, names)]


def _captions(text: str, names: Sequence[str]) -> list[_Said]:
    """Return the words right below a picture in the text, unless they ask for something."""
    found = []
    for mark in _MARK.finditer(text):
        caption = _CAPTION.match(text, mark.end())
        if mark[1] in names and caption and not _ASKS.search(caption["what"]) and not _SAYS.search(caption["what"]):
            found.append(_Said(mark[1], _tidy(caption["what"]), caption.span("what")))
    return found


def _meant(match: re.Match[str], names: Sequence[str]) -> str | None:
    if match["name"]:
        return next((name for name in names if name.lower() == match["name"].lower()), None)
    if not match["which"]:
        return None
    which = match["which"].lower()
    number = next(number for number, words in enumerate(_ORDINALS) if which in words)
    if number == len(_ORDINALS) - 1:
        return names[-1]
    return names[number] if number < len(names) else None


def _tidy(what: str) -> str:
    return " ".join(what.split()).strip(" .,;!")
