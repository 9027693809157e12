"""The single words that a person can reply with and that need no agent.

A mail is a verb only if its first line is that word and nothing else (a full stop or an exclamation mark may
follow), and if no more than three short lines come after it, each a courtesy, a phone's own line, or one name
of at most two words; a business card may stand below. Anything else is an instruction: "ok but ..." asks for
something, "I do not approve" is no approval, and "ok" above another request must not publish while the request
is lost.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import fields
from enum import StrEnum
from typing import Final

from webordinary.languages import NOTHING, known, listed
from webordinary.languages.others import OTHERS
from webordinary.mail.words.signature import is_phone_line, without_card

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


class Verb(StrEnum):
    """What a person can ask for with one word."""

    OK = "ok"
    UNDO = "undo"
    STOP = "stop"
    STATUS = "status"
    AGAIN = "again"
    HELP = "help"


WORDS = {
    Verb.OK: listed(lambda each: each.replies.ok),
    Verb.UNDO: listed(lambda each: each.replies.undo),
    Verb.STOP: listed(lambda each: each.replies.stop),
    Verb.STATUS: listed(lambda each: each.replies.status),
    Verb.AGAIN: listed(lambda each: each.replies.again),
    Verb.HELP: listed(lambda each: each.replies.help),
}
_VERBS = {word: verb for verb, words in WORDS.items() for word in words}
_HARMLESS = frozenset({Verb.STATUS, Verb.HELP})

# Faces and hands that only greet, with the signs that choose their colour; a thumb alone is a yes.
_FRIENDLY = "👍👌✅🙏🙂😊😀😃😄😁😉🎉👏💪🤝🥰☺❤\ufe0f\u200d🏻🏼🏽🏾🏿"
_THUMBS = frozenset("👍👌✅")
PAUSE = re.compile(rf"[,.;!\u2013\u2014{_FRIENDLY}]+|\s-\s|:\s")
QUOTES = "\"'*\u00a1\u00ab\u00bb\u201e\u201c\u201d\u201a\u2018 "
ENDINGS = ".,;!-\u2013\u2014 "
MOST_LINES = 3
_LONGEST_LINE = 60
_MOST_NAMES = 2


def read_verb(own_words: str) -> Verb | None:
    """Return the verb that this mail consists of, or None when it is an instruction."""
    lines = said_lines(own_words)
    if not lines or len(lines) > 1 + MOST_LINES:
        return None
    verb = _verb_alone(lines[0])
    return verb if verb and are_courtesies(lines[1:]) else None


def is_yes(own_words: str) -> bool:
    """Tell whether this mail consists of a plain "yes, that was me", with nothing behind it that asks for more."""
    return _consists_of(said_lines(own_words), YES | MINE, YES | MINE)


def _consists_of(lines: list[str], clear: frozenset[str], known: frozenset[str]) -> bool:
    """Tell whether the first line says nothing but known things, one of them clear, and the others only greet."""
    if not lines or len(lines) > 1 + MOST_LINES or len(lines[0]) > _LONGEST_LINE or "?" in lines[0]:
        return False
    parts = [bare(part) for part in PAUSE.split(folded(lines[0]).strip(QUOTES))]
    parts = [each for part in parts if part for each in apart(part, clear, known)]
    return all(part in known for part in parts) and any(part in clear for part in parts) and are_courtesies(lines[1:])


def bare(part: str) -> str:
    """Return what is said without its courtesies."""
    part = part.strip(QUOTES + ENDINGS)
    if part in COURTESIES:
        return ""
    begins = next((each for each in POLITE if part.startswith(f"{each} ")), "")
    part = part.removeprefix(begins).strip()
    ends = next((each for each in POLITE if part.endswith(f" {each}")), "")
    return part.removesuffix(ends).strip()


def apart(part: str, clear: frozenset[str], known: frozenset[str]) -> tuple[str, ...]:
    """Return "yes publish it" as the two things that it says."""
    word, _, rest = part.partition(" ")
    rest = bare(rest)
    return (word, rest) if part not in known and word in clear and rest in known else (part,)


def said_lines(own_words: str) -> list[str]:
    """Return the lines above a business card that are not blank."""
    return [line.strip() for line in without_card(own_words.split("\n", 200)) if line.strip()]


def _verb_alone(line: str) -> Verb | None:
    if len(line) > _LONGEST_LINE:
        return None
    word = folded(line).strip(QUOTES)
    verb = _VERBS.get(word.rstrip(".! "))
    if verb is None and word.endswith("?"):
        # Asking "status?" can do no harm; "ok?" is a question and no approval.
        asked = _VERBS.get(word.rstrip("?! "))
        return asked if asked in _HARMLESS else None
    return verb


def are_courtesies(lines: list[str]) -> bool:
    """Tell whether these lines only greet: thanks, a phone's own line, and one name."""
    names = 0
    for line in lines:
        words = folded(line).strip(ENDINGS)
        if len(line) > _LONGEST_LINE:
            return False
        # Dashes above a name say nothing.
        if not words or words in COURTESIES or is_phone_line(line):
            continue
        names += 1
        if names > 1 or not is_name(line):
            return False
    return True


def is_name(line: str) -> bool:
    """Tell whether a line is at most two words as people write their names."""
    words = line.strip(ENDINGS).split()
    return 1 <= len(words) <= _MOST_NAMES and all(word[0].isupper() and _is_name_word(word) for word in words)


def _is_name_word(word: str) -> bool:
    return all(letter.isalpha() or letter in "-.'\u2019" for letter in word)


def folded(line: str) -> str:
    """Return the line in lower case without accents and friendly faces, with plain apostrophes."""
    line = line.strip()
    without = line.strip(_FRIENDLY + " ")
    line = without if without or line[:1] not in _THUMBS else "yes"
    line = line.replace("\u2019", "'").replace("\u200b", "").replace("\ufeff", "").replace("ß", "ss")
    letters = unicodedata.normalize("NFKD", line.casefold().replace("ł", "l"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).strip()
