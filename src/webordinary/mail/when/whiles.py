"""Whiles that have a name instead of dates: next week, in August, this weekend; and those whose days nobody knows.

Whatever repeats itself, or only has a name such as Christmas, is asked about: guessed days would be a surprise.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from webordinary.mail.when.dates import any_of
from webordinary.mail.when.tongues import Tongue, spaced

if TYPE_CHECKING:
    from collections.abc import Iterator

_A_WEEK = 7
_SATURDAY = 5


class Named(StrEnum):
    """A while that is known by its name."""

    NEXT_WEEK = "next_week"
    THIS_WEEK = "this_week"
    WEEKEND = "weekend"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class While:
    """A named while; of a month also which one, and in which year if that is said."""

    name: Named
    month: int = 0
    year: int | None = None

    def days(self, today: date) -> tuple[date, date]:
        """Return its first and its last day."""
        monday = today - timedelta(days=today.weekday())
        match self.name:
            case Named.NEXT_WEEK:
                return monday + timedelta(days=_A_WEEK), monday + timedelta(days=2 * _A_WEEK - 1)
            case Named.THIS_WEEK:
                return today, monday + timedelta(days=_A_WEEK - 1)
            case Named.WEEKEND:
                return max(today, monday + timedelta(days=_SATURDAY)), monday + timedelta(days=_SATURDAY + 1)
            case Named.MONTH:
                year = self.year or today.year + (self.month < today.month)
                return date(year, self.month, 1), date(year, self.month, monthrange(year, self.month)[1])


@dataclass(frozen=True, slots=True)
class Names:
    """One language's words for whiles, as pieces of patterns."""

    next_week: str
    this_week: str
    weekend: str
    # Before the name of a month.
    in_month: str
    # "{days}" stands for any weekday.
    again: str
    vague: str
    # A day or days of every week, as sites say it: a fact.
    weekly: str
    # One of every week, or only the next one: nobody can tell.
    either: str
    # What makes something that repeats itself, or has no end, a fact for good.
    always: str
    we: str
    # Orders that change what is there, and words that add a second wish to a mail.
    changes: str
    also: str
    # What stands for all that was asked for.
    all_of_it: str


NAMES = {
    "en": Names(
        next_week="(?:all |the whole )?(?:of )?next week",
        this_week="(?:for )?(?:the rest of )?this week",
        weekend="(?:this|this coming|the coming) weekend",
        in_month="in|during|all|throughout",
        again=r"(?:every|each)(?: other| second)? (?:{days}|week(?:end|day)?|month|year|day|morning|evening)",
        vague=(
            r"(?:over|at|during|for|around) (?:the )?(?:christmas|xmas|easter|new year(?:'s)?|holidays|holiday season"
            r"|festive season|summer|winter|thanksgiving|whitsun)(?: (?:break|holidays?|season|period|time))?"
            r"|(?:in|this|next) (?:the )?(?:summer|winter|autumn|spring|fall)|next (?:weekend|month|year)"
            r"|for (?:(?:a few|several|some|a couple of|the next few) (?:days|weeks)|a while)"
            r"|(?:on )?(?:christmas (?:eve|day)|boxing day|new year's (?:eve|day)|good friday|easter (?:sunday|monday))"
            r"|this (?:morning|afternoon|evening)|tonight|on the \d{1,2}(?:st|nd|rd|th)|in (?:calendar )?week \d{1,2}"
        ),
        weekly=r"(?:on )?(?:{days})s",
        either=r"(?:at|on|over|for) the weekend",
        always="from now on|always|permanently|for good|for ever|forever|in future|in the future|generally|now",
        we="we|we're|we'll|i|i'm|i'll",
        changes="change|update|set|rename|replace|swap|correct|fix|raise|lower|remove|delete",
        also="also|too|besides|in addition|additionally|by the way|and another thing",
        all_of_it="it|this|these|those|them|everything|all of it",
    ),
    "de": Names(
        next_week="(?:in der |die )?(?:ganze )?(?:nächste[nr]?|kommende[nr]?) woche",
        this_week="(?:in )?diese[rn]? woche",
        weekend="(?:an )?(?:diese[ms]?|kommende[ns]?|am kommenden) wochenende",
        in_month="im|im ganzen|den ganzen",
        again=r"jede[nrms]?(?: zweite[nrms]?)? (?:{days}|woche|wochenende|monat|jahr|tag|morgen|abend)",
        vague=(
            r"(?:über|an|zu|während|um)(?: die| den| der)? (?:weihnachten|ostern|pfingsten|silvester|neujahr"
            r"|feiertagen?|weihnachtsfeiertagen?|festtagen?|jahreswechsel)|zwischen den jahren"
            r"|im (?:sommer|winter|herbst|frühjahr|frühling)"
            r"|(?:in den|während der) (?:sommer|winter|herbst|weihnachts|oster|pfingst)?ferien"
            r"|(?:an |am )?(?:heiligabend|heiligen abend|silvester|neujahr|karfreitag|ostersonntag|ostermontag)"
            r"|(?:an|am) \d{1,2}\.|in (?:der )?(?:kw|kalenderwoche) \d{1,2}"
            r"|nächste[ns]? (?:monat|wochenende|jahr)|(?:für )?(?:ein paar|einige|mehrere) (?:tage|wochen)"
        ),
        weekly=r"(?:{days})s",
        either=r"(?:am|übers|für das|fürs) wochenende",
        always="ab jetzt|ab sofort|von nun an|künftig|zukünftig|in zukunft|immer|dauerhaft|jetzt|nun|für immer",
        we="wir|ich",
        changes=(
            r"änder\w*|ersetz\w*|tausch\w*|korrigier\w*|aktualisier\w*|setz\w*|lösch\w*|entfern\w*|erhöh\w*|senk\w*"
        ),
        also="auch|außerdem|ausserdem|zudem|ebenfalls|übrigens|zusätzlich",
        all_of_it="es|dies|alles",
    ),
    "fr": Names(
        next_week="(?:toute )?la semaine prochaine",
        this_week="(?:toute )?cette semaine",
        weekend="ce week-end|ce weekend",
        in_month="en|tout le mois de|tout le mois d'|au mois de|au mois d'",
        again=(
            r"tous les (?:(?:{days})s|jours|mois|matins|soirs|week-ends|ans)|toutes les semaines"
            r"|chaque (?:{days}|jour|semaine|mois|week-end|année|matin|soir)"
        ),
        vague=(
            r"(?:à|pour|pendant|durant) (?:noël|pâques|(?:les )?(?:fêtes|vacances)(?: (?:de |d'|scolaires)\w*)?|l'été"
            r"|le nouvel an)|(?:le )?(?:jour de noël|réveillon|jour de l'an)|la veille de noël"
            r"|cet après-midi|ce (?:matin|soir)|le \d{1,2}(?:er)?"
            r"|(?:en|cet) (?:été|hiver|automne)|au printemps|le (?:mois|week-end) prochain|l'an prochain"
            r"|(?:pendant |pour )?(?:quelques|plusieurs) (?:jours|semaines)"
        ),
        weekly=r"(?:les (?:{days})s?|le (?:{days}))(?! (?:prochain|\d))",
        either=r"le week-end|le weekend",
        always="désormais|dorénavant|toujours|à l'avenir|maintenant|définitivement|pour de bon|dès maintenant",
        we="nous|je",
        changes=r"chang\w*|modifi\w*|remplac\w*|corrig\w*|mett(?:re|ez) à jour|supprim\w*|augment\w*|baiss\w*",
        also="aussi|également|en plus|de plus|par ailleurs|d'ailleurs",
        all_of_it=r"cela|ceci|ça|tout|\w{1,20}-(?:le|la|les)",
    ),
    "es": Names(
        next_week="(?:toda )?(?:la próxima semana|la semana próxima|la semana que viene)",
        this_week="(?:toda )?esta semana",
        weekend="este fin de semana",
        in_month="en|todo|durante todo",
        again=(
            r"todos los (?:{days}|días|meses|años|fines de semana)|todas las semanas"
            r"|cada (?:{days}|día|semana|mes|año)"
        ),
        vague=(
            r"(?:en|durante|por|para) (?:la |las |el |los )?(?:navidad(?:es)?|semana santa|fiestas|año nuevo|reyes"
            r"|verano|invierno|otoño|primavera|vacaciones)|(?:el próximo (?:mes|fin de semana|año)|el mes que viene"
            r"|el fin de semana que viene)|(?:durante |por )?(?:unos|algunos|varios) días"
            r"|(?:unas|algunas|varias) semanas|(?:en )?(?:nochebuena|nochevieja|el día de (?:navidad|año nuevo|reyes))"
            r"|esta (?:mañana|tarde|noche)|el (?:día )?\d{1,2}"
        ),
        weekly=r"los (?:{days})",
        either=r"el fin de semana",
        always="a partir de ahora|desde ahora|siempre|en adelante|en el futuro|ahora|definitivamente|para siempre",
        we="abrimos|cerramos|abriremos|cerraremos|estamos|estaremos|nosotros",
        changes=(
            r"cambi\w*|modific\w*|modifiqu\w*|sustitu\w*|reemplaz\w*|reemplac\w*|corrig\w*|corrij\w*|actuali[zc]\w*"
            r"|elimin\w*|borr\w*"
        ),
        also="también|además|por cierto",
        all_of_it=r"esto|eso|todo|\w{1,20}[éíáú]\w{1,4}(?:lo|la|los|las)|\w{2,20}adlo",
    ),
}


@dataclass(frozen=True, slots=True)
class WhilePatterns:
    """Compiled once for each language."""

    tongue: Tongue
    named: tuple[tuple[Named, re.Pattern[str]], ...]
    again: re.Pattern[str]
    vague: re.Pattern[str]
    weekly: re.Pattern[str]
    either: re.Pattern[str]
    always: re.Pattern[str]
    we: re.Pattern[str]
    also: re.Pattern[str]
    all_of_it: re.Pattern[str]

    def find_named(self, text: str) -> Iterator[tuple[While, re.Match[str]]]:
        """Yield every while of a sentence that has a name."""
        for name, pattern in self.named:
            for match in pattern.finditer(text):
                yield self._while(name, match), match

    def _while(self, name: Named, match: re.Match[str]) -> While:
        if name is not Named.MONTH:
            return While(name)
        found = match["month"]
        month = next(at for at, each in enumerate(self.tongue.months, start=1) if found in each.split("|"))
        return While(name, month, int(match["year"]) if match["year"] else None)


@cache
def whiles_of(tongue: Tongue) -> WhilePatterns:
    """Return the patterns of a language."""
    names = NAMES[tongue.language]
    days = any_of(tuple(each.split("|")[0] for each in tongue.weekdays))
    month = (
        rf"(?:{names.in_month})\s(?P<month>{any_of(tongue.months)})(?:\s(?:{tongue.of}\s)?(?P<year>20\d\d))?(?!\s?\d)"
    )
    named = {
        Named.NEXT_WEEK: names.next_week,
        Named.THIS_WEEK: names.this_week,
        Named.WEEKEND: names.weekend,
        Named.MONTH: month,
    }
    of_days = (names.again, names.vague, names.weekly, names.either)
    with_days = (_words(each.replace("{days}", days)) for each in of_days)
    return WhilePatterns(
        tongue,
        tuple((name, _words(pattern)) for name, pattern in named.items()),
        *with_days,
        *(_words(each) for each in (names.always, names.we, names.also, names.all_of_it)),
    )


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{spaced(pattern)})(?!\w)")
