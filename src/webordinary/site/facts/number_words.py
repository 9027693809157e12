"""Numbers, months and days as words, in every language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from webordinary.languages import NOTHING, known, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.languages import SiteWords

_UNITS = 10
_HUNDRED, _THOUSAND = 100, 1_000


def _numbers(words: SiteWords) -> Iterator[tuple[str, int]]:
    """Yield the numbers of a language, those that are made of two words too."""
    few = words.few.split()
    tens = dict(enumerate(words.tens.split(), start=2))
    yield from ((word, number) for number, word in enumerate(few))
    yield from ((word, ten * _UNITS) for ten, word in tens.items())
    for number in range(1, _UNITS):
        unit = words.one if number == 1 else few[number]
        for ten, word in tens.items():
            yield words.compound.format(ten=word, unit=unit), ten * _UNITS + number
        for said, times in ((words.hundreds, _HUNDRED), (words.thousands, _THOUSAND)):
            if said != NOTHING:
                yield said.format(unit=unit), number * times
    yield from words.more_numbers


_ALL = {word: number for each in known() for word, number in _numbers(each.site)}
_NOONS = dict.fromkeys(listed(lambda each: each.site.noons), 12)
_MIDNIGHTS = dict.fromkeys(listed(lambda each: each.site.midnights), 0)
# Articles are not counted: "one", "un" and "uno" stand in too many sentences that name no number.
_TOO_COMMON = listed(lambda each: each.site.too_common)
NUMBERS: Final = {word: number for word, number in {**_ALL, **_NOONS, **_MIDNIGHTS}.items() if word not in _TOO_COMMON}
MONTHS: Final = {
    name: number
    for each in known()
    for number, names in enumerate(each.when.months, start=1)
    for name in names.split("|")
}
# Behind these a number is an hour, whatever follows.
STRICTLY_BEFORE_TIMES: Final = listed(lambda each: each.site.before_times, " ")
# What may follow an hour: of any other word the number says how many there are.
NEVER_COUNTED: Final = listed(lambda each: each.site.after_times, " ")
DAYS: Final = " ".join(
    " ".join((*(name.partition("|")[0] for name in each.when.weekdays), each.site.occasions)) for each in known()
)


@cache
def is_half_to(said: str, hour: str) -> bool:
    """Tell whether half an hour is said of the hour to come: "halb neun" is before nine, "half nine" behind it."""
    return any(said in each.site.half_to_before.split("|") and hour in dict(_numbers(each.site)) for each in known())
