"""A receipt as an owner reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.jobs.lines import ChangeLine, read_line, write_line
from webordinary.languages import codes
from webordinary.reply.tell import tell_change
from webordinary.reply.words import phrases
from webordinary.site.read.elements import REGIONS, region_of
from webordinary.site.receipt.changes import PageChange, PagePart, Receipt, TextChange
from webordinary.site.receipt.excerpt import LONGEST, excerpt
from webordinary.site.receipt.telling import MOST_LINES, fits, overflow, tell_receipt, tell_unasked

if TYPE_CHECKING:
    from pathlib import Path


def told(receipt: Receipt, request: str = "", *, of_pages: int = 0, language: str = "en") -> list[str]:
    lines = tell_receipt(receipt, request, of_pages=of_pages).lines
    return [tell_change(read_line(ChangeLine, line), phrases(language), is_done=True) for line in lines]


def page(name: str, *words: TextChange) -> PageChange:
    return PageChange(f"{name.lower()}.html", f"{name} – Amelia's Bakery", words)


HOURS = TextChange("Open 8:00 – 18:00", "Open 9:00 – 18:00")


def test_one_change_on_all_pages_is_told_once() -> None:
    receipt = Receipt(tuple(page(f"Page{number}", HOURS) for number in range(40)))
    assert told(receipt, of_pages=40) == ["On all 40 pages: “Open 8:00 – 18:00” is now “Open 9:00 – 18:00”"]


def test_one_change_on_some_pages_names_as_many_of_them_as_fit() -> None:
    receipt = Receipt(tuple(page(f"A page with a long name {number}", HOURS) for number in range(12)))
    (line,) = told(receipt, of_pages=40)
    assert line.startswith("On 12 pages (A page with a long name 0, A page with a long name 1, ")
    assert "…): “Open 8:00" in line


@pytest.mark.parametrize("language", codes())
def test_every_part_of_a_page_has_its_words(language: str) -> None:
    assert set(phrases(language).regions) == set(REGIONS)


def test_a_change_in_the_footer_of_all_pages_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / "page0.html").write_text("<p>Open</p><FOOTER class=x><p>Open <b>9:00</b> &ndash; 18:00</p></FOOTER>")
    receipt = Receipt(tuple(page(f"Page{number}", HOURS) for number in range(40)))
    (line,) = tell_receipt(receipt, of_pages=40, region_of=lambda path, text: region_of(tmp_path / path, text)).lines
    assert [tell_change(read_line(ChangeLine, line), phrases(language), is_done=True) for language in codes()] == [
        "In the footer of all 40 pages: “Open 8:00 – 18:00” is now “Open 9:00 – 18:00”",
        "In der Fußzeile aller 40 Seiten: „Open 8:00 – 18:00“ heißt jetzt „Open 9:00 – 18:00“",
        "Dans le pied de page des 40 pages\xa0: «\xa0Open 8:00 – 18:00\xa0» devient «\xa0Open 9:00 – 18:00\xa0»",
        "En el pie de las 40 páginas: «Open 8:00 – 18:00» ahora dice «Open 9:00 – 18:00»",
        "Nel piè di pagina di tutte le 40 pagine: «Open 8:00 – 18:00» ora è «Open 9:00 – 18:00»",
        "In de voettekst van alle 40 pagina’s: “Open 8:00 – 18:00” is nu “Open 9:00 – 18:00”",
    ]


def test_two_pages_are_named_and_not_counted() -> None:
    assert told(Receipt((page("Home", HOURS), page("Contact", HOURS))), of_pages=2) == [
        "Home, Contact: “Open 8:00 – 18:00” is now “Open 9:00 – 18:00”"
    ]


def test_pages_of_the_same_title_are_told_apart_by_their_files() -> None:
    receipt = Receipt(
        (PageChange("a.html", "Bakery", (HOURS,)), PageChange("b.html", "Bakery", (TextChange("", "x"),)))
    )
    assert told(receipt) == ["a.html: “Open 8:00 – 18:00” is now “Open 9:00 – 18:00”", "b.html, added: “x”"]


def test_an_insult_on_one_page_is_not_hidden_behind_equal_changes() -> None:
    pages = [page(f"Page{number}", HOURS) for number in range(2_500)]
    pages[1_700] = page("Page1700", HOURS, TextChange("We like you.", "We hate you."))
    lines = told(Receipt(tuple(pages)), "we open at 9:00", of_pages=2_500)
    assert lines == [
        "On all 2,500 pages: “Open 8:00 – 18:00” is now “Open 9:00 – 18:00”",
        "Page1700: “We like you.” is now “We hate you.”",
    ]


def test_the_page_that_was_asked_about_comes_first() -> None:
    receipt = Receipt(
        (
            page("About", TextChange("Founded long ago", "Founded in 1902")),
            page("Contact", TextChange("Call 030 1", "Call 030 2")),
            page("Prices", TextChange("Cake 4.50", "Cake 4.80")),
        )
    )
    assert told(receipt, "Please put 4.80 for the cake on the prices page")[0].startswith("Prices: ")
    assert told(receipt, "Our contact number is 030 2")[0].startswith("Contact: ")
    assert tell_receipt(receipt, "Our contact number is 030 2").asked == ("contact.html",)
    assert tell_receipt(receipt).asked == ()


def test_a_long_text_is_shortened_around_what_differs() -> None:
    long = "We have baked bread since our grandmother lit the oven. " * 8
    before, after = f"{long}We open at eight. {long}", f"{long}We open at nine. {long}"
    shown = excerpt(before, after)
    assert shown.is_whole
    assert shown.after == "… the oven. We open at nine. We have baked bread since …"
    assert len(shown.after) < 120


def test_several_differences_of_a_long_text_are_all_shown() -> None:
    words = [f"word{number}" for number in range(300)]
    changed = [f"other{number}" if number in {20, 150, 280} else word for number, word in enumerate(words)]
    shown = excerpt(" ".join(words), " ".join(changed))
    assert all(f"word{place} " in shown.before and f"other{place} " in shown.after for place in (20, 150, 280))
    assert len(shown.after) < 400


@given(before=st.text(max_size=900), after=st.text(max_size=900))
def test_an_excerpt_is_never_longer_than_anybody_reads(before: str, after: str) -> None:
    shown = excerpt(before, after)
    assert len(shown.before) <= LONGEST
    assert len(shown.after) <= LONGEST


@given(
    words=st.lists(st.sampled_from(["one", "two", "three", "four", "five", "six"]), min_size=60, max_size=90),
    place=st.data(),
)
def test_what_differs_stands_in_the_excerpt(words: list[str], place: st.DataObject) -> None:
    at = place.draw(st.integers(0, len(words) - 1))
    shown = excerpt(" ".join(words), " ".join([*words[:at], "different", *words[at + 1 :]]))
    assert "different" in shown.after


def test_a_text_without_spaces_is_shortened_too() -> None:
    before = "営業時間は八時からです" * 30
    after = before[:100] + "九" + before[101:]
    shown = excerpt(before, after)
    assert "九" in shown.after
    assert len(shown.after) < 100


def test_what_does_not_fit_is_known() -> None:
    many = Receipt(tuple(page(f"Page{n}", TextChange(f"one thing {n}", f"quite another {n * 7}")) for n in range(40)))
    assert overflow(many) == 40 - MOST_LINES
    assert not fits(many)
    assert told(many)[-1] == f"and {40 - MOST_LINES} more"
    assert fits(Receipt(tuple(page(f"Page{n}", HOURS) for n in range(40))))


def test_long_texts_that_differ_on_every_page_of_a_large_site_are_counted() -> None:
    story = "It was a dark and stormy night in the bakery, and the oven was cold. " * 60
    pages = [page(f"Page{n}", TextChange(f"{n} {story}", f"{story} {n} {story}")) for n in range(2_500)]
    assert overflow(Receipt(tuple(pages))) >= 2_500 - MOST_LINES


def test_a_long_new_text_fits_only_if_the_owner_wrote_it() -> None:
    story = "It was a dark and stormy night in the bakery. " * 20
    receipt = Receipt((page("About", TextChange("", story.strip())),))
    assert not fits(receipt)
    assert not fits(receipt, "Please write a story")
    assert fits(receipt, f"Please add this text:\n\n{story}\nThanks!")


def test_the_same_words_in_different_sentences_are_told_once_where_there_are_many() -> None:
    titles = [TextChange(f"Page {n} – Amelia's Bakery", f"Page {n} – Amelia's Café", PagePart.TITLE) for n in range(40)]
    receipt = Receipt(tuple(page(f"Page{n}", words) for n, words in enumerate(titles)))
    assert told(receipt, of_pages=40) == [
        "On all 40 pages, page title: “… – Amelia's Bakery” is now “… – Amelia's Café”"
    ]


def test_a_photo_in_several_files_is_one_line() -> None:
    files = ("photos/team-640.avif", "photos/team-640.jpg", "photos/team.avif", "photos/team.jpg")
    about = PageChange("about.html", "About", pictures_added=("photos/team.jpg", "photos/team-640.jpg"))
    assert told(Receipt((about,), files_added=files)) == [
        "About: new picture photos/team.jpg (.avif, -640.jpg, -640.avif)"
    ]
    assert told(Receipt(files_changed=files)) == ["photos/team.jpg (.avif, -640.jpg, -640.avif) was changed"]


def test_many_photos_of_a_page_are_one_line_and_so_are_their_texts() -> None:
    names = tuple(f"media/cake-{letter}.jpg" for letter in "abcdefghijkl")
    words = tuple(TextChange("", f"Cake {letter}", PagePart.PICTURE_TEXT) for letter in "abcdefghijkl")
    receipt = Receipt((PageChange("menu.html", "Menu", words, pictures_added=names),), files_added=names)
    assert told(receipt) == [
        f"Menu: new pictures {', '.join(names)}",
        f"Menu, text of a picture, added: “{' / '.join(each.after for each in words)}”",
    ]
    assert fits(receipt)


def test_photos_with_the_numbers_of_a_camera_are_not_one() -> None:
    receipt = Receipt(files_added=("IMG_4711.jpg", "IMG_4712.jpg", "menu-2025.pdf"))
    assert told(receipt) == ["IMG_4711.jpg is new", "IMG_4712.jpg is new", "menu-2025.pdf is new"]


def test_feeds_and_maps_share_one_small_line_at_the_end() -> None:
    files = ("app.js.map", "blog/feed.xml", "menu.pdf", "sitemap.xml")
    assert told(Receipt((page("Home", HOURS),), files_changed=files)) == [
        "Home – Amelia's Bakery: “Open 8:00 – 18:00” is now “Open 9:00 – 18:00”",
        "menu.pdf was changed",
        "Made anew along with it: app.js.map, blog/feed.xml, sitemap.xml",
    ]


def test_many_files_are_one_line_with_their_names() -> None:
    assert told(Receipt(files_added=tuple(f"minutes/{n}.pdf" for n in range(5)))) == [
        "New files: minutes/0.pdf, minutes/1.pdf, minutes/2.pdf, minutes/3.pdf, minutes/4.pdf"
    ]
    assert overflow(Receipt(pages_gone=tuple(f"a-page-with-a-name-{n}.html" for n in range(60)))) > 0


DATA = (
    '{"@type":"Bakery","openingHours":["Mo-Fr 08:00-18:00","Sa 08:00"],"telephone":"030 1",'
    '"address":{"streetAddress":"Main St 1"},"openingHoursSpecification":[{"opens":"08:00","closes":"18:00"}]}'
)


def test_structured_data_is_told_in_words() -> None:
    after = DATA.replace("Mo-Fr 08:00", "Mo-Fr 09:00").replace("St 1", "St 2").replace('opens":"08', 'opens":"09')
    receipt = Receipt((PageChange("index.html", "Home", (TextChange(DATA, after, PagePart.DATA),)),))
    assert told(receipt) == [
        "Home, for search engines, opening hours: “Mo-Fr 08:00-18:00, Sa 08:00” is now “Mo-Fr 09:00-18:00, Sa 08:00”",
        "Home, for search engines, street: “Main St 1” is now “Main St 2”",
        "Home, for search engines, opening time: “08:00” is now “09:00”",
    ]
    assert told(receipt, language="de")[2] == (
        "Home, für Suchmaschinen, Beginn der Öffnungszeit: „08:00“ heißt jetzt „09:00“"
    )


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("og:title: Bakery", "og:title: Café", "Home, for search engines, title when shared: “Bakery” is now “Café”"),
        ("", "robots: noindex", "Home, for search engines, rules for search engines, added: “noindex”"),
        ('{"servesCuisine":"x"}', '{"servesCuisine":"y"}', "Home, for search engines, serves cuisine: “x” is now “y”"),
        (
            '{"a":1,"a":2}',
            '{"a":1,"a":3}',
            'Home, details for search engines and programs: “{"a":1,"a":2}” is now “{"a":1,"a":3}”',
        ),
        ('{"a":', '{"b":', 'Home, details for search engines and programs: “{"a":” is now “{"b":”'),
        ('{"a":"x "}', '{"a":"x"}', 'Home, details for search engines and programs: “{"a":"x "}” is now “{"a":"x"}”'),
    ],
)
def test_what_a_page_tells_to_programs_is_told_by_its_field(before: str, after: str, line: str) -> None:
    assert told(Receipt((PageChange("index.html", "Home", (TextChange(before, after, PagePart.DATA),)),))) == [line]


@pytest.mark.parametrize("language", codes())
@pytest.mark.parametrize("place", [place for place in PagePart if place is not PagePart.TEXT])
def test_every_place_has_its_words_in_every_language(place: PagePart, language: str) -> None:
    assert phrases(language).places.get(place.value)


@pytest.mark.parametrize("language", codes())
def test_what_would_be_is_said_otherwise_than_what_is(language: str) -> None:
    known, english = phrases(language), phrases("en")
    assert set(known.would) == set(english.would) < set(known.changes)
    assert set(known.fields) == set(english.fields)
    for name, pattern in known.would.items():
        assert pattern != known.changes[name]
        assert pattern.count("{}") == known.changes[name].count("{}")


@pytest.mark.parametrize(
    ("about", "line"),
    [
        ("Cake 4.50 → Cake 5.50", "words\tCake 4.50\tCake 5.50"),
        ("4.80 € → -", "words_gone\t4.80 €"),
        ("- → New", "words_added\tNew"),
        ("plain", "words_added\tplain"),
    ],
)
def test_what_nobody_asked_for_is_told_as_a_change(about: str, line: str) -> None:
    assert write_line(tell_unasked(about)) == line
