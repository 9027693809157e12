"""What an owner's words say about the pictures of a mail."""

from __future__ import annotations

import pytest

from webordinary.mail.words.shown import descriptions, without_descriptions

ONE, TWO = "IMG_1.jpg", "IMG_2.jpg"


@pytest.mark.parametrize(
    ("text", "first", "second", "rest"),
    [
        ("Put this on the page. It shows our counter.", "our counter", "our counter", "Put this on the page."),
        ("Put this on the page, it shows our counter.", "our counter", "our counter", "Put this on the page."),
        ("This is the counter! Put it up.", "the counter", "the counter", " Put it up."),
        ("The first photo shows the counter and the second the oven.", "the counter", "the oven", ""),
        ("IMG_2.jpg shows the oven.", "", "the oven", ""),
        ("Das Foto zeigt unsere neue Theke.", "unsere neue Theke", "unsere neue Theke", ""),
        ("La photo montre notre comptoir.", "notre comptoir", "notre comptoir", ""),
        ("La foto muestra el mostrador.", "el mostrador", "el mostrador", ""),
        (
            "Photos of the new oven for the site.",
            "the new oven",
            "the new oven",
            "Photos of the new oven for the site.",
        ),
        (f"[picture: {ONE}]\nThe counter\n[picture: {TWO}]\nOur oven", "The counter", "Our oven", None),
        # None of these says what a picture shows.
        ("Put the first photo on the about page and the second on the menu page.", "", "", ...),
        (f"[picture: {ONE}]\nPlease put this photo on the about page.", "", "", ...),
        ("It shows 8:00 on the contact page, but we open at nine.", "", "", ...),
        ("This is urgent. It is closed on Mondays.", "", "", ...),
    ],
)
def test_what_a_picture_shows_is_taken_from_the_owners_words(text: str, first: str, second: str, rest: object) -> None:
    said = descriptions(text, (ONE, TWO))
    assert (said.get(ONE, ""), said.get(TWO, "")) == (first, second)
    if rest is not None:
        assert without_descriptions(text, (ONE, TWO)) == (text if rest is ... else rest)


def test_a_mail_without_pictures_describes_none() -> None:
    assert descriptions("It shows our counter.", ()) == {}
    assert without_descriptions("It shows our counter.", ()) == "It shows our counter."


@pytest.mark.thorough
def test_the_longest_mail_is_read_in_no_time() -> None:
    assert descriptions("the first photo shows the " * 20_000, (ONE,)) is not None
    assert without_descriptions("it shows " + "a, " * 50_000, (ONE,))
