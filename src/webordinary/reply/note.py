"""An agent's own words in a mail: a short note in plain sentences, never ours and never more than that.

Whatever an agent says may be false, and may come from somebody who told it what to say. So only sentences of ordinary
words and numbers are kept: a link, an address, a file, a line of a program or of its complaints is no such sentence.
"""

from __future__ import annotations

import re

_LONGEST, _LONGEST_READ = 280, 4_000
_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
# What begins a line in the writing of most programs, and what only makes words stand out.
_MARKS = re.compile(r"^\s*(?:#{1,6}|[-*+\u2022>]|\d{1,2}[.)])\s+")
_STRESS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_SENTENCE = re.compile(r".+?(?:[.!?\u2026]+[\"'\u201d\u201c\u00bb)]*(?=\s|$)|$)")
_AROUND = " \t\u00a0.,;:!?\u2026\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb()[]\u2013\u2014-"
# Words, also with a hyphen, an apostrophe or a stroke in them; times, prices and other numbers with a short unit.
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019&+/-][^\W\d_]+)*|[^\W\d_](?:\.[^\W\d_])+")
_NUMBER = re.compile(r"[+$\u20ac\u00a3]?\d+(?:[.,:/\u2013-]\d+)*(?:[%\u20ac$\u00a3\u00b0]|[^\W\d_]{1,4})?")
_DIGITS = re.compile(r"[0-9]{1,18}")
_PLAIN = frozenset({"&", "+", "=", "\u2192", "->", "/", "\u20ac", "$", "\u00a3", "%"})
# No word of any of our languages has a capital letter behind a small one.
_OF_PROGRAMS = re.compile(r"[a-z][A-Z]|^[Tt]raceback$")


def note_of(said: str, changes: str = "") -> str:
    """Return what is shown of an agent's words; nothing when none of them is a plain sentence.

    A sentence with a number that stands in none of the changes tells of something that was not done.
    """
    kept: list[str] = []
    told = _numbers(changes)
    for sentence in _sentences(said):
        if changes and not _numbers(sentence) <= told:
            continue
        if not kept and len(sentence) > _LONGEST:
            return f"{sentence[: _LONGEST - 1].rstrip()}…"
        if len(" ".join((*kept, sentence))) > _LONGEST:
            break
        kept.append(sentence)
    return " ".join(kept)


def _numbers(text: str) -> set[int]:
    return {int(found) for found in _DIGITS.findall(text)}


def _sentences(said: str) -> list[str]:
    lines = [_STRESS.sub("", _MARKS.sub("", line)) for line in _FENCED.sub("\n", said[:_LONGEST_READ]).splitlines()]
    found = [" ".join(each.split()) for line in lines for each in _SENTENCE.findall(line)]
    return [sentence for sentence in found if sentence and _is_plain(sentence)]


def _is_plain(sentence: str) -> bool:
    words = [word.strip(_AROUND) for word in sentence.split()]
    return any(map(_WORD.fullmatch, words)) and all(_is_ordinary(word) for word in words if word)


def _is_ordinary(word: str) -> bool:
    is_word = _WORD.fullmatch(word) is not None and not _OF_PROGRAMS.search(word)
    return is_word or word in _PLAIN or _NUMBER.fullmatch(word) is not None
