"""Builds the site beside its place and moves it there when it is whole."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader

from handbook.links import broken_links
from handbook.search import index_of
from handbook.shelf import MENU, forgotten, pages
from handbook.write import write

if TYPE_CHECKING:
    from handbook.write import Written

_FILES = Path(__file__).parent / "look"
_LOOK = Environment(loader=FileSystemLoader(_FILES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
_LISTED_LEVEL = 2
_FEWEST_IN_THE_LIST = 3
_WHOLE_SITE = ("style.css", "search.js")


def build(folder: Path) -> list[str]:
    """Write the site into a folder that is empty or ours, and return what is wrong with it."""
    if missing := forgotten():
        return [f"{name}: no page of the menu (handbook/shelf.py) leads there" for name in missing]
    written = [write(page, {each.source: each.target for each in pages()}) for page in pages()]
    shutil.rmtree(folder, ignore_errors=True)
    for page in written:
        _put(folder / page.page.target, _rendered(page, written))
        for target, source in page.files.items():
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / target)
    for name in _WHOLE_SITE:
        shutil.copyfile(_FILES / name, folder / name)
    _put(folder / "search-index.js", index_of(written))
    return broken_links(folder)


def _put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _rendered(page: Written, written: list[Written]) -> str:
    here, shelved = Path(page.page.target).parent, page.page
    titles = {each.page.name: each for each in written}
    menu = [
        (group, [(os.path.relpath(titles[name].page.target, here), titles[name].title, name) for name in names])
        for group, names in MENU.items()
    ]
    below = [each for each in page.sections if each.level == _LISTED_LEVEL]
    return _LOOK.get_template("page.html").render(
        title=page.title,
        language=shelved.language,
        body=page.html,
        menu=menu,
        name=shelved.name,
        contents=below if len(below) >= _FEWEST_IN_THE_LIST and shelved.language == "en" else [],
        root=os.path.relpath(".", here),
        home=os.path.relpath("index.html", here),
        letter=shelved.is_letter,
    )
