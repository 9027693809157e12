"""Looks into files: whether one is what its name says, and whether a page brings a program along."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from webordinary.jobs.job import FileProblem
from webordinary.media.recognise import PROGRAM, UNKNOWN, is_text, recognise
from webordinary.media.svg import find_problem
from webordinary.site.content import DOCUMENTS, FONTS, PICTURES, SOUND_AND_FILM, TEMPLATES, WRITTEN, Limit, ending_of

if TYPE_CHECKING:
    from pathlib import Path

_MOST_LOOKED_AT = 20_000_000
_WRITTEN = WRITTEN | TEMPLATES | frozenset(["vtt", "srt", "ics", "vcf", "gpx", "kml", "csv", "tsv"])
_WRITTEN_BY_BUILDS = _WRITTEN | frozenset(["js", "mjs", "map", "rss", "atom", "xsl", "xslt", "webmanifest"])
_SOUND_AND_FILM = ("audio/", "video/", "application/ogg")
# What the bytes may be, by what the name says; what nobody recognises is left to browsers, which do not run it.
_FAMILIES = (
    (PICTURES, ("image/",)),
    (SOUND_AND_FILM, _SOUND_AND_FILM),
    (FONTS, ("font/",)),
    (frozenset({"pdf"}), ("application/pdf",)),
    (DOCUMENTS, ("application/",)),
)
# A generator reads what stands here as data; every other language would be a program.
_SAYS_LANGUAGE = re.compile(r"\ufeff?---[^\S\n]*(?P<language>[^\s-][^\n]*)?(?:\r?\n|\Z)")
_DATA_LANGUAGES = frozenset({"", "yaml", "yml", "json", "toml"})
_OTHER_ENGINE = re.compile(r"^\s*[\"']?templateEngineOverride\b", re.MULTILINE)


def look_at(path: str, content: bytes) -> Limit | None:
    """Return what is wrong with the content of a file that is content by its name; None when nothing is."""
    ending = ending_of(path)
    if ending == "svg":
        return _look_at_drawing(content)
    if not content:
        return None
    kind = recognise(content, posixpath.basename(path))
    if ending in _WRITTEN_BY_BUILDS:
        return Limit.DISGUISED if kind == PROGRAM or not is_text(content) else None
    family = next((types for endings, types in _FAMILIES if ending in endings), None)
    if family is None or kind == UNKNOWN or (kind != PROGRAM and kind.startswith(family)):
        return None
    return Limit.DISGUISED


def read_bounded(path: Path) -> bytes | None:
    """Return a file's content; None when it is too large to be looked at."""
    with path.open("rb") as file:
        content = file.read(_MOST_LOOKED_AT + 1)
    return content if len(content) <= _MOST_LOOKED_AT else None


def is_looked_into(path: str) -> bool:
    """Tell whether a file has to be looked at as a whole: pictures and films are known by how they begin."""
    return ending_of(path) in _WRITTEN_BY_BUILDS


def front_matter_program(content: bytes) -> str:
    """Return what a generator would run at the top of a page; empty when it would run nothing."""
    text = content.decode("utf-8", errors="replace")
    said = _SAYS_LANGUAGE.match(text)
    if said is None:
        return ""
    head = text[said.end() :].partition("\n---")[0]
    language = (said["language"] or "").strip().lower()
    return f"{language}\n{head}" if language not in _DATA_LANGUAGES or _OTHER_ENGINE.search(head) else ""


def _look_at_drawing(content: bytes) -> Limit | None:
    match find_problem(content):
        case FileProblem.NONE:
            return None
        case FileProblem.ACTIVE_SVG:
            return Limit.ACTIVE
        case _:
            return Limit.DISGUISED
