"""Detects which of our languages a person writes in, by the small words that no sentence can do without."""

from __future__ import annotations

import re
from collections import defaultdict

from webordinary.languages import codes, known
from webordinary.languages.others import OTHERS

_LONGEST = 4_000
_WORD = re.compile(r"[^\W\d_]+")
# So many small words are needed, and so many more than of any other language.
_ENOUGH = 2
_AHEAD = 1.5

# Words that belong to one language only. A neighbour is not ours: who writes in it is answered in the language of the
# configuration, and not in the nearest one of ours.
_SPOKEN_IN: defaultdict[str, list[str]] = defaultdict(list)
for _language in (*known(), OTHERS):
    for _each in _language.detected_by.split():
        _SPOKEN_IN[_each].append(_language.code)


def detect_language(text: str) -> str | None:
    """Return the language of a text, or None when it is short, mixed or in none of ours."""
    score: defaultdict[str, float] = defaultdict(float)
    for word in _WORD.findall(text[:_LONGEST].casefold()):
        spoken_in = _SPOKEN_IN.get(word, [])
        for language in spoken_in:
            # A word of two languages says half as much about each of them.
            score[language] += 1 / len(spoken_in)
    if not score:
        return None
    (best, most), *others = sorted(score.items(), key=lambda each: (-each[1], each[0]))
    clear = most >= _ENOUGH and (not others or most >= _AHEAD * others[0][1])
    return best if clear and best in codes() else None
