"""Markdown to the HTML of one page: its headings get names, its links lead to pages of the site."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from markdown_it import MarkdownIt

from handbook.flow import drawn
from handbook.shelf import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markdown_it.token import Token

    from handbook.shelf import Shelved

_ELSEWHERE = re.compile(r"^(?:[a-z]+:|//)")
_READER = MarkdownIt("commonmark", {"html": True}).enable("table")


@dataclass(slots=True)
class Section:
    """A heading, the name under which it can be linked, and the words below it."""

    title: str
    anchor: str
    level: int
    words: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Written:
    """A page of the site: its HTML, its sections, and the files that it shows or offers."""

    page: Shelved
    html: str
    sections: list[Section]
    files: dict[str, Path]

    @property
    def title(self) -> str:
        return self.sections[0].title


def write(page: Shelved, targets: Mapping[Path, str]) -> Written:
    """Write one page; `targets` says where each document lies in the site."""
    tokens = _READER.parse(page.source.read_text(encoding="utf-8"))
    links = Links(page, targets)
    sections = _sections(tokens)
    for token in _flat(tokens):
        _lead(token, "href", links)
        _lead(token, "src", links)
    html = _READER.renderer.render(tokens, _READER.options, {})
    return Written(page, _widened(_with_pictures(html)), sections, links.files)


def anchor_of(title: str) -> str:
    """Return the name of a heading as GitHub makes it: lower case, hyphens for spaces, nothing else."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


class Links:
    """Leads links of the repository to their place in the site."""

    def __init__(self, page: Shelved, targets: Mapping[Path, str]) -> None:
        self._page = page
        self._targets = targets
        self.files: dict[str, Path] = {}

    def led(self, link: str) -> str:
        """Return the link as it is in the site; what leads nowhere stays, and is found when links are checked."""
        path, mark, anchor = link.partition("#")
        if _ELSEWHERE.match(link) or not path:
            return link
        source = Path(os.path.normpath(self._page.source.parent / unquote(path)))
        if (target := self._targets.get(source)) is None and source.is_file() and source.is_relative_to(ROOT):
            target = self._offered(source)
        if target is None:
            return link
        return os.path.relpath(target, Path(self._page.target).parent) + mark + anchor

    def _offered(self, source: Path) -> str:
        name = str(source.relative_to(ROOT)).removeprefix("docs/")
        target = name if source.suffix in {".svg", ".png", ".webp", ".jpg"} else f"files/{source.name}"
        self.files[target] = source
        return target


def _lead(token: Token, attribute: str, links: Links) -> None:
    link = token.attrGet(attribute)
    if isinstance(link, str):
        token.attrSet(attribute, links.led(link))


def _flat(tokens: Sequence[Token]) -> list[Token]:
    return [each for token in tokens for each in (token, *_flat(token.children or []))]


def _sections(tokens: Sequence[Token]) -> list[Section]:
    """Name every heading, and collect what stands below it."""
    sections: list[Section] = []
    taken: dict[str, int] = {}
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            title = _words_of(tokens[number + 1])
            anchor = anchor_of(title)
            taken[anchor] = taken.get(anchor, -1) + 1
            if taken[anchor]:
                anchor = f"{anchor}-{taken[anchor]}"
            token.attrSet("id", anchor)
            sections.append(Section(title, anchor, int(token.tag[1])))
        elif token.type in {"inline", "fence", "code_block"} and sections:
            sections[-1].words.append(_words_of(token))
    return sections


def _words_of(token: Token) -> str:
    if token.type != "inline":
        return token.content
    return "".join(each.content if each.type != "softbreak" else " " for each in token.children or [])


def _with_pictures(html: str) -> str:
    """Draw what a page only describes in the language of Mermaid."""
    block = re.compile(r'<pre><code class="language-mermaid">(.*?)</code></pre>', re.DOTALL)
    return block.sub(lambda found: drawn(found[1]), html)


def _widened(html: str) -> str:
    """Let a wide table move sideways in a frame of its own, reached by the keyboard too."""
    opened = html.replace("<table>", '<div class="wide" tabindex="0" role="region" aria-label="table"><table>')
    return opened.replace("</table>", "</table></div>")
