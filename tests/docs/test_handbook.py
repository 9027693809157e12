"""The documents build to a site whose links lead somewhere, and its pages say what the product does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from handbook.build import build
from handbook.links import broken_links
from handbook.pictures import LARGEST
from handbook.shelf import pages
from tests.tree import ROOT
from webordinary.languages import known
from webordinary.mail.words.verbs import Verb, read_verb

if TYPE_CHECKING:
    from pathlib import Path

DOCS = ROOT / "docs"
LETTERS = sorted((DOCS / "owners").glob("??.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("handbook") / "any" / "path"
    assert build(folder) == []
    return folder


def test_every_document_is_a_page_and_no_page_needs_a_server(site: Path) -> None:
    built = {page.target: (site / page.target).read_text(encoding="utf-8") for page in pages()}

    assert len(built) == len(pages())
    assert [name for name, html in built.items() if len(re.findall("<h1", html)) != 1] == []
    assert [
        name
        for name, html in built.items()
        if re.search(r'(?:src|href)="/|<script>|<style|style="|language-mermaid', html)
    ] == []
    assert {file.name for file in site.rglob("*.js")} == {"search.js", "search-index.js"}


def test_a_link_and_an_anchor_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#here">1</a> <a href="b.html#gone">2</a> <a href="c.html">3</a>')
    (tmp_path / "b.html").write_text('<h1 id="here">B</h1> <img src="gone.png"> <a href="https://example.org/">4</a>')

    assert broken_links(tmp_path) == ["a.html: b.html#gone", "a.html: c.html", "b.html: gone.png"]


@pytest.mark.parametrize("letter", LETTERS, ids=lambda letter: letter.stem)
def test_a_page_for_owners_names_words_that_the_product_understands(letter: Path) -> None:
    words = re.findall(r"^\| `(.+?)` \|", letter.read_text(encoding="utf-8"), re.MULTILINE)
    undo = words[1]

    assert [read_verb(word) for word in words] == list(Verb)
    assert f"`{undo}`" in letter.read_text(encoding="utf-8").rpartition("## ")[2]


def test_there_is_a_page_for_owners_in_every_language_of_the_product() -> None:
    assert {letter.stem for letter in LETTERS} == {language.code for language in known()}


def test_the_picture_of_the_architecture_shows_every_part_that_its_page_names() -> None:
    drawing = (DOCS / "architecture.md").read_text(encoding="utf-8").partition("```mermaid")[2].partition("```")[0]
    named = re.findall(r"[\[(]+([a-z ]+)[:\])]", drawing)
    titles = re.findall(r'class="title"[^>]*>([^<]+)<', (DOCS / "pictures" / "architecture.svg").read_text())

    assert {name.partition(" in ")[0] for name in named} <= set(titles)
    assert len(titles) > 10


def test_what_aws_costs_is_the_same_on_every_page() -> None:
    deploy = (DOCS / "howto" / "deploy-aws.md").read_text(encoding="utf-8")
    (mails,) = re.findall(r"about (\d\.\d\d) for 1,000 mails", deploy)
    (month,) = re.findall(r"^\| a month without a mail .*about (\d\.\d\d) \|$", deploy, re.MULTILINE)
    costs, readme = ((ROOT / name).read_text(encoding="utf-8") for name in ("docs/what-it-costs.md", "README.md"))

    assert f"| 1,000 mails | about {mails} |" in costs
    assert f"| a month without a mail and without a worker | about {month} |" in costs
    assert f"a thousand mails cost about {mails} US dollars" in readme
    assert f"a month in which nobody writes {month}," in readme


def test_no_picture_makes_the_first_look_slow() -> None:
    sizes = {file.name: file.stat().st_size for file in (DOCS / "pictures").iterdir()}

    assert {name: size for name, size in sizes.items() if size > LARGEST} == {}
