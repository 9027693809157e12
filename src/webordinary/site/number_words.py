"""Numbers and months as words, in English, German, French and Spanish."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_DE = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn"
_FR = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
_ES = "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete"

# Articles are not counted: "one", "un" and "uno" stand in too many sentences that name no number.
_TOO_COMMON = frozenset({"one", "un", "uno", "null", "once"})

_TENS = range(20, 100, 10)
_EN_TENS = dict(zip(_TENS, ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], strict=True))
_DE_TENS = dict(
    zip(_TENS, ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"], strict=True)
)
_FR_TENS = dict(zip(range(20, 70, 10), ["vingt", "trente", "quarante", "cinquante", "soixante"], strict=True))
_ES_TENS = dict(
    zip(_TENS, ["veinte", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"], strict=True)
)


def _compounds() -> Iterator[tuple[str, int]]:
    """Yield the numbers that are made of two words."""
    for unit in range(1, 10):
        en, de, fr, es = (words.split()[unit] for words in (_EN, _DE, _FR, _ES))
        yield from ((f"{word}-{en}", ten + unit) for ten, word in _EN_TENS.items())
        de = de.removesuffix("s") if unit == 1 else de
        yield from ((f"{de}und{word}", ten + unit) for ten, word in _DE_TENS.items())
        yield from ((f"{word}{' et ' if unit == 1 else '-'}{fr}", ten + unit) for ten, word in _FR_TENS.items())
        yield f"veinti{es}", 20 + unit
        yield from ((f"{en} {word}", unit * times) for word, times in (("hundred", 100), ("thousand", 1000)))
        yield from (
            (f"{de.removesuffix('s')}{word}", unit * times) for word, times in (("hundert", 100), ("tausend", 1000))
        )
        yield from ((f"{fr} cents", unit * 100), (f"{fr} mille", unit * 1000), (f"{es} mil", unit * 1000))
        yield from ((f"{word} y {es}", ten + unit) for ten, word in _ES_TENS.items() if ten > _ES_ONE_WORD)


_ES_ONE_WORD = 20
_MORE = {
    "eighteen": 18, "nineteen": 19, "achtzehn": 18, "neunzehn": 19, "dix-huit": 18, "dix-neuf": 19, "dieciocho": 18,
    "diecinueve": 19, "hundred": 100, "hundert": 100, "cien": 100,
}  # fmt: skip

_NOONS = dict.fromkeys(("noon", "midday", "mittag", "midi", "mediodía"), 12)
_MIDNIGHTS = dict.fromkeys(("midnight", "mitternacht", "minuit"), 0)
_FEW = {word: number for words in (_EN, _DE, _FR, _ES) for number, word in enumerate(words.split())}
_ROUND = {word: ten for tens in (_EN_TENS, _DE_TENS, _FR_TENS, _ES_TENS) for ten, word in tens.items()}
_ALL = {**_FEW, **_MORE, **_ROUND, **dict(_compounds()), **_NOONS, **_MIDNIGHTS}
NUMBERS = {word: number for word, number in _ALL.items() if word not in _TOO_COMMON}

_MONTH_NAMES = (
    "january|jan|januar|jänner|janvier|janv|enero|ene",
    "february|feb|februar|février|févr|febrero",
    "march|mar|märz|mrz|mars|marzo",
    "april|apr|avril|avr|abril|abr",
    "may|mai|mayo",
    "june|jun|juni|juin|junio",
    "july|jul|juli|juillet|juil|julio",
    "august|aug|août|agosto|ago",
    "september|sept|sep|septembre|septiembre",
    "october|oct|oktober|okt|octobre|octubre",
    "november|nov|novembre|noviembre",
    "december|dec|dezember|dez|décembre|déc|diciembre|dic",
)
MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names.split("|")}

# Behind the hour, as French and Spanish say it.
HALF_PAST, QUARTER_PAST, QUARTER_TO = "et demie?|y media", "et quart|y cuarto", "moins le quart|menos cuarto"
HALVES = "half past|half|halb"
QUARTERS = "quarter past|quarter to|viertel nach|viertel vor|dreiviertel"

# Behind these a number is an hour, whatever follows.
STRICTLY_BEFORE_TIMES = frozenset({"around", "at", "gegen", "las", "till", "um", "until"})
# What may follow an hour: of any other word the number says how many there are.
_AFTER_TIMES = (
    "and but daily during each every for from instead not now only please rather sharp than then this till today"
    " tomorrow tonight until when while with all again always both also too that these"
    " monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays"
    " sunday sundays weekdays weekends"
    " aber als auf auch bis dann für heute immer jeden jetzt morgen nicht nur oder statt täglich und von wieder"
    " montag montags dienstag dienstags mittwoch mittwochs donnerstag donnerstags freitag freitags samstag"
    " samstags sonntag sonntags werktags"
    " avec aujourd chaque dans demain ensuite jusqu jusque les maintenant mais pas plutôt pour puis sauf tous"
    " lundi mardi mercredi jeudi vendredi samedi dimanche"
    " ahora cada con del desde hasta hoy los las mañana pero por todos"
    " lunes martes miércoles jueves viernes sábado sábados domingo domingos"
    " open opens close closes geöffnet geschlossen offen öffnen schließen ouvert fermé abierto cerrado"
)
NEVER_COUNTED = frozenset(_AFTER_TIMES.split())
DAYS = (
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag"
    " sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo"
    " holiday feiertag férié festivo midi soir mittags abends noon evening"
)
