"""A mail of which only one sentence holds for a while: whether another one asks for something of its own.

What is asked for beside it would end with it, so that is asked about first.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from webordinary.languages import any_of
from webordinary.mail.when.dates import spaced, words_of
from webordinary.mail.when.whiles import whiles_of

if TYPE_CHECKING:
    from webordinary.mail.when.patterns import Patterns
    from webordinary.mail.when.sentences import Sentence

_CONTENT = re.compile(r"[\d\ue000]")
# What comes after the while, or is said about it, is no wish beside it.
_ABOUT_IT = re.compile(rf"(?<!\w)(?:{any_of(lambda each: each.when.afterwards)})(?!\w)")


def is_wish_of_its_own(sentence: Sentence, patterns: Patterns, text: str) -> bool:
    """Tell whether a sentence without a date asks for more than to show what holds for a while."""
    words = sentence.text
    if not _CONTENT.search(words) or sentence.is_question:
        return False
    if _any(patterns.when.closed).search(sentence.original(text).lower()):
        # 'Replace "8:00" with "closed"' is what should be seen in that while.
        return False
    if _order(patterns.code, patterns.when.changes).search(words):
        return True
    when, whiles = patterns.when, whiles_of(patterns.code)
    is_said = _any(f"{when.costs}|{when.opens}").search(words) and not whiles.all_of_it.search(words)
    if is_said and not _ABOUT_IT.search(words):
        return True
    orders = _order(patterns.code, f"{when.orders}|{when.adds}|{when.moves}")
    return orders.search(words) is not None and whiles.also.search(words) is not None


@cache
def _order(code: str, orders: str) -> re.Pattern[str]:
    when = words_of(code)
    start = rf"\A\W*(?:(?:{when.polite}|{when.also})(?!\w)\W*)*(?:{orders})(?!\w)"
    # German may keep its verb for the end.
    return re.compile(spaced(rf"{start}|(?<!\w)(?:{orders})\W*\Z" if when.order_last else start))


@cache
def _any(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{spaced(words)})(?!\w)")
