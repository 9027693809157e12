"""Short replies as people write them: a yes, praise, thanks, "please undo", "don't publish", or what nobody can tell.

They mean something only below a mail of ours, and only if every word of the mail is known from a closed list: "Perfect!
Now also change the price" is a request. The caller, who knows the conversation, decides
which of them is an `ok`, and to what.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.languages import any_of, known
from webordinary.mail.words.verbs import (
    COURTESIES,
    DOUBT,
    ELSEWHERE,
    ENDINGS,
    GREETINGS,
    LETTERS,
    NO,
    PAUSE,
    PRAISE,
    PUBLISH,
    QUOTES,
    REASONS,
    SAID,
    SHOWS,
    STOP,
    THANKS,
    UNDO,
    WORDS,
    YES,
    Verb,
    are_courtesies,
    bare,
    folded,
    is_name,
    read_verb,
    said_lines,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


_LONGEST_CHOICE = 60
_BEFORE = re.compile(rf"(?:(?:{any_of(lambda each: each.replies.choice)})[.:]?\s)+|#\s?")
_AND = any_of(lambda each: each.letters.and_)
_NUMBERS = re.compile(rf"\(?(\d{{1,2}})[).:]?(?:\s?(?:,|\+|&|/|{_AND})\s?\(?(\d{{1,2}})[).:]?){{0,4}}")
_DIGITS = re.compile(r"\d{1,2}")
_NTH = {
    name: number
    for language in known()
    for number, names in enumerate(language.replies.nth, start=1)
    for name in names.split("|")
}


def with_choice(words: str, choices: Sequence[str]) -> str:
    """Return the words with the choice itself where their first line is only its number; else as they are."""
    first, newline, rest = words.partition("\n")
    numbers = _numbers_in(first)
    if not choices or not numbers or not all(1 <= number <= len(choices) for number in numbers):
        return words
    return "\n".join(choices[number - 1] for number in numbers) + newline + rest


def _numbers_in(line: str) -> list[int]:
    if len(line) > _LONGEST_CHOICE or "?" in line:
        return []
    said = bare(folded(line).rstrip(".!, ")).rstrip(",. ")
    said = said.removeprefix(found[0]) if (found := _BEFORE.match(said)) else said
    if said in _NTH:
        return [_NTH[said]]
    return [int(number) for number in _DIGITS.findall(said)] if _NUMBERS.fullmatch(said) else []


_MOST_LINES = 6
_LONGEST_LINE = 100
_MOST_WORDS_OF_A_GREETING = 4


class Saying(StrEnum):
    """What a whole mail says, as far as that is sure."""

    YES = "yes"
    LIKES = "likes it"
    THANKS = "thanks"
    UNDO = "undo"
    STOP = "stop"
    DOUBT = "doubt"


class _Part(StrEnum):
    """What a piece of a sentence says."""

    YES = "yes"
    LIKES = "likes it"
    UNDO = "undo"
    STOP = "stop"
    NO = "no"
    DOUBT = "doubt"
    REASON = "reason"
    THANKS = "thanks"
    COURTESY = "courtesy"


# The first list that knows a phrase says what it means.
_LISTS = (
    (_Part.THANKS, THANKS),
    (_Part.COURTESY, COURTESIES | GREETINGS),
    (_Part.UNDO, WORDS[Verb.UNDO] | UNDO),
    (_Part.STOP, WORDS[Verb.STOP] | STOP),
    (_Part.YES, YES | WORDS[Verb.OK] | PUBLISH),
    (_Part.LIKES, PRAISE),
    (_Part.NO, NO | {"\U0001f44e"}),
    (_Part.DOUBT, DOUBT),
    (_Part.REASON, REASONS),
)
_MEANS = {phrase: part for part, phrases in reversed(_LISTS) for phrase in phrases}
_POLITE = {_Part.THANKS, _Part.COURTESY}
_GLAD = {_Part.YES, _Part.LIKES}
_UNSURE = {_Part.NO, _Part.DOUBT}


def read_saying(own_words: str) -> Saying | None:
    """Return what this mail says, or None when a word of it is not known."""
    lines = said_lines(own_words)
    lines = lines[1:] if lines and _is_greeting(lines[0]) else lines
    if len(lines) > _MOST_LINES:
        return None
    said: set[_Part] = set()
    for number, line in enumerate(lines, start=1):
        parts = _parts_of(line)
        if parts is None:
            return None
        said |= parts
        if are_courtesies(lines[number:]):
            return _meaning(said)
    return None


def language_of_word(own_words: str, usual: str = "en") -> str | None:
    """Return the language that a mail of a few words shows, which is too short for its small words to tell.

    What the usual language says too shows nothing: "ja" is German, and Dutch.
    """
    if read_verb(own_words) is None and read_saying(own_words) is None:
        return None
    line = said_lines(own_words)[0]
    parts = [part.strip(QUOTES + ENDINGS + "?") for part in PAUSE.split(folded(line))]
    words = {part.partition(" ")[0] for part in parts} | set(parts)
    if told := [language for letter, language in LETTERS.items() if letter in line.casefold()]:
        return told[0]
    shown = [language for language, known in SHOWS.items() if words & known]
    if len(shown) > 1:
        # "Si, grazie" begins as in Spanish, and only Italian says all of it.
        shown = [language for language in shown if SAID[language].issuperset(filter(None, parts))]
    is_usual = SAID.get(usual, frozenset()).issuperset(filter(None, parts))
    return shown[0] if len(shown) == 1 and not words & ELSEWHERE and not is_usual else None


def _is_greeting(line: str) -> bool:
    """Tell whether a line is "Hi", "Hallo zusammen" or "Bonjour Zoé" and nothing else."""
    words = line.strip(ENDINGS).split(" ")
    if len(words) > _MOST_WORDS_OF_A_GREETING:
        return False
    cuts = (cut for cut in range(len(words), 0, -1) if folded(" ".join(words[:cut])).strip(ENDINGS) in GREETINGS)
    cut = next(cuts, None)
    return cut is not None and (cut == len(words) or is_name(" ".join(words[cut:])))


def _parts_of(line: str) -> set[_Part] | None:
    """Return what the pieces of a line say, or None when one of them is not known."""
    if len(line) > _LONGEST_LINE or "?" in line or line.startswith(">"):
        return None
    found: set[_Part] = set()
    for piece in PAUSE.split(folded(line).strip(QUOTES)):
        said = piece.strip(QUOTES + ENDINGS)
        parts = _pieces(said) if said else set()
        if parts is None:
            return None
        found |= parts
    return found or None


def _pieces(piece: str) -> set[_Part] | None:
    """Return what one piece says: "great thanks" and "yes publish it" say two things."""
    if piece in _MEANS:
        return {_MEANS[piece]}
    plain = bare(piece)
    if plain in _MEANS:
        return {_MEANS[plain]}
    word, _, rest = plain.partition(" ")
    rest = bare(rest) or rest
    return {_MEANS[word], _MEANS[rest]} if word in _MEANS and rest in _MEANS else None


def _meaning(said: set[_Part]) -> Saying | None:
    says = said - _POLITE
    if not says:
        return Saying.THANKS if _Part.THANKS in said else None
    if says <= _GLAD:
        return Saying.YES if _Part.YES in says else Saying.LIKES
    asked = says - {_Part.REASON, _Part.NO}
    if asked in ({_Part.UNDO}, {_Part.STOP}):
        return Saying.UNDO if _Part.UNDO in asked else Saying.STOP
    return Saying.DOUBT if says & _UNSURE and asked <= _GLAD | _UNSURE else None
