from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rigs.kept_indexes import kept_and_read
from webordinary.site.read.elements import Page
from webordinary.site.read.index import SiteIndex, index_site, resolve
from webordinary.site.read.page_reader import read_page
from webordinary.site.receipt.changes import PageChange, PagePart, Receipt, TextChange, compare, take_receipt
from webordinary.site.receipt.noise import may_be_noise, quieten

if TYPE_CHECKING:
    from pathlib import Path


def site(**pages: str) -> SiteIndex:
    made = {f"{name}.html": read_page(html) for name, html in pages.items()}
    return SiteIndex(made, {name: str(hash(page)) for name, page in made.items()})


def test_a_page_is_read_as_a_visitor_sees_it() -> None:
    page = read_page(
        "<html><head><title> Amelia's  Bakery </title><style>p {}</style><meta name=description content='Fresh bread'>"
        "</head><body><h1>Hello <em>there</em></h1><script>var x = 'hidden'</script><p>We open<br>at nine</p>"
        "<img src=counter.jpg alt='The counter'><a href=contact.html>Write</a><svg><title>no</title></svg></body>"
    )
    assert replace(page, look="", styles=(), deeds=()) == Page(
        "Amelia's Bakery",
        ("Hello there", "We open", "at nine", "Write"),
        ("counter.jpg",),
        ("contact.html",),
        "Fresh bread",
        ("The counter",),
        others=("no",),
    )


def test_words_are_told_as_they_were_and_as_they_are() -> None:
    receipt = take_receipt(
        site(index="<p>Open 8-18</p><p>Phone 1</p>", about="<p>Us</p>"),
        site(index="<p>Open 9-18</p><p>Phone 1</p><p>New</p>", about="<p>Us</p>"),
    )
    assert receipt == Receipt(
        (PageChange("index.html", "", (TextChange("Open 8-18", "Open 9-18"), TextChange("", "New"))),)
    )


def test_comments_and_spaces_are_nothing() -> None:
    before = site(index="<p class=a id=b>Same <b>words</b></p><!-- old --><script src=a.js nonce=x></script>")
    after = site(
        index="<p id='b'\n class='a'>\n  Same <b>words</b>\n</p><!-- new --><script src=a.js nonce=y></script>"
    )
    assert take_receipt(before, after).is_empty


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("<title>Old</title>", "<title>New</title>", TextChange("Old", "New", PagePart.TITLE)),
        (
            "<meta name=description content='Old bread'>",
            "<meta name=description content='Fresh bread'>",
            TextChange("Old bread", "Fresh bread", PagePart.DESCRIPTION),
        ),
        ("<img src=a.jpg>", "<img src=a.jpg alt='A cat'>", TextChange("", "A cat", PagePart.PICTURE_TEXT)),
        ("<a href=a.html>x</a>", "<a href=b.html>x</a>", TextChange("a.html", "b.html", PagePart.LINK)),
        ("<p>x</p>", "<p><a href=b.html>x</a></p>", TextChange("", "b.html", PagePart.LINK)),
        ("", "<meta name=robots content=noindex>", TextChange("", "robots noindex", PagePart.DEED)),
        (
            "<meta property='og:title' content=A>",
            "<meta property='og:title' content=B>",
            TextChange("og:title: A", "og:title: B", PagePart.DATA),
        ),
        (
            "<script type='application/ld+json'>{\"a\": 1}</script>",
            "<script type='application/ld+json'>{\"a\": 2}</script>",
            TextChange("a: 1", "a: 2", PagePart.DATA),
        ),
        (
            "<meta http-equiv=refresh content='0; url=/a'>",
            "<meta http-equiv=refresh content='0; url=/b'>",
            TextChange("refresh 0; url=/a", "refresh 0; url=/b", PagePart.DEED),
        ),
        ("<html lang=en>", "<html lang=de>", TextChange("lang: en", "lang: de", PagePart.DATA)),
        (
            "<input placeholder=Name>",
            "<input placeholder='Your name'>",
            TextChange("Name", "Your name", PagePart.OTHER),
        ),
        (
            "<iframe src='https://maps.example/a'></iframe>",
            "<iframe src='https://maps.example/b'></iframe>",
            TextChange("frame https://maps.example/a", "frame https://maps.example/b", PagePart.DEED),
        ),
        (
            "<link rel=canonical href=/a>",
            "<link rel=canonical href=/b>",
            TextChange("canonical /a", "canonical /b", PagePart.DEED),
        ),
    ],
)
def test_what_nobody_sees_at_once_is_named_as_what_it_is(before: str, after: str, words: TextChange) -> None:
    (page,) = take_receipt(site(index=before), site(index=after)).pages
    assert page.words == (words,)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<h1>Hello</h1>", "<h1 style='color: blue'>Hello</h1>"),
        ("<h1>Hello</h1>", "<h2>Hello</h2>"),
        ("<style>p {color: red}</style><p>x</p>", "<style>p {color: blue}</style><p>x</p>"),
    ],
)
def test_a_page_that_looks_or_works_otherwise_is_named(before: str, after: str) -> None:
    assert take_receipt(site(index=before), site(index=after)).pages == (
        PageChange("index.html", "", look_changed=True),
    )


def test_a_link_that_came_with_its_text_is_told_too() -> None:
    (page,) = take_receipt(site(index="<p>x</p>"), site(index="<p>x</p><p><a href=menu.html>Menu</a></p>")).pages
    assert page.words == (TextChange("", "Menu"), TextChange("", "menu.html", PagePart.LINK))
    (page,) = take_receipt(site(index="<p>x</p>"), site(index="<p>x</p><p><a href=//b.example>Menu</a></p>")).pages
    assert page.words == (TextChange("", "Menu"), TextChange("", "//b.example", PagePart.LINK))


def test_a_look_that_every_build_makes_anew_is_left_out() -> None:
    old, again, new = (site(index=f"<p data-build={each}>x</p>") for each in "abc")
    assert not take_receipt(old, new).is_empty
    assert may_be_noise(take_receipt(old, new), "We open at nine")
    assert take_receipt(old, new, compare(old, again)).is_empty
    both = [site(index=f"<p data-build={each}>Built {each}1</p>") for each in "abc"]
    assert take_receipt(both[0], both[2], compare(both[0], both[1])).is_empty
    blue = site(index="<p style='color: blue'>Built c1</p>")
    plain = [site(index=f"<p>Built {each}1</p>") for each in "ab"]
    (page,) = take_receipt(plain[0], blue, compare(plain[0], plain[1])).pages
    assert page == PageChange("index.html", "", look_changed=True)


def test_pages_that_come_and_go_are_named() -> None:
    receipt = take_receipt(site(index="", menu=""), site(index="", prices=""))
    assert (receipt.pages_added, receipt.pages_gone) == (("prices.html",), ("menu.html",))


def test_a_picture_that_was_exchanged_under_its_name_is_noticed() -> None:
    page = {"index.html": Page(pictures=("a.jpg",))}
    receipt = take_receipt(SiteIndex(page, {"a.jpg": "1"}), SiteIndex(page, {"a.jpg": "2"}))
    assert receipt.pages == (PageChange("index.html", "", (), ("a.jpg",), ("a.jpg",)),)
    assert receipt.files_changed == ("a.jpg",)


def test_a_file_that_only_got_another_name_from_the_build_is_the_same() -> None:
    old = SiteIndex({}, {"_astro/style.D8f2kx91.css": "1", "app-4f2a9c1e.js": "7"})
    new = SiteIndex({}, {"_astro/style.Bx81kq02.css": "1", "app-99aa01bc.js": "8"})
    assert take_receipt(old, new).files_changed == ("app.js",)


def test_what_differs_between_two_builds_of_the_same_commit_is_left_out() -> None:
    old = site(index="<p>Built 10:01:07</p><p>Open 8</p>")
    again = site(index="<p>Built 10:05:33</p><p>Open 8</p>")
    new = site(index="<p>Built 10:06:00</p><p>Open 9</p>")
    noise = compare(old, again)
    assert take_receipt(old, new, noise).pages == (PageChange("index.html", "", (TextChange("Open 8", "Open 9"),)),)


@pytest.mark.parametrize(
    ("before", "after", "request_", "may_be"),
    [
        ("Built 10:01:07.11", "Built 10:01:08.29", "We open at nine", True),
        ("Build a4f31", "Build 77bd2", "We open at nine", True),
        ("Open 8:00 – 18:00", "Open 9:00 – 18:00", "We open at nine", False),
        ("Fresh bread", "Fresh rolls", "Write rolls", False),
        ("Cake 4.50", "Cake 5.50 today", "Cake is 5.50 today", False),
    ],
)
def test_only_figures_that_nobody_asked_for_are_worth_a_second_build(
    before: str, after: str, request_: str, *, may_be: bool
) -> None:
    receipt = take_receipt(site(index=f"<p>{before}</p>"), site(index=f"<p>{after}</p>"))
    assert may_be_noise(receipt, request_) == may_be


def test_a_stamp_is_no_change_wherever_it_stands_and_hides_none() -> None:
    old, again = site(a="<p>Built 10:01</p><p>€2.40</p>"), site(a="<p>Built 10:05</p><p>€2.40</p>")
    new = site(a="<p>Vouchers</p><p>Built 10:06</p><p>€2.60</p>", b="<p>Built 10:06</p>")
    noise = compare(old, again)
    was, is_now = quieten(old, noise), quieten(new, noise)
    (page,) = take_receipt(was, is_now, noise).pages
    assert page.words == (TextChange("", "Vouchers"), TextChange("€2.40", "€2.60"))
    assert is_now.pages["b.html"].texts == ("Built …",)


def test_links_that_lead_nowhere_in_the_site_are_found() -> None:
    links = ("contact.html", "/menu", "missing.html", "https://example.org/x", "#top", "mailto:a@b", "../up.html")
    index = SiteIndex({"index.html": Page(links=links)}, {"contact.html": "", "menu/index.html": "", "index.html": ""})
    assert index.broken_links() == {"index.html": ("missing.html", "../up.html")}


def test_links_are_read_from_where_they_stand() -> None:
    assert resolve("shop/index.html", "../a%20b.html?x#y") == "a b.html"
    assert resolve("shop/index.html", "/") == ""
    assert resolve("index.html", "//cdn.example/x.js") is None
    assert resolve("index.html", "http://[broken") is None


def test_an_index_is_read_from_a_built_site_and_kept(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>Hello</p>")
    (tmp_path / "secret.html").symlink_to("/etc/passwd")
    (tmp_path / "a.jpg").write_bytes(b"x")
    index = index_site(tmp_path)
    assert sorted(index.files) == ["a.jpg", "index.html"]
    assert kept_and_read(index) == index
    with pytest.raises(msgspec.ValidationError, match="version 0"):
        kept_and_read(replace(index, version=0))


@given(st.text())
def test_every_page_can_be_read(html: str) -> None:
    read_page(html)


def test_a_page_that_is_nested_without_end_can_be_read() -> None:
    assert read_page("<div>" * 90_000 + "deep" + "</div>" * 90_000).texts == ("deep",)
