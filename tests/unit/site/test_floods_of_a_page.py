"""Pages and files that were made to drown whoever reads them: each is read in bounded time and memory, or told of."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from webordinary.child import run
from webordinary.site.checks import terms
from webordinary.site.checks.alarms import find_alarms
from webordinary.site.checks.explained import find_unexplained
from webordinary.site.checks.run import Finding, Problem, check_change
from webordinary.site.facts.find import find_facts, forms_of
from webordinary.site.read.index import SiteIndex, index_site, read_asset
from webordinary.site.read.page_reader import read_page
from webordinary.site.receipt.changes import take_receipt

if TYPE_CHECKING:
    from pathlib import Path

KEY = b"AKIAIOSFODNN7EXAMPLE"
# Prints by how many megabytes reading a site has made the process grow.
MEASURE = """
import resource, sys
from pathlib import Path
from webordinary.site.checks.kept_index import IndexKeeper
from webordinary.site.read.index import index_site

def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

before = most()
IndexKeeper(lambda _: '', lambda _: b'').keep(index_site(Path(sys.argv[1])))
print(most() - before)
"""


def megabytes_to_read(folder: Path) -> int:
    ended = run([sys.executable, "-c", MEASURE, str(folder)], cwd=folder, env=dict(os.environ))
    assert ended.succeeded, ended.stderr.decode()
    return int(ended.stdout)


def site(**pages: str) -> SiteIndex:
    made = {f"{name}.html": read_page(html) for name, html in pages.items()}
    return SiteIndex(made, {name: str(hash(page)) for name, page in made.items()})


@pytest.mark.thorough
def test_a_page_of_nothing_but_beginnings_of_programs_has_so_many_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "feed.xml").write_bytes(b"<?=1?>" * 3_000_000)
    index = index_site(tmp_path)
    assert 0 < len(index.programs) < 10
    assert megabytes_to_read(tmp_path) < 200


@pytest.mark.parametrize("name", ["film.mp4", "all.txt", "index.html"])
def test_a_large_file_is_read_in_parts(tmp_path: Path, name: str) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(300_000_000)
    assert megabytes_to_read(tmp_path) < 100


def test_many_large_pages_do_not_fill_the_memory(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"{number}.html").write_text("<p>ab" * 10_000)
    index = index_site(tmp_path, room=3_000_000)
    assert list(index.pages) == [f"{number}.html" for number in range(5)]
    assert index.unread == [f"{number}.html" for number in range(5, 10)]


@pytest.mark.parametrize("position", [0, 1_000_000 - 10, 1_048_576 - 10, 1_048_576, 5_000_000])
def test_a_secret_is_found_wherever_it_stands(tmp_path: Path, position: int) -> None:
    (tmp_path / "all.txt").write_bytes(b"." * position + KEY + b"." * 1_000)
    assert len(index_site(tmp_path).leaks) == 1


def test_the_same_secret_in_another_place_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_bytes(b". " * 524_280 + b"https://x.s3.amazonaws.com/a/b " + KEY)
    before = index_site(tmp_path).leaks
    (tmp_path / "all.txt").write_bytes(b". " * 524_280 + b"and more, https://x.s3.amazonaws.com/a/b " + KEY)
    assert index_site(tmp_path).leaks == before
    assert len(before) == 2


def indexed(folder: Path, **files: bytes) -> SiteIndex:
    folder.mkdir()
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_bytes(content)
    return index_site(folder)


@pytest.mark.parametrize("name", ["large_html", "large_js"])
def test_what_is_too_large_to_be_checked_needs_somebodys_ok(tmp_path: Path, name: str) -> None:
    filled = b"<p>Hello</p>" * 2_000_000
    old = indexed(tmp_path / "old", index_html=b"<p>Hello</p>")
    new = indexed(tmp_path / "new", index_html=b"<p>Hello</p>", **{name: filled})
    receipt = take_receipt(old, new)
    asked = check_change("Please add it.", old, new, receipt)
    finding = Finding(Problem.UNREAD, name.replace("_", "."))
    assert finding in asked
    assert finding.needs_ok
    # What is live already was decided before; another change need not wait for it.
    newer = indexed(tmp_path / "newer", index_html=b"<p>Hello!</p>", **{name: filled})
    assert finding not in check_change("Hello!", new, newer, take_receipt(new, newer))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "html",
    [
        "<a " * 660_000,
        "<a b='" * 330_000,
        "<!--" * 500_000,
        "<!" * 900_000,
        "</" * 900_000,
        "<script>" + "</scrip" * 280_000,
        "<" * 300_000,
        "&#" * 300_000,
        "&" * 1_900_000,
        "<p " + "x=y " * 490_000,
        "<title>" * 280_000,
        "<svg>" * 390_000 + "</svg>" * 10,
        "<p>" + "9" * 1_900_000,
        "<img srcset='" + "a " * 900_000 + "'>",
        "<div " + "/" * 1_900_000 + ">",
        "<p>" + "a@" * 200_000,
        "<p>" + "0 1 2 3 " * 50_000,
        "<p>" + "one half past " * 130_000,
        "<p>" + "main street 1 " * 130_000,
    ],
    ids=lambda html: html[:12],
)
def test_no_page_takes_longer_than_its_length(html: str) -> None:
    old, new = site(index="<p>Hello</p>"), site(index=html)
    receipt = take_receipt(old, new)
    check_change("We open at 9:00, phone 030 123456, Main Street 1", old, new, receipt)


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "".join(f"<b id={number}>" for number in range(90_000)) + "<p>x" * 90_000,
        "".join(f"<body a{number}=b>" for number in range(90_000)),
        "<table><td><b>" * 100_000 + "<p>x" * 90_000,
        "<div>" * 300_000,
    ],
    ids=lambda html: html[:12],
)
def test_a_page_that_would_fill_the_memory_is_not_read(html: str) -> None:
    assert read_page(html).is_broken


@pytest.mark.thorough
@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 90_000,
        "<p>" + "word" * 450_000,
        "<script>" + "word" * 450_000,
        "<script>'" + "\\'" * 900_000,
        "<style>" + "url(" * 400_000,
        "<style>" + "content:'" * 200_000,
        "<script type='application/ld+json'>" + "[" * 900_000,
        "<noscript>" * 190_000,
        "<template>" * 90_000,
        "<p title='" + "a " * 900_000 + "'>",
    ],
    ids=lambda html: html[:12],
)
def test_what_waits_for_an_ok_is_found_in_bounded_time(html: str) -> None:
    old, new = site(index="<p>Hello</p>"), site(index=html)
    receipt = take_receipt(old, new)
    find_alarms("We open at nine", old, new, receipt)
    find_unexplained("We open at nine", old, new, receipt)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("style.css", b"/*" * 900_000),
        ("style.css", b"a{" * 900_000),
        ("style.css", b"@import " * 240_000),
        ("style.css", b"content:" * 240_000),
        ("app.js", b'"' + b'\\"' * 900_000),
        ("app.js", b"word" * 450_000),
        ("app.js", b"//a" * 600_000),
    ],
)
def test_no_style_and_no_program_takes_longer_than_its_length(name: str, content: bytes) -> None:
    read_asset(name, content)


def test_a_number_of_any_length_is_only_a_number() -> None:
    facts = find_facts("It costs " + "1" * 6_000 + " euros")
    assert all(forms_of(fact) for fact in facts)


def test_texts_that_repeat_themselves_are_compared_in_bounded_time() -> None:
    old = site(index="<p>a</p>" * 4_000)
    new = site(index="<p>a</p><p>b</p>" * 2_000)
    assert not take_receipt(old, new).is_empty


@pytest.mark.thorough
def test_many_links_that_lead_nowhere_are_found_in_bounded_time() -> None:
    broken = "".join(f"<a href=x{number}>y</a>" for number in range(60_000))
    old, new = site(index=broken), site(index=broken + "<a href=z>z</a>")
    found = check_change("Please add z.", old, new, take_receipt(old, new))
    assert Finding(Problem.BROKEN_LINK, "index.html: z") in found


def test_many_links_that_changed_are_compared_in_bounded_time() -> None:
    def linked(host: str) -> str:
        return "".join(f"<a href=https://{host}.example/{number}>y</a>" for number in range(4_000))

    old = site(index=linked("old"), other=linked("old"), more=linked("old"))
    new = site(index=linked("new"), other=linked("new"), more=linked("new"))
    assert check_change("Please change the links.", old, new, take_receipt(old, new))


def test_a_long_text_with_many_facts_is_not_hashed_for_each_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []

    def note(text: str) -> str:
        hashed.append(text)
        return ""

    monkeypatch.setattr(terms, "mark", note)
    terms.entries_of("index.html", read_page("<p>" + "main street 1 " * 200))
    assert 0 < len(hashed) < 5
