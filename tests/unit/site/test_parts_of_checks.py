"""The small parts of the checks, by their values: hosts, words around facts, places, and what a finding is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.site.test_alarms import PAGE
from tests.unit.site.test_alarms import site as page_of
from tests.unit.site.test_checks import check, site
from webordinary.routing.project import Rules
from webordinary.site.checks.alarms import find_alarms
from webordinary.site.checks.finding import Finding, Problem
from webordinary.site.checks.guard import Limit, Overreach, find_overreach
from webordinary.site.checks.hosts import host_of, scheme_of
from webordinary.site.checks.neighbours import (
    content_words,
    is_alike,
    regions,
    segments,
    stems_of,
    title_words,
    titled,
    words_of,
)
from webordinary.site.checks.places import facts_at, host_or_link
from webordinary.site.checks.request import Asked, OthersWords
from webordinary.site.facts.find import find_facts
from webordinary.site.read.elements import Page
from webordinary.site.read.index import SiteIndex
from webordinary.site.receipt.changes import PagePart, TextChange, take_receipt
from webordinary.workspace.change import Change, ChangeKind


@pytest.mark.parametrize(
    ("address", "host", "scheme"),
    [
        ("https://www.shop.example/x", "shop.example", "https"),
        ("//shop.example/a", "shop.example", ""),
        ("/\\evil.example/x", "evil.example", ""),
        (" https://A.example. ", "a.example", ""),
        ("https:evil.example", "evil.example", "https"),
        ("https:////evil.example/x", "evil.example", "https"),
        ("HTTP://WWW.X.example:8080/y", "x.example", "http"),
        ("http://[::1", "//[::1", "http"),
        ("mailto:a@b.example", "", "mailto"),
        ("javascript:go()", "", "javascript"),
        ("/menu.html", "", ""),
    ],
)
def test_a_host_is_the_one_that_browsers_go_to(address: str, host: str, scheme: str) -> None:
    assert (host_of(address), scheme_of(address)) == (host, scheme)


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("https://Shop.example/a/b", "shop.example"),
        ("//shop.example/a", "shop.example"),
        ("HTTP://x.example", "x.example"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("/menu.html", "/menu.html"),
        ("ftp://x.example/a", "ftp://x.example/a"),
    ],
)
def test_a_link_that_leads_to_no_host_stands_for_itself(link: str, shown: str) -> None:
    assert host_or_link(link) == shown


def test_words_say_what_a_text_is_about() -> None:
    assert words_of("The new Apple cake is of 4.80 and big") == {"apple", "big", "cake"}
    assert content_words("The new Apple cake is big") == {"apple", "cake"}
    assert stems_of("Wedding cakes and pie") == {"weddi", "cakes", "pie"}
    assert title_words("Our team of Ten, 2026") == {"team"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Apple cake 4.80 €, rye bread 3.20 €",
            [("4.80 €", "Apple cake ", ", rye bread "), ("3.20 €", ", rye bread ", "")],
        ),
        (
            "Mon 9:00 – 18:00, Tue 10:00",
            [("9:00", "Mon ", " – "), ("18:00", " – ", ", Tue "), ("10:00", ", Tue ", "")],
        ),
        ("Cake 4.20 € 4.80 € each", [("4.20 €", "Cake ", " "), ("4.80 €", "Cake 4.20 € ", " each")]),
        ("Open 9:00, cake 4.80 €", [("9:00", "Open ", ", cake 4.80 €"), ("4.80 €", "Open 9:00, cake ", "")]),
        ("4.80 €", [("4.80 €", "", "")]),
        (f"{'x' * 300} 4.80 €", [("4.80 €", f"{'x' * 300} ", "")]),
    ],
)
def test_a_fact_has_the_words_up_to_the_next_one_of_its_kind(text: str, found: list[tuple[str, str, str]]) -> None:
    assert [(fact.written, before, after) for fact, before, after in segments(text)] == found


def test_a_fact_that_stands_alone_has_the_words_above_it() -> None:
    texts = ["Wedding cake", "three tiers", "99 €", "Rye bread", "3.20 €", "Open 9:00", "7 days"]
    assert [(each.fact.written, sorted(each.stems), each.text) for each in regions(texts)] == [
        ("three", ["tiers"], "three tiers"),
        ("99 €", ["cake", "three", "tiers", "weddi"], "99 €"),
        ("3.20 €", ["bread", "rye"], "3.20 €"),
        ("9:00", ["open"], "Open 9:00"),
        ("7", ["days"], "7 days"),
    ]
    far = ["First line", "second", "third", "fourth", "99 €"]
    assert [sorted(each.stems) for each in regions(far)][-1] == ["fourt", "secon", "third"]


def test_amounts_can_stand_in_the_place_of_each_other_and_times_cannot() -> None:
    price, number, time = (find_facts(text)[0] for text in ("4.80 €", "480", "9:00"))
    assert is_alike(price, number)
    assert not is_alike(price, time)
    assert is_alike(time, time)


def gone(text: str, place: PagePart = PagePart.TEXT) -> TextChange:
    return TextChange(text, "", place)


@pytest.mark.parametrize(
    ("above", "title"),
    [
        (gone("Winter offer"), "Winter offer"),
        (gone("one two three four five six"), "one two three four five six"),
        (gone("one two three four five six seven"), ""),
        (gone("Winter offer."), ""),
        (gone("Really!"), ""),
        (gone("Really?"), ""),
        (gone("4 5"), ""),
        (gone("Winter offer", PagePart.TITLE), ""),
        (TextChange("Winter offer", "Summer offer"), ""),
    ],
)
def test_a_text_goes_with_the_title_that_went_with_it(above: TextChange, title: str) -> None:
    price = gone("Only now: 20 % on all of our cakes and breads.")
    assert list(titled([above, price])) == [(above, ""), (price, title)]
    assert list(titled([above, price, price]))[-1] == (price, "")


@pytest.mark.parametrize(
    ("place", "text", "facts"),
    [
        (PagePart.DEED, "script https://a.example", []),
        (PagePart.LINK, "tel:+4930123456", [("phone", "+49 30123456", "+4930123456", 0)]),
        (PagePart.DATA, "price=5", [("price", "5", "", 0)]),
        (PagePart.DATA, '"price": "4.80"', [("price", "4.8", "", 0)]),
        (PagePart.DATA, "url https://a.example/x/y", [("link", "a.example", "https://a.example/x/y", 4)]),
        (PagePart.DATA, "at 9:00 for 7 people", [("time", "09:00", "9:00", 3)]),
        (PagePart.TEXT, "Cake 4.80 €", [("price", "4.8 EUR", "4.80 €", 5)]),
    ],
)
def test_facts_count_as_their_place_says(place: PagePart, text: str, facts: list[tuple[str, str, str, int]]) -> None:
    assert [(fact.kind.value, fact.form, fact.written, fact.at) for fact in facts_at(place, text)] == facts


@pytest.mark.parametrize("problem", list(Problem))
def test_only_what_fails_or_is_only_told_needs_no_ok(problem: Problem) -> None:
    told = {"storage_address", "secret", "missing", "part_done", "part_missing", "old_copy"}
    assert Finding(problem, "x").needs_ok is (problem.value not in told)


@pytest.mark.parametrize("limit", list(Limit))
def test_every_limit_says_in_the_trail_what_is_wrong_with_the_file(limit: Limit) -> None:
    counted = limit in {Limit.FILES, Limit.LINES}
    found = Overreach(limit, ("21", "20")) if counted else Overreach.at(limit, "shop/x.php")
    said = str(found)
    if counted:
        assert "21" in said
        assert said.endswith(" more than the 20 that are allowed at once")
    else:
        assert said.startswith("it touches shop/x.php, which ")
    assert found.reason.split("\t")[0] == limit.value


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (Limit.PLACE, "is not for mails to change"),
        (Limit.NAME, "has a name that not every system reads the same way"),
        (Limit.BUILD, "decides how the site is built"),
        (Limit.SERVER, "tells the web server what to do"),
        (Limit.AGENT, "tells programs and people how to work on the site"),
        (Limit.PROGRAM, "is a program"),
        (Limit.KIND, "is of no kind that is known to hold content"),
        (Limit.DISGUISED, "is not what its name says"),
        (Limit.ACTIVE, "contains a program"),
    ],
)
def test_the_trail_says_why_a_file_is_not_for_mails(limit: Limit, words: str) -> None:
    assert str(Overreach.at(limit, "x")) == f"it touches x, which {words}"


def alarms(before: str, after: str, request: str = "Please make the page nicer.") -> list[tuple[str, str]]:
    assert before in PAGE
    old, new = page_of(index=PAGE), page_of(index=PAGE.replace(before, after, 1))
    found = find_alarms(request, old, new, take_receipt(old, new))
    return [(each.problem.value, each.about) for each in found]


HERE = "https://maps.example/here"


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("</head>", "<script src=https://evil.example/x.js></script></head>", "script https://evil.example/x.js"),
        ("</head>", "<script>track()</script></head>", "script inline track()"),
        ("</head>", "<script src=/new.js></script></head>", ""),
        ("<p>We", "<p onclick=go()>We", "onclick p go()"),
        (HERE, "javascript:go()", "javascript:go()"),
        (HERE, "vbscript:x", "vbscript:x"),
        (HERE, "blob:x", "blob:x"),
        (HERE, "data:image/png;base64,xx", ""),
    ],
)
def test_a_new_program_is_told_by_what_it_is(before: str, after: str, found: str) -> None:
    assert alarms(before, after) == ([("new_program", found)] if found else [])


@pytest.mark.parametrize(
    ("before", "after", "problem", "about"),
    [
        (HERE, "http://maps.example/here", "new_host", "http://maps.example/here"),
        (HERE, "bitcoin:1abc", "new_host", "bitcoin:1abc"),
        ("</head>", "<link rel=icon href=https://evil.example/i.png></head>", "new_host", "https://evil.example/i.png"),
        ("maps.example/a", "maps.example/b", "new_frame", "frame https://maps.example/b"),
        ("action=/send", "action=/other", "new_form", "form /other"),
        ("<p>We", "<p><a href=/x ping=https://evil.example/p>We</a>", "new_form", "ping https://evil.example/p"),
        ("</head>", "<base href=https://evil.example/></head>", "new_order", "base href=https://evil.example/"),
        ("content=index", "content=noindex", "new_order", "robots noindex"),
        ("</head>", "<meta name=googlebot content=index></head>", "new_order", "googlebot index"),
        ("<meta name=robots content=index>", "", "new_order", "robots index"),
        ("<link rel=canonical href=https://amelia.example/>", "", "new_order", "canonical https://amelia.example/"),
        ("<script src=/app.js></script>", "", "deed_gone", "script /app.js"),
        ("<form action=/send></form>", "", "deed_gone", "form /send"),
        ("<p>We", "<p hidden>We", "new_look", "Bakery"),
        ("<p>We", "<p dir=rtl>We", "new_look", "Bakery"),
        ("<p>We", "<p style='color:red'>We", "new_look", "Bakery"),
        ("We bake", "We \u202ebake", "new_look", "We bake here"),
    ],
)
def test_what_waits_is_told_by_what_it_is(before: str, after: str, problem: str, about: str) -> None:
    assert alarms(before, after) == [(problem, about)]


@pytest.mark.parametrize("address", ["sms:+4930", "mailto:a@b.example", "tel:+4930", "/contact.html"])
def test_what_leads_nobody_anywhere_is_no_alarm(address: str) -> None:
    assert alarms(HERE, address) == []


def test_a_request_that_speaks_of_the_look_may_hide_and_one_that_names_an_address_may_link_to_it() -> None:
    assert alarms("<p>We", "<p hidden>We", "Please hide the text in another colour") == []
    assert alarms(HERE, "bitcoin:1abc", "Link bitcoin:1ABC please") == []


def test_only_the_first_eight_alarms_are_told() -> None:
    links = "".join(f"<a href=https://e{number}.example/>x</a>" for number in range(10))
    assert len(alarms("<form", f"{links}<form")) == 8


def asked(text: str, *sources: OthersWords, brought: tuple[str, ...] = ()) -> Asked:
    return Asked(text, brought, sources)


@pytest.mark.parametrize(
    ("text", "fact", "instead", "before", "is_asked"),
    [
        ("We open at nine", "9:00", "8:00", "8:00", True),
        ("We open at nine", "21:00", "8:00", "8:00", False),
        ("We close at nine", "21:00", "18:00", "18:00", True),
        ("It is 4.80 now", "4.80 €", None, "4.20 €", True),
        ("It is 4.80 now", "4.80 $", None, "4.20 €", False),
        ("It is $4.80 now", "4.80 $", None, "4.20 €", True),
        ("We moved to number 7", "Hauptstraße 7", None, "Hauptstraße 5", True),
        ("We moved to number 7", "Nebenstraße 7", None, "Hauptstraße 5", False),
        ("See shop.example/cakes", "https://shop.example/cakes", None, "https://a.example", True),
        ("See shop.example", "https://evil.example", None, "https://a.example", False),
        ("On 24 December", "24 December 2026", None, "20 December 2026", True),
        ("On 24 December 2026", "24 December 2027", None, "20 December 2026", False),
    ],
)
def test_a_fact_is_asked_for_in_its_place(
    text: str, fact: str, instead: str | None, before: str, *, is_asked: bool
) -> None:
    (wanted,), were = find_facts(fact), find_facts(before)
    # As a site means it that counts to 24.
    other = find_facts(instead)[0].in_the_morning() if instead else None
    assert asked(text).asks_for(wanted, other, were, set()) is is_asked


def test_a_price_without_a_currency_before_it_is_in_one_of_the_site() -> None:
    (euro,) = find_facts("4.80 €")
    assert asked("4.80 now").asks_for(euro, None, (), {"EUR"})
    assert not asked("4.80 now").asks_for(euro, None, (), {"USD"})
    assert asked("4.80 now").asks_for(euro, None, (), set())


def test_what_others_wrote_is_known_by_its_source() -> None:
    card = OthersWords(Problem.ATTACHED, "Call 030 555 0199", "card 7 of 2026.txt", "seven 9")
    wanted = asked("Put it there", card)
    phone, number = find_facts("030 555 0199"), find_facts("9")
    assert wanted.source_of(phone) is card
    assert wanted.source_of((*phone, *find_facts("030 111 2222"))) is None
    assert wanted.names.has(number[0])
    assert wanted.known.has(find_facts("2026")[0])
    assert not wanted.known.has(find_facts("7")[0])
    assert asked("x", brought=("24 December",)).known.has(find_facts("24 December")[0])


def test_a_request_says_words_and_hosts_in_small_letters() -> None:
    wanted = asked("Link to WWW.Shop.example/Cakes. and the FAX")
    assert wanted.hosts == {"shop.example/cakes"}
    assert (wanted.says("Fax"), wanted.says("the"), wanted.says("phone")) == (True, False, False)
    assert wanted.lower == "link to www.shop.example/cakes. and the fax"
    assert wanted.stems == {"link", "shop", "examp", "cakes"}


def told(request: str, before: str, after: str) -> list[tuple[str, str]]:
    return [(problem.value, about) for problem, about in check(request, site(i=before), site(i=after))]


@pytest.mark.parametrize(
    ("request_", "before", "after", "about"),
    [
        ("Please delete 030 123456", "<p>Tom: 030 123456</p><p>x</p>", "<p>x</p>", ""),
        ("Please remove the fax", "<p>Fax 030 123456</p><p>x</p>", "<p>x</p>", ""),
        ("Please remove the fax", "<p>Tel 030 123456</p><p>x</p>", "<p>x</p>", "Tel 030 123456 → -"),
        ("The winter offer is over", "<h2>Winter offer</h2><p>20 %</p><p>x</p>", "<p>x</p>", ""),
        ("Make it friendlier", "<h2>Winter offer</h2><p>20 %</p><p>x</p>", "<p>x</p>", "20 % → -"),
        (
            "We close at 17:00",
            "<p>Open 9:00 – 18:00</p>",
            "<p>Open till 17:00</p>",
            "Open 9:00 – 18:00 → Open till 17:00",
        ),
        ("It costs 5 now", "<p>Bun 4 €</p>", "<p>Bun 5</p>", "Bun 4 € → Bun 5"),
        (
            "Room with view of the lake 120 €",
            "<p>Room 90 €</p><p>Room with lake view 110 €</p>",
            "<p>Room 120 €</p><p>Room with lake view 110 €</p>",
            "Room 90 € → Room 120 €",
        ),
        (
            "The rye bread costs 4.80 now",
            "<p>Rye bread 4.20 €</p><p>Baguette 2.20 €</p>",
            "<p>Rye bread 4.20 €</p><p>Baguette 4.80 €</p>",
            "Baguette 2.20 € → Baguette 4.80 €",
        ),
        (
            "On Monday we open at 10:00",
            "<p>Monday 9:00</p><p>Tuesday 9:00</p>",
            "<p>Monday 9:00</p><p>Tuesday 10:00</p>",
            "Tuesday 9:00 → Tuesday 10:00",
        ),
        (
            "The apple cake costs 4.80 now",
            "<p>Apple cake 4.20 €</p><p>Rye bread 3.20 €</p>",
            "<p>Apple cake 4.20 €</p><p>Rye bread 3.20 €</p><p>Seed bread 4.80 €</p>",
            "",
        ),
    ],
)
def test_what_nobody_asked_for_is_told_with_both_of_its_texts(
    request_: str, before: str, after: str, about: str
) -> None:
    assert told(request_, before, after) == ([("unasked", about)] if about else [])


def test_a_text_may_move_only_where_somebody_wished_that() -> None:
    before = "<p>Call Tom 030 123456</p><p>Hello</p><p>World</p>"
    after = "<p>Hello</p><p>World</p><p>Call Tom 030 123456</p>"
    assert told("Please move the number to the bottom", before, after) == []
    assert told("Please make it nicer", before, after) == [("unasked", "Call Tom 030 123456 → -")]


def test_a_map_may_show_the_new_address_at_the_same_host_and_at_no_other() -> None:
    page = "<a href='https://{}/?q=Mill+Road+{}'>Map</a><p>Mill Road {}</p>"
    asked_for, before = "We are in Mill Road 7 now", page.format("maps.example", 5, 5)
    assert told(asked_for, before, page.format("maps.example", 7, 7)) == []
    elsewhere = "https://maps.example/?q=Mill+Road+5 → https://evil.example/?q=Mill+Road+7"
    assert told(asked_for, before, page.format("evil.example", 7, 7)) == [("unasked", elsewhere)]


def test_the_same_value_gives_way_to_the_same_one_in_another_language() -> None:
    def pages(price: str) -> dict[str, str]:
        return {"i": f"<p>Rye bread {price} €</p>", "de": f"<p>Roggenbrot {price} €</p>"}

    assert check("The rye bread costs 4.80 now", site(**pages("4.20")), site(**pages("4.80"))) == []


def test_a_year_is_an_old_copy_with_fewer_common_words_than_another_number() -> None:
    for number, is_told in (("1923", True), ("192", False)):
        more = f"<title>More</title><p>Oldest bakery, town hall {number}</p>"
        old = site(i=f"<p>Our lovely bakery: {number}</p>", m=more)
        new = site(i=f"<p>Our lovely bakery: {int(number) - 3}</p>", m=more)
        found = [problem for problem, _ in check(f"It is {int(number) - 3} now", old, new)]
        assert found == [Problem.OLD_COPY] * is_told


def test_only_eight_of_what_nobody_asked_for_are_told() -> None:
    before, after = ("".join(f"<p>Item{x * 3} 2.{tens} €</p>" for x in "abcdefghij") for tens in (10, 70))
    assert len(told("Nicer please", before, after)) == 8


def test_the_limits_of_a_change_are_what_it_may_still_have() -> None:
    files = [Change(f"{number}.html", ChangeKind.CHANGED, deleted_lines=20) for number in range(20)]
    assert find_overreach(files, Rules()) is None
    assert find_overreach([*files, Change("x.html", ChangeKind.CHANGED)], Rules()) == Overreach(
        Limit.FILES, ("21", "20")
    )
    more = Change("0.html", ChangeKind.CHANGED, deleted_lines=21)
    assert find_overreach([*files[1:], more], Rules()) == Overreach(Limit.LINES, ("401", "400"))


def test_what_a_page_does_no_longer_is_harmless_unless_somebody_missed_it() -> None:
    page = "<p><a href=/x {}>We</a></p><p {}>bake</p>"
    old, new = page_of(index=page.format("ping=https://evil.example/p", "onclick=go()")), page_of(index=page)
    assert find_alarms("x", old, new, take_receipt(old, new)) == ()


def test_what_a_program_of_the_site_did_before_a_page_may_do() -> None:
    old, new = page_of(index="<p>a</p>"), page_of(index="<p>a</p><iframe src=https://maps.example/z></iframe>")
    framed = replace(old, assets={"app.js": Page(deeds=("frame https://maps.example/z",))})
    assert [each.about for each in find_alarms("x", old, new, take_receipt(old, new))] == [
        "frame https://maps.example/z"
    ]
    assert find_alarms("x", framed, new, take_receipt(framed, new)) == ()


def test_a_number_in_the_text_of_a_picture_is_asked_for_only_by_a_name() -> None:
    picture = "<p>x</p><img src=//x.example/c.jpg alt='5 cakes'>"
    assert told("Put the photo there", "<p>x</p>", picture) == [("unasked", "- → 5 cakes")]


def test_where_a_site_counts_to_twelve_nine_may_be_in_the_evening() -> None:
    assert told("We close at 9 pm", "<p>till 8:00</p>", "<p>till 9:00</p>") == []
    twice = "<p>till {}</p><p>Sundays 13:00</p>"
    assert ("missing", "9 pm") in told("We close at 9 pm", twice.format("8:00"), twice.format("9:00"))


@pytest.mark.parametrize(("year", "is_asked"), [(2025, False), (2026, True), (2027, True), (2028, False)])
def test_a_date_is_in_a_year_that_was_named_or_in_the_next_one(year: int, *, is_asked: bool) -> None:
    (date,) = find_facts(f"24 December {year}")
    assert asked("We close on 24 December; 2026 was nice").asks_for(date, None, (), set()) is is_asked


def test_what_is_told_to_programs_may_lose_a_fact() -> None:
    page = '<script type="application/ld+json">{{"@type":"Bakery","openingHours":"{}"}}</script><p>x</p>'
    assert told("Make it nicer", page.format("Mo 08:00-18:00"), page.format("Mo 08:00")) == []


def doing(*deeds: str) -> SiteIndex:
    return SiteIndex({"i.html": Page(texts=("a",), deeds=deeds)}, {"i.html": "".join(deeds)})


@pytest.mark.parametrize(
    ("deed", "problem"),
    [
        *(("hides .x", ""), ("code x #a1.b2.c3", ""), ("ping https://e.example/", ""), ("onclick p go()", "")),
        *(("icon /i.png", ""), ("frame https://m.example/", ""), ("base href=/", "new_order")),
        *(("script /app.js", "deed_gone"), ("stylesheet /a.css", "deed_gone"), ("form /send", "deed_gone")),
    ],
)
def test_what_a_page_does_no_longer_waits_only_where_it_would_be_missed(deed: str, problem: str) -> None:
    old, new = doing(deed), doing()
    found = find_alarms("x", old, new, take_receipt(old, new))
    assert [(each.problem.value, each.about) for each in found] == ([(problem, deed)] if problem else [])


def test_a_page_may_say_that_it_belongs_to_the_site_and_to_no_other() -> None:
    head = "<link rel=canonical href=https://{}/><p>a</p>"
    old = page_of(index=head.format("amelia.example"), b="<p>a</p>")
    for host, found in (("amelia.example", []), ("evil.example", ["canonical https://evil.example/"])):
        new = page_of(index=head.format("amelia.example"), b=head.format(host))
        assert [each.about for each in find_alarms("x", old, new, take_receipt(old, new))] == found


def test_an_open_link_is_no_alarm_where_the_site_has_one_to_the_same_host() -> None:
    links = "<a href=http://m.example/a>a</a><a href=https://m.example/b>b</a>"
    old, new = page_of(index=links), page_of(index=f"{links}<a href=http://m.example/c>c</a>")
    assert find_alarms("x", old, new, take_receipt(old, new)) == ()


def test_a_number_alone_ends_what_stood_above_it() -> None:
    texts = ["Wedding cake", "7", "Rye", "3.20 €"]
    assert [sorted(each.stems) for each in regions(texts)] == [["cake", "weddi"], ["rye"]]


def test_a_title_goes_with_no_title_and_a_text_that_stays_with_none() -> None:
    winter, summer = gone("Winter offer"), gone("Summer offer")
    stays = TextChange("We are a bakery in the middle of the old town.", "We bake.")
    assert list(titled([winter, summer])) == [(winter, ""), (summer, "")]
    assert list(titled([winter, stays])) == [(winter, ""), (stays, "")]


@pytest.mark.parametrize(
    ("before", "after", "request_"),
    [
        (HERE, "DATA:Image/png;base64,xx", "x"),
        (HERE, "bitcoin:1ABC", "Link bitcoin:1abc please"),
        ("</head>", "<link rel=dns-prefetch href=/x></head>", "x"),
        ("</head>", "<link rel=preconnect href=/x></head>", "x"),
    ],
)
def test_letters_and_hints_that_lead_nowhere_new_are_no_alarm(before: str, after: str, request_: str) -> None:
    assert alarms(before, after, request_) == []
