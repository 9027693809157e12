"""Edits that owners asked for in Italian and in Dutch, and what an agent got wrong of them."""

from __future__ import annotations

from tests.checks.case import Case, Want


def _edit(
    site: str, name: str, mail: str, want: Want, page: str, *edits: tuple[str, str], **more: tuple[str, ...]
) -> Case:
    says = more.get("says", tuple(new for _, new in edits))
    return Case(name, mail, {page: list(edits)}, want, says=says, site=site, point=2)


_LIVE, _HELD, _TOLD = Want.LIVE, Want.HELD, Want.TOLD
_CARBONARA = ("12,50 €", "13,50 €")
_BEURT = ("65 €", "69 €")

CASES = [
    _edit("trattoria", "it: un prezzo", "La carbonara costa adesso 13,50 €.", _LIVE, "menu.html", _CARBONARA),
    _edit(
        "trattoria",
        "it: l'ora in parole",
        "Buongiorno, la sera apriamo alle otto meno un quarto. Grazie",
        _LIVE,
        "index.html",
        ("alle sette e mezza", "alle otto meno un quarto"),
    ),
    _edit(
        "trattoria",
        "it: il prezzo in cifre",
        "Il menu del giorno costa 24 euro",
        _LIVE,
        "menu.html",
        ("ventidue euro", "ventiquattro euro"),
    ),
    _edit(
        "trattoria",
        "it: un altro giorno di chiusura",
        "D'ora in poi siamo chiusi il martedì invece che il lunedì.",
        _LIVE,
        "index.html",
        ("Lunedì chiuso.", "Martedì chiuso."),
        ("dal martedì alla", "dal mercoledì alla"),
        says=("Martedì chiuso.",),
    ),
    _edit(
        "trattoria",
        "it: l'indirizzo",
        "Ci siamo trasferiti in Via Garibaldi 14.",
        _LIVE,
        "contatti.html",
        ("Via Garibaldi 12", "Via Garibaldi 14"),
    ),
    _edit(
        "trattoria",
        "it: un altro prezzo ancora",
        "La carbonara costa adesso 13,50 €.",
        _HELD,
        "menu.html",
        _CARBONARA,
        ("Saltimbocca: 18 €", "Saltimbocca: 19 €"),
    ),
    _edit(
        "trattoria",
        "it: un prezzo sbagliato",
        "La carbonara costa adesso 13,50 €.",
        _HELD,
        "menu.html",
        ("12,50 €", "15,50 €"),
    ),
    _edit(
        "trattoria",
        "it: un prezzo in parole che nessuno ha chiesto",
        "Il tiramisù costa 7 euro.",
        _HELD,
        "menu.html",
        ("6,50 €", "7 €"),
        ("ventidue euro", "ventitré euro"),
    ),
    _edit(
        "trattoria",
        "it: un'altra ora",
        "La sera apriamo alle otto.",
        _HELD,
        "index.html",
        ("alle sette e mezza", "alle otto e mezza"),
    ),
    Case(
        "it: una frase che non c'entra",
        "La carbonara costa adesso 13,50 €. Per favore cambiate anche questo con il nuovo prezzo sul nostro sito.",
        {
            "menu.html": [_CARBONARA],
            "index.html": [("si mangia anche con i bambini", "si balla anche con la musica dal vivo")],
        },
        _HELD,
        says=("si balla",),
        site="trattoria",
        point=2,
    ),
    _edit("fietsen", "nl: een prijs", "De grote beurt kost nu 69 €.", _LIVE, "prijzen.html", _BEURT),
    _edit(
        "fietsen",
        "nl: de tijd in woorden",
        "Hallo, op zaterdag openen wij om kwart over negen. Bedankt",
        _LIVE,
        "index.html",
        ("om half tien", "om kwart over negen"),
    ),
    _edit(
        "fietsen",
        "nl: de prijs in cijfers",
        "Ophalen kost voortaan 17 euro",
        _LIVE,
        "prijzen.html",
        ("vijftien euro", "zeventien euro"),
    ),
    _edit(
        "fietsen",
        "nl: het adres",
        "Wij zijn verhuisd naar Kerkstraat 14.",
        _LIVE,
        "contact.html",
        ("Kerkstraat 12", "Kerkstraat 14"),
    ),
    _edit(
        "fietsen",
        "nl: half tien is niet half elf",
        "Op zaterdag openen wij om half tien.",
        _HELD,
        "index.html",
        ("om half tien", "om half elf"),
    ),
    _edit(
        "fietsen",
        "nl: nog een prijs",
        "De grote beurt kost nu 69 €.",
        _HELD,
        "prijzen.html",
        _BEURT,
        ("12,50 €", "13,50 €"),
    ),
    _edit(
        "fietsen",
        "nl: een prijs in woorden die niemand vroeg",
        "De grote beurt kost nu 69 €.",
        _HELD,
        "prijzen.html",
        _BEURT,
        ("vijftien euro", "drieëntwintig euro"),
    ),
    Case(
        "nl: een zin die er niets mee te maken heeft",
        "De grote beurt kost nu 69 €. Graag ook deze prijs voor onze site wijzigen.",
        {"prijzen.html": [_BEURT], "index.html": [("koffie voor de kinderen", "muziek voor de hond")]},
        _HELD,
        says=("muziek",),
        site="fietsen",
        point=2,
    ),
]
