"""The sample site is a site that one can build on: whole, linked and readable."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from pathlib import Path

PAGES = ("index.html", "menu.html", "about.html", "contact.html", "404.html")


class Page(HTMLParser):
    """What the tests ask of one page: its tags with their attributes, and its title."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.title = ""
        self._in_title = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self._in_title = tag == "title"

    def handle_endtag(self, tag: str) -> None:
        self._in_title = self._in_title and tag != "title"

    def handle_data(self, data: str) -> None:
        self.title += data if self._in_title else ""

    def named(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def addresses(self) -> list[str]:
        return [found[key] for _, found in self.tags for key in ("href", "src") if key in found]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("amelia") / "site"
    copy_sample_site(folder)
    return folder


@pytest.fixture(params=PAGES)
def page(site: Path, request: pytest.FixtureRequest) -> Page:
    return Page((site / str(request.param)).read_text(encoding="utf-8"))


def resolves(site: Path, page: Page, address: str) -> bool:
    path, _, fragment = address.partition("#")
    if not path:
        return any(attributes.get("id") == fragment for _, attributes in page.tags)
    target = site / path.removeprefix("/")
    return (target / "index.html").is_file() if path.endswith("/") else target.is_file()


def test_the_copy_has_exactly_the_pages_that_are_checked_here(site: Path) -> None:
    assert {path.name for path in site.rglob("*.html")} == set(PAGES)


def test_every_internal_link_and_picture_resolves(site: Path, page: Page) -> None:
    internal = [address for address in page.addresses() if not address.startswith(("tel:", "mailto:"))]
    assert [address for address in internal if not resolves(site, page, address)] == []


def test_every_internal_address_begins_at_the_root_so_that_each_page_works_on_each_host(page: Page) -> None:
    beginnings = ("/", "#", "tel:", "mailto:")
    strangers = [a for a in page.addresses() if not a.startswith(beginnings) or a.startswith("//")]
    assert strangers == []


def test_every_page_has_one_heading_and_a_title(page: Page) -> None:
    assert len(page.named("h1")) == 1
    assert page.title.strip()


def test_every_page_says_its_language_and_fits_a_phone(page: Page) -> None:
    assert page.named("html") == [{"lang": "en"}]
    viewports = [meta["content"] for meta in page.named("meta") if meta.get("name") == "viewport"]
    assert viewports == ["width=device-width, initial-scale=1"]


def test_every_picture_has_an_alternative_text_and_its_size(page: Page) -> None:
    needed = {"alt", "width", "height"}
    assert [picture for picture in page.named("img") if not needed <= picture.keys()] == []


def test_every_picture_in_the_folder_is_shown_somewhere(site: Path) -> None:
    html = "".join((site / name).read_text(encoding="utf-8") for name in PAGES)
    pictures = [f"/{path.relative_to(site).as_posix()}" for path in site.rglob("*.svg")]
    assert [picture for picture in pictures if picture not in html] == []


def test_the_opening_hours_stand_exactly_where_the_notes_say(site: Path) -> None:
    with_hours = {name for name in PAGES if "8:00" in (site / name).read_text(encoding="utf-8")}
    assert with_hours == {"index.html", "contact.html"}
    notes = (site / "WEBORDINARY.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in notes for name in with_hours)


def test_copying_twice_leaves_the_same_files(site: Path) -> None:
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    copy_sample_site(site)
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before
