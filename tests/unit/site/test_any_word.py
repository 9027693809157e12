from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from webordinary.site.facts.any_word import any_word

_WORDS = st.lists(st.text("ab -'.é", min_size=1, max_size=6), min_size=1, max_size=12)


def test_the_letters_that_words_begin_with_are_written_once() -> None:
    assert any_word(["nine", "ninety", "neun"]) == r"n(?:eun|ine(?:ty)?)"


@given(_WORDS, st.text("ab -'.é", max_size=30))
def test_it_finds_what_the_words_one_after_the_other_would_find_the_longest_first(words: list[str], text: str) -> None:
    one_by_one = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    assert re.findall(any_word(words), text) == re.findall(one_by_one, text)
