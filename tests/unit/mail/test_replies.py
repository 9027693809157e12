"""Short replies in the words of people: what is sure is known, and an instruction is never swallowed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webordinary.mail.words.replies import Saying, language_of_word, read_saying
from webordinary.mail.words.verbs import read_verb

CARD = "\n\nEva Maier\nGeschäftsführerin\nCafé Zentral GmbH\nHauptstr. 1, 72070 Tübingen\nTel. 07071 4711"
YES = (
    *("OK from my side", "ok for me", "Fine by me!", "Good to go", "Yes please", "Looks good, publish it", "👍"),
    *("Ok, thanks!", "Yes, perfect, thank you very much!", "Hi Anna,\n\nyes please!\n\nBest regards\nScott"),
    *("Von mir aus gerne", "Einverstanden, danke!", "Für mich in Ordnung", "Ja, passt!", "Geht klar 👍"),
    *("C'est ok pour moi", "Oui, c'est parfait", "Je valide, merci", "Estoy de acuerdo", "Sí, perfecto, gracias"),
    # Italian, Dutch, Polish and Portuguese.
    *("Sì", "Sì, grazie!", "Va bene", "Sì, va bene così, grazie mille", "D'accordo!", "Certo"),
    *("Ja graag", "Ja, prima!", "Akkoord", "Is goed, bedankt", "Ja, bedankt", "Doe maar"),
    *("Tak", "Tak, proszę", "Tak, dziękuję!", "Zgoda", "W porządku", "Proszę opublikować"),
    *("Sim", "Sim, por favor", "Sim, obrigado!", "Pode publicar", "De acordo", "Está bem, obrigada"),
)
LIKES = (
    *("Perfect!", "Looks great, thanks!", "Great, thanks!", "sounds good", "Looks good to me.", "Great thanks"),
    *("Passt, danke!", "Sieht super aus!", "Perfekt 😊", "Passt so, vielen Dank!\n\nViele Grüße\nEva", "Klingt gut"),
    *("Parfait, merci !", "Ça me va", "Très bien, merci beaucoup", "¡Perfecto!", "Me parece bien, gracias", "Genial"),
    *("Perfetto, grazie!", "Ziet er goed uit", "Świetnie, dziękuję", "Ótimo, obrigado!", f"Perfect!{CARD}"),
    "Perfect 👍 thanks",
)
THANKS = (
    *("Thank you!", "Thanks", "thanks a lot!!", "Danke!", "Vielen Dank", "Merci beaucoup"),
    *("¡Muchas gracias!", "Grazie mille", "Bedankt!", "Dziękuję", "Obrigado", "Danke 🙏\n\nLG\nEva"),
    *("Hi,\n\nthank you!\n\nScott\nSent from my iPhone", f"Vielen Dank!{CARD}", "Thank you, have a nice day!"),
)
UNDO = (
    *("please undo", "Please undo this, it was wrong.", "Undo it, sorry", "No, undo that please", "please revert"),
    *("Bitte rückgängig machen", "Bitte das rückgängig machen, das war falsch.", "Mach das bitte rückgängig"),
    *("Annulez cette modification, s'il vous plaît", "Merci d'avance, annulez la modification"),
    *("Deshaz el cambio, por favor. Fue un error.", "Undo this change please.\n\nThanks\nScott"),
    *("Please put the old text back", "No, as it was before", "No, put it back the way it was please."),
    *("Bitte wieder wie vorher", "Nein, so wie es vorher war!", "Bitte setzen Sie den alten Text wieder ein."),
    *("Non, comme avant", "Remettez l’ancien texte, s’il vous plaît", "Non. Comme c’était avant, merci"),
    *("No, como antes", "Por favor, vuelva a poner el texto anterior", "Déjelo como estaba, gracias"),
)
STOP = (
    *(
        "no stop",
        "No, stop!",
        "don't publish",
        "Don’t publish it!",
        "Please cancel",
        "Do not publish this, it is wrong.",
    ),
    *("Cancel it please", "Nein, nicht veröffentlichen!", "Bitte nicht veröffentlichen", "Bitte stoppen", "Nein stopp"),
    *("Ne publiez pas", "Non, ne pas publier !", "No lo publique, por favor", "Cancélalo", "Stop, please cancel it."),
)
DOUBT = (
    *("No", "Nein danke", "Non", "Maybe", "not yet", "Later please", "Noch nicht", "Alles klar", "All good", "👎"),
    *("yes no", "Ok, noch nicht", "Plus tard", "Todavía no", "Hm", "No, that's wrong."),
)
REQUESTS = (
    "",
    "Perfect! Now also change the price to 4.80",
    "Great, thanks! And the phone number is 555 0199.",
    "Perfect!\nBut the photo is too small",
    "Looks great, but smaller",
    "ok but make it ten",
    "not ok",
    "ok?",
    "Is it perfect?",
    "Great?",
    "Perfect would be 4.80",
    "Not perfect",
    "Looks good on my phone only",
    "Yes, and delete the old one",
    "Thanks for changing it, now the photo",
    "Thank you! One more thing: we open at nine.",
    "Danke, und bitte noch die Nummer",
    "Please undo the headline only",
    "Please undo this and keep the photo",
    "undo this, the price should be 4.80",
    "Bitte nur das Foto rückgängig machen",
    "Don't publish the price list",
    "Please cancel the brunch on Sunday",
    "Stop the banner from moving",
    "no stops at the bakery",
    "Do not publish it before Monday",
    "Cancel my Sunday opening hours",
    "Great bread\nGreat cake\nSoup",
    "Yes, undo this",
    "Please put the old text back on the contact page",
    "As it was before, but with the new phone number",
    "Wie vorher, nur mit Foto",
    "Remettez l'ancien texte sur la page contact",
    "Como antes, pero sin la foto",
    "Perfect!\n> Great bread!",
    'Put "Thank you!" on the page',
    "Thank you page: add our phone number",
    "Perfect, 4.80",
    "2",
)


@pytest.mark.parametrize(
    ("words", "saying"),
    [
        *((words, Saying.YES) for words in YES),
        *((words, Saying.LIKES) for words in LIKES),
        *((words, Saying.THANKS) for words in THANKS),
        *((words, Saying.UNDO) for words in UNDO),
        *((words, Saying.STOP) for words in STOP),
        *((words, Saying.DOUBT) for words in DOUBT),
        *((words, None) for words in REQUESTS),
    ],
)
def test_what_is_said_is_known_only_where_every_word_is(words: str, saying: Saying | None) -> None:
    assert read_saying(words) is saying


def _sample(texts: tuple[str, ...]) -> list[str]:
    return [text for text in texts if "iPhone" not in text and CARD not in text]


@pytest.mark.parametrize(
    "more",
    ["And change the price to 4.80.", "Aber das Foto ist zu klein.", "Mais le prix est 4,80 €.", "Y el teléfono: 555"],
)
def test_a_word_more_makes_a_request_of_it(more: str) -> None:
    for words in _sample((*YES, *LIKES, *THANKS, *UNDO, *STOP)):
        for text in (f"{words} {more}", f"{words}\n{more}", f"{more} {words}", f"{more}\n\n{words}"):
            assert read_saying(text) is None
            assert read_verb(text) is None


@settings(deadline=None, database=None)
@given(st.sampled_from(_sample((*YES, *LIKES, *THANKS))), st.text(alphabet="0123456789€", min_size=1))
def test_no_number_is_ever_swallowed(words: str, number: str) -> None:
    assert read_saying(f"{words} {number}") is None


@settings(deadline=None, database=None)
@given(st.text())
def test_no_text_makes_it_raise(words: str) -> None:
    assert read_saying(words) in {None, *Saying}


def test_no_text_takes_long() -> None:
    for line in ("ok " * 50_000, "thanks, " * 30_000, "no " * 30, "yes\n" * 50_000, "👍" * 100_000):
        assert read_saying(line) is None


@pytest.mark.parametrize(
    ("words", "language"),
    [
        *(("Passt, danke!", "de"), ("Bitte nicht veröffentlichen", "de"), ("Parfait, merci !", "fr")),
        *(("Perfecto, gracias", "es"), ("Sí", "es"), ("Perfect!", None), ("Great, thanks!", None)),
        *(("Sì", "it"), ("Si, grazie", "it"), ("Annulla, per favore", "it"), ("Ja graag", "nl"), ("Opnieuw", "nl")),
        # We do not speak these: their neighbours' words would be the wrong ones.
        *(("Tak, dziękuję", None), ("Sim, obrigado", None)),
    ],
)
def test_a_few_words_show_the_language(words: str, language: str | None) -> None:
    assert language_of_word(words) == language


@pytest.mark.parametrize(("words", "usual"), [("Ja", "nl"), ("Si", "it"), ("Ja, prima", "nl")])
def test_a_word_that_the_usual_language_says_too_shows_no_other(words: str, usual: str) -> None:
    assert language_of_word(words) is not None
    assert language_of_word(words, usual) is None
