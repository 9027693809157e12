"""A business card below a letter is no order, and nothing that may be one is taken for a card."""

from __future__ import annotations

import pytest

from webordinary.intake.hear import hear
from webordinary.mail.parse import parse_message
from webordinary.mail.words.quoting import own_words
from webordinary.mail.words.sent import Sent
from webordinary.mail.words.signature import card_length
from webordinary.mail.words.verbs import Verb

LONG = """Eva Maier
Geschäftsführerin

Café Zentral GmbH
Hauptstr. 1, 72070 Tübingen
Tel. 07071 4711 | Fax 07071 4712
info@cafe-zentral.de
www.cafe-zentral.de
Amtsgericht Stuttgart, HRB 12345"""
CARDS = {
    "with a firm": "Scott Meier\nLöwen Gastro GmbH\nTel. 0171 5551234",
    "with everything": LONG,
    "below a sign-off": f"Mit freundlichen Grüßen\n\n{LONG}",
    "with a number only": "Scott\nTel. 0171 5551234",
    "with a role below a sign-off": "Mit freundlichen Grüßen\nEva Maier\nInhaberin\nCafé Zentral\nTübingen",
    "in English": "Kind regards,\nScott Baker\nOwner\nBaker & Sons Ltd\n12 High Street\nPhone: +44 20 7946 0958",
    "for somebody": "MfG\n\ni.A. Eva Maier\nLöwen GmbH & Co. KG\nD-72070 Tübingen\nTelefon: +49 (0)7071 4711-0",
    "in London": "Best,\nTom Smith\nSmith Ltd\n12 High Street\nLondon SW1A 1AA\nTel: 020 7946 0958",
    "in French": "Cordialement,\nZoé Martin\nGérante\nBoulangerie Martin SARL\n3 rue de la Paix\nTél. 01 55 01 99 00",
    "in Spanish": "Saludos,\nPaco Ruiz\nPanadería Ruiz S.L.\nCalle Mayor 5\nMóvil: 610 55 01 99",
    "with a logo": "Scott Meier\nLöwen Gastro GmbH\n[picture: image001.png]\nwww.loewen.de",
    "of the United States": "John Smith\nSmith & Sons LLC\n123 Main St, Springfield, IL 62701\n(555) 123-4567",
    "of the United States, plain": "John Smith\nOwner\n555-123-4567\nwww.smiths.com",
    "of a suite": "Thanks,\nJane Doe\nDoe Bakery Inc.\n4500 Sunset Blvd, Suite 210\nLos Angeles, CA 90027",
    "of Britain": "Tom Smith\nSmith's Bakery\n12 Orchard Close\nLeeds LS1 4DY\n07700 900123",
    "of Britain, with a landline": "Best wishes\nTom Smith\nThe Old Bakery\n020 7946 0958",
    "of Italy": "Cordiali saluti,\nMario Rossi\nTitolare\nPanificio Rossi S.r.l.\nVia Roma 12, 20121 Milano\n"
    "02 1234567\nP. IVA 01234567890",
    "of Italy, with a mobile number": "Mario Rossi\nPanificio Rossi snc\n333 123 4567",
    "of the Netherlands": "Met vriendelijke groet,\nJan de Vries\nBakkerij de Vries B.V.\nKerkstraat 12\n"
    "1017 GA Amsterdam\n020-1234567\nKvK 12345678",
    "of the Netherlands, short": "Jan de Vries\n06-12345678",
    "of Germany, unlabelled": "Eva Maier\nCafé Zentral\n07071/4711-0\n0171 5551234",
    "of Germany, a firm first": "Café Zentral GmbH\nHauptstr. 1\n72070 Tübingen\n07071 471123",
    "of France, unlabelled": "Zoé Martin\nBoulangerie Martin\n01 55 01 99 00",
    "of Spain, unlabelled": "Paco Ruiz\nPanadería Ruiz\n610 55 01 99",
    "on one line": "Scott Baker\nOwner | 555-123-4567",
    "above a phone's line": "Scott Meier\nMobil 0171 5551234\n\nVon meinem iPhone gesendet",
}
MEANT = {
    "announced": "Unsere Nummer steht falsch da, richtig ist:\n\nScott Meier\nTel. 0171 5551234",
    "spoken of": "Please put our address on the site.\n\nScott Meier\nLöwen Gastro GmbH\nTel. 0171 5551234",
    "somebody new": "Please add Eva.\n\nEva Maier\nManager\nTel. 07071 4711",
    "all there is": "Scott Meier\nLöwen Gastro GmbH\nTel. 0171 5551234",
    "all there is but a greeting": "Hallo zusammen,\n\nScott Meier\nLöwen Gastro GmbH\nTel. 0171 5551234",
    "a number alone": "Our new number:\n\nTel. 0171 5551234",
    "a number without a name": "Ruhetag ist jetzt Montag.\n\nTel. 0171 5551234",
    "a title that is a wish": "ok\n\nNeue Adresse\nHauptstr. 1\n72070 Tübingen",
    "hours": "ok\n\nMontag Ruhetag\nTel. 0171 5551234",
    "a wish behind it": 'Replace "a" with "b".\n\nScott Meier\nTel. 0171 5551234\n\nand make the heading larger',
    "a date": "ok\n\nOktoberfest\n24.12.2026",
    "a month": "ok\n\nOktoberfest\n09/2026",
    "hours without colons": "ok\n\nKüche\n08.00 - 18.00",
    "hours of soldiers": "ok\n\nKitchen\n0800-1800",
    "prices": "ok\n\nKürbissuppe\n4,50",
    "a dish and a price": "ok\n\nSoup\n10.50 - 12.50",
    "a new number": "ok\n\nNew number\n555-123-4567",
    "a firm alone": "ok\n\nCafé Zentral GmbH",
    "an amount": "ok\n\nDonations\n12 000 000",
    "names alone": "Team der Woche\n\nEva Maier\nScott Baker",
}


@pytest.mark.parametrize("card", CARDS)
def test_a_card_is_kept_apart_and_not_lost(card: str) -> None:
    words = 'Hi,\n\nReplace "Ruhetag" with "geschlossen".'
    found = own_words(f"{words}\n\n{CARDS[card]}\n", is_reply=False)
    assert found.kept == words
    assert found.cut.split() == CARDS[card].split()


@pytest.mark.parametrize("case", MEANT)
def test_what_may_be_meant_stays(case: str) -> None:
    assert card_length(MEANT[case].split("\n")) == 0
    assert own_words(MEANT[case], is_reply=False).kept == MEANT[case]


SCOTT = "Scott Meier scott@loewen.example"


@pytest.mark.parametrize(
    "said",
    [
        "Bitte eintragen\n\nWeihnachtsmarkt\nHauptstraße 5\n12345 Berlin\nTel. 030 123456",
        "Wir sind jetzt in der\n\nBäckerei Amelia\nHauptstraße 5\n12345 Berlin",
        "Mettez le prochain marché sur la page.\n\nMarché Bio\n12 rue de la Paix\n75002 Paris",
        "Replace the text on the map page with\n\nAmelia Bakery\n12 High Street\nLondon SW1A 1AA",
    ],
)
def test_a_place_that_is_not_the_writers_own_card_stays(said: str) -> None:
    assert own_words(said, is_reply=False, writer=SCOTT).kept == said
    mine = "Scott Meier\nLöwen Gastro GmbH\nTel. 0171 5551234"
    assert own_words(f"Das Brot kostet 3,20.\n\n{mine}", is_reply=False, writer=SCOTT).cut == mine


def test_a_subject_that_speaks_of_it_keeps_the_card() -> None:
    text = f"Das stimmt nicht mehr.\n\n{CARDS['with a firm']}"
    assert own_words(text, is_reply=False, about="Unsere neue Telefonnummer").kept == text


def test_the_card_of_a_forwarded_mail_stays_with_it() -> None:
    forwarded = f"-------- Forwarded Message --------\nFrom: Eva <eva@example.org>\nSubject: x\n\nHi\n\n{LONG}"
    assert "Tel. 07071 4711" in own_words(f"See this.\n\n{forwarded}", is_reply=False).kept


@pytest.mark.parametrize("card", CARDS)
def test_an_ok_above_a_card_is_an_ok(card: str) -> None:
    raw = f"From: eva@example.org\nSubject: Re: Neue Telefonnummer\n\nOk\n\n{CARDS[card]}\n".encode()
    heard = hear(parse_message(raw), Sent())
    assert heard.verb is Verb.OK


@pytest.mark.parametrize("said", ["ok but smaller", "ok, und bitte noch die Farbe", "I do not approve"])
def test_an_instruction_above_a_card_stays_one(said: str) -> None:
    raw = f"From: eva@example.org\nSubject: Re: Mau\n\n{said}\n\n{LONG}\n".encode()
    heard = hear(parse_message(raw), Sent())
    assert heard.verb is None
    assert heard.text.startswith(said)


def test_no_text_takes_long() -> None:
    for line in ("a " * 5_000, "1" * 5_000, "A. " * 30 + "1", "tel " * 25, "www." * 25, "Aa-" * 33):
        assert card_length(["ok", "", *[line] * 50]) == 0
