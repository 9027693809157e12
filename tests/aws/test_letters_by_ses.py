"""What is special about letters on AWS: SES cannot tell a repeated mail from a new one."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from tests.aws.accidents import lost_answers, refused_calls
from webordinary.audit.entry import EventType
from webordinary.engines.aws.flow.events import arrivals
from webordinary.engines.aws.flow.notices import returned_mails
from webordinary.engines.aws.mail_transport import SesSender, with_own_id_kept
from webordinary.engines.aws.outbox import SesOutbox
from webordinary.engines.aws.trail import DynamoTrail
from webordinary.errors import JobFailed, TryAgain
from webordinary.reply.outbox import Letter
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from mypy_boto3_sesv2 import SESV2Client

    from tests.aws.conftest import Place

LETTER = Letter("job-1.answer", "answer", "scott@example.org", "published")
SENDER = "edit@edit.example.com"
RAW = b"From: edit@edit.example.com\r\nSubject: done\r\n\r\ndone\r\n"


class Notes(SesSender):
    """Remembers what SES called the mails."""

    def __init__(self, client: SESV2Client) -> None:
        super().__init__(client, SENDER)
        self.names: list[str] = []

    def deliver(self, raw: bytes, to: str) -> str:
        self.names.append(super().deliver(raw, to))
        return self.names[-1]


class Desk:
    """One outbox with a letter in it that is about to be sent."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.clients = place.clients
        with suppress(self.clients.ses.exceptions.AlreadyExistsException):
            self.clients.ses.create_email_identity(EmailIdentity=SENDER)
        self.clock = ManualClock()
        self.postman = Notes(self.clients.ses)
        self.outbox = SesOutbox(
            self.clients.dynamodb, place.names, place.buckets.mails, self.postman, find_job=lambda _job: None
        )
        self.trail = DynamoTrail(self.clients.dynamodb, place.names)
        self.to = f"{place.names.prefix}@example.org"
        self.outbox.add(replace(LETTER, to=self.to), self.clock.now())
        (self.letter,) = self.take()

    def take(self) -> list[Letter]:
        return list(self.outbox.take_due("one", self.clock.now()))

    def sent(self) -> int:
        """Count what SES has sent to this test's own address: others send at the same time."""
        with urlopen(f"{self.clients.ses.meta.endpoint_url}/local/letters") as told:  # noqa: S310 - loopback
            return sum(self.to in letter["to"] for letter in json.load(told))


@pytest.fixture
def desk(place: Place) -> Desk:
    return Desk(place)


@pytest.mark.parametrize("times", [1, 4])
def test_a_reservation_whose_answer_got_lost_is_ours_all_the_same(desk: Desk, times: int) -> None:
    desk.outbox.add(replace(LETTER, key="job-2.answer"), desk.clock.now())
    with lost_answers(desk.clients.dynamodb, "UpdateItem", times=times):
        (letter,) = desk.take()
    assert (letter.key, letter.tries) == ("job-2.answer", 1)
    assert desk.take() == []
    desk.outbox.deliver(letter, RAW)


def test_a_mail_whose_answer_got_lost_is_not_sent_twice_but_shown(desk: Desk) -> None:
    before = desk.sent()
    with lost_answers(desk.clients.ses, "SendEmail"), pytest.raises(TryAgain) as told:
        desk.outbox.deliver(desk.letter, RAW)
    desk.outbox.mark_delayed(desk.letter, str(told.value), desk.clock.now())
    desk.clock.advance(timedelta(days=1))
    assert desk.take() == []
    assert desk.sent() == before + 1
    assert [letter.key for letter in desk.outbox.in_doubt(desk.clock.now())] == [LETTER.key]
    entry = desk.trail.read()[-1]
    assert (entry.what, "nobody knows" in entry.text) == (EventType.ANSWER_DELAYED, True)


def test_the_mail_of_a_sender_that_died_while_sending_is_shown(desk: Desk) -> None:
    desk.outbox.deliver(desk.letter, RAW)
    desk.clock.advance(timedelta(minutes=10))
    assert desk.take() == []
    assert len(desk.outbox.in_doubt(desk.clock.now())) == 1
    assert desk.take() == []
    assert len(desk.trail.read()) == 1


def test_a_mail_that_ses_throttles_is_sent_later(desk: Desk) -> None:
    with refused_calls(desk.clients.ses, "SendEmail", 429, "TooManyRequestsException"), pytest.raises(TryAgain):
        desk.outbox.deliver(desk.letter, RAW)
    desk.outbox.mark_delayed(desk.letter, "too many", desk.clock.now())
    desk.clock.advance(timedelta(minutes=1))
    (again,) = desk.take()
    desk.outbox.deliver(again, RAW)
    desk.outbox.mark_sent(again, desk.clock.now())
    assert desk.trail.read()[-1].what == EventType.ANSWERED


def test_a_mail_that_ses_refuses_says_what_to_do(desk: Desk) -> None:
    with refused_calls(desk.clients.ses, "SendEmail", 400, "MessageRejected"), pytest.raises(JobFailed, match="verify"):
        desk.outbox.deliver(desk.letter, RAW)


def test_a_role_that_may_not_send_keeps_the_letter(desk: Desk) -> None:
    with refused_calls(desk.clients.ses, "SendEmail", 403, "AccessDeniedException"), pytest.raises(TryAgain):
        desk.outbox.deliver(desk.letter, RAW)
    desk.outbox.mark_delayed(desk.letter, "no rights", desk.clock.now())
    desk.clock.advance(timedelta(minutes=1))
    assert [letter.key for letter in desk.take()] == [LETTER.key]


@pytest.mark.parametrize("times", [1, 4])
def test_a_lost_answer_of_the_mark_does_not_keep_the_mail_from_being_sent(desk: Desk, times: int) -> None:
    before = desk.sent()
    with lost_answers(desk.clients.dynamodb, "UpdateItem", times=times):
        desk.outbox.deliver(desk.letter, RAW)
    assert desk.sent() == before + 1


def test_a_sender_whose_reservation_is_over_sends_nothing(desk: Desk) -> None:
    desk.clock.advance(timedelta(minutes=10))
    (again,) = desk.take()
    before = desk.sent()
    with pytest.raises(TryAgain, match="somebody else"):
        desk.outbox.deliver(desk.letter, RAW)
    desk.outbox.mark_delayed(desk.letter, "too late", desk.clock.now())
    desk.outbox.deliver(again, RAW)
    assert desk.sent() == before + 1


def test_a_letter_with_pictures_in_it_is_sealed_like_any_other(desk: Desk) -> None:
    raw = RAW + b"x" * 500_000
    desk.outbox.seal(desk.letter, raw, "id@edit.example.com", desk.clock.now())
    desk.clock.advance(timedelta(minutes=10))
    (again,) = desk.take()
    assert again.sealed == raw


def test_a_letter_is_found_under_the_id_that_ses_gave_it_and_under_ours(desk: Desk) -> None:
    ours = "webordinary.job-1.answer@edit.example.com"
    desk.outbox.seal(desk.letter, RAW, ours, desk.clock.now())
    desk.outbox.deliver(desk.letter, RAW)
    desk.outbox.mark_sent(desk.letter, desk.clock.now())
    (name,) = desk.postman.names
    assert name.endswith(".amazonses.com")
    for known in (ours, name, name.partition("@")[0]):
        found = desk.outbox.find_sent(known)
        assert found is not None
        assert found.key == LETTER.key


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"Message-ID: <a@x>\r\n\r\nhi", b"Message-ID: <a@x>\r\nReferences: <a@x>\r\n\r\nhi"),
        (
            b"References: <1@y>\r\n <2@y>\r\nMessage-ID: <a@x>\r\n\r\nReferences: x",
            b"References: <1@y>\r\n <2@y>\r\n <a@x>\r\nMessage-ID: <a@x>\r\n\r\nReferences: x",
        ),
        (b"Subject: none\r\n\r\nMessage-ID: <a@x>", b"Subject: none\r\n\r\nMessage-ID: <a@x>"),
    ],
)
def test_our_own_id_stays_in_the_references(before: bytes, after: bytes) -> None:
    assert with_own_id_kept(before) == after


def notice(**message: object) -> dict[str, object]:
    return {"Records": [{"Sns": {"Message": json.dumps(message)}}]}


def test_what_ses_says_later_is_understood() -> None:
    mail = {"messageId": "0102018f-000000", "destination": ["scott@example.org"]}
    gone = {"emailAddress": "scott@example.org", "diagnosticCode": "smtp; 550 5.1.1 no such user"}
    hard = notice(notificationType="Bounce", mail=mail, bounce={"bounceType": "Permanent", "bouncedRecipients": [gone]})
    soft = notice(
        eventType="Bounce",
        mail=mail,
        bounce={
            "bounceType": "Transient",
            "bounceSubType": "MailboxFull",
            "bouncedRecipients": [{"emailAddress": "a@b"}],
        },
    )
    angry = notice(
        notificationType="Complaint", mail=mail, complaint={"complainedRecipients": [{"emailAddress": "c@d"}]}
    )
    assert [
        (x.message_id, x.address, x.is_for_good, x.reason)
        for event in (hard, soft, angry)
        for x in returned_mails(event)
    ] == [
        ("0102018f-000000", "scott@example.org", True, "smtp; 550 5.1.1 no such user"),
        ("0102018f-000000", "a@b", False, "MailboxFull"),
        ("0102018f-000000", "c@d", True, "the person marked our mail as unwanted"),
    ]
    for told in (hard, soft, angry, notice(notificationType="Delivery", mail=mail)):
        assert list(arrivals(told)) == []
    assert list(returned_mails({"Records": [{"s3": {}}]})) == []
