"""Single words that do something at once, and the many mails that only look like them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webordinary.mail.verbs import Verb, read_verb


@pytest.mark.parametrize(
    ("words", "verb"),
    [
        ("ok", Verb.OK),
        ("OK.", Verb.OK),
        ("Okay!!", Verb.OK),
        ("  publish \n", Verb.OK),
        ("Freigeben", Verb.OK),
        ("D\u2019accord !", Verb.OK),
        ("vale", Verb.OK),
        ('"undo"', Verb.UNDO),
        ("Rückgängig", Verb.UNDO),
        ("rueckgaengig", Verb.UNDO),
        ("Annuler", Verb.UNDO),
        ("deshacer", Verb.UNDO),
        ("*Stop*", Verb.STOP),
        ("Arrêter", Verb.STOP),
        ("status?", Verb.STATUS),
        ("État", Verb.STATUS),
        ("noch einmal", Verb.AGAIN),
        ("réessayer", Verb.AGAIN),
        ("otra vez", Verb.AGAIN),
        ("Hilfe!", Verb.HELP),
        ("Rückgängig machen", Verb.UNDO),
        ("de acuerdo", Verb.OK),
        ("Recommencer", Verb.AGAIN),
        ("ok\n\nThanks!\nAmelia Berg\nSent from my iPhone", Verb.OK),
        ("ok\n\nViele Grüße\nJörg", Verb.OK),
        ("undo\n\nMerci,\nZoé\nEnvoyé de mon iPhone", Verb.UNDO),
        ("stop\n\nVon meinem iPhone gesendet", Verb.STOP),
    ],
)
def test_a_word_alone_is_a_verb(words: str, verb: Verb) -> None:
    assert read_verb(words) == verb


@pytest.mark.parametrize(
    "words",
    [
        "",
        "I do not approve",
        "ok but change the phone number",
        "ok, thanks",
        "not ok",
        "ok?",
        "undo?",
        "okey-dokey",
        "Hello\nok",
        "ok\nand change the phone number",
        "ok\n\nNew phone number: 555 0199",
        "ok\n\nthe second one",
        "stop\nthe banner from moving",
        "ok\n\nAmelia Berg\nOwner Bakery",
        "ok\n\nThanks\nBest\nCheers\nAmelia",
        "ok\n> Which colour?",
        "help me with the menu",
        "ok" + "!" * 100,
        "publish\n" + "x" * 100,
    ],
)
def test_everything_else_is_an_instruction(words: str) -> None:
    assert read_verb(words) is None


@settings(deadline=None, database=None)
@given(st.sampled_from(["ok", "undo", "stop"]), st.text(alphabet="abc xyz0123,.", min_size=1).filter(str.strip))
def test_more_words_on_the_line_are_never_a_verb(word: str, more: str) -> None:
    assert more.strip(" .") == "" or read_verb(f"{word} {more}") is None


@settings(deadline=None, database=None)
@given(st.text())
def test_no_text_makes_it_raise(words: str) -> None:
    assert read_verb(words) in {None, *Verb}
