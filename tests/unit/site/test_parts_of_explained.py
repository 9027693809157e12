"""What a request explains and what is left: the words that differ, the pages that are meant, what goes with them."""

from __future__ import annotations

import pytest

from tests.unit.site.test_checks import check, site
from webordinary.site.checks.explained import find_unexplained, is_of_figures, topic_of
from webordinary.site.checks.run import Problem
from webordinary.site.read.elements import Page
from webordinary.site.read.index import SiteIndex
from webordinary.site.receipt.changes import take_receipt

PAGES = {
    "index": "<title>Home - Amelia</title><p>Hello</p><p>We bake daily.</p>",
    "menu": "<title>Menu - Amelia</title><p>Cheese cake 5.20</p><p>Rye bread is dark.</p>",
    "team": "<title>Team - Amelia</title><p>Scott bakes.</p>",
}
LINKED = {
    "index": "<title>Home</title><p>Hello</p><a href=menu.html>Menu</a><a href=team.html>People</a>",
    "menu": "<title>Menu</title><p>x</p>",
    "team": "<title>Team</title><p>y</p>",
}
DEARER = PAGES["menu"].replace("5.20", "5.90")
ASKED = "Cheese cake is 5.90"


def unexplained(
    request: str,
    *,
    most: int = 0,
    is_all_told: bool = True,
    was: dict[str, str] = PAGES,
    becomes: dict[str, str] | None = None,
    **pages: str,
) -> list[str]:
    old, new = site(**was), site(**(was | (becomes or pages)))
    found = find_unexplained(request, old, new, take_receipt(old, new), most=most, is_all_told=is_all_told)
    assert all(each.problem is Problem.UNEXPLAINED for each in found)
    return [each.about for each in found]


@pytest.mark.parametrize(
    ("before", "after", "is_so"),
    [
        ("Open at nine", "Open at 9", True),
        ("Cake 4.20", "Cake 4.80", True),
        ("Open nine.", "Open ten.", True),
        ("Cake 4.20", "Pie 4.80", False),
        ("", "Cake 4", False),
        ("Cake 4", "", False),
    ],
)
def test_only_figures_differ(before: str, after: str, *, is_so: bool) -> None:
    assert is_of_figures(before, after) is is_so


def test_the_topic_of_a_request_is_what_not_every_page_is_called() -> None:
    assert topic_of("The Amelia menu has cheese", site(**PAGES)) == {"menu", "chees"}
    assert topic_of("Amelia menu", site(index=PAGES["index"])) == {"ameli", "menu"}
    assert topic_of("Write rye everywhere", site(**PAGES)) >= {"rye"}


def test_what_was_asked_for_is_explained() -> None:
    assert unexplained(ASKED, menu=DEARER) == []


def test_a_text_on_a_page_that_was_not_meant_waits() -> None:
    team = PAGES["team"].replace("Scott bakes.", "Buy gold now.")
    told = ["Scott bakes. → Buy gold now."]
    assert unexplained(ASKED, menu=DEARER, team=team) == told
    assert unexplained(ASKED, menu=DEARER, team=team, most=1) == []
    assert unexplained("", team=team) == unexplained("Change it everywhere", team=team) == []


def test_beside_what_was_asked_for_a_little_may_change_if_all_of_it_is_told() -> None:
    menu = DEARER.replace("Rye bread is dark.", "Entirely new words")
    assert unexplained(ASKED, menu=menu) == []
    assert unexplained(ASKED, menu=menu, is_all_told=False) == ["Rye bread is dark. → Entirely new words"]


def test_a_text_that_is_gone_waits_unless_it_is_a_part_of_another_one_now() -> None:
    assert unexplained(ASKED, menu=DEARER.replace("<p>Rye bread is dark.</p>", "")) == ["Rye bread is dark. → -"]
    joined = DEARER.replace("</p><p>Rye bread is dark.", ". Rye bread is dark.")
    assert unexplained(ASKED, menu=joined) == []


def test_a_link_that_is_gone_waits_unless_the_request_speaks_of_its_page() -> None:
    index = "<title>Home</title><p>Hello{}</p><a href=menu.html>Menu</a>"
    assert unexplained("Say hello world", was=LINKED, index=index.format(" world")) == ["team.html → -"]
    assert unexplained("Drop the team link", was=LINKED, index=index.format("")) == []


def test_equal_changes_on_many_pages_are_one() -> None:
    was = {name: f"<title>{name}</title><p>Footer of old</p>" for name in "abcde"}
    is_now = {name: f"<title>{name}</title><p>Casino wins</p>" for name in "abcde"}
    assert unexplained("The price of bread", was=was, becomes=is_now) == []
    assert unexplained("The price of bread", was=was, is_all_told=False, becomes=is_now) == [
        "Footer of old → Casino wins"
    ]


def test_only_four_of_what_is_unexplained_are_told() -> None:
    was = {"i": "".join(f"<p>Line {letter} is here</p>" for letter in "abcdefgh"), "menu": "<p>Cake</p>"}
    is_now = "".join(f"<p>Other {letter * 4}</p>" for letter in "abcdefgh")
    assert len(unexplained("The menu has cake and pie", was=was, i=is_now, menu="<p>Cake and pie</p>")) == 4


def test_what_came_in_a_row_is_one_text() -> None:
    team = PAGES["team"].replace("Scott bakes.", "Scott bakes.</p><p>Buy gold</p><p>now and here.")
    assert unexplained(ASKED, menu=DEARER, team=team) == ["- → Buy gold now and here."]
    assert unexplained(ASKED, menu=DEARER, team=team, is_all_told=False) == ["- → Buy gold", "- → now and here."]
    gone = PAGES | {"team": team}
    assert unexplained(ASKED, was=gone, menu=DEARER, team=PAGES["team"]) == ["Buy gold now and here. → -"]


def test_the_same_words_that_became_others_where_it_is_explained_are_explained_elsewhere() -> None:
    was = PAGES | {"menu": PAGES["menu"].replace("5.20", "by Scott")}
    menu, team = was["menu"].replace("Scott", "Tom"), PAGES["team"].replace("Scott", "Tom")
    assert unexplained("The cheese cake is by Tom now", was=was, menu=menu, team=team) == []
    other = PAGES["team"].replace("Scott", "Eve")
    assert unexplained("The cheese cake is by Tom now", was=was, menu=menu, team=other) == ["Scott bakes. → Eve bakes."]


@pytest.mark.parametrize(
    ("first", "second", "meant"),
    [
        ("a/x.html", "b.html", "b.html"),
        ("about.html", "index.html", "index.html"),
        ("about.html", "team.html", "about.html"),
    ],
)
def test_without_any_hint_the_page_is_meant_on_which_most_changed(first: str, second: str, meant: str) -> None:
    def both(words: str) -> SiteIndex:
        pages = {path: Page(texts=(f"{words} {path}",)) for path in (first, second)}
        return SiteIndex(pages, dict.fromkeys(pages, words))

    old, new = both("Zebras eat"), both("Lions sleep")
    found = find_unexplained("qqq rrr", old, new, take_receipt(old, new))
    (other,) = {first, second} - {meant}
    assert [each.about for each in found] == [f"Zebras eat {other} → Lions sleep {other}"]


@pytest.mark.parametrize(
    ("old", "new", "is_told"), [(3, 2, False), (3, 1, True), (6, 4, False), (6, 3, True), (2, 1, False)]
)
def test_a_site_shrinks_when_more_than_a_third_of_it_is_gone(old: int, new: int, *, is_told: bool) -> None:
    def files(count: int) -> SiteIndex:
        return SiteIndex({}, {f"{number}.css": "" for number in range(count)})

    assert check("x", files(old), files(new)) == ([(Problem.SHRUNK, f"{old} → {new}")] if is_told else [])


def test_a_file_that_nobody_can_read_is_told_unless_it_is_live_already() -> None:
    old = SiteIndex({}, {"big.html": "1"}, unread=["big.html"])
    same = SiteIndex({}, {"moved.html": "1"}, unread=["moved.html"])
    other = SiteIndex({}, {"big.html": "2"}, unread=["big.html"])
    assert check("x", old, same) == []
    assert check("x", old, other) == [(Problem.UNREAD, "big.html")]


@pytest.mark.parametrize(
    ("path", "request_", "is_named"),
    [
        ("about-us.html", "Remove the about us page", True),
        ("about-us.html", "Remove the about_us page", True),
        ("team/index.html", "Remove the team page", True),
        ("index.html", "Remove the index", False),
        ("faq.html", "Remove the faqs", False),
        ("faq.html", "Remove the FAQ", True),
        ("team.html", "Remove the Teamseite", True),
        ("team.html", "Remove the steam", False),
    ],
)
def test_a_page_is_named_by_its_file(path: str, request_: str, *, is_named: bool) -> None:
    keeps = {f"{number}.html": Page(texts=("x",)) for number in range(4)}
    old = SiteIndex(keeps | {path: Page(texts=("y",))}, dict.fromkeys([*keeps, path], ""))
    new = SiteIndex(keeps, dict.fromkeys(keeps, ""))
    assert ((Problem.PAGE_GONE, path) not in check(request_, old, new)) is is_named
