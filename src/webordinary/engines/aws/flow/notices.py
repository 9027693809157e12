"""What SES says later about a mail that it took: it came back, or the person marked it as unwanted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from webordinary.mail.bounce import Returned

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LONGEST_REASON = 200
# The one thing that SES says in plain words, when somebody connects it with a topic.
_GREETING = "Successfully validated SNS topic"
# What SNS itself says, in plain words too, when somebody subscribes or leaves; ours are made with the topic.
_OF_SNS = frozenset({"SubscriptionConfirmation", "UnsubscribeConfirmation"})
_NOTICES = frozenset(
    {
        "Bounce", "Click", "Complaint", "Delivery", "DeliveryDelay", "Greeting", "Open", "Reject", "Rendering Failure",
        "Send", "Subscription",
    }
)  # fmt: skip
_COMPLAINT = "the person marked our mail as unwanted"


def message_of(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what SNS brings as it is meant; greetings of SES and of SNS itself say nothing."""
    text = str(record["Sns"]["Message"])
    is_greeting = text.startswith(_GREETING) or record["Sns"].get("Type") in _OF_SNS
    told = {"notificationType": "Greeting"} if is_greeting else json.loads(text)
    if not isinstance(told, dict):
        raise TypeError(f"{text[:40]!r} is no object")
    return told


def is_notice(message: Mapping[str, Any]) -> bool:
    """Tell whether a message of SNS is about a mail that we sent, and not about one that came in."""
    return _kind(message) in _NOTICES


def returned_mails(event: Mapping[str, Any]) -> Iterator[Returned]:
    """Return the recipients whom our mails did not reach, from an event that brings messages of SNS."""
    for record in event.get("Records", ()):
        message = message_of(record) if "Sns" in record else {}
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
