"""The closed lists of what people reply, of all languages together: in lower case and without accents."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from webordinary.languages import NOTHING, known, listed
from webordinary.languages.others import OTHERS

YES: Final = listed(lambda each: each.replies.yes)
MINE: Final = listed(lambda each: each.replies.mine)
PUBLISH: Final = listed(lambda each: each.replies.publish)
PRAISE: Final = listed(lambda each: each.replies.praise)
NO: Final = listed(lambda each: each.replies.no)
DOUBT: Final = listed(lambda each: each.replies.doubt)
UNDO: Final = listed(lambda each: each.replies.take_back)
STOP: Final = listed(lambda each: each.replies.leave)
REASONS: Final = listed(lambda each: each.replies.reasons)
THANKS: Final = listed(lambda each: each.replies.thanks)
COURTESIES: Final = THANKS | listed(lambda each: each.replies.courtesies)
# Longer ones first: "thank you very much" ends with no other.
POLITE: Final = tuple(
    sorted(THANKS | listed(lambda each: each.replies.polite), key=lambda each: (-len(each), each)),
)
GREETINGS: Final = listed(lambda each: each.replies.greetings)
# What is said in one language only, and of languages that we do not speak: those must not be taken for a neighbour.
SHOWS: Final = {each.code: frozenset(each.replies.only_here.split("|")) for each in known()}
ELSEWHERE: Final = frozenset(OTHERS.replies.only_here.split("|"))
# Letters that tell a language although its words are a neighbour's too: the accent of an Italian yes.
LETTERS: Final = {each.replies.own_letters: each.code for each in known() if each.replies.own_letters != NOTHING}
# All that a language has in its lists.
SAID: Final = {
    each.code: frozenset(
        phrase
        for field in fields(each.replies)
        if isinstance(text := getattr(each.replies, field.name), str)
        for phrase in text.split("|")
    )
    for each in known()
}
