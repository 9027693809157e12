"""Single words that do something at once, and the many mails that only look like them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webordinary.mail.words.replies import Saying, language_of_word, read_saying
from webordinary.mail.words.verbs import Verb, is_yes, read_verb


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
        ("undo\n--\nScott", Verb.UNDO),
        ("ok 👍🏼", Verb.OK),
        ("Undo 🙏\n\nDanke 😊", Verb.UNDO),
        ("Arrête !", Verb.STOP),
        ("annule", Verb.UNDO),
        ("Apruebo", Verb.OK),
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


_CARD = "\n\nEva Maier\nGeschäftsführerin\nCafé Zentral GmbH\nHauptstr. 1, 72070 Tübingen\nTel. 07071 4711"


@pytest.mark.parametrize(
    "words",
    [
        *("Ja", "Ja, gerne!", "Yes please", "Yes", "YES!", "Oui", "Sí", "OK, bitte veröffentlichen.", "ok, thanks"),
        *("Looks good, publish it", "Yes, publish it please.", "Ja bitte", "Gerne", "Ja, danke!", "Oui, merci"),
        *("Oui, s\u2019il vous plaît", "Sí, por favor", "Sí, publíquelo", "Perfekt, bitte freigeben", "Ja passt so"),
        *("Great - go ahead", "👍", "Ja 😊", "Ja\n\nViele Grüße\nEva", f"Ja, gerne!{_CARD}", "Bitte veröffentlichen"),
    ],
)
def test_a_yes_to_whether_it_shall_be_published(words: str) -> None:
    assert read_saying(words) is Saying.YES


@pytest.mark.parametrize(
    "words",
    [
        *("", "Ja?", "Yes but smaller", "Ja, und bitte noch die Nummer", "ok, und bitte noch die Farbe", "Looks good"),
        *(
            "👎",
            "ok 👎",
            "🙏",
            "Nein",
            "Nein danke",
            "Ja, nein",
            "I do not approve",
            "yes no",
            "Thanks",
            "Not yes",
            "Si vous voulez",
        ),
        *("Yes\nand make it blue", "Publish it tomorrow", "Ja\n\nNeue Adresse\nHauptstr. 1", "please"),
    ],
)
def test_what_is_no_plain_yes_agrees_to_nothing(words: str) -> None:
    assert read_saying(words) is not Saying.YES


@pytest.mark.parametrize(
    "words",
    [
        *(
            "YES",
            "Ja, das war ich.",
            "Oui, c\u2019est moi",
            "Sí, soy yo",
            "Yep",
            "YES, I did",
            f"Ja{_CARD}",
            "Ja klar!",
        ),
        *("Yes it is", "Yes, it's me.", "Ja, die ist von mir", "oui", "Das war ich", "yes, thanks", "Ja, stimmt"),
    ],
)
def test_a_yes_to_whether_it_was_them(words: str) -> None:
    assert is_yes(words)


@pytest.mark.parametrize(
    "words",
    ["", "no", "Ja, das war ich nicht", "yes?", "yes or no?", "Yes, publish it", "yes, and delete it", "I did not"],
)
def test_what_is_no_plain_yes_confirms_nothing(words: str) -> None:
    assert not is_yes(words)


@pytest.mark.parametrize(
    ("words", "language"),
    [
        *(("Rückgängig", "de"), ("stopp", "de"), ("Ja, gerne!", "de"), ("Hilfe?", "de"), ("annuler", "fr")),
        *(("statut", "fr"), ("D\u2019accord !", "fr"), ("Ayuda", "es"), ("vale", "es"), ("Sí, por favor", "es")),
        *(("undo", None), ("ok", None), ("status", None), ("Wir öffnen um neun, ja", None), ("", None)),
    ],
)
def test_the_word_itself_shows_the_language(words: str, language: str | None) -> None:
    assert language_of_word(words) == language
