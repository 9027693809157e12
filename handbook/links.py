"""Whether every link of a built site leads somewhere: to a file of it, and to a place in that file."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from pathlib import Path

_ELSEWHERE = re.compile(r"^(?:https?|mailto|data):")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - as the parser calls it
        for name, value in attrs:
            if name in {"href", "src"} and value is not None:
                self.links.append(value)
            elif name == "id" and value:
                self.names.add(value)


def broken_links(site: Path) -> list[str]:
    """Return each link that leads nowhere, with the page on which it stands."""
    read = {file: _read(file) for file in sorted(site.rglob("*.html"))}
    names = {file: reader.names for file, reader in read.items()}
    return [
        f"{file.relative_to(site)}: {link}"
        for file, reader in read.items()
        for link in reader.links
        if not _ELSEWHERE.match(link) and not _leads_somewhere(file, link, names)
    ]


def _read(file: Path) -> _Reader:
    reader = _Reader()
    reader.feed(file.read_text(encoding="utf-8"))
    return reader


def _leads_somewhere(file: Path, link: str, names: dict[Path, set[str]]) -> bool:
    if link.startswith("/"):
        # Under another path, or from a disk, it would lead elsewhere.
        return False
    path, _, anchor = link.partition("#")
    target = file.parent / unquote(path) if path else file
    target = type(target)(os.path.normpath(target))
    return target.is_file() and (not anchor or unquote(anchor) in names.get(target, set()))
