"""What stays of a reply: every word of the person, and nothing of ours."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webordinary.mail.quoting import MARKER, OwnWords, own_words

OURS = f"{MARKER}\n\nDone, your change is live.\n\nWhich colour should the banner have?\n"
QUOTED = "".join(f"> {line}".rstrip() + "\n" for line in OURS.splitlines())


def reply(text: str) -> str:
    return own_words(text, is_reply=True).kept


@pytest.mark.parametrize(
    "attribution",
    [
        "On Tue, 3 Nov 2026 at 10:00, Bakery <amelia@mail.example> wrote:",
        "On Tue, Nov 3, 2026 at 10:00 AM The Bakery with a long name <amelia@mail.example>\nwrote:",
        "Am 03.11.26 um 10:00 schrieb Bäckerei:",
        "Le mar. 3 nov. 2026 à 10:00, Boulangerie <amelia@mail.example> a écrit :",
        "2026年11月3日(火) 10:00 Bakery <amelia@mail.example>\uff1a",
        "Bakery <amelia@mail.example> schrieb am Di., 3. Nov. 2026, 10:00:",
        "",
    ],
)
def test_history_goes_with_the_line_that_announces_it(attribution: str) -> None:
    words = "Thanks, now also:\n\n- soup\n- bread\n\nFrom: 10:00\nTo: 18:00"
    assert reply(f"{words}\n\n{attribution}\n{QUOTED}") == words
    assert reply(f"{words}\n\n{attribution}\n\n{OURS}") == words


def test_what_was_cut_is_kept_beside_it() -> None:
    found = own_words(f"ok\n\n{QUOTED}\n-- \nAmelia", is_reply=True)
    assert found.kept == "ok"
    assert "> Done, your change is live." in found.cut
    assert found.cut.endswith("-- \nAmelia")


def test_the_lines_that_outlook_copies_go_and_opening_hours_stay() -> None:
    copied = "From: Bakery <amelia@mail.example>\nSent: 3 November 2026 10:00\nTo: Amelia\nSubject: Re: Hours"
    words = "Please change it to\n\nFrom: 10:00\nTo: 18:00\nPhone: 555"
    assert reply(f"{words}\n\n________________________________\n{copied}\n\n{OURS}") == words
    assert reply(f"{words}\n{copied}\n\n{OURS}") == words
    assert reply(f"{words}\n\n{OURS}") == words


@pytest.mark.parametrize(
    "marker",
    [
        f">> {MARKER}",
        f"> *{MARKER}*",
        f"  {MARKER.upper()}",
        "> WebOrdinary: reply above\n> this line ^^^",
        f"\u200b{MARKER}\xa0",
    ],
)
def test_a_marker_that_a_client_changed_is_still_ours(marker: str) -> None:
    assert reply(f"We open at nine.\n{marker}\n> old") == "We open at nine."


def test_talking_about_the_marker_cuts_nothing() -> None:
    words = f"What does\n{MARKER} mean?\nPlease remove 'WebOrdinary: reply above this line' here."
    assert reply(words) == words


def test_answers_between_quoted_lines_stay_with_their_question() -> None:
    text = (
        "Hello\n\n"
        + QUOTED.replace("> Which", "Great!\n>\n> Which")
        + "Blue, please.\n> Should it be large?\nYes.\n> Bye\n"
    )
    assert reply(text).split("\n") == [
        "Hello",
        "",
        "> Done, your change is live.",
        "Great!",
        "> Which colour should the banner have?",
        "Blue, please.",
        "> Should it be large?",
        "Yes.",
    ]


def test_an_answer_below_the_whole_quote_stands_alone() -> None:
    assert reply(f"On 3 Nov 2026 at 10:00 Bakery wrote:\n{QUOTED}\nBlue, please.\n") == "Blue, please."


def test_a_new_mail_or_a_forward_loses_nothing() -> None:
    text = f"See below\n\n---------- Forwarded message ---------\nFrom: x\n\n{OURS}"
    assert own_words(text, is_reply=False) == OwnWords(text.strip("\n"), "")


def test_a_signature_is_at_the_very_end_and_short() -> None:
    assert reply("Hello\n-- \nAmelia\nBakery\n\n") == "Hello"
    assert own_words("Hello\n-- \n" + "x\n" * 8, is_reply=False).kept == "Hello"
    long = "Hello\n-- \n" + "x\n" * 9
    assert reply(long) == long.strip("\n")
    assert reply("Put this on the page:\n--\nfirst\n--\nsecond") == "Put this on the page:\n--\nfirst\n--\nsecond"


def test_a_mail_of_only_history_has_no_words() -> None:
    assert reply(f"On 3 Nov 2026 at 10:00 Bakery wrote:\n{QUOTED}") == ""


_LINES = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            [
                "> quoted",
                "From: 10:00",
                "- bread",
                "",
                "On 3 Nov 2026 at 10:00 x@y.example wrote:",
                "--",
                "-----",
                "> ",
            ],
        ),
    ).map(lambda line: line.replace("\n", " ").replace("\r", " ")),
    max_size=30,
)


def _filled(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


@settings(deadline=None, database=None)
@given(_LINES.filter(lambda lines: "-- " not in lines and "--\xa0" not in lines), st.booleans())
def test_without_our_marker_and_a_signature_every_line_stays(lines: list[str], is_reply: bool) -> None:  # noqa: FBT001 - hypothesis hands it in
    text = "\n".join(lines)
    assert own_words(text, is_reply=is_reply) == OwnWords(text.strip("\n"), "")


@settings(deadline=None, database=None)
@given(_LINES, _LINES, st.sampled_from([MARKER, f"> {MARKER}", "-- "]))
def test_no_line_is_ever_lost(above: list[str], below: list[str], middle: str) -> None:
    lines = [*above, middle, *below]
    found = own_words("\n".join(lines), is_reply=True)
    assert sorted(_filled(found.kept) + _filled(found.cut)) == sorted(_filled("\n".join(lines)))
