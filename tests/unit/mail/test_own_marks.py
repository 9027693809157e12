"""Lines that a person marks with `>` are theirs, unless something proves that a mail is quoted there."""

from __future__ import annotations

import pytest

from tests.unit.mail.test_quoting import ADDRESS, OURS, QUOTED
from webordinary.mail.words.quoting import own_words
from webordinary.mail.words.sent import Sent

# A testimonial, a menu, a list and an arrow, in the languages that we speak.
MARKED = {
    "en": "Please put these on the page:\n\n> Best bread in town!\n> - Ann, a guest\n\n> Lovely cakes.",
    "de": "Bitte die Mittagskarte ändern:\n> Kürbissuppe 4,50 €\n> Käsespätzle 9,80 €\n\nDanke!",
    "fr": "Ajoutez ces avis :\n\n> Le meilleur pain de la ville\n>\n> Zoé, cliente",
    "es": "El menú de mañana:\n> sopa 4,50 €\n> paella 12 €\nGracias",
    "arrow": "Please change the page as follows:\n> Contact > Opening hours > 9:00",
    "only": "> Soup 4.50\n> Bread 3.20",
    "first": "> Best bread in town!\n\nPlease put this sentence on the page.",
}


@pytest.mark.parametrize("language", MARKED)
@pytest.mark.parametrize("is_reply", [True, False])
def test_marked_lines_stay_where_nothing_proves_a_quoted_mail(language: str, *, is_reply: bool) -> None:
    for sent in (Sent(), Sent.of([OURS])):
        found = own_words(MARKED[language], is_reply=is_reply, sent=sent)
        assert (found.kept, found.cut) == (MARKED[language], "")


@pytest.mark.parametrize("language", [language for language in MARKED if language != "first"])
@pytest.mark.parametrize(
    "quoted", [f"On 3 Nov 2026 at 10:00, Bakery <{ADDRESS}> wrote:\n{QUOTED}", QUOTED, f"{ADDRESS}:\n\n{OURS}"]
)
def test_they_stay_above_the_mail_that_is_answered(language: str, quoted: str) -> None:
    for sent in (Sent(), Sent.of([OURS])):
        found = own_words(f"{MARKED[language]}\n\n{quoted}", is_reply=True, sent=sent)
        assert found.kept == MARKED[language]
        assert "your change is live" in found.cut


def bare(text: str) -> list[str]:
    return [line.lstrip("> ") for line in text.split("\n") if line.strip("> ")]


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_no_word_of_them_is_lost_below_the_mail_that_is_answered(language: str) -> None:
    found = own_words(f"{QUOTED}\n{MARKED[language]}", is_reply=True, sent=Sent.of([OURS]))
    assert [line for line in bare(MARKED[language]) if line not in bare(found.kept)] == []
    assert "your change is live" in found.cut


def test_no_word_of_them_is_lost_between_the_lines_of_the_mail_that_is_answered() -> None:
    question = "> Which colour should the banner have?\n"
    answered = QUOTED.replace(question, f"{question}Blue, with these words:\n> Best bread in town!\n\n")
    found = own_words(answered, is_reply=True, sent=Sent.of([OURS]))
    assert bare(found.kept)[-2:] == ["Blue, with these words:", "Best bread in town!"]


def test_an_address_above_them_announces_no_mail_where_we_know_what_we_sent() -> None:
    words = "Add what Ann Berg <ann@guest.example> wrote to us on the page:\n> Best bread in town!"
    assert own_words(words, is_reply=True, sent=Sent.of([OURS])).kept == words


def test_what_is_marked_twice_below_our_mail_is_older_history() -> None:
    older = "\n".join(f"> > {line}" for line in ("Please delete the price list.", "Thanks"))
    found = own_words(f"We open at ten.\n\n{QUOTED}{older}\n", is_reply=True, sent=Sent.of([OURS]))
    assert found.kept == "We open at ten."


def test_a_verb_above_our_mail_is_one_whatever_the_program_made_of_our_lines() -> None:
    broken = QUOTED.replace("> Which colour should the banner have?", "> Which colour should\nthe banner have?")
    assert own_words(f"ok\n\n{broken}", is_reply=True, sent=Sent.of([OURS])).spoken.startswith("ok")


@pytest.mark.thorough
def test_no_text_takes_long() -> None:
    sent = Sent.of([OURS])
    for text in (
        "> a\n\nb\n" * 30_000,
        f"{QUOTED}\nx\n" * 2_000,
        "> x y z long enough line\n" * 100_000,
        ">\n" * 200_000,
    ):
        found = own_words(text, is_reply=True, sent=sent)
        assert len(found.kept) + len(found.cut) <= len(text)
