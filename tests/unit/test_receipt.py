from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from webordinary.site.index import Page, SiteIndex, index_site, read_index, read_page, resolve, write_index
from webordinary.site.receipt import PageChange, Receipt, Words, take_receipt

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
    assert page == Page(
        "Amelia's Bakery",
        ("Fresh bread", "Hello there", "We open", "at nine", "The counter", "Write"),
        ("counter.jpg",),
        ("contact.html",),
    )


def test_words_are_told_as_they_were_and_as_they_are() -> None:
    receipt = take_receipt(
        site(index="<p>Open 8-18</p><p>Phone 1</p>", about="<p>Us</p>"),
        site(index="<p>Open 9-18</p><p>Phone 1</p><p>New</p>", about="<p>Us</p>"),
    )
    assert receipt == Receipt((PageChange("index.html", "", (Words("Open 8-18", "Open 9-18"), Words("", "New"))),))


def test_nothing_visible_is_an_empty_receipt() -> None:
    before = site(index="<p class=a>Same <b>words</b></p><!-- old -->")
    after = site(index="<div>\n  Same <i>words</i>\n</div><!-- new -->")
    assert take_receipt(before, after).is_empty


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
    noise = take_receipt(old, again)
    assert take_receipt(old, new, noise).pages == (PageChange("index.html", "", (Words("Open 8", "Open 9"),)),)


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
    assert read_index(write_index(index)) == index


@given(st.text())
def test_every_page_can_be_read(html: str) -> None:
    read_page(html)


def test_a_page_that_is_nested_without_end_can_be_read() -> None:
    assert read_page("<div>" * 100_000 + "deep" + "</div>" * 100_000).texts == ("deep",)
