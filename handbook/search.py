"""What the search of the site looks through: the sections of every page, each with its words once."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from handbook.write import Section, Written

_WORD = re.compile(r"[\w.@/-]{3,}")
_EXCERPT = 100
# A word that stands in so many of the sections finds nothing.
_TOO_COMMON = 0.15


def index_of(pages: Iterable[Written]) -> str:
    """Return a script and no JSON: a page that is opened from a disk may load scripts only."""
    sections = [(written, section, _words(section)) for written in pages for section in written.sections]
    counted = Counter(word for _, _, words in sections for word in words)
    common = {word for word, number in counted.items() if number > _TOO_COMMON * len(sections)}
    rows = [
        [
            page.page.target,
            page.title,
            section.title,
            section.anchor,
            _excerpt(section),
            " ".join(sorted(words - common)),
        ]
        for page, section, words in sections
    ]
    return f"window.handbook = {json.dumps(rows, ensure_ascii=False, separators=(',', ':'))};\n"


def _words(section: Section) -> set[str]:
    return {word.strip("./-").lower() for text in section.words for word in _WORD.findall(text)} - {""}


def _excerpt(section: Section) -> str:
    text = " ".join(" ".join(section.words).split())
    return text if len(text) <= _EXCERPT else text[:_EXCERPT].rpartition(" ")[0] + " …"
