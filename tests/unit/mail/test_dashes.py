"""What stands below two dashes: a signature goes, and an order is none."""

from __future__ import annotations

import pytest

from webordinary.mail.words.quoting import own_words


@pytest.mark.parametrize(
    "below",
    [
        "Scott Baker\nBaker & Sons\nTel. 020 7946 0958",
        "Scott\nBest bread in town since 1920",
        "Eva Maier\nCafé Zentral GmbH, Hauptstr. 1, 72070 Tübingen\nÖffnungszeiten: Mo-Fr 8:00-18:00\nwww.zentral.de",
        "Zoé Martin\nBoulangerie Martin\n« Du pain comme autrefois »",
        "Paco Ruiz\nPanadería Ruiz S.L.\nCalle Mayor 5",
        "Scott\nPlease think of the environment before printing this mail.",
        "Follow us on Instagram: @bakers",
        "",
    ],
)
def test_a_signature_below_the_dashes_goes(below: str) -> None:
    for is_reply in (True, False):
        assert own_words(f"We open at nine.\n-- \n{below}", is_reply=is_reply).kept == "We open at nine."


@pytest.mark.parametrize(
    "words",
    [
        'Home page: the heading is "Hello".\n-- \nPlease also remove the old photo.',
        "Die Suppe kostet 4,50 €.\n-- \nBitte auch die Telefonnummer auf 555 0199 ändern.\nDanke, Eva",
        "Le pain coûte 3,20 €.\n-- \nAjoutez aussi la photo.\n\nZoé",
        "La sopa cuesta 4,50 €.\n-- \nY cambia el teléfono al 555 0199.",
        "We close at six.\n-- \nOn Sunday we open at nine.",
        "Menu of the day\n-- \n- soup 4.50\n- bread 3.20",
        "1. We open at nine.\n-- \n2. We close at six.",
        "First page: new photo.\n-- \nCould you make the second one larger?",
        "First part.\n-- \nThe second part is a long sentence about how the page should look after our summer break.",
        "Replace the text with this:\n-- \nWe are closed.\n-- \nThen add our number.",
    ],
)
def test_an_order_below_the_dashes_is_no_signature(words: str) -> None:
    for is_reply in (True, False):
        assert own_words(words, is_reply=is_reply).kept == words


def test_a_signature_below_an_order_below_dashes_still_goes() -> None:
    order = "We open at nine.\n-- \nPlease also remove the old photo."
    assert own_words(f"{order}\n-- \nScott Baker\nBaker & Sons", is_reply=True).kept == order
