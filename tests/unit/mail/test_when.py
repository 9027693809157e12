"""When a change holds: what the dates of a mail mean, and which of them are only facts of the site."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.languages import known
from webordinary.mail.when import Misread, Span, Trouble, read_span

BERLIN = ZoneInfo("Europe/Berlin")
# A Sunday, four in the afternoon in Berlin.
NOW = datetime(2026, 11, 15, 15, 0, tzinfo=UTC)

ENGLISH = (
    ("We are closed from 24 Dec to 2 Jan.", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Closed 24-28 December", "2026-12-24 00:00", "2026-12-29 00:00"),
    ("From December 24th, 2026 to January 2nd, 2027 the shop is closed.", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("We will be on holiday between the 1st of March and the 14th of March", "2027-03-01 00:00", "2027-03-15 00:00"),
    ("We're closed until 2 January.", None, "2027-01-03 00:00"),
    ("Closed until Friday, 20 November at 6 pm", None, "2026-11-20 18:00"),
    ("From 24 Dec to 2 Jan we open at ten.", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("From Monday we open at nine instead of ten.", "2026-11-16 00:00", None),
    ("Starting 1 December we close at 5 pm", "2026-12-01 00:00", None),
    ("From tomorrow until next Friday we are closed", "2026-11-16 00:00", "2026-11-21 00:00"),
    ("Show the Christmas banner from 1 Dec to 26 Dec, please.", "2026-12-01 00:00", "2026-12-27 00:00"),
    ('From 24 Dec to 2 Jan, replace "8:00 – 18:00" with "closed".', "2026-12-24 00:00", "2027-01-03 00:00"),
    ('On 24 December, change "Welcome" to "Merry Christmas".', "2026-12-24 00:00", "2026-12-25 00:00"),
    (
        "Please publish this on 1 December at 6 pm and take it down on 5 December.",
        "2026-12-01 18:00",
        "2026-12-05 00:00",
    ),
    ("Could you hide the menu until 24/12/2026?", None, "2026-12-25 00:00"),
    ("Until 31 January all cakes cost 3 EUR.", None, "2027-02-01 00:00"),
    ("closed 2026-12-24 to 2027-01-02", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("We are closed from 1 Nov to 30 Nov", None, "2026-12-01 00:00"),
    ("Hi,\n\nwe are closed from Dec 24 to 28.\n\nThanks, Scott", "2026-12-24 00:00", "2026-12-29 00:00"),
    ("We're closed for a week from 1 December", "2026-12-01 00:00", "2026-12-08 00:00"),
    ("Closed from 24 Dec for ten days", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("We're closed from tomorrow until Friday", "2026-11-16 00:00", "2026-11-21 00:00"),
    ("Closed: 24 Dec – 2 Jan", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Closed 24/12 to 2/1", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Closed 12/24/2026 to 01/02/2027", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("A haircut costs 40 francs from 1 January", "2027-01-01 00:00", None),
    ("From 1 December we open at ten for three days a week", "2026-12-01 00:00", None),
    ("We are closed from 24 Dec to 2 Jan and on 3 January we open again", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Publish this tomorrow at 8 pm and take it down tomorrow at 9 pm", "2026-11-16 20:00", "2026-11-16 21:00"),
    ('Add "Soup" to the home page and take it down on 5 December.', None, "2026-12-05 00:00"),
)
GERMAN = (
    ("Wir haben vom 24.12. bis 2.1. geschlossen.", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Vom 24. bis 28. Dezember sind wir geschlossen", "2026-12-24 00:00", "2026-12-29 00:00"),
    ("Geschlossen 24.–28.12.", "2026-12-24 00:00", "2026-12-29 00:00"),
    ("Betriebsferien vom 24. Dezember 2026 bis einschließlich 2. Januar 2027", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Wir sind bis zum 2. Januar im Urlaub.", None, "2027-01-03 00:00"),
    ("Geschlossen bis 24.12", None, "2026-12-25 00:00"),
    ("Ab Montag öffnen wir um neun statt um zehn.", "2026-11-16 00:00", None),
    ("Ab dem 1. Dez. öffnen wir um 9 Uhr.", "2026-12-01 00:00", None),
    ("Zwischen dem 1. und dem 14. März haben wir geschlossen", "2027-03-01 00:00", "2027-03-15 00:00"),
    ("Bitte am 1. Dezember um 18 Uhr veröffentlichen.", "2026-12-01 18:00", None),
    ("Bitte am 1.12. online stellen und am 5.12. wieder entfernen.", "2026-12-01 00:00", "2026-12-05 00:00"),
    ("Vom 1.12. bis 26.12. bitte das Weihnachtsbanner anzeigen.", "2026-12-01 00:00", "2026-12-27 00:00"),
    ("Ersetzen Sie „8:00“ durch „9:00“ ab 1.12.2026", "2026-12-01 00:00", None),
    ("Ab 1. Januar kostet der Kuchen 5 Euro.", "2027-01-01 00:00", None),
    (
        "Ab morgen haben wir bis Do., den 24. Dezember, um 14 Uhr geschlossen",
        "2026-11-16 00:00",
        "2026-12-24 14:00",
    ),
    ("Wir haben von nächstem Montag bis 20.11. geschlossen", "2026-11-16 00:00", "2026-11-21 00:00"),
    ("Bitte schreiben Sie, dass wir vom 24.12. bis 2.1. geschlossen haben.", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Wir sind vom 24.12. bis 2.1. in den Ferien.", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Vom 24.12. bis 2.1. bleibt unser Laden zu.", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Ab 1. Dezember zwei Wochen geschlossen", "2026-12-01 00:00", "2026-12-15 00:00"),
    ("Der Haarschnitt kostet ab 1.1. 40 Franken", "2027-01-01 00:00", None),
    ("Bitte ab 1.12. zeigen und am 5.12. wieder entfernen", "2026-12-01 00:00", "2026-12-05 00:00"),
    ("Bitte „Suppe“ auf die Startseite und am 5.12. wieder entfernen.", None, "2026-12-05 00:00"),
)
FRENCH = (
    ("Nous sommes fermés du 24 décembre au 2 janvier.", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Du 24 au 28 décembre, la boutique est fermée.", "2026-12-24 00:00", "2026-12-29 00:00"),
    ("Fermeture du 24/12 au 02/01", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Fermé du 03/04 au 05/04/2027", "2027-04-03 00:00", "2027-04-06 00:00"),
    ("Nous sommes en vacances jusqu'au 2 janvier", None, "2027-01-03 00:00"),
    ("Nous serons en congés entre le 1er et le 14 mars", "2027-03-01 00:00", "2027-03-15 00:00"),
    ("À partir du 1er décembre, nous ouvrons à neuf heures.", "2026-12-01 00:00", None),
    ("À partir de lundi prochain, nous ouvrons à 9h.", "2026-11-16 00:00", None),
    ("Dès le 1er déc. nous fermons à 18 heures", "2026-12-01 00:00", None),
    ("Merci de publier ceci le 1er décembre à 18h.", "2026-12-01 18:00", None),
    ("Mettez-le en ligne le 1 décembre et retirez-le le 5 décembre", "2026-12-01 00:00", "2026-12-05 00:00"),
    ("Affichez la bannière de Noël du 1er au 26 décembre, merci.", "2026-12-01 00:00", "2026-12-27 00:00"),
    ("Le 24 décembre, remplacez « Bienvenue » par « Joyeux Noël ».", "2026-12-24 00:00", "2026-12-25 00:00"),
    ("Fermés à partir de demain jusqu’au 20 novembre", "2026-11-16 00:00", "2026-11-21 00:00"),
    ("Jusqu'au 31 janvier, les gâteaux coûtent 3 €.", None, "2027-02-01 00:00"),
    ("Congés du 24 décembre au 2 janvier", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Fermé à partir du 1er décembre pendant deux semaines", "2026-12-01 00:00", "2026-12-15 00:00"),
    ("Ajoutez « Soupe » et retirez-le le 5 décembre", None, "2026-12-05 00:00"),
)
SPANISH = (
    ("Cerramos del 24 de diciembre al 2 de enero.", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Estamos cerrados del 24 al 28 de diciembre", "2026-12-24 00:00", "2026-12-29 00:00"),
    ("Cerrado del 24/12 al 02/01", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Del 24 de diciembre de 2026 al 2 de enero de 2027 estaremos cerrados", "2026-12-24 00:00", "2027-01-03 00:00"),
    ("Estamos de vacaciones hasta el 2 de enero", None, "2027-01-03 00:00"),
    ("Cerrado hasta el viernes 20 de noviembre a las 18:00", None, "2026-11-20 18:00"),
    ("Entre el 1 y el 14 de marzo la tienda está cerrada", "2027-03-01 00:00", "2027-03-15 00:00"),
    ("A partir del 1 de diciembre abrimos a las nueve.", "2026-12-01 00:00", None),
    ("Desde el próximo lunes abrimos a las 9", "2026-11-16 00:00", None),
    ("A partir del lunes abrimos a las diez", "2026-11-16 00:00", None),
    ("Por favor, publicar el 1 de diciembre a las 18 h", "2026-12-01 18:00", None),
    ("Publicad esto el 1 de diciembre y quitadlo el 5 de diciembre", "2026-12-01 00:00", "2026-12-05 00:00"),
    ("Muestre el banner de Navidad del 1 al 26 de diciembre, por favor.", "2026-12-01 00:00", "2026-12-27 00:00"),
    ("El 24 de diciembre, cambie «Bienvenidos» por «Feliz Navidad».", "2026-12-24 00:00", "2026-12-25 00:00"),
    ("Cerrado desde mañana hasta el 20 de nov.", "2026-11-16 00:00", "2026-11-21 00:00"),
    ("Hasta el 31 de enero los pasteles cuestan 3 €.", None, "2027-02-01 00:00"),
    ("Cerrado a partir del 1 de diciembre durante dos semanas", "2026-12-01 00:00", "2026-12-15 00:00"),
    ("Añada «Sopa» y quítelo el 5 de diciembre", None, "2026-12-05 00:00"),
)
TABLE = [
    (language, *row)
    for language, rows in (("en", ENGLISH), ("de", GERMAN), ("fr", FRENCH), ("es", SPANISH))
    for row in rows
]
# Dates, times and weekdays that a site may tell, and that are no reason to wait for anything.
FACTS = (
    "We have a concert on 24 December at 8 pm.",
    "Please add the jazz festival from 3 May to 5 May to the events page.",
    "Put the course from 3 May to 5 May on the list of events",
    "Change the date of the fair from 3 May to 5 May.",
    'Add a paragraph "We are closed from 24 Dec to 2 Jan." to the home page.',
    "> We are closed from 24 Dec to 2 Jan.\nThat is fine.",
    "The exhibition is open from 3 May to 5 June.",
    "The offer is valid until 31 January.",
    "We open Monday to Friday from 9 to 18.",
    "We were closed from 24 Dec to 2 Jan.",
    "We are not closed from 24 Dec to 2 Jan, please correct that.",
    "Are we closed from 24 Dec to 2 Jan?",
    "Our Christmas market runs from 1 Dec to 24 Dec, closed on Mondays.",
    "Remove the news from 1 May.",
    "We are open until 6 pm now.",
    "closed until further notice",
    "Born on 24 December 1970, she took over in May 2010.",
    "Unser Weihnachtsmarkt geht vom 1.12. bis 24.12., montags geschlossen.",
    "Von Montag bis Freitag haben wir von 8.30 bis 12.30 Uhr geöffnet.",
    "Das Konzert am 24. Dezember beginnt um 20 Uhr.",
    "Anmeldung bis 3. Mai.",
    "Bitte den Kurs vom 3. bis 5. Mai ergänzen.",
    "Visite de la ferme du 3 mai au 5 mai.",
    "Le concert du 24 décembre commence à 20 heures.",
    "Nous ouvrons du lundi au vendredi de 9h à 18h.",
    "El concierto es el 24 de diciembre a las 20 horas.",
    "Abrimos de lunes a viernes de 9 a 18.",
    "La oferta es válida hasta el 31 de enero.",
    "We open at nine now.",
    "Our phone number is 030 12.12. 34 until we move",
    "Please remove it on 5 December.",
    "Können Sie es am 5.12. wieder entfernen?",
    "The course costs 40 francs and runs from 1 January.",
    "The course from 3 May costs 40 francs.",
    "Der Ferienkurs vom 1. bis 5. Mai kostet 40 Franken.",
)
TROUBLES = (
    ("We are closed from 30 Feb to 3 March", Trouble.IMPOSSIBLE),
    ("Closed until 31 November", Trouble.IMPOSSIBLE),
    ("Geschlossen bis 24.13.", Trouble.IMPOSSIBLE),
    ("On 31 April, show the new menu", Trouble.IMPOSSIBLE),
    ("Nous sommes fermés du 30 février au 3 mars", Trouble.IMPOSSIBLE),
    ("Closed until 20 November at 26:00", Trouble.IMPOSSIBLE),
    ("Closed from 5 January 2027 to 2 January 2027", Trouble.BACKWARDS),
    ("Closed from 24 Dec to 2 Dec", Trouble.BACKWARDS),
    ("Closed until 2 January 2026", Trouble.PAST),
    ("Closed from 1 Nov to 5 Nov", Trouble.PAST),
    ("Publish this on 1 November", Trouble.PAST),
    ("Cerrado del 1 al 5 de enero de 2025", Trouble.PAST),
    ("We are closed from 03/04 to 05/04", Trouble.UNCLEAR),
    ("We are closed from 24 to 26 December and on 1 January", Trouble.SEVERAL),
    ("Vom 24. bis 26. Dezember und am 1. Januar geschlossen", Trouble.SEVERAL),
    ("Fermé du 24 au 26 décembre et le 1er janvier", Trouble.SEVERAL),
    ("Cerrado del 24 al 26 de diciembre y el 1 de enero", Trouble.SEVERAL),
    ("We are closed on Mondays and on 24 December.", Trouble.SEVERAL),
    ("Closed from 24 Dec for several days", Trouble.NO_END),
    ("We are closed from 24 to 26 Dec. From 1 Feb to 3 Feb we are closed too.", Trouble.SEVERAL),
)


def spoken(at: datetime | None) -> str | None:
    return at.astimezone(BERLIN).strftime("%Y-%m-%d %H:%M") if at else None


@pytest.mark.parametrize(("language", "text", "starts", "ends"), TABLE)
def test_a_while_is_read(language: str, text: str, starts: str | None, ends: str | None) -> None:
    for languages in ((language,), ()):
        found = read_span(text, NOW, BERLIN, languages)
        assert isinstance(found, Span), found
        assert (spoken(found.starts_at), spoken(found.ends_at)) == (starts, ends)
        assert found.said in text


@pytest.mark.parametrize("text", FACTS)
def test_a_date_that_is_only_a_fact_starts_nothing(text: str) -> None:
    assert read_span(text, NOW, BERLIN) is None


@pytest.mark.parametrize(("text", "trouble"), TROUBLES)
def test_a_date_that_cannot_be_kept_is_told(text: str, trouble: Trouble) -> None:
    found = read_span(text, NOW, BERLIN)
    assert isinstance(found, Misread), found
    assert found.trouble == trouble


def test_a_weekday_alone_is_the_next_one() -> None:
    monday = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
    found = read_span("From Monday we open at nine", monday, BERLIN)
    assert isinstance(found, Span)
    assert spoken(found.starts_at) == "2026-11-23 00:00"


def test_a_year_begins_where_the_owner_lives() -> None:
    eve = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
    found = read_span("Closed until 5 January", eve, BERLIN)
    assert isinstance(found, Span)
    assert spoken(found.ends_at) == "2027-01-06 00:00"


def test_a_while_over_the_change_of_the_clocks_keeps_its_hours() -> None:
    found = read_span("Closed from 27 March 2027 at 6 pm to 29 March 2027 at 6 pm", NOW, BERLIN)
    assert isinstance(found, Span)
    assert found.starts_at == datetime(2027, 3, 27, 17, 0, tzinfo=UTC)
    assert found.ends_at == datetime(2027, 3, 29, 16, 0, tzinfo=UTC)


def test_an_hour_that_the_clocks_leave_out_is_a_moment_all_the_same() -> None:
    found = read_span("Closed until 28 March 2027 at 2:30", NOW, BERLIN)
    assert isinstance(found, Span)
    assert found.ends_at == datetime(2027, 3, 28, 1, 30, tzinfo=UTC)


def test_from_today_on_is_at_once() -> None:
    assert read_span("From today we open at nine", NOW, BERLIN) is None


WORDS = sorted(
    {
        word
        for when in (each.when for each in known())
        for spelling in (*when.months, *when.weekdays, when.until, when.range_from, when.range_to, when.on)
        for word in spelling.split("|")
    }
    | {"closed", "geschlossen", "fermé", "cerrado", "we open", "wir", "haben", "publish this", "24.12.", "30", "31/2"}
    | {"2027", "1.", ",", "-", ".", "?", "\n", "6 pm", "25:00"}
)


@given(
    st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)),
    st.datetimes(min_value=datetime(2024, 1, 1), max_value=datetime(2040, 1, 1)),  # noqa: DTZ001 - the zone is added below
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia"]),
)
def test_whatever_is_written_a_while_has_its_end_behind_its_beginning(text: str, now: datetime, zone: str) -> None:
    at = now.replace(tzinfo=UTC)
    found = read_span(text, at, ZoneInfo(zone))
    if isinstance(found, Span):
        assert found.starts_at or found.ends_at
        assert found.starts_at is None or found.starts_at > at
        assert found.ends_at is None or found.ends_at > (found.starts_at or at)
        assert found.said in text


@pytest.mark.parametrize("text", ["from ", "24 ", "closed from 24 to ", "„", "12.", "bis 1. ", "closed from 24 Dec "])
def test_a_mail_without_end_is_read_all_the_same(text: str) -> None:
    assert not isinstance(read_span(text * 3000, NOW, BERLIN), Span)
