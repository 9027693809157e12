"""How AWS says that a mail has come: SES's notification by SNS, or a bare event of S3 for a test or a replay."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus

from webordinary.engines.aws.inbox import OURS
from webordinary.engines.aws.notices import is_notice
from webordinary.errors import Refused
from webordinary.mail.inbox import Envelope
from webordinary.mail.sender import Vouch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_VERDICTS = {name: f"{name}Verdict" for name in ("spf", "dkim", "dmarc", "spam", "virus")}
_PASSED = "PASS"
# What S3 says once when a bucket begins to send events.
_TEST_EVENT = "s3:TestEvent"


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail in the bucket, and what is known of its way there."""

    bucket: str
    key: str
    envelope: Envelope


def arrivals(event: Mapping[str, Any]) -> Iterator[Arrived]:
    """Return the mails that an event tells of; what we put into the bucket ourselves is no mail."""
    if event.get("Event") == _TEST_EVENT:
        return
    try:
        found = [each for record in event["Records"] for each in _of_record(record)]
    except (KeyError, TypeError, ValueError) as problem:
        raise Refused(f"this event tells of no mail ({type(problem).__name__}: {problem})") from problem
    yield from (arrived for arrived in found if not arrived.key.startswith(OURS))


def _of_record(record: Mapping[str, Any]) -> Iterator[Arrived]:
    if "Sns" in record:
        yield from _of_message(json.loads(record["Sns"]["Message"]))
    else:
        yield _of_object(record["s3"])


def _of_message(message: Mapping[str, Any]) -> Iterator[Arrived]:
    """Read what SNS carries: SES's notification, or an event of S3 that was sent through a topic."""
    if message.get("Event") == _TEST_EVENT or "AMAZON_SES_SETUP_NOTIFICATION" in str(
        message.get("mail", {}).get("messageId")
    ):
        return
    if is_notice(message):
        return
    if "Records" in message:
        yield from (_of_object(record["s3"]) for record in message["Records"])
    else:
        yield _of_notification(message)


def _of_notification(message: Mapping[str, Any]) -> Arrived:
    receipt, mail = message["receipt"], message["mail"]
    action = receipt["action"]
    verdicts = {name: str(receipt[key]["status"]) for name, key in _VERDICTS.items() if key in receipt}
    envelope = Envelope(
        door="ses",
        recipients=tuple(map(str, receipt["recipients"])),
        mail_from=str(mail["source"]) or None,
        # DMARC: the domain of From itself has passed, by SPF or by DKIM.
        vouch=Vouch(None, "ses") if verdicts.get("dmarc") == _PASSED and _is_clean(verdicts) else None,
        verdicts=verdicts,
    )
    return Arrived(str(action["bucketName"]), str(action["objectKey"]), envelope)


def _is_clean(verdicts: Mapping[str, str]) -> bool:
    return verdicts.get("virus", _PASSED) != "FAIL" and verdicts.get("spam", _PASSED) != "FAIL"


def _of_object(told: Mapping[str, Any]) -> Arrived:
    # In an event of S3 a space is a plus and a plus is %2B; SES's own notification has the key as it is.
    return Arrived(str(told["bucket"]["name"]), unquote_plus(told["object"]["key"]), Envelope("s3", ()))
