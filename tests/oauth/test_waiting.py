"""A login that is refused: nothing is lost, the agency is told once, and it heals without a restart."""

from __future__ import annotations

import logging
import queue
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.doors.dovecot import USER
from tests.doors.office import DOMAIN, MAIL
from tests.oauth.logins import Desk, desk_at
from tests.oauth.provider import provider
from tests.oauth.test_mail_servers import section
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.doors.imap_poll import ImapDoor, ImapPoller
from webordinary.engines.embedded.mail_transport import SmtpTransport
from webordinary.intake import Intake
from webordinary.intake.trust import Trust
from webordinary.mail.identity.dns import Resolver
from webordinary.mail.identity.judge import Judge
from webordinary.reply.outbox import Letter
from webordinary.reply.write import Writer
from webordinary.worker.chores.posting import Posting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.oauth.provider import Provider
    from tests.rigs.ports import Ports
    from webordinary.engine import Engine
    from webordinary.errors import LoginNeeded

AGENCY = "agency@example.com"
LOG_IN = "webordinary mailbox login bakery"


@pytest.fixture(scope="module")
def house() -> Iterator[Provider]:
    with provider() as one, pytest.MonkeyPatch.context() as here:
        here.setenv("SSL_CERT_FILE", str(one.dovecot.certificate))
        yield one


@pytest.fixture
def desk(house: Provider, tmp_path: Path) -> Desk:
    house.giver.person = USER
    while not house.post.mails.empty():
        house.post.mails.get_nowait()
    desk = desk_at(house.giver, tmp_path)
    house.giver.end_everything()
    return desk


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_embedded_ports(tmp_path / "engine")


def log_in_again(desk: Desk) -> None:
    desk.secrets.keep(desk.login.secret_name, desk.giver.give_refresh_token())


def sending(ports: Ports, desk: Desk, port: int) -> Posting:
    engine = ports.engine
    postman = SmtpTransport("localhost", port, tls=False, user=USER, password=desk.tokens)
    vars(engine.outbox)["_postman"] = postman
    writer = Writer(
        engine.outbox, engine.overview, engine.inbox, engine.projects, engine.reply_keys, DOMAIN, ports.clock
    )
    return Posting("one", engine, writer, ports.clock, AGENCY)


def letters(engine: Engine, ports: Ports) -> dict[str, Letter]:
    ports.clock.advance(timedelta(minutes=10))
    return {letter.key: letter for letter in engine.outbox.take_due("somebody", ports.now, limit=100)}


def test_an_answer_waits_for_the_login_for_days_and_then_leaves(house: Provider, desk: Desk, ports: Ports) -> None:
    posting = sending(ports, desk, house.dovecot.submission)
    ports.engine.outbox.add(Letter("welcome.1", "welcome", "scott@example.org", "help"), ports.now)
    for _ in range(62):
        posting.send_due()
        ports.clock.advance(timedelta(hours=1))
    assert house.post.mails.empty()

    log_in_again(desk)
    posting.send_due()

    subjects = [house.post.mails.get(timeout=30) for _ in range(2)]
    assert any(b"To: scott@example.org" in mail for mail in subjects)
    alarm = next(mail for mail in subjects if b"To: agency@example.com" in mail)
    assert LOG_IN.encode() in alarm
    assert house.post.mails.empty()


def test_nothing_that_was_recorded_meanwhile_holds_a_secret(
    house: Provider, desk: Desk, ports: Ports, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    posting = sending(ports, desk, house.dovecot.submission)
    ports.engine.outbox.add(Letter("welcome.1", "welcome", "scott@example.org", "help"), ports.now)
    posting.send_due()
    log_in_again(desk)
    ports.clock.advance(timedelta(minutes=6))
    posting.send_due()
    sent = b"".join(house.post.mails.get(timeout=30) for _ in range(2)).decode()
    trail = "".join(f"{entry.text} {entry.facts}" for entry in ports.engine.trail.read())
    assert LOG_IN in trail
    secrets = house.giver.all_secrets()
    assert len(secrets) > 3
    assert [secret for secret in secrets if secret in trail + caplog.text + sent] == []


def test_a_token_server_that_is_away_delays_the_answer_and_alarms_nobody(
    house: Provider, desk: Desk, ports: Ports
) -> None:
    log_in_again(desk)
    posting = sending(ports, desk, house.dovecot.submission)
    ports.engine.outbox.add(Letter("welcome.1", "welcome", "scott@example.org", "help"), ports.now)
    house.giver.trouble = (503, b"away")
    posting.send_due()
    house.giver.trouble = None
    posting.send_due()
    assert house.post.mails.empty()
    ports.clock.advance(timedelta(seconds=11))
    posting.send_due()
    assert b"To: scott@example.org" in house.post.mails.get(timeout=30)
    assert letters(ports.engine, ports) == {}


def test_a_mailbox_is_read_again_as_soon_as_somebody_has_logged_in(house: Provider, desk: Desk, ports: Ports) -> None:
    judge = Judge(Resolver(timedelta(seconds=1)), DOMAIN)
    intake = Intake(ports.engine, DOMAIN, ports.clock, ports.limits, trust=Trust(judge, AGENCY))
    door = ImapDoor(section(house.dovecot.port), intake, tokens=desk.tokens)
    told, looks = queue.Queue[str](), queue.Queue[int]()
    with pytest.MonkeyPatch.context() as here:
        tell = ImapDoor.tell_agency

        def tell_both(self: ImapDoor, needed: LoginNeeded) -> None:
            tell(self, needed)
            told.put(needed.login)

        here.setattr(ImapDoor, "tell_agency", tell_both)
        poller = ImapPoller(door, on_taken=looks.put, first_wait=timedelta(milliseconds=20))
        house.dovecot.put(MAIL)
        poller.start()
        try:
            assert [told.get(timeout=30) for _ in range(3)] == ["bakery"] * 3
            log_in_again(desk)
            while not looks.get(timeout=60):
                pass
        finally:
            poller.close()
    (mail,) = ports.engine.overview.mails()
    assert mail.door == "imap"
    waiting = [letter for letter in letters(ports.engine, ports).values() if letter.to == AGENCY]
    assert [(letter.words, letter.facts["person"]) for letter in waiting] == [("login_needed", "bakery")]
