"""Whiles without two plain dates: single days, names of weeks and months, two orders in one mail, and what is asked."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.unit.mail.test_when import BERLIN, spoken
from webordinary.mail.when import Misread, Span, Trouble, read_span

# A Wednesday, four in the afternoon in Berlin.
NOW = datetime(2026, 11, 18, 15, 0, tzinfo=UTC)
FIRST, LAST = "2026-12-01 00:00", "2026-12-05 00:00"
TOMORROW = ("2026-11-19 00:00", "2026-11-20 00:00")
SUNDAY = (None, "2026-11-23 00:00")
NEXT_WEEK = ("2026-11-23 00:00", "2026-11-30 00:00")
WEEKEND = ("2026-11-21 00:00", "2026-11-23 00:00")
EVE = ("2026-12-24 00:00", "2026-12-25 00:00")
AUGUST = ("2027-08-01 00:00", "2027-09-01 00:00")
EPIPHANY = (None, "2027-01-07 00:00")

WHILES = (
    ("Put up the banner on 1 December and take it down on 5 December.", FIRST, LAST),
    ("On 1 December, please show the banner. Then take it down on 5 December.", FIRST, LAST),
    ('Replace "Welcome" with "Happy birthday" on 1 December and remove it on 5 December.', FIRST, LAST),
    ("Zeigen Sie das Banner am 1.12. und entfernen Sie es am 5.12. wieder.", FIRST, LAST),
    ("Bitte das Banner am 1. Dezember anzeigen und am 5. Dezember wieder herunternehmen.", FIRST, LAST),
    ("Affichez la bannière le 1er décembre et retirez-la le 5 décembre.", FIRST, LAST),
    ("Muestre el banner el 1 de diciembre y quítelo el 5 de diciembre.", FIRST, LAST),
    ("We are closed until Sunday.", *SUNDAY),
    ("Wir haben bis Sonntag geschlossen.", *SUNDAY),
    ("Nous sommes fermés jusqu'à dimanche.", *SUNDAY),
    ("Cerrado hasta el domingo.", *SUNDAY),
    ("We are closed next week.", *NEXT_WEEK),
    ("Nächste Woche haben wir geschlossen.", *NEXT_WEEK),
    ("Nous sommes fermés la semaine prochaine.", *NEXT_WEEK),
    ("La próxima semana estamos cerrados.", *NEXT_WEEK),
    ("Show the autumn banner next week, please.", *NEXT_WEEK),
    ("We are closed for the rest of this week", *SUNDAY),
    ("We are closed this weekend.", *WEEKEND),
    ("Dieses Wochenende geschlossen", *WEEKEND),
    ("Ce week-end, nous sommes fermés.", *WEEKEND),
    ("Este fin de semana cerramos.", *WEEKEND),
    ("We are closed tomorrow.", *TOMORROW),
    ("Tomorrow we open at ten.", *TOMORROW),
    ("Wir haben morgen geschlossen.", *TOMORROW),
    ("Morgen öffnen wir erst um zehn.", *TOMORROW),
    ("Nous sommes fermés demain.", *TOMORROW),
    ("Demain, nous ouvrons à 10h.", *TOMORROW),
    ("Mañana estamos cerrados.", *TOMORROW),
    ("Mañana abrimos a las diez.", *TOMORROW),
    ("We're closed today.", None, TOMORROW[0]),
    ("We are closed this Thursday.", *TOMORROW),
    ("We are closed on 24 December.", *EVE),
    ("On 24 December we close at 2 pm.", *EVE),
    ("Closed: 24 December", *EVE),
    ("Am 24. Dezember haben wir geschlossen.", *EVE),
    ("Nous sommes fermés le 24 décembre.", *EVE),
    ("El 24 de diciembre cerramos.", *EVE),
    ("On 24 December at 6 pm, show the carol.", "2026-12-24 18:00", "2026-12-25 00:00"),
    # What people should read about days to come is there before them.
    ("Add a notice that we will be closed on 24 December.", None, EVE[1]),
    ("Please write on the home page that we are closed in August.", None, AUGUST[1]),
    ("Bitte schreiben Sie, dass wir im August Betriebsferien haben.", None, AUGUST[1]),
    ("Écrivez que nous sommes fermés le 24 décembre.", None, EVE[1]),
    ("Escriba que cerramos el 24 de diciembre.", None, EVE[1]),
    ("We are closed in August.", *AUGUST),
    ("Im August haben wir geschlossen.", *AUGUST),
    ("Nous sommes fermés en août.", *AUGUST),
    ("Cerramos en agosto.", *AUGUST),
    ("Closed until 6 January", *EPIPHANY),
    ("Geschlossen bis 6. Januar", *EPIPHANY),
    ("Fermé jusqu'au 6 janvier", *EPIPHANY),
    ("Cerrado hasta el 6 de enero", *EPIPHANY),
    ("We are closed for Christmas from 24 Dec to 2 Jan.", "2026-12-24 00:00", "2027-01-03 00:00"),
    ('We are closed until Sunday. Please put "Closed" on the home page.', *SUNDAY),
    ("We are closed until Sunday. From Monday on we are back as usual, 8 to 18.", *SUNDAY),
    ('Replace "8:00" with "9:00". Please show it until Sunday.', *SUNDAY),
    ('Replace "8:00" with "9:00" and publish this on 1 December.', FIRST, None),
    ("From tomorrow we open at nine.", TOMORROW[0], None),
    ('Put "Closed" on the home page on 1 December and take it down on 5 December.', FIRST, LAST),
    ("Wir haben am Donnerstag, den 24. Dezember, geschlossen.", *EVE),
    ('Replace "A" with "B" on 24 December.', *EVE),
    ("Ersetzen Sie „A“ durch „B“ am 24. Dezember.", *EVE),
    ("Remplacez « A » par « B » le 24 décembre.", *EVE),
    ("Cambie «A» por «B» el 24 de diciembre.", *EVE),
    ('Add "x" to the home page until Sunday.', *SUNDAY),
    ('From 1 to 4 December:\nReplace "A" with "B".', FIRST, LAST),
    ("Only this week: cakes cost 3 EUR.", *SUNDAY),
    ("Cakes cost 3 EUR next week.", *NEXT_WEEK),
    ("Today all cakes cost 3 EUR.", None, TOMORROW[0]),
    ("Please update the prices: from 1 December bread costs 4 EUR.", FIRST, None),
)
ASKED = (
    ('Every Monday, show "Soup day".', Trouble.AGAIN),
    ("Show the soup of the day every Monday, please.", Trouble.AGAIN),
    ("We are closed every Monday.", Trouble.AGAIN),
    ("Wir haben jeden Montag geschlossen.", Trouble.AGAIN),
    ("Jeden Montag bitte „Suppentag“ anzeigen.", Trouble.AGAIN),
    ("Nous sommes fermés tous les lundis.", Trouble.AGAIN),
    ("Tous les lundis, affichez « Soupe ».", Trouble.AGAIN),
    ("Cerramos todos los lunes.", Trouble.AGAIN),
    ("Todos los lunes, muestre «Sopa».", Trouble.AGAIN),
    ("We are closed over Christmas.", Trouble.VAGUE),
    ("Über Weihnachten haben wir geschlossen.", Trouble.VAGUE),
    ("Nous sommes fermés pendant les fêtes.", Trouble.VAGUE),
    ("Cerramos en Navidad.", Trouble.VAGUE),
    ("We are closed for three days.", Trouble.VAGUE),
    ("We are closed on Christmas Eve.", Trouble.VAGUE),
    ("An Heiligabend haben wir geschlossen.", Trouble.VAGUE),
    ("Le jour de Noël nous sommes fermés.", Trouble.VAGUE),
    ("En Nochebuena cerramos.", Trouble.VAGUE),
    ("We are closed on the 24th.", Trouble.VAGUE),
    ("Am 24. haben wir geschlossen.", Trouble.VAGUE),
    ("Fermé le 24.", Trouble.VAGUE),
    ("Cerrado el 24.", Trouble.VAGUE),
    ("Show the banner from Friday until Monday.", Trouble.WEEKLY),
    ("Am 24. und 25. Dezember geschlossen.", Trouble.SEVERAL),
    ("We are closed from Monday to Wednesday next week.", Trouble.SEVERAL),
    ("Put the banner up tomorrow.", Trouble.DAY_OR_SINCE),
    ("Please put the new photo on the home page this week.", Trouble.DAY_OR_SINCE),
    ('Add the course "Bread" on 24 December.', Trouble.DAY_OR_SINCE),
    ("Please publish the new menu on Monday.", Trouble.DAY_OR_SINCE),
    ("We are closed on Monday.", Trouble.WEEKLY),
    ("Am Montag haben wir geschlossen.", Trouble.WEEKLY),
    ("Monday to Wednesday we are closed.", Trouble.WEEKLY),
    ("From tomorrow we are closed.", Trouble.NO_END),
    ("Ab Montag haben wir geschlossen.", Trouble.NO_END),
    ("À partir de lundi, nous sommes fermés.", Trouble.NO_END),
    ("A partir del lunes estamos cerrados.", Trouble.NO_END),
    ("On 1 January the cake costs 5 EUR.", Trouble.DAY_OR_SINCE),
    ('Tomorrow, replace "8:00" with "9:00".', Trouble.DAY_OR_SINCE),
    ("We are closed on 24, 25 and 31 December.", Trouble.SEVERAL),
    ("We are closed on 24 December and open again on 27 December.", Trouble.SEVERAL),
    ("Put the concert on 24 December onto the home page and take it down on 26 December.", Trouble.SEVERAL),
    ("We were away. We are closed on 3 November.", Trouble.PAST),
    ("We are closed until Sunday. Also change the phone number to 030 123456.", Trouble.REST),
    ("Bis Sonntag geschlossen. Der Apfelkuchen kostet 4,80 Euro.", Trouble.REST),
    ("Fermé jusqu'à dimanche. Remplacez « Bienvenue » par « Bonjour ».", Trouble.REST),
    ("Cerrado hasta el domingo. Cambie el teléfono a 030 123456.", Trouble.REST),
)
FACTS = (
    "We are closed on Mondays.",
    "Montags geschlossen.",
    "Fermé le lundi.",
    "Cerrado los lunes.",
    "From now on we are closed every Monday.",
    "Ab sofort haben wir jeden Montag geschlossen.",
    "Désormais, nous sommes fermés tous les lundis.",
    "A partir de ahora cerramos todos los lunes.",
    "On Saturday we open at nine.",
    "On Friday we close at noon.",
    "Our new hours:\nMonday to Friday: 9-18\nSaturday: 9-14\nSunday: closed",
    "Monday to Friday 9-18, Saturday 9-14, Sunday closed",
    "Montag bis Freitag 9-18 Uhr, Samstag 9-14 Uhr, Sonntag geschlossen",
    "Du lundi au vendredi de 9h à 18h, dimanche fermé",
    "De lunes a viernes de 9 a 18, domingo cerrado",
    "Saturday and Sunday: closed",
    "Montag geschlossen",
    "Remove the concert on 24 December.",
    "Move the market to Friday.",
    "The exhibition closes on 5 December.",
    "Change the date of the concert to 24 December.",
    "Show the photo of Friday.",
    "Please remove the banner today.",
    "Every day we open at nine.",
    "Add that we have live music every Monday.",
    'Add "Every Monday: soup" to the home page.',
    "Use the photo of the party in August.",
    "Show our plans for the summer.",
    "In August we have a concert.",
    "The winter market opens on 1 December at 10.",
    "Please update the prices next week.",
    "We close for good; please write that from now on we are closed.",
    "Please change the phone number today.",
)


@pytest.mark.parametrize(("text", "starts", "ends"), WHILES)
def test_a_while_without_two_dates_is_read(text: str, starts: str | None, ends: str | None) -> None:
    found = read_span(text, NOW, BERLIN)
    assert isinstance(found, Span), found
    assert (spoken(found.starts_at), spoken(found.ends_at)) == (starts, ends)
    assert found.said in text


@pytest.mark.parametrize(("text", "trouble"), ASKED)
def test_what_could_be_a_surprise_is_asked(text: str, trouble: Trouble) -> None:
    found = read_span(text, NOW, BERLIN)
    assert isinstance(found, Misread), found
    assert found.trouble == trouble


@pytest.mark.parametrize("text", FACTS)
def test_a_fact_of_the_site_is_not_asked_about(text: str) -> None:
    assert read_span(text, NOW, BERLIN) is None


def test_a_year_that_has_just_begun_does_not_bring_back_the_old_one() -> None:
    found = read_span("Closed until 6 January", datetime(2027, 1, 10, 9, tzinfo=UTC), BERLIN)
    assert isinstance(found, Misread)
    assert found.trouble == Trouble.PAST


def test_a_day_that_the_clocks_make_longer_ends_with_itself() -> None:
    found = read_span("We are closed on 31 October 2027.", NOW, BERLIN)
    assert isinstance(found, Span)
    assert found.starts_at == datetime(2027, 10, 30, 22, tzinfo=UTC)
    assert found.ends_at == datetime(2027, 10, 31, 23, tzinfo=UTC)
