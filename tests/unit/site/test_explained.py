"""Whether a request explains what changed, and what waits for an ok because it does not."""

from __future__ import annotations

import pytest

from webordinary.site.checks.explained import find_unexplained
from webordinary.site.checks.run import Finding, Problem
from webordinary.site.read.index import SiteIndex
from webordinary.site.read.page_reader import read_page
from webordinary.site.receipt.changes import take_receipt

FOOTER = "<footer><p>Amelia's Bakery, call us at 030 123456</p></footer>"
PAGES = {
    "index": "<h1>Welcome</h1><p>Fresh bread every day.</p><p>We open at 8:00.</p>",
    "team": "<h1>Our team</h1><p>Scott bakes, and Amelia sells.</p><p>Both like cats.</p>",
    "menu": "<h1>Cakes</h1><p>Apple cake 4.80</p><p>Cheese cake 5.20</p><p>All of them are made here.</p>",
}


def site(pages: dict[str, str], footer: str = FOOTER) -> SiteIndex:
    made = {
        f"{name}.html": read_page(f"<title>{name.title()} | Amelia's Bakery</title>{html}{footer}")
        for name, html in pages.items()
    }
    return SiteIndex(made, {name: str(hash(page)) for name, page in made.items()})


def changed(**pages: tuple[str, str]) -> SiteIndex:
    new = dict(PAGES)
    for name, (before, after) in pages.items():
        assert before in new.get(name, before)
        new[name] = new.get(name, before).replace(before, after)
    return site(new)


def unexplained(request: str, new: SiteIndex, most: int = 0) -> tuple[Finding, ...]:
    old = site(PAGES)
    return find_unexplained(request, old, new, take_receipt(old, new), most=most)


INSULT = ("Both like cats.", "Both are idiots.")


@pytest.mark.parametrize(
    "request_",
    [
        "We open at nine from now on.",
        "Wir öffnen ab jetzt um neun.",
        "Apple cake is 5.00 now.",
        "New hours: 9:00 please",
    ],
)
def test_words_on_another_page_that_nobody_spoke_of_wait(request_: str) -> None:
    new = changed(index=("8:00", "9:00"), menu=("4.80", "5.00"), team=INSULT)
    assert unexplained(request_, new) == (Finding(Problem.UNEXPLAINED, " → ".join(INSULT)),)
    assert unexplained(request_, new, most=1) == ()


@pytest.mark.parametrize(
    ("request_", "pages"),
    [
        ("We open at nine from now on.", {"index": ("We open at 8:00.", "We open at 9:00.")}),
        ("Wir machen ab jetzt um neun auf.", {"index": ("8:00", "9:00")}),
        ("Please write on the team page that Scott is on holiday.", {"team": ("bakes", "is on holiday")}),
        ("On the team page, dogs instead of cats please", {"team": ("cats", "dogs")}),
        ("Please make the words on the first page nicer.", {"index": ("Fresh bread every day.", "Come and taste!")}),
        ("Add a section about weddings: we bake for 100 guests.",
         {"menu": ("<p>All of", "<h2>Weddings</h2><p>We bake for 100 guests.</p><p>Ask us!</p><p>Soon.</p><p>All of")}),
        ("Apple cake is sold out, take it off", {"menu": ("<p>Apple cake 4.80</p>", "")}),
        ("Scott has left us.", {"team": ("Scott bakes, and Amelia sells.", "Amelia bakes and sells.")}),
        ("Everything is made here, say so on all pages",
         {"index": ("every day", "every day, made here"), "team": ("cats", "cats. All is made here")}),
        ("Please correct the spelling everywhere.", {"index": ("Fresh", "Frehs"), "team": ("Both", "Boht")}),
    ],
)  # fmt: skip
def test_what_was_asked_for_waits_for_nobody(request_: str, pages: dict[str, tuple[str, str]]) -> None:
    assert unexplained(request_, changed(**pages)) == ()


def test_the_same_change_on_many_pages_is_one() -> None:
    old = site(PAGES | {f"more{number}": "<p>More</p>" for number in range(9)})
    for words in ("phone us", "visit us"):
        new = site(PAGES | {f"more{number}": "<p>More</p>" for number in range(9)}, FOOTER.replace("call us", words))
        assert find_unexplained("Please write phone in the footer", old, new, take_receipt(old, new)) == ()


def test_a_new_page_that_nobody_asked_for_waits() -> None:
    new = site(PAGES | {"casino": "<p>Win money now</p>", "wedding": "<h1>Wedding cakes</h1><p>For you two</p>"})
    (found,) = unexplained("Add a page about wedding cakes", new)
    assert "Win money now" in found.about


def test_more_than_a_little_beside_what_was_asked_for_waits() -> None:
    rest = "".join(f"<p>Line {letter} stays.</p>" for letter in "abcdefgh")
    old = site(PAGES | {"menu": PAGES["menu"] + rest})
    for count, is_held in ((3, False), (8, True)):
        other = rest
        for letter in "abcdefgh"[:count]:
            other = other.replace(f"Line {letter} stays.", f"Entirely different {letter * 5}!")
        new = site(PAGES | {"menu": PAGES["menu"].replace("Cheese cake 5.20", "Cheese cake 5.90") + other})
        found = find_unexplained("Cheese cake is 5.90", old, new, take_receipt(old, new))
        assert bool(found) == is_held
