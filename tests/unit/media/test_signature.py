from __future__ import annotations

import pytest

from webordinary.mail.message import picture_mark
from webordinary.media.signature import is_pixel, is_small, stands_in_signature

LOGO = picture_mark("image001.png")

NOBODY_MEANT = {
    "below a sign-off": f"We open at nine now.\n\nKind regards\nScott\n{LOGO}\n",
    "below a delimiter": f"We open at nine now.\n-- \nScott Baker\n{LOGO}\nwww.bakery.example\n",
    "in German": f"Wir öffnen um neun.\n\nMit freundlichen Grüßen\nAnna Bäcker\n{LOGO}\nTel. 0123 456\n",
    "in French": f"Nous ouvrons à neuf heures.\nCordialement,\n{LOGO}\n",
    "in Spanish": f"Abrimos a las nueve.\nSaludos,\nPaco\n{LOGO}\n",
    "among contacts": f"We open at nine now.\n\nScott Baker | Bakery\n+49 89 123456\n{LOGO}\n",
    "above contacts": f"We open at nine now.\n{LOGO}\nScott Baker\nwww.bakery.example\n",
    "in the line of a sign-off": f"We open at nine now.\n\nKind regards, Scott {LOGO}\n",
    "in a quoted mail": f"We open at nine now.\n\nOn Monday Amelia wrote:\n> Done, your change is live.\n> {LOGO}\n",
    "before a quoted mail": f"We open at nine.\nBest\nScott\n{LOGO}\n\nOn Monday Amelia wrote:\n> {'words ' * 60}\n",
}
MEANT = {
    "in the middle of the words": f"Please put this one on the first page:\n{LOGO}\nand this text below it.\n",
    "at the end of the words": f"Please put this one on the first page:\n{LOGO}\n",
    "alone": f"{LOGO}\n",
    "below a sign-off, but spoken of": f"Here is our new logo for the header.\n\nKind regards\nScott\n{LOGO}\n",
    "attached below thanks": f"Please use the picture below on the about page.\nThanks, Scott\n\n{LOGO}\n",
    "in German, spoken of": f"Anbei das neue Logo.\n\nViele Grüße\nAnna\n{LOGO}\n",
    "in Spanish, spoken of": f"Adjunto la foto nueva.\nSaludos\nPaco\n{LOGO}\n",
    "before more words": f"Hello\nThanks for the last change.\n{LOGO}\n" + "Put it next to the hours please. " * 4,
    "below thanks for something else": f"Thanks for the last change.\nPut this one on the first page.\n{LOGO}\n",
    "without a place": "We open at nine now.\n\nKind regards\nScott\n",
}


@pytest.mark.parametrize("where", NOBODY_MEANT)
def test_a_logo_that_stands_where_signatures_stand_is_not_meant(where: str) -> None:
    assert stands_in_signature(NOBODY_MEANT[where], "image001.png", has_other_pictures=False)


@pytest.mark.parametrize("where", MEANT)
def test_a_picture_that_the_person_may_have_meant_is_never_taken_for_a_logo(where: str) -> None:
    assert not stands_in_signature(MEANT[where], "image001.png", has_other_pictures=False)


def test_words_about_a_photo_are_about_the_photo_that_is_attached() -> None:
    text = f"The photo is our new oven.\n\nKind regards\nScott\n{LOGO}\n"
    assert stands_in_signature(text, "image001.png", has_other_pictures=True)


def test_small_is_what_logos_are_and_no_photo_is() -> None:
    assert is_small((180, 60), 9_000)
    assert is_small((600, 200), 60_000)
    assert not is_small((640, 480), 60_000)
    assert not is_small((320, 240), 400_000)
    assert is_pixel((1, 1))
    assert is_pixel((600, 1))
    assert not is_pixel((16, 16))
