"""Whether a file is content, told by its path alone: names are compared as the least careful system would."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from webordinary.site import kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.routing.project import Rules

# Letters, their marks, figures, and signs that no system takes for anything but a part of a name.
_LETTERS = ("L", "M", "N", "P", "S")
_NOT_IN_NAMES = frozenset('\\:*?"<>|')
# Notes to those who work on a site are called so: AGENTS.md, README.md.
_SHOUTED = re.compile(r"[A-Z][A-Z0-9_-]+\.(?:md|markdown|rst|txt|adoc)")


class Limit(StrEnum):
    """Why a change is not for a mail alone; the words for it stand with the words of all mails."""

    FILES = "too_many_files"
    LINES = "too_many_lines"
    PLACE = "protected_place"
    NAME = "odd_name"
    BUILD = "part_of_the_build"
    SERVER = "server_setting"
    AGENT = "note_to_programs"
    PROGRAM = "program"
    TEMPLATE = "template"
    KIND = "unknown_kind"
    DISGUISED = "disguised"
    ACTIVE = "active_content"


def judge_source(path: str, rules: Rules, build: Sequence[str] = ()) -> Limit | None:
    """Return why a mail alone may not change this file of the repository; None when it may."""
    if not _is_plain(path):
        return Limit.NAME
    if rules.allowed_paths:
        return _judge_by_patterns(path, rules.allowed_paths)
    if any(part.startswith(".") for part in path.split("/")):
        return Limit.PLACE
    if _is_named_by(build, path):
        return Limit.BUILD
    return _judge_name(path) or _judge_kind(path, templates=rules.templates)


def judge_output(path: str, rules: Rules, output: str = ".") -> Limit | None:
    """Return why a file of the built site may not appear, change or go by a mail alone; None when it may."""
    if not _is_plain(path):
        return Limit.NAME
    places = (path, posixpath.normpath(posixpath.join(output, path)))
    if any(_judge_by_patterns(place, rules.allowed_paths) is None for place in places):
        return None
    return _judge_built_name(path) or _judge_built_kind(path, templates=rules.templates)


def ending_of(path: str) -> str:
    """Return what a file's name ends with, in small letters and without the dot; no look-alike is an ending."""
    ending = posixpath.splitext(path)[1][1:]
    return ending.lower() if ending.isascii() else ""


def is_template(path: str) -> bool:
    """Tell whether a file of this name runs while the site is built, or is put into what does."""
    folders, ending = _parted(path)[0], ending_of(path)
    return ending in kinds.TEMPLATES or (ending in kinds.WRITTEN and not kinds.TEMPLATE_FOLDERS.isdisjoint(folders))


def shown(path: str) -> str:
    """Return a path as a person may read it: what cannot be seen, or turns a line round, is spelled out."""
    return "".join(sign if _may_stand_in_a_name(sign) or sign == "/" else ascii(sign)[1:-1] for sign in path)


def _is_plain(path: str) -> bool:
    """Tell whether every system takes this path for the same one."""
    parts = path.split("/")
    is_whole = all(part and part == part.strip() and not part.endswith(".") for part in parts)
    return is_whole and all(_may_stand_in_a_name(sign) for part in parts for sign in part)


def _may_stand_in_a_name(sign: str) -> bool:
    return sign == " " or (unicodedata.category(sign)[0] in _LETTERS and sign not in _NOT_IN_NAMES)


def _parted(path: str) -> tuple[list[str], str]:
    *folders, name = (unicodedata.normalize("NFKC", part).casefold() for part in path.split("/"))
    return folders, name


def _judge_by_patterns(path: str, patterns: Sequence[str]) -> Limit | None:
    """Say what the project's own list says; what a server would run has to be named there by its ending."""
    fitting = [pattern for pattern in patterns if fnmatchcase(path, pattern)]
    if not fitting:
        return Limit.PLACE
    name = posixpath.basename(path)
    is_named = any(ending_of(pattern) == ending_of(name) for pattern in fitting)
    return None if is_named or not _runs_on_servers(name.casefold()) else Limit.PROGRAM


def _runs_on_servers(name: str) -> bool:
    inner = name.split(".")[1:-1]
    return name.rpartition(".")[2] in kinds.RUN_BY_SERVERS or not kinds.RUN_INSIDE_NAMES.isdisjoint(inner)


def _is_named_by(build: Sequence[str], path: str) -> bool:
    """Tell whether the build command is given this file as settings, also by `--config=FILE`; it may name pages."""
    if ending_of(path) not in kinds.DATA:
        return False
    words = (word for argument in build for word in re.split(r"[\s=,;:]+", argument) if word)
    return any(posixpath.normpath(word).casefold() == path.casefold() for word in words)


def _judge_name(path: str) -> Limit | None:
    """Take out what programs look for by its name, wherever it lies."""
    folders, name = _parted(path)
    if not kinds.NEVER_CONTENT.isdisjoint(folders):
        return Limit.BUILD
    if name in kinds.FOR_AGENTS or _SHOUTED.fullmatch(posixpath.basename(path)):
        return Limit.AGENT
    if name in kinds.FOR_SERVERS:
        return Limit.SERVER
    if name in kinds.FOR_BUILDS or "config" in name.split(".")[1:]:
        return Limit.BUILD
    return Limit.PROGRAM if _runs_on_servers(name) else None


def _judge_kind(path: str, *, templates: bool) -> Limit | None:
    folders, ending = _parted(path)[0], ending_of(path)
    if is_template(path):
        return None if templates else Limit.TEMPLATE
    if ending in kinds.CONTENT:
        return None
    if ending in kinds.DATA:
        return None if not kinds.DATA_FOLDERS.isdisjoint(folders) else Limit.BUILD
    return _judge_unknown(path)


def _judge_built_name(path: str) -> Limit | None:
    folders, name = _parted(path)
    parts = {*folders, name} - kinds.WRITTEN_BY_BUILDS
    if any(part.startswith(".") or part in kinds.FOR_SERVERS for part in parts):
        return Limit.SERVER
    if name in kinds.FOR_BUILDS:
        return Limit.BUILD
    return Limit.PROGRAM if _runs_on_servers(name) else None


def _judge_built_kind(path: str, *, templates: bool) -> Limit | None:
    bare = posixpath.splitext(path)[0] if ending_of(path) in kinds.PACKED else path
    known = kinds.CONTENT | kinds.BUILT | kinds.DATA | (kinds.TEMPLATES if templates else frozenset())
    return None if ending_of(bare) in known else _judge_unknown(bare)


def _judge_unknown(name: str) -> Limit:
    return Limit.PROGRAM if ending_of(name) in kinds.PROGRAMS else Limit.KIND
