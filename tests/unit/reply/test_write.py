"""The writer: whose language, whose address, and a name for each mail that nobody else can make."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.golden.every_mail import FixedKey
from tests.rigs.embedded_ports import AMELIA, open_embedded_ports
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.jobs.job import Kind
from webordinary.mail.inbox import Envelope
from webordinary.mail.parse import parse_message
from webordinary.mail.tokens import read_token
from webordinary.reply.outbox import Letter
from webordinary.reply.write import Writer
from webordinary.routing.project import Editor
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.mail.message import Message
    from webordinary.mail.tokens import ReplyKeys

SCOTT = "scott@example.org"
MARIA = "maria@example.org"
FLORA = replace(
    AMELIA,
    rules=replace(AMELIA.rules, language="fr"),
    editors=(Editor("scott", SCOTT, "de", "Bitte immer freundlich formulieren und auf die Seite achten."),),
)


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_embedded_ports(tmp_path)


def written(
    ports: Ports, letter: Letter, *, keys: ReplyKeys | None = None, projects: ConfiguredProjects | None = None
) -> Message:
    engine = ports.engine
    writer = Writer(
        engine.outbox,
        engine.overview,
        engine.inbox,
        projects or ConfiguredProjects((FLORA,)),
        keys or FixedKey(),
        "edit.example.com",
        ports.clock,
        "es",
    )
    engine.outbox.add(letter, ports.now)
    return parse_message(writer.seal(letter))


def asked(ports: Ports, text: str, to: str = SCOTT) -> Letter:
    job = ports.new_job(reply_to=to)
    job = replace(job, subject="x", request=replace(job.request, text=text))
    ports.engine.lanes.accept(job, ports.now)
    return Letter(f"{job.id}.answer", "answer", to, "stopped", job=job.id)


@pytest.mark.parametrize(
    ("text", "to", "begins"),
    [
        ("Hello, we open at nine now.", SCOTT, "I have stopped"),
        (f"{FLORA.editors[0].default_instruction}\n\nHello, we open at nine now.", SCOTT, "I have stopped"),
        ("+49 30 23125", SCOTT, "Ich habe wie gewünscht abgebrochen"),
        ("Otwieramy o dziewiątej, dziękuję", SCOTT, "Ich habe wie gewünscht abgebrochen"),
        ("Apriamo alle nove, grazie", SCOTT, "Mi sono fermato, come ha chiesto"),
        ("+49 30 23125", MARIA, "Je me suis arrêté"),
    ],
)
def test_the_language_is_that_of_the_request_then_of_the_editor_then_of_the_project(
    ports: Ports, text: str, to: str, begins: str
) -> None:
    assert begins in written(ports, asked(ports, text, to)).text


@pytest.mark.parametrize(
    ("language", "begins"), [("es", "Il n\u2019y a plus rien"), ("de", "In diesem Gespräch gibt es")]
)
def test_a_single_word_shows_its_language_unless_another_was_chosen(ports: Ports, language: str, begins: str) -> None:
    projects = ConfiguredProjects((replace(FLORA, editors=(Editor("scott", SCOTT, language),)),))
    raw = write_mail(sender=SCOTT, to="amelia@edit.example.com", text="Arrêter", subject="Re: x")
    mail = ports.engine.inbox.keep(raw, Envelope("deliver", ("amelia@edit.example.com",)), ports.now).mail
    letter = Letter("k", "answer", SCOTT, "nothing_to_stop", {"project": "amelia"}, mail=mail)
    assert begins in written(ports, letter, projects=projects).text
    # The same holds for the word that became a job.
    job = ports.new_job(reply_to=SCOTT)
    job = replace(job, mail=mail, kind=Kind.VERB, subject="Re: x", request=replace(job.request, text=""))
    ports.engine.lanes.accept(job, ports.now)
    letter = Letter("j", "answer", SCOTT, "nothing_to_stop", job=job.id)
    assert begins in written(ports, letter, projects=projects).text


def test_the_agency_is_written_to_in_the_language_of_the_installation(ports: Ports) -> None:
    facts = {"project": "amelia", "reason": "three in a row"}
    message = written(ports, Letter("paused.amelia.1", "alarm", "agency@example.com", "paused", facts))
    assert message.subject == "amelia está en pausa"
    assert (message.from_name, message.from_address) == ("WebOrdinary", "edit@edit.example.com")


def test_a_reply_to_the_answer_leads_into_its_thread_and_only_from_its_person(ports: Ports) -> None:
    message = written(ports, asked(ports, "we open at nine now"))
    token = read_token(message.from_address or "", "edit.example.com")
    assert token is not None
    assert token.about == "t1"
    key, now = FixedKey().current(), ports.now.wall_at
    assert key.is_genuine(token, project="amelia", sender=SCOTT, now=now)
    assert not key.is_genuine(token, project="amelia", sender=MARIA, now=now)
    assert not key.is_genuine(token, project="flora", sender=SCOTT, now=now)


def test_the_name_of_an_answer_is_made_of_job_and_kind(ports: Ports) -> None:
    letter = asked(ports, "we open at nine now")
    assert written(ports, letter).message_id == f"webordinary.{letter.job}.answer@edit.example.com"


def test_the_name_of_a_mail_that_answers_nothing_depends_on_the_secret(tmp_path: Path) -> None:
    letter = Letter("paused.amelia.1", "alarm", "a@example.com", "paused", {"project": "amelia", "reason": "x"})
    folders = [tmp_path / name for name in ("one", "two", "three")]
    for folder in folders:
        folder.mkdir()
    one, two, three = (open_embedded_ports(folder) for folder in folders)
    fixed, again = written(one, letter).message_id, written(two, letter).message_id
    assert fixed == again
    assert written(three, letter, keys=three.engine.reply_keys).message_id != fixed
