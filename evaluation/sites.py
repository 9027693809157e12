"""The four sites of the evaluation, each built by its own generator; what a machine lacks is left out and said."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.site.read.page_reader import read_page
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from collections.abc import Mapping

_HERE = Path(__file__).parent
_ROOT = _HERE.parent


@dataclass(frozen=True, slots=True)
class Sample:
    """A site to be edited: its build, where that leaves the pages, and the programs that it takes."""

    name: str
    build: tuple[str, ...] = ()
    output: str = "."
    programs: tuple[str, ...] = ()
    templates: bool = False

    def copy_to(self, folder: Path) -> None:
        if self.name == "plain":
            copy_sample_site(folder)
        elif self.name == "astro":
            copy_sample_site(folder, "sample_astro")
        elif self.name == "eleventy":
            shutil.copytree(_ROOT / "tests" / "starter_eleventy", folder, dirs_exist_ok=True)
        else:
            shutil.copytree(_HERE / "sites" / self.name, folder, dirs_exist_ok=True)

    def missing(self) -> list[str]:
        """Return the programs that this machine lacks."""
        return [program for program in self.programs if shutil.which(program) is None]


SAMPLES: Mapping[str, Sample] = {
    "plain": Sample("plain"),
    "eleventy": Sample("eleventy", ("npx", "eleventy"), "_site", ("node", "npm"), templates=True),
    "hugo": Sample("hugo", ("hugo", "--quiet", "--noBuildLock"), "public", ("hugo",), templates=True),
    "astro": Sample("astro", ("npm", "run", "build"), "dist", ("node", "npm"), templates=True),
}


def visible_pages(folder: Path) -> dict[str, str]:
    """Return what a visitor reads on each page, on one line: its title, its texts and its pictures."""
    return {
        path.relative_to(folder).as_posix(): _visible(path) for path in sorted(folder.rglob("*.html")) if path.is_file()
    }


def _visible(path: Path) -> str:
    page = read_page(path.read_bytes())
    return " ".join([page.title, *page.texts, *(f"[{picture}]" for picture in page.pictures)])
