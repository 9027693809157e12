"""Whose words ask, where a fact has to stand, and where an old one still does."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.site.test_checks import check, site
from webordinary.jobs.lines import CopyLine, read_line
from webordinary.site.checks.missing import split_parts
from webordinary.site.checks.run import Finding, OthersWords, Problem, check_change
from webordinary.site.receipt.changes import take_receipt
from webordinary.worker.change.candidate import PublishPlan
from webordinary.worker.change.examine import Examine

FORWARDED = OthersWords(Problem.QUOTED, "Call us: 030 555 0199, pay to DE89 3704 0044 0532 0130 00")


def found(request: str, before: str, after: str, *sources: OthersWords) -> list[tuple[Problem, str]]:
    old, new = site(i=before), site(i=after)
    told = check_change(request, old, new, take_receipt(old, new), sources=sources)
    return [(each.problem, each.about) for each in told if each.problem is not Problem.MISSING]


@pytest.mark.parametrize(
    ("source", "finding"),
    [
        (FORWARDED, (Problem.QUOTED, "030 555 0199")),
        (OthersWords(Problem.ATTACHED, "New: 030 555 0199", "card.txt"), (Problem.ATTACHED, "030 555 0199 (card.txt)")),
        (OthersWords(Problem.ATTACHED, "", "030 555 0199.jpg"), (Problem.ATTACHED, "030 555 0199 (030 555 0199.jpg)")),
    ],
)
def test_what_others_wrote_waits_and_is_told_by_where_it_comes_from(
    source: OthersWords, finding: tuple[Problem, str]
) -> None:
    pages = "<p>Call 030 123456</p>", "<p>Call 030 555 0199</p>"
    assert found("Please put the new phone on the page", *pages, source) == [finding]
    assert found("Our phone is 030 555 0199", *pages, source) == []


def test_the_text_of_a_picture_may_repeat_the_number_in_its_name() -> None:
    named = OthersWords(Problem.ATTACHED, "", "cake 7.jpg", "cake 7")
    assert found("Put it on the page", "<p>a</p>", "<p>a</p><img src=//x.example/c.jpg alt='cake 7'>", named) == []
    assert found("Put it on the page", "<p>a</p>", "<p>a</p><p>Cake 7</p>", named) == [
        (Problem.ATTACHED, "7 (cake 7.jpg)")
    ]


def test_a_mail_without_words_of_its_own_asks_for_nothing() -> None:
    quoted = OthersWords(Problem.QUOTED, "Please write that we bake all night.")
    told = [(Problem.QUOTED, "Please write that we bake all night.")]
    assert found("", "<p>Hello</p>", "<p>Hello</p><p>We bake all night.</p>", quoted) == told
    assert found("Please do that", "<p>Hello</p>", "<p>Hello</p><p>We bake all night.</p>", quoted) == []


def test_what_nobody_wrote_is_not_told_to_come_from_anybody() -> None:
    pages = "<p>Call 030 123456</p>", "<p>Call 030 999 0000</p>"
    assert found("Please update it", *pages, FORWARDED) == [
        (Problem.UNASKED, "Call 030 123456 → Call 030 999 0000"),
    ]


def test_an_account_whose_check_digits_do_not_fit_waits_also_when_it_was_asked_for() -> None:
    wrong = "DE89 3704 0044 0532 0130 01"
    assert found(f"Our account is {wrong}", "<p>Hi</p>", f"<p>Hi</p><p>{wrong}</p>") == [(Problem.MISTYPED, wrong)]
    right = "DE89 3704 0044 0532 0130 00"
    assert found(f"Our account is {right}", "<p>Hi</p>", "<p>Hi</p><p>DE89370400440532013000</p>") == []


@pytest.mark.parametrize(
    ("request_", "before", "after", "waits"),
    [
        ("We open at nine", "8:00 – 18:00", "9:00 – 18:00", False),
        ("We open at nine", "8:00 – 18:00", "21:00 – 18:00", True),
        ("We close at nine", "8:00 – 18:00", "8:00 – 21:00", False),
        ("We close at 9 pm", "8:00 – 18:00", "8:00 – 21:00", False),
        ("We close at 9 pm", "8 am – 6 pm", "8 am – 9 am", True),
        ("We sell 5 rolls", "till 16:00", "till 17:00", True),
        ("The cake is 4.80 now", "Cake 4.20 €", "Cake 4.80 €", False),
        ("The cake is 4.80 now", "Cake 4.20 €", "Cake 4.80 $", True),
        ("The cake is $4.80 now", "Cake 4.20 €", "Cake 4.80 $", False),
        ("The party is on 24 December", "20 December 2026", "24 December 2026", False),
        ("Call +49 30 1234567", "Tel. 030 7654321", "Tel. 030 1234567", False),
        ("Call +49 30 1234567", "Tel. 030 7654321", "Tel. +43 30 1234567", True),
        ("Bun 2.50, loaf 4.80", "Bun 2.20, loaf 4.50", "Bun 2.50, loaf 4.80", False),
        ("Make it nicer", "Bun 2.20, loaf 4.50", "Bun 4.50, loaf 2.20", True),
    ],
)
def test_a_fact_is_asked_for_only_with_its_details(request_: str, before: str, after: str, *, waits: bool) -> None:
    told = found(request_, f"<p>{before}</p>", f"<p>{after}</p>")
    assert [problem for problem, _ in told if problem is Problem.UNASKED] == [Problem.UNASKED] * waits


MENU = "<p>Apple cake</p><p>{} €</p><p>Rye bread</p><p>{} €</p>"


def test_a_fact_has_to_stand_with_the_words_that_it_was_said_with() -> None:
    old = site(i=MENU.format("4.20", "4.80"))
    assert check("Apple cake 4.80", old, site(i=f"{MENU.format('4.20', '4.80')}<p>x</p>")) == [
        (Problem.MISSING, "Apple cake 4.80")
    ]
    assert check("Apple cake 4.80", old, site(i=MENU.format("4.80", "4.80"))) == []


def test_a_price_that_came_to_the_wrong_thing_waits() -> None:
    old, new = site(i=MENU.format("4.20", "4.50")), site(i=MENU.format("4.20", "4.80"))
    assert (Problem.UNASKED, "4.50 € → 4.80 €") in check("The apple cake costs 4.80 now", old, new)


def test_each_part_of_a_request_is_told_where_one_is_missing() -> None:
    old, new = site(i="<p>Open 8:00 – 18:00</p>"), site(i="<p>Open 9:00 – 18:00</p>")
    told = check("We open at 9:00 from now on.\nOur phone is 030 123456.", old, new)
    assert told == [
        (Problem.MISSING, "030 123456"),
        (Problem.PART_DONE, "We open at 9:00 from now on"),
        (Problem.PART_MISSING, "Our phone is 030 123456\t030 123456"),
    ]
    assert split_parts("Am 24. Dezember um 9. Dann Hauptstr. 5!\n- Tel. 030 123456") == [
        "Am 24. Dezember um 9",
        "Dann Hauptstr. 5!",
        "Tel. 030 123456",
    ]


def test_where_an_old_value_still_stands_is_told_with_what_it_should_become() -> None:
    more = (
        "<title>More</title><p>Tel. 030 123456</p><a href='tel:+4930123456'>Call</a><img src=a alt='Call 030/123456'>"
    )
    old = site(i="<p>Phone 030 123456</p>", more=more)
    new = site(i="<p>Phone 030 654321</p>", more=more)
    found = [about for problem, about in check("Our phone is 030 654321", old, new) if problem is _COPY]
    assert [read_line(CopyLine, about) for about in found] == [
        CopyLine("still_there", "", "More", "Tel. 030 123456", "0", "030 123456", "030 654321"),
        CopyLine("still_there", "picture_text", "More", "Call 030/123456", "0", "030/123456", "030 654321"),
        CopyLine("still_there", "link", "More", "tel:+4930123456", "0", "+4930123456", "+4930654321"),
    ]


_COPY = Problem.OLD_COPY


def test_the_same_price_of_another_thing_is_no_old_copy() -> None:
    old = site(i="<p>Apple cake 4.20 €</p>", more="<p>Rye bread 4.20 €</p><p>Our apple cake: 4.20 €</p>")
    new = site(i="<p>Apple cake 4.80 €</p>", more="<p>Rye bread 4.20 €</p><p>Our apple cake: 4.20 €</p>")
    found = [about for problem, about in check("Apple cake 4.80", old, new) if problem is _COPY]
    assert [read_line(CopyLine, about).shown for about in found] == ["Our apple cake: 4.20 €"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Open 9:00\n- Call 030 123456", ["Open 9:00", "Call 030 123456"]),
        ("The cake is 4.80\n€", ["The cake is 4.80 €"]),
        ("See you at 9:00; Close 18:00. • Tel 030 123456", ["See you at 9:00", "Close 18:00", "Tel 030 123456"]),
        ("Open 9:00\n2) Close 18:00", ["Open 9:00", "Close 18:00"]),
        ("Nothing here. Close 18:00", ["Close 18:00"]),
    ],
)
def test_a_request_is_read_part_by_part(text: str, parts: list[str]) -> None:
    assert split_parts(text) == parts


def test_each_of_two_old_values_is_told_with_its_own_new_one() -> None:
    more = "<title>More</title><p>Fax 030 111111</p><p>Call 030 222222</p>"
    old = site(i="<p>Fax 030 111111</p><p>Phone 030 222222</p>", more=more)
    new = site(i="<p>Fax 030 333333</p><p>Phone 030 444444</p>", more=more)
    told = check("Our fax is 030 333333, our phone 030 444444", old, new)
    copies = [read_line(CopyLine, about) for problem, about in told if problem is _COPY]
    assert [(each.was, each.now) for each in copies] == [("030 111111", "030 333333"), ("030 222222", "030 444444")]


def test_the_pages_of_an_old_value_are_named_up_to_six_and_then_counted() -> None:
    pages = {f"p{number}": f"<title>Page {number}</title><p>Tel. 030 123456</p>" for number in range(8)}
    old, new = site(i="<p>Phone 030 123456</p>", **pages), site(i="<p>Phone 030 654321</p>", **pages)
    told = check("Our phone is 030 654321", old, new)
    (copy,) = [read_line(CopyLine, about) for problem, about in told if problem is _COPY]
    assert (copy.kind, copy.more) == ("still_there_too", "2")
    assert copy.pages == " · ".join(f"Page {number}" for number in range(6))


def test_an_old_value_in_a_long_text_is_told_with_four_words_around_it() -> None:
    words = "If you ever want to speak with one of us please call 030 123456 at any time of any day you like."
    more = f"<title>More</title><p>{words}</p>"
    old, new = site(i="<p>Phone 030 123456</p>", more=more), site(i="<p>Phone 030 654321</p>", more=more)
    told = check("Our phone is 030 654321", old, new)
    (copy,) = [read_line(CopyLine, about) for problem, about in told if problem is _COPY]
    assert copy.shown == "… of us please call 030 123456 at any time of …"


def test_opening_hours_in_data_are_an_old_copy_only_while_the_new_ones_are_not_there() -> None:
    def page(hours: str, data: str) -> str:
        told = f'{{"@type":"Bakery","openingHours":"Mo-Fr {data}-18:00"}}'
        return f"<script type=application/ld+json>{told}</script><p>Open {hours} – 18:00</p>"

    asked, was = "We open at 9:00", site(i=page("8:00", "08:00"))
    copies = [about for problem, about in check(asked, was, site(i=page("9:00", "08:00"))) if problem is _COPY]
    assert [read_line(CopyLine, about).place for about in copies] == ["data"]
    assert [each for each in check(asked, was, site(i=page("9:00", "09:00"))) if each[0] is _COPY] == []


_TAGS = ["<p>", "</p>", "<a href='//:'>", "</a>"]
_BITS = ["mailto:@", "9:00", "24.12.", "4.80€", "DE89", "nine", ":", "2026-13-40", "99:99"]
_LINKED = ["<a href='https://h:8443/Talk:x'>", "<a href='tel:+49'>", "<img src=x alt='9:'>", " "]
_PAGES = st.lists(st.sampled_from([*_TAGS, *_BITS, *_LINKED])).map("".join)


@given(st.one_of(st.text(), _PAGES), _PAGES, st.one_of(st.text(), _PAGES))
def test_no_page_and_no_request_breaks_a_check(request_: str, before: str, after: str) -> None:
    old, new = site(i=before, a=after), site(i=after, b=before)
    told = check_change(request_, old, new, take_receipt(old, new), brought=(before,), sources=(FORWARDED,))
    assert all(isinstance(each, Finding) for each in told)


def test_a_check_that_breaks_makes_the_change_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("webordinary.worker.change.examine.check_change", broken)
    examine = Examine(cast("Any", None), cast("Any", None))
    old, new = site(i="<p>a</p>"), site(i="<p>b</p>")
    told = examine._check(PublishPlan(request="b"), old, new, take_receipt(old, new))  # noqa: SLF001 - all else needs a build
    assert [(each.problem, each.needs_ok) for each in told] == [(Problem.UNCHECKED, True)]
