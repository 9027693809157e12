"""The SMTP door when it is closed: who is in the middle of a mail is heard to the end, or told to come again."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.doors.office import MAIL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.doors.conftest import OpenOffice
    from tests.doors.office import Office


@contextmanager
def closing(office: Office) -> Iterator[None]:
    thread = threading.Thread(target=office.listener.close)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def test_who_waits_is_told_and_who_sends_may_finish(open_an_office: OpenOffice) -> None:
    office = open_an_office(grace=timedelta(minutes=1))
    with office.raw() as idle, office.raw() as sending:
        idle.hear()
        sending.begin_mail()
        sending.say(MAIL)
        with closing(office):
            assert idle.hear().startswith("421 4.3.2")
            assert idle.has_ended()
            sending.say(b".\r\n")
            assert sending.hear().startswith("250")
            assert sending.hear().startswith("421 4.3.2")
            assert sending.has_ended()
    assert office.mails() == [MAIL]


def test_who_does_not_finish_in_time_is_told_to_come_again(open_an_office: OpenOffice) -> None:
    office = open_an_office(grace=timedelta(0))
    with office.raw() as sending:
        sending.begin_mail()
        sending.say(MAIL)
        with closing(office):
            assert sending.hear().startswith("421 4.3.2")
            assert sending.has_ended()
    assert office.mails() == []


def test_what_was_accepted_is_decided_before_the_door_is_closed(open_an_office: OpenOffice) -> None:
    office = open_an_office()
    with office.raw() as client:
        client.begin_mail()
        client.say(MAIL + b".\r\n")
        assert client.hear().startswith("250")
        office.listener.close()
    (mail,) = office.ports.engine.overview.mails()
    assert mail.state == "decided"


def test_closing_twice_is_harmless(open_an_office: OpenOffice) -> None:
    office = open_an_office()
    office.listener.close()
    office.listener.close()
