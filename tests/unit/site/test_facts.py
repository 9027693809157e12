from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.site.facts.find import FactKind, Known, facts_of_link, find_facts, forms_of, is_mistyped

_SIGNS = "0 1 9 24 12 2026 00 99999 . , : ; / - + ( ) % € $ ' @ h a Z x – İ uhr nine dec de89 370400440532013000 tel:"
_PIECES = [*_SIGNS.split(), " ", "\u00a0", "https://", "www.", "am ", "pm ", "halb ", "price:", "Str. "]


@pytest.mark.parametrize(
    ("text", "kind", "form"),
    [
        ("we open at nine now", FactKind.NUMBER, "9"),
        ("wir öffnen um neun", FactKind.NUMBER, "9"),
        ("abrimos a las nueve", FactKind.NUMBER, "9"),
        ("on ouvre à neuf heures", FactKind.TIME, "09:00"),
        ("from 9:00", FactKind.TIME, "09:00"),
        ("ab 9 Uhr", FactKind.TIME, "09:00"),
        ("ab 9.30 Uhr", FactKind.TIME, "09:30"),
        ("dès 9h30", FactKind.TIME, "09:30"),
        ("at 9 pm", FactKind.TIME, "21:00"),
        ("at 12 a.m.", FactKind.TIME, "00:00"),
        ("halb neun", FactKind.TIME, "08:30"),
        ("half past eight", FactKind.TIME, "08:30"),
        ("quarter to ten", FactKind.TIME, "09:45"),
        ("24 Dec", FactKind.DATE, "12-24"),
        ("December 24", FactKind.DATE, "12-24"),
        ("24. Dezember", FactKind.DATE, "12-24"),
        ("24.12.", FactKind.DATE, "12-24"),
        ("24.12.2026", FactKind.DATE, "2026-12-24"),
        ("24 décembre", FactKind.DATE, "12-24"),
        ("24 de diciembre", FactKind.DATE, "12-24"),
        ("2026-12-24", FactKind.DATE, "2026-12-24"),
        ("12/24/2026", FactKind.DATE, "2026-12-24"),
        ("4,50 €", FactKind.PRICE, "4.5 EUR"),
        ("$4.50", FactKind.PRICE, "4.5 USD"),
        ("1.000 €", FactKind.PRICE, "1000 EUR"),
        ("1,250.00", FactKind.NUMBER, "1250"),
        ("+49 (0)30 123456", FactKind.PHONE, "+49 30123456"),
        ("030 / 12 34 56", FactKind.PHONE, "tel 30123456"),
        ("info@amelia.example", FactKind.MAIL, "info@amelia.example"),
        ("https://www.amelia.example/menu/.", FactKind.LINK, "amelia.example/menu"),
        ("twenty", FactKind.NUMBER, "20"),
        ("twenty-five euros", FactKind.PRICE, "25 EUR"),
        ("fünfundzwanzig", FactKind.NUMBER, "25"),
        ("einunddreißig", FactKind.NUMBER, "31"),
        ("vingt-cinq", FactKind.NUMBER, "25"),
        ("vingt et un", FactKind.NUMBER, "21"),
        ("veinticinco", FactKind.NUMBER, "25"),
        ("treinta y cinco", FactKind.NUMBER, "35"),
        ("à neuf heures et demie", FactKind.TIME, "09:30"),
        ("à 9 h et quart", FactKind.TIME, "09:15"),
        ("a las nueve y media", FactKind.TIME, "09:30"),
        ("a las diez menos cuarto", FactKind.TIME, "09:45"),
        ("Hauptstraße 5", FactKind.ADDRESS, "hauptstr 5"),
        ("Hauptstr. 5", FactKind.ADDRESS, "hauptstr 5"),
        ("Berliner Straße 12 a", FactKind.ADDRESS, "berliner str 12 a"),
        ("12 Main Street", FactKind.ADDRESS, "12 main st"),
        ("12 Main St.", FactKind.ADDRESS, "12 main st"),
        ("Amelia’s Bakery Amelia Street 4", FactKind.ADDRESS, "amelia st 4"),
        ("12, rue de la Paix", FactKind.ADDRESS, "12 rue de la paix"),
        ("Calle Mayor, 7", FactKind.ADDRESS, "calle mayor 7"),
        ("24. Dezember 2026", FactKind.DATE, "2026-12-24"),
        ("24 de diciembre de 2026", FactKind.DATE, "2026-12-24"),
        ("December 24, 2026", FactKind.DATE, "2026-12-24"),
        ("24.12.26", FactKind.DATE, "2026-12-24"),
        ("0049 30 123456", FactKind.PHONE, "+49 30123456"),
        ("+1 (555) 123-4567", FactKind.PHONE, "+1 5551234567"),
        ("(555) 123-4567", FactKind.PHONE, "tel 5551234567"),
        ("912 345 678", FactKind.PHONE, "tel 912345678"),
        ("call 1234567", FactKind.PHONE, "tel 1234567"),
        ("CHF 4.80", FactKind.PRICE, "4.8 CHF"),
        ("5€20", FactKind.PRICE, "5.2 EUR"),
        ("5,- €", FactKind.PRICE, "5 EUR"),
        ("fünf Euro", FactKind.PRICE, "5 EUR"),
        ("20 %", FactKind.NUMBER, "20 %"),
        ("zwanzig", FactKind.NUMBER, "20"),
        ("250g", FactKind.NUMBER, "250"),
        ("nine in the evening", FactKind.TIME, "21:00"),
        ("9 Uhr abends", FactKind.TIME, "21:00"),
        ("DE89 3704 0044 0532 0130 00", FactKind.ACCOUNT, "DE89370400440532013000"),
        ("de89370400440532013000", FactKind.ACCOUNT, "DE89370400440532013000"),
        ("FR14 2004 1010 0505 0001 3M02 606", FactKind.ACCOUNT, "FR1420041010050500013M02606"),
        ("BIC: COBADEFFXXX", FactKind.ACCOUNT, "COBADEFFXXX"),
        ("https://host.example:8443/A", FactKind.LINK, "host.example:8443/A"),
        ("https://wiki.example/Talk:Bath", FactKind.LINK, "wiki.example/Talk:Bath"),
        ("1BoatSLRHtKNngkdXEeobR76b53LETtpyT", FactKind.CODE, "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"),
        ("DE123456789", FactKind.CODE, "DE123456789"),
    ],
)
def test_the_same_fact_has_one_form_in_every_language(text: str, kind: FactKind, form: str) -> None:
    assert [(fact.kind, fact.form) for fact in find_facts(text)] == [(kind, form)]


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("8:00–18:45", ["08:00", "18:45"]),
        ("9am-5pm", ["09:00", "17:00"]),
        ("9.30-18.45 Uhr", ["09:30", "18:45"]),
        ("9h30-18h45", ["09:30", "18:45"]),
        ("open at 9 on our street", ["9"]),
    ],
)
def test_two_times_with_a_dash_between_them_are_two(text: str, forms: list[str]) -> None:
    assert [fact.form for fact in find_facts(text)] == forms


def test_facts_are_told_as_they_were_written() -> None:
    assert [fact.written for fact in find_facts("Am 24. Dezember in der Hauptstraße 5")] == [
        "24. Dezember",
        "Hauptstraße 5",
    ]


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("nine", "9:00", True),
        ("nine", "21:00", True),
        ("nine", "9 pm", True),
        ("9 pm", "21:00", True),
        ("9 am", "21:00", False),
        ("9 in the morning", "9 pm", False),
        ("9:00 to 18:00", "21:00", False),
        ("09:00", "21:00", False),
        ("12:00 - 18:00", "0:00", False),
        ("five rolls", "17:00", False),
        ("5 rolls", "17:00", False),
        ("fünf Brötchen", "17 Uhr", False),
        ("at five Scott bakes", "17:00", True),
        ("4.80", "4,80 €", True),
        ("4.80 €", "EUR 4.80", True),
        ("4.80 €", "$4.80", False),
        ("20 %", "20 €", False),
        ("24 December", "24.12.2026", True),
        ("24 December 2025", "24.12.2026", False),
        ("+49 30 1234567", "030 1234567", True),
        ("+49 (0)30 1234567", "0049301234567", True),
        ("+43 30 1234567", "+49 30 1234567", False),
        ("030 1234567", "040 1234567", False),
        ("+39 06 1234567", "06 1234567", True),
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000", True),
        ("DE89 3704 0044 0532 0130 00", "DE90370400440532013000", False),
        ("a@b.example", "A@b.example", True),
        ("a@b.example", "a@c.example", False),
        ("https://www.shop.example/a", "http://shop.example/a/", True),
        ("https://shop.example/a", "https://shop.example.evil.example/a", False),
        ("https://shop.example/a", "https://shop.example:8443/a", False),
        ("0x52908400098527886E0F7030069857D2E4169EE7", "0x52908400098527886E0F7030069857D2E4169EE8", False),
    ],
)
def test_two_facts_are_the_same_only_with_all_their_details(one: str, other: str, *, is_same: bool) -> None:
    assert Known(find_facts(one)[:1]).has(find_facts(other)[0]) is is_same
    assert Known(find_facts(other)[:1]).has(find_facts(one)[0]) is is_same


@pytest.mark.parametrize(
    ("account", "is_wrong"),
    [
        ("DE89370400440532013000", False),
        ("DE89370400440532013001", True),
        ("GB82WEST12345698765432", False),
        ("COBADEFFXXX", False),
    ],
)
def test_an_account_with_a_slip_of_the_pen_is_known_by_its_check_digits(account: str, *, is_wrong: bool) -> None:
    assert is_mistyped(account) is is_wrong


@pytest.mark.parametrize(
    ("link", "form"),
    [
        ("tel:+49-30-123456", "+49 30123456"),
        ("TEL:030%20123456", "tel 30123456"),
        ("mailto:Info@amelia.example?subject=5", "info@amelia.example"),
        ("//Shop.example/x", "shop.example/x"),
        ("https://wa.me/4930123456", "wa.me/4930123456"),
        ("bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"),
        ("/menu-2026.html", None),
        ("mailto:?subject=5", None),
        ("#24-12-2026", None),
    ],
)
def test_a_link_is_where_it_leads(link: str, form: str | None) -> None:
    assert [fact.form for fact in facts_of_link(link)] == ([form] if form else [])


@given(st.text())
def test_every_text_can_be_read_for_facts(text: str) -> None:
    for fact in (*find_facts(text), *facts_of_link(text)):
        assert fact.form in forms_of(fact)
        assert Known([fact]).has(fact)


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
def test_every_text_of_figures_and_signs_can_be_read_too(text: str) -> None:
    for fact in (*find_facts(text), *facts_of_link(text)):
        assert Known([fact]).has(fact)
        assert fact.written == text[fact.at : fact.end] or fact.written in text.lower().replace("–", "-") or ":" in text


@pytest.mark.thorough
def test_a_long_text_of_digits_is_read_in_time() -> None:
    find_facts("1 " * 50_000 + "(0" * 20_000 + "1." * 50_000)
