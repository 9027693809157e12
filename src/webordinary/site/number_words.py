"""Numbers and months as words, in English, German, French and Spanish."""

from __future__ import annotations

_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_DE = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn"
_FR = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
_ES = "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete"

# Articles are not counted: "one", "un" and "uno" stand in too many sentences that name no number.
_TOO_COMMON = frozenset({"one", "un", "uno", "null", "once"})

NUMBERS = {
    word: number
    for words in (_EN, _DE, _FR, _ES)
    for number, word in enumerate(words.split())
    if word not in _TOO_COMMON
} | {"noon": 12, "midday": 12, "mittag": 12, "midi": 12, "mediodía": 12, "midnight": 0, "mitternacht": 0, "minuit": 0}

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

HALVES = "half past|halb"
QUARTERS = "quarter past|quarter to|viertel nach|viertel vor"
