"""What is special about mails on AWS: keys of objects, large mails, and answers that got lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.aws.accidents import lost_answers
from webordinary.engines.aws.clients import AwsSettings, open_clients
from webordinary.engines.aws.inbox import S3Inbox
from webordinary.engines.aws.trail import DynamoTrail
from webordinary.errors import Misconfigured, Refused
from webordinary.intake import LARGEST_MAIL
from webordinary.mail.inbox import Decision, Envelope, Kept
from webordinary.mail.outcomes import MailOutcome
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from tests.aws.conftest import Place

MANY = Envelope("ses", tuple(f"person-{number}@amelia.example.com" for number in range(500)))


@pytest.fixture
def inbox(place: Place) -> S3Inbox:
    return S3Inbox(place.clients.dynamodb, place.names, place.buckets.mails, place.buckets.media)


def test_a_mail_that_somebody_put_into_the_bucket_stays_where_it_is(place: Place, inbox: S3Inbox) -> None:
    place.buckets.mails.put("in box/my mail+1 ü.eml", b"raw")
    kept = inbox.keep_object("in box/my mail+1 ü.eml", Envelope("s3", ()), ManualClock().now())
    again = inbox.keep_object("in box/my mail+1 ü.eml", Envelope("ses", ()), ManualClock().now())

    assert inbox.read(kept.mail) == b"raw"
    assert (kept.fresh, again) == (True, Kept(kept.mail, fresh=False))
    assert [found.key for found in place.buckets.mails.stored("")] == ["in box/my mail+1 ü.eml"]


def test_of_a_mail_that_nobody_takes_only_so_much_is_read_that_this_can_be_seen(inbox: S3Inbox) -> None:
    raw = b"Subject: photos\r\n\r\n" + b"x" * 39 * 1024 * 1024
    kept = inbox.keep(raw, MANY, ManualClock().now())
    assert inbox.read(kept.mail) == raw[: LARGEST_MAIL + 1]
    found = inbox.find(kept.mail)
    assert found is not None
    assert found.envelope.recipients == MANY.recipients


def test_a_mail_whose_answer_got_lost_is_fresh_all_the_same(place: Place, inbox: S3Inbox) -> None:
    with lost_answers(place.clients.dynamodb, "TransactWriteItems"):
        kept = inbox.keep(b"raw", MANY, ManualClock().now())
    assert kept.fresh
    assert len(DynamoTrail(place.clients.dynamodb, place.names).read()) == 1


def test_a_decision_whose_answer_got_lost_is_ours(place: Place, inbox: S3Inbox) -> None:
    now = ManualClock().now()
    kept = inbox.keep(b"raw", MANY, now)
    with lost_answers(place.clients.dynamodb, "TransactWriteItems"):
        assert inbox.decide(kept.mail, Decision(MailOutcome.REFUSED, "a stranger"), now)
    assert not inbox.decide(kept.mail, Decision(MailOutcome.QUEUED, ""), now)


def test_a_mail_that_is_no_longer_kept_is_refused(place: Place, inbox: S3Inbox) -> None:
    kept = inbox.keep(b"raw", MANY, ManualClock().now())
    place.buckets.mails.delete_folder("kept/")
    with pytest.raises(Refused, match="no longer kept"):
        inbox.read(kept.mail)
    with pytest.raises(Refused):
        inbox.read("mail-unknown")


def test_a_missing_bucket_is_told_by_its_name(place: Place, inbox: S3Inbox) -> None:
    place.clients.s3.delete_bucket(Bucket=place.buckets.media.name)
    with pytest.raises(Misconfigured, match=place.buckets.media.name):
        inbox.keep_file(b"a photo")


def test_without_credentials_nothing_is_guessed(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
    endpoint = place.clients.s3.meta.endpoint_url
    clients = open_clients(AwsSettings(region="eu-central-1", endpoint=endpoint, account="1"))
    with pytest.raises(Misconfigured, match="credentials"):
        S3Inbox(clients.dynamodb, place.names, place.buckets.mails, place.buckets.media).find("mail-1")


@pytest.mark.parametrize("prefix", ["", "Web", "-web", "web_ordinary", "w" * 29, "wéb"])
def test_a_prefix_that_could_name_no_bucket_is_refused(prefix: str) -> None:
    with pytest.raises(Misconfigured, match="prefix"):
        AwsSettings(prefix=prefix)
