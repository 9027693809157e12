"""A mail of which only one sentence holds for a while: whether another one asks for something of its own.

What is asked for beside it would end with it, so that is asked about first.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from webordinary.mail.when.tongues import spaced
from webordinary.mail.when.whiles import NAMES, whiles_of

if TYPE_CHECKING:
    from webordinary.mail.when.patterns import Patterns
    from webordinary.mail.when.sentences import Sentence
    from webordinary.mail.when.tongues import Tongue

_CONTENT = re.compile(r"[\d\ue000]")
# What comes after the while, or is said about it, is no wish beside it.
_ABOUT_IT = re.compile(
    r"(?<!\w)(?:again|back|as usual|normal(?:ly)?|regular|resume|wieder|gewohnt|normale?n?|üblich\w*|zurück|dieser zeit"
    r"|retour|normalement|nouveau|habituel\w*|période|vuelta|normalmente|nuevo|habitual\w*|este tiempo"
    r"|estos días)(?!\w)"
)


def is_wish_of_its_own(sentence: Sentence, patterns: Patterns, text: str) -> bool:
    """Tell whether a sentence without a date asks for more than to show what holds for a while."""
    words = sentence.text
    if not _CONTENT.search(words) or sentence.is_question:
        return False
    if _any(patterns.tongue.closed).search(sentence.original(text).lower()):
        # 'Replace "8:00" with "closed"' is what should be seen in that while.
        return False
    if _order(patterns.tongue, NAMES[patterns.tongue.language].changes).search(words):
        return True
    tongue = patterns.tongue
    is_said = _any(f"{tongue.costs}|{tongue.opens}").search(words) and not whiles_of(tongue).all_of_it.search(words)
    if is_said and not _ABOUT_IT.search(words):
        return True
    orders = _order(tongue, f"{tongue.orders}|{tongue.adds}|{tongue.moves}")
    return orders.search(words) is not None and whiles_of(tongue).also.search(words) is not None


@cache
def _order(tongue: Tongue, orders: str) -> re.Pattern[str]:
    start = rf"\A\W*(?:(?:{tongue.polite}|{NAMES[tongue.language].also})(?!\w)\W*)*(?:{orders})(?!\w)"
    # German may keep its verb for the end.
    return re.compile(spaced(rf"{start}|(?<!\w)(?:{orders})\W*\Z" if tongue.order_last else start))


@cache
def _any(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{spaced(words)})(?!\w)")
