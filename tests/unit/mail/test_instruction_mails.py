"""Replies to our own mails, from every mail program and in many languages: history goes, every instruction stays."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.clients.instructions import INSTRUCTIONS
from tests.clients.languages import LANGUAGES
from tests.clients.ours import open_ours, without_marker
from tests.clients.programs import PROGRAMS, plain_version
from tests.golden.every_mail import Desk
from webordinary.intake.hear import hear
from webordinary.mail.mime.body import read_versions
from webordinary.mail.parse import parse_message
from webordinary.mail.words.replies import Saying
from webordinary.mail.words.sent import Sent
from webordinary.mail.words.verbs import Verb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    SentMail = Callable[[str, str], bytes]

SPOKEN_BY_US = ("en", "de", "fr", "es")
KINDS = ("published", "question", "proposed", "failed")
_BULLET = re.compile(r"^\s*[-*\u00b7\u2022]\s+")


def _mails() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield each program in each language, with one kind of mail and one instruction after the other."""
    number = 0
    for language, instructions in INSTRUCTIONS.items():
        for program in PROGRAMS:
            yield program, language, KINDS[number % len(KINDS)], instructions[number % len(instructions)]
            number += 1


MAILS = list(_mails())


@pytest.fixture(scope="module")
def sent_mail(tmp_path_factory: pytest.TempPathFactory) -> SentMail:
    """Return a function that composes each of our mails once."""
    return cache(Desk(tmp_path_factory.mktemp("desk")).mail)


def _said(lines: Sequence[str]) -> list[str]:
    return [" ".join(_BULLET.sub("", line).split()) for line in lines if line.strip()]


def test_there_are_enough_of_them() -> None:
    assert len(MAILS) >= 60
    assert len({language for _, language, _, _ in MAILS}) >= 10
    assert {(language, words) for _, language, _, words in MAILS} >= {
        (language, words) for language, each in INSTRUCTIONS.items() for words in each
    }


@pytest.mark.parametrize(("program", "language", "kind", "words"), MAILS)
def test_history_goes_and_every_line_of_the_instruction_stays(
    sent_mail: SentMail, program: str, language: str, kind: str, words: tuple[str, ...]
) -> None:
    raw = sent_mail(kind, language if language in SPOKEN_BY_US else "en")
    whole = open_ours(raw)
    for ours in (whole, without_marker(whole)):
        reply = PROGRAMS[program](ours, words, LANGUAGES[language])
        for written in (reply, plain_version(reply)):
            message = parse_message(written)
            assert message.automatic is None
            for sent in (Sent.of(read_versions(raw)), Sent()):
                heard = hear(message, sent)
                assert _said(heard.text.split("\n")) == _said(words)
                assert whole.address in heard.cut or whole.name in heard.cut


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_verb_is_a_verb_in_every_program(sent_mail: SentMail, program: str) -> None:
    raw = sent_mail("proposed", "en")
    for words, verb in ((("ok",), Verb.OK), (("Undo", "", "Thanks", "Scott"), Verb.UNDO), (("ok but smaller",), None)):
        reply = PROGRAMS[program](open_ours(raw), words, LANGUAGES["en"])
        for written in (reply, plain_version(reply)):
            assert hear(parse_message(written), Sent.of(read_versions(raw))).verb is verb


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("words", "saying"),
    [
        (("Perfect!",), Saying.LIKES),
        (("Passt, danke!", "", "Viele Grüße", "Eva"), Saying.LIKES),
        (("OK pour moi, merci",), Saying.YES),
        (("Sì, grazie!",), Saying.YES),
        (("Please undo this, it was wrong.",), Saying.UNDO),
        (("Bitte nicht veröffentlichen!",), Saying.STOP),
        (("¡Muchas gracias!", "", "Paco"), Saying.THANKS),
        (("Perfect! Now also change the price to 4.80",), None),
    ],
)
def test_a_short_reply_says_the_same_in_every_program(
    sent_mail: SentMail, program: str, words: tuple[str, ...], saying: Saying | None
) -> None:
    raw = sent_mail("proposed", "en")
    reply = PROGRAMS[program](open_ours(raw), words, LANGUAGES["en"])
    for written in (reply, plain_version(reply)):
        heard = hear(parse_message(written), Sent.of(read_versions(raw)))
        assert (heard.verb, heard.saying) == (None, saying)


_ANSWERED = ("Which of the two photos?", "The one in the bakery, and please make it larger.")


@pytest.mark.parametrize("program", ["Gmail", "Apple Mail", "Thunderbird", "Outlook", "Outlook on the web", "Yahoo"])
def test_an_answer_between_our_lines_stays_with_the_question(sent_mail: SentMail, program: str) -> None:
    raw = sent_mail("question", "en")
    question, answer = _ANSWERED
    ours = open_ours(raw)
    # In a page that marks its quotes, writing between the lines splits the quote in two.
    splits = program in {"Gmail", "Apple Mail", "Thunderbird"}
    written = f"</blockquote><div>{answer}</div><blockquote type=cite>" if splits else f"<div>{answer}</div>"
    page = ours.page.replace(question, f"{question}</p>{written}<p>", 1)
    assert page != ours.page
    reply = PROGRAMS[program](replace(ours, page=page), ("See below.",), LANGUAGES["en"])
    message = parse_message(reply)
    heard = hear(message, Sent.of(read_versions(raw)))
    assert _said(heard.text.split("\n")) == ["See below.", f"> {question}", answer]


def test_an_answer_between_our_lines_in_plain_text_stays_with_the_question(sent_mail: SentMail) -> None:
    raw = sent_mail("question", "en")
    question, answer = _ANSWERED
    reply = plain_version(PROGRAMS["Gmail"](open_ours(raw), ("See below.",), LANGUAGES["en"])).decode()
    assert f"> {question}\n" in reply
    message = parse_message(reply.replace(f"> {question}\n", f"> {question}\n{answer}\n").encode())
    for sent in (Sent.of(read_versions(raw)), Sent()):
        assert _said(hear(message, sent).text.split("\n")) == ["See below.", f"> {question}", answer]
