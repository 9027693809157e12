"""How AWS says that a mail has come: SES's notification by SNS, or a bare event of S3 for a test or a replay."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import compat32
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus

from webordinary.engines.aws.flow.notices import is_notice, message_of
from webordinary.engines.aws.inbox import OURS, TESTS
from webordinary.errors import Refused
from webordinary.mail.inbox import Envelope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_VERDICTS = ("spfVerdict", "dkimVerdict", "dmarcVerdict", "spamVerdict", "virusVerdict")
_POLICY = "dmarcPolicy"
# What S3 says once when a bucket begins to send events.
_TEST_EVENT = "s3:TestEvent"


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail in the bucket, and what is known of its way there."""

    bucket: str
    key: str
    envelope: Envelope
    arrived_at: datetime | None = None
    # Whom its header names as authors, where whoever tells of the mail has read it whole.
    authors: tuple[str, ...] | None = None


def arrivals(event: Mapping[str, Any]) -> Iterator[Arrived]:
    """Return the mails that an event tells of; what we put into the bucket ourselves is no mail."""
    if event.get("Event") == _TEST_EVENT:
        return
    try:
        found = [each for record in event["Records"] for each in _of_record(record)]
    except (KeyError, TypeError, ValueError) as problem:
        raise Refused(f"this event tells of no mail ({type(problem).__name__}: {problem})") from problem
    yield from (arrived for arrived in found if not arrived.key.startswith(OURS))


def ses_notification(
    bucket: str, key: str, *, sender: str, recipients: Sequence[str], verdict: str, raw: bytes | None = None
) -> dict[str, Any]:
    """Return what SES says by SNS of a mail that it has put into the bucket; DMARC and its parts come to `verdict`."""
    mail: dict[str, Any] = {"source": sender, "messageId": key, "destination": list(recipients)}
    if raw is not None:
        headers = message_from_bytes(raw, policy=compat32).items()
        mail |= {"headersTruncated": False, "headers": [{"name": name, "value": str(said)} for name, said in headers]}
    told = {
        "notificationType": "Received",
        "mail": mail,
        "receipt": {
            "recipients": list(recipients),
            "spamVerdict": {"status": "PASS"},
            "virusVerdict": {"status": "PASS"},
            "spfVerdict": {"status": verdict},
            "dkimVerdict": {"status": verdict},
            "dmarcVerdict": {"status": verdict},
            "action": {"type": "S3", "bucketName": bucket, "objectKey": key},
        },
    }
    return {"Records": [{"EventSource": "aws:sns", "Sns": {"Type": "Notification", "Message": json.dumps(told)}}]}


def _of_record(record: Mapping[str, Any]) -> Iterator[Arrived]:
    if "Sns" in record:
        yield from _of_message(message_of(record))
    else:
        yield from _of_object(record)


def _of_message(message: Mapping[str, Any]) -> Iterator[Arrived]:
    """Read what SNS carries: SES's notification, or an event of S3 that was sent through a topic."""
    if message.get("Event") == _TEST_EVENT or "AMAZON_SES_SETUP_NOTIFICATION" in str(
        message.get("mail", {}).get("messageId")
    ):
        return
    if is_notice(message):
        return
    if "Records" in message:
        yield from (each for record in message["Records"] for each in _of_object(record))
    else:
        yield _of_notification(message)


def _of_notification(message: Mapping[str, Any]) -> Arrived:
    receipt, mail = message["receipt"], message["mail"]
    action = receipt["action"]
    verdicts = {name: str(receipt[name]["status"]) for name in _VERDICTS if name in receipt}
    verdicts |= {_POLICY: str(receipt[_POLICY])} if receipt.get(_POLICY) else {}
    envelope = Envelope(
        door="ses",
        recipients=tuple(map(str, receipt["recipients"])),
        mail_from=str(mail["source"]) or None,
        verdicts=verdicts,
    )
    arrived_at = _moment(mail.get("timestamp"))
    return Arrived(str(action["bucketName"]), str(action["objectKey"]), envelope, arrived_at, _authors(mail))


def _authors(mail: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the authors that the header names; None where SES has cut it, so that the mail itself must be read."""
    headers = mail.get("headers")
    if headers is None or mail.get("headersTruncated"):
        return None
    return tuple(str(each["value"]) for each in headers if str(each["name"]).lower() == "from")


def _of_object(record: Mapping[str, Any]) -> Iterator[Arrived]:
    told = record["s3"]
    # In an event of S3 a space is a plus and a plus is %2B; SES's own notification has the key as it is.
    key = unquote_plus(told["object"]["key"])
    if not key.startswith(TESTS):
        yield Arrived(str(told["bucket"]["name"]), key, Envelope("s3", ()), _moment(record.get("eventTime")))


def _moment(told: object) -> datetime | None:
    """Read when something happened at AWS, which always says it in UTC."""
    return datetime.fromisoformat(str(told)).astimezone(UTC) if told else None
