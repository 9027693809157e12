"""What an owner's words say about the pictures of a mail: "it shows our new counter", "the second one is the oven"."""

# ruff: noqa: RUF001 - people write curly marks, and so do the patterns

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PICTURE = r"(?:photo(?:graph)?|picture|image|pic|foto|bild|imagen)s?"
_ORDINALS = (
    ("first", "1st", "erste", "première", "premiere", "primera"),
    ("second", "2nd", "zweite", "deuxième", "seconde", "segunda"),
    ("third", "3rd", "dritte", "troisième", "tercera"),
    ("fourth", "4th", "vierte", "quatrième", "cuarta"),
    ("fifth", "5th", "fünfte", "cinquième", "quinta"),
    ("last", "other", "letzte", "andere", "dernière", "última", "otra"),
)
_WHICH = "|".join(word for words in _ORDINALS for word in words)
# A dot inside of a name or a number ends no sentence.
_REST = r"(?P<what>(?!\d)(?:[^\n.;!?\[\],]|[.,](?=\S)){2,120}?)"
_NEXT_ONE = rf"(?:,|\s+and|\s+und|\s+et|\s+y)\s+(?:on\s)?(?:the|das|die|la|le)\s(?:{_WHICH})\b"
_END = rf"(?={_NEXT_ONE}|,?\s*(?:[.;!?](?!\S)|\n|\Z)|\[|,\s)"
_SHOWS = r"(?:shows?|is\sof|are\sof|depicts?|zeigt|zeigen|montren?t?|muestran?)"
_BEGINS = r"(?:(?<=[\s,;.!?\]])|\A)(?:and\s|und\s|et\s|y\s)?"
_THE = r"(?:the|das|die|la|le|l['’])\s?"
_ARTICLE = r"(?:the|our|my|an?|unsere?n?|der|die|das|den|mein|notre|nos|le|la|les|nuestr[oa]s?|el|un|una|une)"
_SAYS = re.compile(
    rf"{_BEGINS}(?:{_THE}(?P<which>{_WHICH})(?:\s(?:one|{_PICTURE}))?(?:\s{_SHOWS}|(?=\s{_ARTICLE}\s))"
    rf"|(?:{_THE}{_PICTURE}|it|they|this|these|es|sie|elle|(?P<name>[\w-]+\.\w{{3,4}}))\s{_SHOWS})\s{_REST}{_END}"
    rf"|{_BEGINS}(?:this|that|these|das|voici|esta|c['’])\s?(?:is|are|ist|sind|est|es|son)?\s"
    rf"(?P<pointed>{_ARTICLE}\s(?:[^\n.;!?\[\],]|[.,](?=\S)){{2,80}}?){_END}",
    re.IGNORECASE,
)
_OF = re.compile(
    rf"\b{_PICTURE}\s(?:of|showing|von|vom|der|unserer|unseres|de|du|del)\s(?P<what>[^\n.;!?\[\],]{{2,80}}?)"
    r"(?=\s(?:on|onto|to|for|at|in|below|auf|für|sur|pour|en|para)\b|[.;!?,\[\n]|\Z)",
    re.IGNORECASE,
)
_MARK = re.compile(r"\[picture: ([^\]\n]{1,200})\]")
_CAPTION = re.compile(r"[ \t]*\n?[ \t]*(?P<what>[^\W\d_][^\n\[]{2,79}?)[ \t]*(?=\n|\[|\Z)")
_ASKS = re.compile(
    r"\b(?:please|put|place|add|use|show|change|replace|remove|page|site|bitte|setz\w*|stell\w*|seite|mett\w*|ajout\w*"
    r"|pon\w*|a[ñn]ad\w*|página|thank\w*|dank\w*|merci|gracias|regards|grüße|hello|hi|dear)\b|[?:]\Z",
    re.IGNORECASE,
)


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
