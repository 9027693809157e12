"""The answer to a question with numbered choices: "2", "Option 2", "the second one", "1 and 3"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.languages import any_of, known
from webordinary.mail.words.verbs import bare, folded

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_LINE = 60
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
    if len(line) > _LONGEST_LINE or "?" in line:
        return []
    said = bare(folded(line).rstrip(".!, ")).rstrip(",. ")
    said = said.removeprefix(found[0]) if (found := _BEFORE.match(said)) else said
    if said in _NTH:
        return [_NTH[said]]
    return [int(number) for number in _DIGITS.findall(said)] if _NUMBERS.fullmatch(said) else []
