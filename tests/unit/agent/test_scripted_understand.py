"""What the scripted agent understands of an owner's words, and what it leaves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.agent.scripted.instruction import (
    AddText,
    Heading,
    Instruction,
    MailAddress,
    NewPrice,
    NewTitle,
    OpeningHours,
    Phone,
    PlacePicture,
    RemoveText,
    Replace,
    WaitFor,
)
from webordinary.agent.scripted.understand import understand

if TYPE_CHECKING:
    from webordinary.agent.scripted.time_of_day import ClockTime

WORKING_DAYS = frozenset({0, 1, 2, 3, 4})
SATURDAY = frozenset({5})


def wishes(request: str) -> list[Instruction]:
    return [wish for said in understand(request) for wish in said.instructions]


def not_understood(request: str) -> list[str]:
    return [said.words for said in understand(request) if not said.instructions]


def minutes(time: ClockTime | None) -> int | None:
    return None if time is None else time.minutes


def hours(request: str) -> list[tuple[int | None, int | None, frozenset[int]]]:
    found = []
    for wish in wishes(request):
        assert isinstance(wish, OpeningHours)
        opens = wish.opens.as_opening() if wish.opens else None
        closes = wish.closes.as_closing(opens) if wish.closes else None
        found.append((opens, closes, wish.days))
    return found


@pytest.mark.parametrize(
    "request_",
    [
        'replace "Rye" with "Spelt"',
        "Change “Rye” to “Spelt”.",
        "please change ‘Rye’ to ‘Spelt’",
        "Replace 'Rye' by 'Spelt', please!",
        'Could you please replace the word "Rye" with "Spelt"?',
        'it should say "Spelt" instead of "Rye"',
        '"Rye" should be "Spelt"',
        "Bitte ersetzen Sie „Rye“ durch „Spelt“.",
        "Ändere »Rye« in »Spelt«",
        "Remplacez « Rye » par « Spelt », s'il vous plaît",
        'Cambia "Rye" por "Spelt"',
    ],
)
def test_a_replacement_is_understood_in_four_languages_and_any_quotation_marks(request_: str) -> None:
    assert wishes(request_) == [Replace((("Rye", "Spelt"),))]


def test_a_replacement_can_be_for_one_page() -> None:
    assert wishes('Change "A" to "B" on the about page') == [Replace((("A", "B"),), "the about page")]
    assert wishes('Change "A" to "B" on all pages') == [Replace((("A", "B"),))]


def test_several_replacements_can_share_one_verb() -> None:
    assert wishes('replace "A" with "B" and "C" with "D"') == [Replace((("A", "B"),)), Replace((("C", "D"),))]


def test_words_without_quotation_marks_keep_every_reading_for_the_site_to_decide() -> None:
    (wish,) = wishes("change Road to Rome to Way to Rome")
    assert isinstance(wish, Replace)
    assert not wish.quoted
    assert ("Road to Rome", "Way to Rome") in wish.readings


def test_a_word_that_only_points_at_something_is_not_replaced() -> None:
    assert wishes("change it to blue") == []
    assert wishes("change the background to blue") == []


@pytest.mark.parametrize(
    ("request_", "opens"),
    [
        ("we open at nine now", 540),
        ("We now open at 9:30", 570),
        ("we open at half past nine", 570),
        ("we open at a quarter to ten now", 585),
        ("we open at quarter to ten now", 585),
        ("We open at 9 am.", 540),
        ("we open at 2 pm", 840),
        ("we open at two", 840),
        ("we open at five", 300),
        ("we open at nine instead of eight", 540),
        ("Because of the roadworks we open at nine now", 540),
        ("we open at nine now because of the roadworks", 540),
        ("Change the opening time from 8:00 to 9:00", 540),
        ("wir öffnen jetzt um neun", 540),
        ("Wir öffnen um halb zehn", 570),
        ("Ab sofort öffnen wir um 9 Uhr 30", 570),
        ("Wir machen um neun auf", 540),
        ("nous ouvrons à neuf heures", 540),
        ("nous ouvrons désormais à 9h30", 570),
        ("abrimos a las nueve", 540),
        ("ahora abrimos a las nueve y media", 570),
    ],
)
def test_an_opening_time_is_understood_in_words_and_digits(request_: str, opens: int) -> None:
    assert hours(request_) == [(opens, None, frozenset())]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("we open at 9 and close at 17:00", (540, 1020, frozenset())),
        ("we open at nine and close at five", (540, 1020, frozenset())),
        ("we close at six now", (None, 1080, frozenset())),
        ("wir schließen um sechs", (None, 1080, frozenset())),
        ("Saturdays we open at ten", (600, None, SATURDAY)),
        ("we open at ten on Saturdays", (600, None, SATURDAY)),
        ("On Saturdays we open at ten and close at two", (600, 840, SATURDAY)),
        ("our new opening hours are Monday to Friday 9:00 - 17:00", (540, 1020, WORKING_DAYS)),
        ("Opening hours: Mon–Fri 9am–5pm", (540, 1020, WORKING_DAYS)),
        ("Unsere neuen Öffnungszeiten sind Mo-Fr 9-17 Uhr", (540, 1020, WORKING_DAYS)),
        ("Nos horaires sont du lundi au vendredi de 9h à 17h", (540, 1020, WORKING_DAYS)),
        ("Nuestro horario es de lunes a viernes de 9:00 a 17:00", (540, 1020, WORKING_DAYS)),
        ("change our opening hours from 8-18 to 9-17", (540, 1020, frozenset())),
        ("Set the opening time to 9:00", (540, None, frozenset())),
        ("Change the closing time to 5pm", (None, 1020, frozenset())),
        ("Saturday 9:00 - 13:00 please", (540, 780, SATURDAY)),
    ],
)
def test_hours_are_understood_with_their_days(
    request_: str, expected: tuple[int | None, int | None, frozenset[int]]
) -> None:
    assert hours(request_) == [expected]


def test_different_days_in_one_sentence_become_different_wishes() -> None:
    expected = [(540, 1020, WORKING_DAYS), (600, 840, SATURDAY)]
    assert hours("Our hours are now Monday to Friday 9-5 and Saturday 10-2") == expected
    assert hours("New opening hours:\n- Mon-Fri 9-17\n- Sat 10-14") == expected


def test_a_beginning_is_no_day_of_the_week_to_change() -> None:
    (wish,) = wishes("from Monday on we open at 9 and close at 17:00")
    assert isinstance(wish, OpeningHours)
    assert (wish.days, wish.beginning) == (frozenset(), "from Monday on")
    assert (minutes(wish.opens), minutes(wish.closes)) == (540, 1020)


@pytest.mark.parametrize(
    "request_",
    [
        "tomorrow we open at ten",
        "Tomorrow, we open at ten",
        "On Christmas Eve, we open at ten",
        "this Friday we open at ten",
        "On Christmas Eve we open at ten",
        "we don't open at nine",
        "we are not open from nine to five",
        "Do we open at nine?",
        "if we open at nine, who will bake?",
        "we open at nine and at ten",
        "Reading evening Saturday 19:00 - 21:00",
        "we have been open for 20 years",
        "at once we open",
    ],
)
def test_what_is_no_regular_opening_time_is_not_taken_for_one(request_: str) -> None:
    assert wishes(request_) == []
    assert not_understood(request_)


@pytest.mark.parametrize(
    ("request_", "wish"),
    [
        ("set the title to Fresh bread", NewTitle("Fresh bread")),
        ('Change the title of the about page to "Who & why"', NewTitle("Who & why", "the about page")),
        ("The title should be “Bread”", NewTitle("Bread")),
        ("Please set the heading of the contact page to Visit us!", Heading("Visit us", "the contact page")),
        ("change the about page heading to Hello", Heading("Hello", "about page")),
        ("Our new phone number is 030 555 1234.", Phone("030 555 1234")),
        ("change the phone number to +44 20 7946 0000", Phone("+44 20 7946 0000")),
        ("change the phone number from 030 111111 to 030 222222", Phone("030 222222", "030 111111")),
        ("Unsere neue Telefonnummer lautet 030 555 1234", Phone("030 555 1234")),
        ("Notre nouveau numéro de téléphone est le 01 23 45 67 89", Phone("01 23 45 67 89")),
        ("Nuestro nuevo teléfono es 912 345 678", Phone("912 345 678")),
        ("the rye loaf now costs 5.20", NewPrice("rye loaf", "5.20")),
        ("change the price of Seeded rye to €5", NewPrice("Seeded rye", "5")),
        ("Seeded rye is now €5,20", NewPrice("Seeded rye", "5,20")),
        ('add a paragraph "Hello." to the about page', AddText("Hello.", "the about page")),
        ('add a sentence to the about page: "Hello."', AddText("Hello.", "the about page")),
        ('Please add "Hello." to the menu', AddText("Hello.", "the menu")),
        ('remove the sentence "Old news."', RemoveText("Old news.")),
        ('delete "Old news." from the contact page', RemoveText("Old news.", "the contact page")),
        ("put this picture on the about page", PlacePicture("", "the about page")),
        ("here is a photo of the new counter", PlacePicture("new counter")),
        ("Here's a picture of our oven for the about page!", PlacePicture("oven", "the about page")),
        ("Photo attached", PlacePicture()),
        ("wait for the file go.1", WaitFor("go.1")),
    ],
)
def test_one_plain_sentence_becomes_one_wish(request_: str, wish: Instruction) -> None:
    assert wishes(request_) == [wish]


def test_a_text_to_add_may_stand_in_its_own_paragraph() -> None:
    request = "Please add the following paragraph to the about page:\n\nWe bake. We love it.\n\nThanks,\nScott"
    assert wishes(request) == [AddText("We bake. We love it.", "the about page")]
    assert not_understood(request) == []


def test_a_gate_cannot_lie_outside_its_folder() -> None:
    assert wishes("wait for the file ../secret") == []


def test_the_mail_around_the_wish_is_ignored() -> None:
    request = (
        "Hello Amelia team,\n\nI hope you are well. we open at nine now, photo attached.\n"
        "Thank you so much!\n\nBest regards,\nScott\nAmelia's Bakery\nOpen Mon-Fri 8:00-18:00\n"
    )
    opening, picture = wishes(request)
    assert isinstance(opening, OpeningHours)
    assert picture == PlacePicture()
    assert not_understood(request) == []


def test_a_name_at_the_end_is_a_signature() -> None:
    assert not_understood('Hi\nchange "A" to "B"\n\nScott') == []


def test_thanks_in_the_middle_do_not_end_the_letter() -> None:
    request = 'Thanks for the last change!\nThanks\nchange "A" to "B".\nThen do a dance with it.\nAnd so on, you know.'
    assert wishes(request) == [Replace((("A", "B"),))]
    assert not_understood(request) == ["Then do a dance with it.", "And so on, you know."]


def test_wrapped_lines_and_bullets_are_read_as_they_are_meant() -> None:
    request = (
        "Two things, and please excuse the long sentences of this mail, could you please replace\n"
        '"the old\nwords" with "new ones".\n\n* set the title to Bread\n2) remove "x y"'
    )
    assert wishes(request)[1:] == [NewTitle("Bread"), RemoveText("x y")]
    assert wishes('replace "the old\nwords" with "new ones"') == [Replace((("the old words", "new ones"),))]


def test_each_clause_that_is_understood_is_done_and_the_rest_is_named() -> None:
    request = "We open at nine now and the rye loaf now costs 5.20, and paint the door red."
    assert len(wishes(request)) == 2
    assert not_understood(request) == ["paint the door red."]


def test_no_half_of_a_sentence_is_lost_without_a_word() -> None:
    request = "Change our phone number to 030 555 1234 and our mail to a@b.example"
    assert wishes(request) == [Phone("030 555 1234"), MailAddress("a@b.example")]
    request = "Change our phone number to 030 555 1234 and our street to Mill Lane"
    assert wishes(request) == [Phone("030 555 1234")]
    assert not_understood(request) == ["our street to Mill Lane"]


def test_an_announcement_beside_a_wish_needs_no_answer() -> None:
    request = "Our opening hours have changed. We open at nine now :) Could you please update the website?"
    assert len(wishes(request)) == 1
    assert not_understood(request) == []
    assert not_understood("Please update the website.") == ["Please update the website."]


def test_wishes_joined_by_and_are_separate_wishes() -> None:
    request = 'remove "x" from the contact page and put this picture on the menu page'
    assert wishes(request) == [RemoveText("x", "the contact page"), PlacePicture("", "the menu page")]


def test_nothing_is_read_into_what_stands_inside_quotation_marks() -> None:
    request = 'change "A" to "we open at nine. remove everything and set the title to X"'
    (wish,) = wishes(request)
    assert wish == Replace((("A", "we open at nine. remove everything and set the title to X"),))


OFTEN_SAID = (
    "we open at |9|:|nine |change |replace | to | with |. |Monday|-|add |remove |title |photo |costs |phone |hi "
)
PARTS = st.sampled_from([*OFTEN_SAID.split("|"), *"\"“”«'’\n\t", "thanks\n"])


@given(st.lists(st.one_of(PARTS, st.text(max_size=6)), max_size=30).map("".join))
def test_no_text_makes_understanding_fail(request_: str) -> None:
    assert all(said.words.strip() for said in understand(request_))


@pytest.mark.parametrize(
    "piece", ["“", '"', "'a ", ".", "\n", "change to ", "we open at 9 ", "thanks\n", "a. ", "and change a to b "]
)
def test_a_huge_request_is_read_to_its_end(piece: str) -> None:
    understand(piece * (100_000 // len(piece)))


def test_what_the_owner_quotes_or_forwards_is_no_wish() -> None:
    quoted = "> Replace 'bread' with 'cake'.\n>> The phone number is 555 0100.\n\n[picture: IMG_1.jpg]"
    assert understand(quoted) == []
    assert len(understand(f"Replace 'tea' with 'coffee'.\n\n{quoted}")) == 1


def test_a_number_below_a_name_is_a_signature_and_below_a_wish_for_it_a_wish() -> None:
    change = 'Hi,\n\nReplace "Ruhetag" with "geschlossen".\n\nScott Meier\nLöwen Gastro GmbH\nTel. 0171 5551234'
    assert wishes(change) == [Replace((("Ruhetag", "geschlossen"),), None)]
    for asked in ("Our new number:", "Please show our new phone number on the site.", "Unsere neue Nummer:"):
        assert wishes(f"{asked}\n\nTel. 0171 5551234") == [Phone("0171 5551234")]
    assert wishes("Tel. 0171 5551234") == [Phone("0171 5551234")]
