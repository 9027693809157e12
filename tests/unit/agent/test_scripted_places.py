from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.agent.scripted.carry_out import pictures_beside, without_pictures

ABOUT, HOME = "Put this photo on the about page", "Put this photo on the home page"


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        (f"{ABOUT}.\n[picture: a.jpg]\n{HOME}.\n[picture: b.jpg]", [("a.jpg",), ("b.jpg",)]),
        (f"[picture: a.jpg]\n{ABOUT}.\n[picture: b.jpg]\n{HOME}.", [("a.jpg",), ("b.jpg",)]),
        (f"{ABOUT}.\nIt is our oven.\n[picture: a.jpg] [picture: b.jpg]\nRegards\n{HOME}.", [("a.jpg", "b.jpg"), ()]),
        (f"Put this photo [picture: a.jpg] on the about page. {HOME}: [picture: b.jpg]", [("a.jpg",), ("b.jpg",)]),
        (f"Hello\n\n{ABOUT}.  {HOME}.\n", [(), ()]),
        (f"{ABOUT}.\n{HOME}.\n[picture: a.jpg]\n[picture: b.jpg]\n", [(), ("a.jpg", "b.jpg")]),
    ],
)
def test_a_picture_belongs_to_the_words_that_it_stands_with(text: str, beside: list[tuple[str, ...]]) -> None:
    assert pictures_beside(text, [ABOUT, HOME]) == beside


def test_a_place_says_nothing_by_itself() -> None:
    assert without_pictures(f"{ABOUT}:\n[picture: a.jpg]\n").split() == f"{ABOUT}:".split()


@given(st.text("[picture: ab]\n .", max_size=80), st.lists(st.text("ab .", max_size=10), max_size=4))
def test_no_request_is_too_odd_to_be_laid_out(text: str, wishes: list[str]) -> None:
    assert len(pictures_beside(text, wishes)) == len(wishes)
