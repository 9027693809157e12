"""The edges of the checks: how far the words around a fact reach, what counts as named, and what a kept page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs.kept_indexes import in_memory
from tests.unit.site.test_alarms import site as page_of
from tests.unit.site.test_checks import check, site
from tests.unit.site.test_kept_index import changed, lay
from tests.unit.site.test_parts_of_checks import told
from tests.unit.site.test_parts_of_explained import ASKED, DEARER, PAGES, unexplained
from webordinary.site.checks.alarms import find_alarms
from webordinary.site.checks.explained import find_unexplained, topic_of
from webordinary.site.checks.finding import Problem
from webordinary.site.checks.missing import split_parts
from webordinary.site.checks.neighbours import regions, segments
from webordinary.site.checks.request import Asked, OthersWords
from webordinary.site.checks.terms import terms_of
from webordinary.site.facts.find import find_facts
from webordinary.site.read.elements import Page
from webordinary.site.read.index import SiteIndex, index_site
from webordinary.site.receipt.changes import take_receipt

if TYPE_CHECKING:
    from pathlib import Path


def test_a_price_with_words_of_its_own_ends_what_stood_above_it() -> None:
    assert [sorted(each.stems) for each in regions(["Wedding cake", "Rye bread 3.20 €", "99 €"])] == [
        ["bread", "rye"],
        [],
    ]


def test_the_words_before_a_long_row_of_prices_reach_two_hundred_signs() -> None:
    row = [before for _, before, _ in segments(f"Cake {'4.20 € ' * 60}")]
    assert row[0] == "Cake "
    assert row[10].startswith("Cake 4.20 €")
    assert len(row[-1]) == 200


def test_only_whole_numbers_of_a_files_name_may_stand_below_its_picture() -> None:
    asked = Asked("Put it there", sources=(OthersWords(Problem.ATTACHED, "", "4711 loaves 2.5 kg.jpg"),))
    whole, part = find_facts("4711")[0], find_facts("2.5 kg")[0]
    assert asked.names.has(whole)
    assert not asked.names.has(part)


def test_a_sentence_may_go_if_one_of_its_facts_was_named() -> None:
    before = "<p>Tom: 030 123456, Eve: 030 654321</p><p>x</p>"
    assert told("Please delete 030 123456", before, "<p>x</p>") == []
    assert told("Please make it nicer", before, "<p>x</p>") == [("unasked", "Tom: 030 123456, Eve: 030 654321 → -")]


@pytest.mark.parametrize(("words", "is_told"), [("Oldest bakery, town", True), ("Oldest bakery, town hall", False)])
def test_a_year_is_an_old_copy_with_more_than_a_fourth_of_the_words_in_common(words: str, *, is_told: bool) -> None:
    more = f"<title>More</title><p>{words} 1923</p>"
    page = "<p>Our lovely bakery since generations: {}</p>"
    found = [
        problem
        for problem, _ in check("It is 1920 now", site(i=page.format(1923), m=more), site(i=page.format(1920), m=more))
    ]
    assert found == [Problem.OLD_COPY] * is_told


def test_a_date_may_stand_with_other_words_than_it_was_said_with() -> None:
    page = "<p>Garden party: 3 August</p><p>Jazz evening: {}</p>"
    asked = "The concert in the garden is on 12 July"
    assert told(asked, page.format("5 July"), page.format("12 July")) == []


def test_a_text_without_words_that_is_gone_waits() -> None:
    was = PAGES | {"menu": PAGES["menu"] + "<p>!!!</p>"}
    assert unexplained(ASKED, was=was, menu=DEARER) == ["!!! → -"]


def test_a_word_is_the_name_of_a_site_when_it_stands_in_more_than_half_of_the_titles() -> None:
    pages = {name: f"<title>{name} {'Amelia' if name in 'ab' else ''}</title><p>x</p>" for name in "abcd"}
    assert topic_of("Amelia", site(**pages)) == {"ameli"}
    pages["c"] = "<title>c Amelia</title><p>x</p>"
    assert topic_of("Amelia", site(**pages)) == frozenset()


def test_what_a_kept_page_said_counts_for_nothing_once_it_says_something_else(tmp_path: Path) -> None:
    keeper, _ = in_memory()
    pages = {f"{number}.html": f"<p>Loaf {number}</p>" for number in range(30)}
    old = keeper.read(keeper.keep(index_site(lay(tmp_path, pages | {"a.html": "<p>Apple cake 4.80 €</p>"}))))
    new = changed(keeper, old, lay(tmp_path, pages | {"a.html": "<p>Rye bread 3.20 €</p>"}))
    assert [list(terms_of(each).payloads("about number cake")) for each in (old, new)] == [["apple cake"], []]
    assert not list(terms_of(old).payloads("about number cake", without={"a.html"}))
    assert list(terms_of(new).payloads("about number rye")) == ["bread rye"]


def test_what_a_kept_page_and_a_new_one_say_alike_is_told_once(tmp_path: Path) -> None:
    keeper, _ = in_memory()
    pages = {f"{number}.html": f"<p>Loaf {number}</p>" for number in range(30)} | {"a.html": "<p>Apple cake 4.80 €</p>"}
    old = keeper.read(keeper.keep(index_site(lay(tmp_path, pages))))
    new = changed(keeper, old, lay(tmp_path, pages | {"b.html": "<p>Apple cake 5.20 €</p>"}))
    assert list(terms_of(new).payloads("about number cake")) == ["apple cake"]
    assert sorted(terms_of(new).pages("about number cake")) == ["a.html", "b.html"]


def test_a_word_of_two_letters_that_became_another_one_is_explained_where_the_same_did() -> None:
    was = PAGES | {
        "menu": PAGES["menu"].replace("5.20", "by Al"),
        "team": "<title>Team - Amelia</title><p>Al bakes.</p>",
    }
    menu, team = was["menu"].replace("Al<", "Ed<"), was["team"].replace("Al bakes", "Ed bakes")
    assert unexplained("The cheese cake is by Ed now", was=was, menu=menu, team=team) == []
    other = was["team"].replace("Al bakes", "Jo bakes")
    assert unexplained("The cheese cake is by Ed now", was=was, menu=menu, team=other) == ["Al bakes. → Jo bakes."]


def test_a_text_that_is_gone_may_have_become_a_part_of_one_that_changed() -> None:
    joined = "<title>Menu - Amelia</title><p>Cheese cake 5.90, and dark rye bread</p>"
    assert unexplained(ASKED, menu=joined) == []
    assert unexplained(ASKED, menu=joined.replace("dark ", "")) == ["Rye bread is dark. → -"]


def test_a_year_in_a_files_name_may_be_shown_and_a_price_there_may_not() -> None:
    def named(name: str) -> Asked:
        return Asked("Put it there", sources=(OthersWords(Problem.ATTACHED, "", name),))

    assert named("summer 2019.jpg").known.has(find_facts("2019")[0])
    assert not named("summer 2019 €.jpg").known.has(find_facts("2019 €")[0])
    assert not named("summer 20190.jpg").known.has(find_facts("20190")[0])


def test_an_open_link_to_a_new_host_that_was_named_is_no_alarm() -> None:
    old, new = page_of(index="<p>a</p>"), page_of(index="<p>a</p><a href='http://shop.example/'>Shop</a>")
    assert find_alarms("Please link to shop.example", old, new, take_receipt(old, new)) == ()
    safe = page_of(index="<p>a</p>", more="<a href='https://shop.example/'>Shop</a>")
    open_ = page_of(
        index="<p>a</p><a href='http://shop.example/'>Shop</a>", more="<a href='https://shop.example/'>Shop</a>"
    )
    found = find_alarms("Please link to shop.example", safe, open_, take_receipt(safe, open_))
    assert [each.problem for each in found] == [Problem.NEW_HOST]


def test_a_link_that_went_follows_from_the_rest() -> None:
    assert told("Make it nicer", "<p>x</p><a href='https://shop.example/'>Our shop</a>", "<p>x</p>") == []


def test_a_right_change_elsewhere_excuses_only_the_same_new_value() -> None:
    page = "<p>Monday {}</p><p>Tuesday 9:00</p><p>Friday {}</p>"
    asked = "On Monday we open at 10:00, on Tuesday at 11:00"
    assert ("unasked", "Friday 9:00 → Friday 11:00") in told(
        asked, page.format("9:00", "9:00"), page.format("10:00", "11:00")
    )


def test_a_map_may_say_how_large_it_is_beside_the_new_address() -> None:
    page = "<a href='https://maps.example/?q=Mill+Road+{}&z={}'>Map</a><p>Mill Road {}</p>"
    assert told("We are in Mill Road 7 now", page.format(5, 15, 5), page.format(7, 18, 7)) == []


FETCHED = (
    "apple-touch-icon icon mask-icon modulepreload prefetch preload shortcut+icon stylesheet dns-prefetch preconnect "
    "search sitemap alternate+stylesheet file media"
)


@pytest.mark.parametrize("relation", FETCHED.split())
def test_a_file_that_a_page_fetches_counts_by_where_it_comes_from(relation: str) -> None:
    old = SiteIndex({"i.html": Page()}, {"i.html": "1"})
    for address, problems in (("/x", []), ("https://evil.example/x", [Problem.NEW_HOST])):
        new = SiteIndex({"i.html": Page(deeds=(f"{relation} {address}",))}, {"i.html": "2"})
        assert [each.problem for each in find_alarms("x", old, new, take_receipt(old, new))] == problems


@pytest.mark.parametrize("attribute", ["hidden", "inert", "popover", "style=a", "dir=rtl", "disabled", "readonly"])
def test_an_attribute_that_may_hide_something_waits_unless_the_request_speaks_of_the_look(attribute: str) -> None:
    old, new = page_of(index="<p>We</p><p>bake</p>"), page_of(index=f"<p>We</p><p {attribute}>bake</p>")
    receipt = take_receipt(old, new)
    assert [each.problem for each in find_alarms("Make it nicer", old, new, receipt)] == [Problem.NEW_LOOK]
    assert find_alarms("Another colour please", old, new, receipt) == ()


def test_an_hour_is_looked_for_by_its_day_and_by_no_other_word() -> None:
    page = "<p>Monday {} – 18</p><p>Bakery tours on Monday: 14 people</p>"
    assert told("On Monday the bakery opens at 10", page.format(9), page.format(10)) == []


def test_what_gave_way_to_the_same_value_elsewhere_is_right_in_another_language() -> None:
    def pages(price: str) -> dict[str, str]:
        return {
            "i": f"<p>Rye bread {price} €</p>",
            "de": f"<p>Roggenbrot {price} €</p>",
            "more": "<p>Bread basket 2.10 €</p>",
        }

    assert check("The rye bread costs 4.80 now", site(**pages("4.20")), site(**pages("4.80"))) == []
    wrong = pages("4.20") | {"de": "<p>Roggenbrot 4.80 €</p>"}
    found = check("The rye bread costs 4.80 now", site(**pages("4.20")), site(**wrong))
    assert (Problem.UNASKED, "Roggenbrot 4.20 € → Roggenbrot 4.80 €") in found


def test_the_link_to_a_page_that_was_asked_to_go_goes_with_it() -> None:
    old = site(index="<title>Home</title><p>Hello</p><a href=ag.html>AG</a>", ag="<title>x</title><p>y</p>")
    new = site(index="<title>Home</title><p>Hello</p>")
    assert find_unexplained("Please drop the AG page", old, new, take_receipt(old, new)) == ()


def test_what_changed_in_every_footer_says_nothing_about_which_page_is_meant() -> None:
    was = {name: f"<title>{name}</title><p>Open 8:00</p><p>Scott bakes daily {name}</p>" for name in "abcde"}
    becomes = {name: html.replace("8:00", "9:00") for name, html in was.items()}
    becomes["c"] = becomes["c"].replace("Scott bakes daily c", "Buy gold now")
    assert unexplained("We open at nine", was=was, becomes=becomes) == ["Scott bakes daily c → Buy gold now"]


def test_one_of_two_addresses_may_get_another_number() -> None:
    (house,) = find_facts("Hauptstraße 7")
    before = find_facts("Hauptstraße 5 and Nebenstraße 9")
    assert len(before) == 2
    assert Asked("We moved next door, to number 7").asks_for(house, None, before, set())
    assert not Asked("We moved next door, to number 8").asks_for(house, None, before, set())


def test_what_stands_on_two_kept_pages_is_known_while_one_of_them_still_says_it(tmp_path: Path) -> None:
    keeper, _ = in_memory()
    pages = {f"{name}.html": "<p>Apple cake 4.80 €</p>" for name in "ab"} | {f"{n}.html": "<p>x</p>" for n in range(30)}
    old = keeper.read(keeper.keep(index_site(lay(tmp_path, pages))))
    new = changed(keeper, old, lay(tmp_path, pages | {"b.html": "<p>Rye bread 3.20 €</p>"}))
    assert list(terms_of(new).payloads("about number cake")) == ["apple cake"]
    assert list(terms_of(new).payloads("about number cake", without={"a.html"})) == []


def test_a_part_of_a_request_ends_without_its_stop_and_with_everything_else() -> None:
    assert split_parts("Open 9:00~\nClose 18:00;") == ["Open 9:00~", "Close 18:00"]


def test_a_page_is_named_by_its_folder_however_that_is_written() -> None:
    old = SiteIndex(
        {"Team/index.html": Page(texts=("y",)), "i.html": Page(texts=("x",))}, {"Team/index.html": "1", "i.html": "2"}
    )
    new = SiteIndex({"i.html": Page(texts=("x",))}, {"i.html": "2"})
    assert check("Please remove the team page", old, new) == []
    assert check("Please make it nicer", old, new) == [(Problem.PAGE_GONE, "Team/index.html")]


def test_a_thing_that_was_asked_to_go_may_go_with_its_price() -> None:
    assert told("Remove the coffee", "<p>Coffee 3 €, cake 4 €</p>", "<p>Cake 4 €</p>") == []


def test_another_stylesheet_waits_and_another_icon_does_not() -> None:
    page = "<html><head><link rel={} href=/{}></head><body><p>We</p></body></html>"
    for relation, problems in (("icon", []), ("stylesheet", [Problem.NEW_LOOK])):
        old, new = page_of(index=page.format(relation, "a")), page_of(index=page.format(relation, "b"))
        assert [each.problem for each in find_alarms("Make it nicer", old, new, take_receipt(old, new))] == problems


def test_one_of_two_links_to_a_page_may_go() -> None:
    twice = "<title>Home</title><p>Hello{}</p><a href=team.html>Menu</a>{}"
    was = {"index": twice.format("", "<a href=team.html>People</a>"), "team": "<title>Team</title><p>y</p>"}
    assert "team.html → -" not in unexplained("Say hello world", was=was, index=twice.format(" world", ""))


@pytest.mark.parametrize("kind", ["robots", "googlebot", "bingbot", "refresh"])
def test_what_a_page_says_of_itself_counts_for_no_other_page(kind: str) -> None:
    pages = {"i.html": Page(), "more.html": Page(deeds=(f"{kind} noindex",))}
    old = SiteIndex(pages, {"i.html": "1", "more.html": "2"})
    new = SiteIndex(pages | {"i.html": pages["more.html"]}, {"i.html": "3", "more.html": "2"})
    assert [each.problem for each in find_alarms("x", old, new, take_receipt(old, new))] == [Problem.NEW_ORDER]


def test_the_code_of_a_program_of_the_site_is_known_on_its_pages() -> None:
    program = Page(deeds=("script inline #1.2.3",))
    old = SiteIndex({"i.html": Page()}, {"i.html": "1"}, assets={"a.js": program})
    for deed, problems in (("script inline #9.2.3", []), ("script inline #1.2.9", [Problem.NEW_PROGRAM])):
        new = SiteIndex({"i.html": Page(deeds=(deed,))}, {"i.html": "2"}, assets={"a.js": program})
        assert [each.problem for each in find_alarms("x", old, new, take_receipt(old, new))] == problems


def test_an_hour_that_is_as_near_in_both_halves_of_the_day_may_come() -> None:
    page = "<p>Open at {}</p><p>Sundays 18:30</p>"
    assert told("We open at 6", page.format("12:00"), page.format("6:00")) == []


def test_a_change_without_any_words_is_quoted_only_if_somebody_is() -> None:
    old, new = site(i="<p>Rye bread</p>"), site(i="<p>Dark bread</p>")
    assert check("", old, new) == []


def test_only_a_whole_number_of_four_figures_is_a_year() -> None:
    asked = Asked("Put it there", sources=(OthersWords(Problem.ATTACHED, "", "cake 12.5.jpg"),))
    assert not asked.known.has(find_facts("12.5")[0])


def test_data_that_took_the_place_of_other_data_is_not_new() -> None:
    other = {"m.html": Page(data=("name: x",))}
    for before, problems in (("hours: Mo", []), ("", [Problem.NEW_DATA])):
        old = SiteIndex(other | {"i.html": Page(data=(before,) if before else ())}, {"i.html": "1", "m.html": "m"})
        new = SiteIndex(other | {"i.html": Page(data=("menu: y",))}, {"i.html": "2", "m.html": "m"})
        assert [each.problem for each in find_alarms("x", old, new, take_receipt(old, new))] == problems


def test_a_text_that_is_gone_and_reads_like_a_page_is_told_once() -> None:
    was = {"index": "<title>Home</title><p>Hello</p><p>team.html</p>", "team": "<title>Team</title><p>y</p>"}
    found = unexplained("Say hello world", was=was, index="<title>Home</title><p>Hello world</p>")
    assert found == ["team.html → -"]


def test_a_link_that_leads_nowhere_is_told_also_on_a_site_whose_pictures_stand_below_a_path() -> None:
    page = "<p>x</p><img src=/shop/a.jpg><a href=old.html>z</a>"
    old, new = site(i=page), site(i=f"{page}<img src=/shop/b.jpg><a href=gone.html>y</a>")
    assert check("Nicer", old, new) == [(Problem.BROKEN_LINK, "i.html: gone.html")]


def test_a_picture_that_is_gone_is_told_also_on_a_site_whose_pictures_stand_below_a_path() -> None:
    pages = {"i.html": Page(texts=("x",), pictures=("/shop/a.jpg", "b.jpg"))}
    old, new = (SiteIndex(pages, {"i.html": "1", "c.jpg": "2"} | more) for more in ({"b.jpg": "3"}, {}))
    assert check("Nicer", old, new) == [(Problem.BROKEN_LINK, "i.html: b.jpg")]


def test_what_is_found_on_several_pages_is_told_in_the_order_of_their_names() -> None:
    names = "hgfedcba"
    was = {name: f"<title>{name}</title><p>Tel. 030 123456</p>" for name in names}
    broken = check("x", site(**was), site(**{name: f"{html}<a href=gone.html>y</a>" for name, html in was.items()}))
    assert [about for _, about in broken] == [f"{name}.html: gone.html" for name in sorted(names)]
    ((_, copies),) = check("Tel. 030 654321", site(**was), site(**was | {"h": was["h"].replace("123456", "654321")}))
    assert "a · b · c · d · e · f" in copies


@pytest.mark.parametrize(("before", "after", "is_told"), [(2, 1, False), (3, 2, False), (3, 1, True), (6, 4, False)])
def test_a_site_that_loses_more_than_a_third_of_its_files_waits(before: int, after: int, *, is_told: bool) -> None:
    old, new = (SiteIndex({}, {f"{number}.css": "1" for number in range(count)}) for count in (before, after))
    assert check("x", old, new) == [(Problem.SHRUNK, f"{before} → {after}")] * is_told


def test_of_a_row_of_facts_one_may_stand_alone_and_another_may_end_what_stood_above() -> None:
    assert [sorted(each.stems) for each in regions(["Rye bread", "3.20 € 4.10 € cake"])] == [["bread", "rye"], ["cake"]]
    assert [sorted(each.stems) for each in regions(["Cake 3.20 €, sold 7 days", "99 €"])][-1] == []


def test_a_request_of_blanks_explains_nothing_and_asks_about_nothing() -> None:
    assert unexplained("  ", menu=DEARER.replace("dark", "old")) == []


def test_what_changed_on_three_pages_says_which_of_them_are_meant() -> None:
    was = {name: f"<title>{name}</title><p>Open 8:00</p><p>Scott bakes daily {name}</p>" for name in "abc"}
    becomes = {name: html.replace("8:00", "9:00") for name, html in was.items()}
    becomes["c"] = becomes["c"].replace("Scott bakes daily c", "Buy gold now")
    assert unexplained("We open at nine", was=was, becomes=becomes) == []


@pytest.mark.parametrize(("most", "near", "is_told"), [(0, 4, False), (0, 5, True), (1, 5, False), (1, 6, True)])
def test_a_few_more_texts_may_change_on_the_page_that_is_meant(most: int, near: int, *, is_told: bool) -> None:
    page = "<title>Menu - Amelia</title><p>Cheese cake {}</p>" + "<p>Lot {}</p><hr>" * near
    was = PAGES | {"menu": page.format("5.20", *"abcdef"[:near])}
    after = page.format("5.90", *"uvwxyz"[:near])
    assert bool(unexplained(ASKED, most=most, was=was, menu=after)) is is_told


def test_so_many_texts_far_from_what_was_asked_for_may_change_as_the_caller_says() -> None:
    team = PAGES["team"].replace("Scott bakes", "Eve sings")
    assert unexplained(ASKED, most=1, menu=DEARER, team=team) == []
    assert unexplained(ASKED, most=0, menu=DEARER, team=team) == ["Scott bakes. → Eve sings."]


@pytest.mark.parametrize(("count", "topic"), [(2, {"ameli"}), (3, set())])
def test_three_titles_can_have_a_name_in_common_and_two_cannot(count: int, topic: set[str]) -> None:
    assert topic_of("Amelia", site(**{name: f"<title>{name} Amelia</title>" for name in "abc"[:count]})) == topic


def test_a_link_that_leads_away_hides_no_other_that_is_gone() -> None:
    page = "<title>Home</title><p>Hello{}</p>"
    links = "<a href=https://a.example/>Out</a><a href=team.html>People</a>"
    was = {"index": page.format("") + links, "team": "<title>Team</title><p>y</p>"}
    assert "team.html → -" in unexplained("Say hello world", was=was, index=page.format(" world"))


@pytest.mark.parametrize(
    ("before", "after", "is_lost"),
    [
        ("Mon 8:00 – 18:00", "Mon 9:00", True),
        ("Mon 8:00 – 12:00, 14:00 – 18:00", "Mon 9:00 – 12:00, 14:00", True),
        ("Mon 8:00 – 12:00, 14:00 – 18:00", "Mon 9:00 – 12:00", False),
        ("Mon 8:00, 12:00, 14:00", "Mon 9:00", False),
        ("Mon", "Mon 9:00", False),
    ],
)
def test_hours_that_have_lost_one_end_wait(before: str, after: str, *, is_lost: bool) -> None:
    found = told("On Monday from 9:00", f"<p>{before}</p>", f"<p>{after}</p>")
    assert (("unasked", f"{before} → {after}") in found) is is_lost


def test_a_page_that_names_itself_without_a_host_names_no_other_site() -> None:
    old, new = (SiteIndex({"i.html": Page(deeds=deeds)}, {"i.html": str(deeds)}) for deeds in ((), ("canonical /x",)))
    assert find_alarms("x", old, new, take_receipt(old, new)) == ()
