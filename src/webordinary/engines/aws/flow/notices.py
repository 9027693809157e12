"""What SES says later about a mail that it took: it came back, or the person marked it as unwanted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from webordinary.mail.bounce import Returned

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LONGEST_REASON = 200
_COMPLAINT = "the person marked our mail as unwanted"


def is_notice(message: Mapping[str, Any]) -> bool:
    """Tell whether a message of SNS is about a mail that we sent, and not about one that came in."""
    return _kind(message) in {"Bounce", "Complaint", "Delivery", "DeliveryDelay", "Send", "Reject"}


def returned_mails(event: Mapping[str, Any]) -> Iterator[Returned]:
    """Return the recipients whom our mails did not reach, from an event that brings messages of SNS."""
    for record in event.get("Records", ()):
        message = json.loads(record["Sns"]["Message"]) if "Sns" in record else {}
        match _kind(message):
            case "Bounce":
                yield from _bounced(message["bounce"], message["mail"])
            case "Complaint":
                addresses = [str(each["emailAddress"]) for each in message["complaint"]["complainedRecipients"]]
                yield from (Returned(str(message["mail"]["messageId"]), each, True, _COMPLAINT) for each in addresses)  # noqa: FBT003 - a field of a value
            case _:
                pass


def _kind(message: Mapping[str, Any]) -> object:
    return message.get("notificationType") or message.get("eventType")


def _bounced(bounce: Mapping[str, Any], mail: Mapping[str, Any]) -> Iterator[Returned]:
    is_for_good = bounce.get("bounceType") == "Permanent"
    for each in bounce["bouncedRecipients"]:
        reason = str(each.get("diagnosticCode") or bounce.get("bounceSubType") or "it could not be delivered")
        address = str(each["emailAddress"]).strip("<> ")
        yield Returned(str(mail["messageId"]), address, is_for_good, reason[:_LONGEST_REASON])
