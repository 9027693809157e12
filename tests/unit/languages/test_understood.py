"""What people write in Italian and in Dutch is understood like in the languages before them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from webordinary.agent.scripted.instruction import ClosedDays, Instruction, OpeningHours, Phone, Replace
from webordinary.agent.scripted.time_of_day import ClockTime
from webordinary.agent.scripted.understand import understand
from webordinary.agent.scripted_agent import with_notice
from webordinary.mail.automatic import says_it_is_a_machine
from webordinary.mail.parse import parse_message
from webordinary.mail.when import Misread, Span, Trouble, read_move, read_span
from webordinary.mail.words.quoting import own_words
from webordinary.mail.words.replies import Saying, read_saying, with_choice
from webordinary.mail.words.shown import descriptions
from webordinary.mail.words.signature import is_phone_line, without_card
from webordinary.mail.words.verbs import Verb, is_yes, read_verb
from webordinary.reply.language import detect_language
from webordinary.site.checks.neighbours import stems_of
from webordinary.site.facts.find import find_facts
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from collections.abc import Callable

# A Tuesday.
NOW = datetime(2026, 11, 3, 10, 0, tzinfo=UTC)
ROME = ZoneInfo("Europe/Rome")


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("Da lunedì apriamo alle nove invece che alle dieci.", "it"),
        ("Il nostro nuovo numero di telefono è 06 5550 199.", "it"),
        ("Buongiorno, potete cambiare la foto sulla pagina dei contatti? Grazie", "it"),
        ("Vanaf maandag openen wij om negen uur in plaats van tien uur.", "nl"),
        ("Ons nieuwe telefoonnummer is 020 555 0199.", "nl"),
        ("Beste, kunt u de foto op de contactpagina vervangen? Bedankt", "nl"),
    ],
)
def test_a_request_shows_its_language(words: str, language: str) -> None:
    assert detect_language(words) == language


@pytest.mark.parametrize(
    ("words", "verb"),
    [
        *(("ok", Verb.OK), ("Pubblica!", Verb.OK), ("Annulla", Verb.UNDO), ("annulla\n\nGrazie\nMario", Verb.UNDO)),
        *(("Ferma", Verb.STOP), ("Stato?", Verb.STATUS), ("Riprova, per favore", None), ("riprova", Verb.AGAIN)),
        *(("Aiuto", Verb.HELP), ("annulla la foto nuova", None), ("non pubblicare ancora la foto", None)),
        *(("Publiceren", Verb.OK), ("Akkoord.", Verb.OK), ("Terugdraaien", Verb.UNDO), ("Ongedaan maken", Verb.UNDO)),
        *(("Stop\n\nGroeten\nSanne", Verb.STOP), ("Status", Verb.STATUS), ("Opnieuw", Verb.AGAIN), ("Hulp", Verb.HELP)),
        *(("nog een keer", Verb.AGAIN), ("akkoord, maar de prijs is 5 euro", None)),
    ],
)
def test_a_single_word_is_a_verb(words: str, verb: Verb | None) -> None:
    assert read_verb(words) is verb


@pytest.mark.parametrize(
    ("words", "saying"),
    [
        *(("Sì, grazie!", Saying.YES), ("Per me va bene", Saying.YES), ("Perfetto, grazie mille!", Saying.LIKES)),
        *(("Grazie mille!\nCordiali saluti\nMario", Saying.THANKS), ("No, come prima", Saying.UNDO)),
        *(("Rimetta il vecchio testo, per favore", Saying.UNDO), ("Per favore non pubblicare", Saying.STOP)),
        *(("Non ancora", Saying.DOUBT), ("No", Saying.DOUBT), ("Perfetto! Adesso cambi anche il prezzo", None)),
        *(
            ("Ja graag", Saying.YES),
            ("Wat mij betreft akkoord", Saying.YES),
            ("Ziet er goed uit, bedankt!", Saying.LIKES),
        ),
        *(("Hartelijk bedankt!\nMet vriendelijke groet\nSanne", Saying.THANKS), ("Nee, zoals het was", Saying.UNDO)),
        *(("Zet de oude tekst terug, alstublieft", Saying.UNDO), ("Graag niet publiceren", Saying.STOP)),
        *(("Nog niet", Saying.DOUBT), ("Nee", Saying.DOUBT), ("Mooi! Wijzig nu ook de prijs", None)),
    ],
)
def test_a_short_reply_says_what_it_says(words: str, saying: Saying | None) -> None:
    assert read_saying(words) is saying


@pytest.mark.parametrize("words", ["SÌ", "Sì, sono io", "Sì, l'ho scritta io", "JA", "Ja, dat ben ik", "Ja, dat klopt"])
def test_a_person_confirms_a_mail(words: str) -> None:
    assert is_yes(words)


@pytest.mark.parametrize(
    ("words", "chosen"),
    [("la seconda", "b"), ("Opzione 1", "a"), ("De tweede", "b"), ("1 en 2", "a\nb"), ("1 e 2", "a\nb")],
)
def test_a_choice_is_made_by_its_number(words: str, chosen: str) -> None:
    assert with_choice(words, ("a", "b")) == chosen


@pytest.mark.parametrize(
    "announced",
    [
        "Il giorno lun 2 nov 2026 alle ore 10:00 Amelia <amelia@edit.example.com> ha scritto:",
        "Il giorno 2 nov 2026, alle ore 10:00, Amelia ha scritto:",
        "Il 02/11/2026 10:00, Amelia ha scritto:",
        "-----Messaggio originale-----\nDa: Amelia <a@x.example>\nInviato: 2 novembre 2026 10:00\nOggetto: Orari",
        "Op ma 2 nov 2026 om 10:00 schreef Amelia <amelia@edit.example.com>:",
        "Op 2 nov. 2026, om 10:00 heeft Amelia <amelia@edit.example.com> het volgende geschreven:",
        "Op 02-11-2026 om 10:00 schreef Amelia:",
        "-----Oorspronkelijk bericht-----\nVan: Amelia <a@x.example>\nVerzonden: 2 november 2026 10:00\nOnderwerp: Ja",
    ],
)
def test_what_is_quoted_below_is_not_said(announced: str) -> None:
    quoted = "\n".join(f"> {line}" for line in ("Fatto.", "Klaar."))
    assert own_words(f"Prezzo 5 euro\n\n{announced}\n\n{quoted}", is_reply=True).kept == "Prezzo 5 euro"


DAY: Callable[[int, int, int], datetime] = lambda year, month, day: datetime(year, month, day, tzinfo=ROME)  # noqa: E731 - short in a table


@pytest.mark.parametrize(
    ("words", "starts_at", "ends_at"),
    [
        ("Siamo chiusi dal 24 dicembre al 2 gennaio", DAY(2026, 12, 24), DAY(2027, 1, 3)),
        ("Siamo chiusi dal 3 all'8 dicembre", DAY(2026, 12, 3), DAY(2026, 12, 9)),
        ("Saremo in ferie fino a domenica", None, DAY(2026, 11, 9)),
        ("Da lunedì apriamo alle 9", DAY(2026, 11, 9), None),
        ("A partire dal 1º dicembre la torta costa 5 euro", DAY(2026, 12, 1), None),
        ("Domani siamo chiusi", DAY(2026, 11, 4), DAY(2026, 11, 5)),
        ("La prossima settimana siamo chiusi", DAY(2026, 11, 9), DAY(2026, 11, 16)),
        ("Mostri il banner fino al 26/12/2026", None, DAY(2026, 12, 27)),
        ("Il 24 dicembre sostituisca «Benvenuti» con «Buon Natale»", DAY(2026, 12, 24), DAY(2026, 12, 25)),
        ("Wij zijn gesloten van 24 december tot en met 2 januari", DAY(2026, 12, 24), DAY(2027, 1, 3)),
        ("We zijn met vakantie tot en met zondag", None, DAY(2026, 11, 9)),
        ("Vanaf maandag openen wij om 9 uur", DAY(2026, 11, 9), None),
        ("Vanaf 1 december kost de taart 5 euro", DAY(2026, 12, 1), None),
        ("Morgen zijn wij gesloten", DAY(2026, 11, 4), DAY(2026, 11, 5)),
        ("Volgende week zijn we gesloten", DAY(2026, 11, 9), DAY(2026, 11, 16)),
        ("Toon de banner tot en met 26-12-2026 niet meer", None, None),
        ("Toon de banner tot 26/12/2026", None, DAY(2026, 12, 27)),
        ("Vervang op 24 december “Welkom” door “Fijne kerst”", None, None),
        ("Op 24 december vervang “Welkom” door “Fijne kerst”", DAY(2026, 12, 24), DAY(2026, 12, 25)),
    ],
)
def test_a_time_is_read(words: str, starts_at: datetime | None, ends_at: datetime | None) -> None:
    span = read_span(words, NOW, ROME, ("it", "nl"))
    if starts_at is None and ends_at is None:
        assert not isinstance(span, Span)
    else:
        assert isinstance(span, Span)
        assert (span.starts_at, span.ends_at) == (starts_at, ends_at)


@pytest.mark.parametrize(
    ("words", "trouble"),
    [
        *(("A Natale siamo chiusi", Trouble.VAGUE), ("Siamo chiusi per qualche giorno", Trouble.VAGUE)),
        *(("Ogni lunedì siamo chiusi", Trouble.AGAIN), ("Siamo chiusi dal 30 al 31 febbraio", Trouble.IMPOSSIBLE)),
        *(("Met kerst zijn wij gesloten", Trouble.VAGUE), ("Elke maandag zijn wij gesloten", Trouble.AGAIN)),
        *(("Wij zijn gesloten vanaf maandag", Trouble.NO_END), ("Siamo chiusi da lunedì", Trouble.NO_END)),
    ],
)
def test_a_time_that_nobody_can_tell_is_asked_about(words: str, trouble: Trouble) -> None:
    read = read_span(words, NOW, ROME, ("it", "nl"))
    assert isinstance(read, Misread)
    assert read.trouble is trouble


@pytest.mark.parametrize(
    "words",
    [
        *("Il lunedì siamo chiusi", "Siamo aperti da maggio a ottobre", "D'ora in poi siamo chiusi il lunedì"),
        *(
            "L'anno scorso eravamo chiusi dal 1 al 5 maggio",
            "Op maandagen zijn wij gesloten",
            "Wij zijn open van mei tot oktober",
        ),
        *("Vanaf nu zijn wij op maandag gesloten", "Vorig jaar waren wij gesloten van 1 tot 5 mei"),
    ],
)
def test_a_fact_of_the_site_is_no_time_of_a_change(words: str) -> None:
    assert read_span(words, NOW, ROME, ("it", "nl")) is None


@pytest.mark.parametrize(
    "words",
    [
        *("We were open 24 - 26 December from 9 to 5", "We are not open 24 - 26 December after 5 pm"),
        *("If we open 24 - 26 December at 9, tell me", "Per 1. Dezember kosten die Zimmer 60 €"),
        *("Die Ausstellung war 24. - 26. November dicht", "Nuestra apertura no es 3/12 - 8/12 a las 9"),
    ],
)
def test_a_sentence_is_not_read_in_a_language_that_it_does_not_show(words: str) -> None:
    assert read_span(words, NOW, ROME) is None


@pytest.mark.parametrize("words", ["Meglio fino a domenica, grazie", "Toch liever tot en met zondag, bedankt"])
def test_a_reply_moves_the_end(words: str) -> None:
    moved = read_move(words, NOW, ROME, ("it", "nl"))
    assert isinstance(moved, Span)
    assert moved.ends_at == DAY(2026, 11, 9)


@pytest.mark.parametrize(
    ("words", "forms"),
    [
        ("apriamo alle nove e mezza", {"09:30", "21:30"}),
        ("alle dieci meno un quarto", {"09:45", "21:45"}),
        ("alle tre del pomeriggio", {"15:00"}),
        ("ventuno euro", {"21 EUR"}),
        ("alle otto e mezza", {"08:30", "20:30"}),
        ("dalle otto", {"08:00", "20:00"}),
        ("costa due euro", {"2 EUR"}),
        ("quarantotto posti", {"48"}),
        ("il 3 agosto 2027", {"2027-08-03"}),
        ("wij openen om half negen", {"08:30", "20:30"}),
        ("kwart over negen", {"09:15", "21:15"}),
        ("kwart voor tien", {"09:45", "21:45"}),
        ("drieëntwintig euro", {"23 EUR"}),
        ("achtenveertig plaatsen", {"48"}),
        ("op 3 augustus 2027", {"2027-08-03"}),
        ("half nine", {"09:30", "21:30"}),
        ("halb neun", {"08:30", "20:30"}),
        ("vijf procent", {"5"}),
    ],
)
def test_numbers_and_times_in_words_are_facts(words: str, forms: set[str]) -> None:
    assert {form for fact in find_facts(words) for form in (fact.form, *fact.forms, *fact.times)} >= forms


@pytest.mark.parametrize(
    "words", ["via Garibaldi 12", "Via Garibaldi 12", "Piazza della Repubblica, 5", "Kerkstraat 12"]
)
def test_an_address_is_a_fact_where_its_name_has_a_capital(words: str) -> None:
    has_address = any(fact.kind.value == "address" for fact in find_facts(words))
    assert has_address is (words[0].isupper())


@pytest.mark.parametrize(
    ("words", "stems"),
    [
        ("Per favore cambiate questa frase sulla pagina con la torta", {"torta", "cambi"}),
        ("Graag de tekst van onze taart op deze pagina", {"taart"}),
    ],
)
def test_small_words_say_nothing_about_a_page(words: str, stems: set[str]) -> None:
    assert stems_of(words) == stems


@pytest.mark.parametrize(
    "card",
    [
        "Cordiali saluti,\nMario Rossi\nTitolare\nVia Garibaldi 12\nTel. 06 5550 199",
        "Met vriendelijke groet,\nSanne de Vries\nEigenaresse\nKerkstraat 12\nTelefoon: 020 555 0199",
    ],
)
def test_a_card_below_a_letter_asks_for_nothing(card: str) -> None:
    lines = ["La torta costa 5 euro.", "", *card.split("\n")]
    assert [line for line in without_card(lines) if line] == ["La torta costa 5 euro."]


@pytest.mark.parametrize(
    "line",
    ["Inviato da iPhone", "Inviato dal mio iPhone", "Verstuurd vanaf mijn iPhone", "Verzonden met Outlook voor iOS"],
)
def test_a_phone_writes_its_own_line(line: str) -> None:
    assert is_phone_line(line)


@pytest.mark.parametrize(
    "subject",
    [
        *("Risposta automatica: Orari", "Fuori ufficio", "Assente dall'ufficio: Orari"),
        *("Automatisch antwoord: Tijden", "Niet op kantoor", "Afwezigheidsmelding"),
    ],
)
def test_an_answering_machine_is_known_by_its_subject(subject: str) -> None:
    raw = write_mail(sender="scott@example.org", to="amelia@edit.example.com", text="…", subject=subject)
    assert parse_message(raw).automatic == "Its subject is that of an automatic answer."


@pytest.mark.parametrize(
    "text",
    [
        "Buongiorno,\nquesta è una risposta automatica. Sarò di ritorno lunedì.",
        "Beste afzender,\ndit is een automatisch antwoord. Ik ben maandag terug.",
    ],
)
def test_an_answering_machine_says_so_itself(text: str) -> None:
    assert says_it_is_a_machine("Re: Orari", text) is not None


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("Metta questa foto sulla pagina contatti. La foto mostra il nostro nuovo bancone.", "il nostro nuovo bancone"),
        ("Zet deze foto op de pagina contact. De foto toont onze nieuwe toonbank.", "onze nieuwe toonbank"),
    ],
)
def test_words_about_a_photo_describe_it(words: str, what: str) -> None:
    assert descriptions(words, ("photo.jpg",)) == {"photo.jpg": what}


@pytest.mark.parametrize(
    ("request_text", "when", "notice"),
    [
        ("Buongiorno, siamo chiusi dal 3 all'8 agosto.", "dal 3 all'8 agosto", "Siamo chiusi dal 3 all'8 agosto."),
        ("Hallo, wij zijn gesloten van 3 tot 8 mei.", "van 3 tot 8 mei", "Wij zijn gesloten van 3 tot 8 mei."),
    ],
)
def test_being_closed_becomes_a_notice(request_text: str, when: str, notice: str) -> None:
    assert f'Add the notice "{notice}" to the home page.' in (with_notice(request_text, when) or "")


@pytest.mark.parametrize(
    ("words", "wish"),
    [
        (
            "Sostituisca «Aperto» con «Chiuso» sulla pagina contatti.",
            Replace((("Aperto", "Chiuso"),), "pagina contatti"),
        ),
        ("Per favore, cambi «Aperto» in «Chiuso».", Replace((("Aperto", "Chiuso"),), None)),
        ("Apriamo alle nove e mezza.", OpeningHours(ClockTime(9 * 60 + 30), None, frozenset())),
        (
            "Da lunedì apriamo alle 9 invece che alle 10.",
            OpeningHours(ClockTime(9 * 60), None, frozenset(), "Da lunedì"),
        ),
        (
            "Il sabato apriamo dalle 9 alle 13.",
            OpeningHours(ClockTime(9 * 60), ClockTime(13 * 60, certain=True), frozenset({5})),
        ),
        ("Siamo chiusi il lunedì.", ClosedDays(frozenset({0}), "chiusi")),
        ("Il nostro nuovo numero di telefono è 06 5550 199.", Phone("06 5550 199")),
        ("Vervang “Open” door “Gesloten” op de contactpagina.", Replace((("Open", "Gesloten"),), "de contactpagina")),
        ("Wij openen om half negen.", OpeningHours(ClockTime(8 * 60 + 30), None, frozenset())),
        (
            "Vanaf maandag openen wij om 9 uur in plaats van 10 uur.",
            OpeningHours(ClockTime(9 * 60), None, frozenset(), "Vanaf maandag"),
        ),
        (
            "Op zaterdag openen we van 9 tot 13 uur.",
            OpeningHours(ClockTime(9 * 60), ClockTime(13 * 60, certain=True), frozenset({5})),
        ),
        ("Wij zijn gesloten op maandagen.", ClosedDays(frozenset({0}), "gesloten")),
        ("Ons nieuwe telefoonnummer is 020 555 0199.", Phone("020 555 0199")),
    ],
)
def test_the_built_in_agent_understands_its_sentences(words: str, wish: Instruction) -> None:
    (said,) = understand(words)
    assert said.instructions == (wish,)


@pytest.mark.parametrize(
    "words", ["Domani apriamo alle nove.", "Non apriamo alle nove.", "Morgen openen wij om negen uur."]
)
def test_the_built_in_agent_changes_no_regular_hours_for_one_day(words: str) -> None:
    assert not any(said.instructions for said in understand(words))
