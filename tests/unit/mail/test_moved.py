"""Replies that say nothing but another time, and those that say more."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.unit.mail.test_when import BERLIN, spoken
from webordinary.mail.when import Misread, Span, Trouble, read_move

# A Wednesday.
NOW = datetime(2026, 11, 18, 15, 0, tzinfo=UTC)
EPIPHANY = (None, "2027-01-07 00:00")
CHRISTMAS = ("2026-12-24 00:00", "2026-12-27 00:00")

MOVES = (
    ("Until 6 January instead, please.", *EPIPHANY),
    ("Sorry, please keep it until 6 January.\n\nThanks, Scott", *EPIPHANY),
    ("Please extend it until 6 January!", *EPIPHANY),
    ("Hi,\nno, from 24 to 26 December please.", *CHRISTMAS),
    ("Please take it down on 6 January.", None, "2027-01-06 00:00"),
    ("It should start from 24 December.", "2026-12-24 00:00", None),
    ("until Sunday", None, "2026-11-23 00:00"),
    ("Bitte doch bis 6. Januar stehen lassen.", *EPIPHANY),
    ("Nein, vom 24. bis 26. Dezember.\nDanke", *CHRISTMAS),
    ("Plutôt jusqu'au 6 janvier, merci.", *EPIPHANY),
    ("Désolé, du 24 au 26 décembre.", *CHRISTMAS),
    ("Mejor hasta el 6 de enero, por favor.", *EPIPHANY),
    ("Perdón, del 24 al 26 de diciembre.", *CHRISTMAS),
)
MORE = (
    "We are closed until 6 January.",
    'Until 6 January, replace "a" with "b".',
    "Until 6 January instead. And we open at nine.",
    "The concert is on 6 January.",
    "From now on, please.",
    "Thanks!",
    "from 9 to 5",
)


@pytest.mark.parametrize(("text", "starts", "ends"), MOVES)
def test_another_time_alone_is_read(text: str, starts: str | None, ends: str | None) -> None:
    found = read_move(text, NOW, BERLIN)
    assert isinstance(found, Span), found
    assert (spoken(found.starts_at), spoken(found.ends_at)) == (starts, ends)


@pytest.mark.parametrize("text", MORE)
def test_whoever_says_more_means_more(text: str) -> None:
    assert read_move(text, NOW, BERLIN) is None


def test_another_time_that_cannot_be_kept_is_told() -> None:
    found = read_move("Until 31 November instead", NOW, BERLIN)
    assert isinstance(found, Misread)
    assert found.trouble == Trouble.IMPOSSIBLE
