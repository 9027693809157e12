"""The ways by which providers hand a mail in, as their documentation says; what they say about it is not believed."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import msgspec

from webordinary.doors.hook_form import read_form
from webordinary.errors import Misconfigured
from webordinary.intake import LARGEST_MAIL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from webordinary.doors.hook_form import Form
    from webordinary.doors.hook_seals import Seals

T = TypeVar("T")
# What surrounds the mail in a form: addresses, verdicts that nobody reads, and the like.
_AROUND = 1024 * 1024
_ADDRESS = re.compile(r"[^\s@<>,;\"\x00-\x1f\x7f]{1,64}@[^\s@<>,;\"\x00-\x1f\x7f]{1,253}")


@dataclass(frozen=True, slots=True)
class HookCall:
    """What is known of a request before its mail."""

    method: str
    path: str
    headers: Mapping[str, str]

    @property
    def secrets(self) -> list[str]:
        """Every place in which a secret can be shown: the end of the path, a password, a token."""
        kind, _, value = self.headers.get("authorization", "").partition(" ")
        shown = [self.path.strip("/").partition("/")[2]]
        if kind.lower() == "bearer":
            shown.append(value.strip())
        elif kind.lower() == "basic":
            shown.append(_password(value))
        return shown


@dataclass(frozen=True, slots=True)
class Handed:
    """A mail as a provider hands it in; its envelope only says where it goes."""

    raw: bytes
    recipients: tuple[str, ...] = ()
    mail_from: str | None = None
    # What is good for one mail only.
    token: str | None = None


@dataclass(frozen=True, slots=True)
class HookProvider:
    """How one provider comes in.

    It is answered `wrong` where a person has to correct something and it should come again, and `never` where it
    should not: each provider has its own number for that.
    """

    most: int
    wrong: int
    never: int
    read: Callable[[HookCall, bytes, Seals, datetime], Handed]
    # Whether who comes has proven it before its body is read.
    by_secret: bool = True


def _read_plain(call: HookCall, body: bytes, _seals: Seals, _now: datetime) -> Handed:
    kind = call.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in {"message/rfc822", "message/global", "application/octet-stream"}:
        raise Misconfigured("the mail must be sent as it is, as message/rfc822")
    return Handed(body, _addresses(call.headers.get("x-envelope-to")), _sender(call.headers.get("x-envelope-from")))


def _read_mailgun(call: HookCall, body: bytes, seals: Seals, now: datetime) -> Handed:
    form = read_form(call.headers.get("content-type", ""), body)
    token = seals.require_mailgun(form, now)
    raw = _required(form, "body-mime", "the address of the route must end with mime")
    return Handed(raw, _addresses(form.text("recipient")), _sender(form.text("sender")), token)


def _read_sendgrid(call: HookCall, body: bytes, seals: Seals, now: datetime) -> Handed:
    if seals.sendgrid is not None:
        about = "x-twilio-email-event-webhook-"
        moment, seal = (call.headers.get(f"{about}{name}", "") for name in ("timestamp", "signature"))
        seals.require_sendgrid(moment, seal, body, now)
    form = read_form(call.headers.get("content-type", ""), body)
    raw = _required(form, "email", "tick “POST the raw, full MIME message”")
    envelope = _decoded((form.text("envelope") or "{}").encode(), _SendGridEnvelope)
    return Handed(raw, _addresses(",".join(envelope.to)), _sender(envelope.sender))


def _read_postmark(_call: HookCall, body: bytes, _seals: Seals, _now: datetime) -> Handed:
    told = _decoded(body, _Postmark)
    if not told.raw:
        raise Misconfigured("there is no raw mail in it: tick “Include raw email content in JSON payload”")
    to = [told.original, *(person.address for person in (*told.to, *told.cc, *told.bcc))]
    return Handed(told.raw.encode("utf-8", "replace"), _addresses(",".join(to)))


class _Person(msgspec.Struct, frozen=True, rename={"address": "Email"}):
    address: str = ""


_NAMES = {"raw": "RawEmail", "original": "OriginalRecipient", "to": "ToFull", "cc": "CcFull", "bcc": "BccFull"}


class _Postmark(msgspec.Struct, frozen=True, rename=_NAMES):
    raw: str | None = None
    original: str = ""
    to: tuple[_Person, ...] = ()
    cc: tuple[_Person, ...] = ()
    bcc: tuple[_Person, ...] = ()


class _SendGridEnvelope(msgspec.Struct, frozen=True, rename={"sender": "from"}):
    to: tuple[str, ...] = ()
    sender: str | None = None


# Mailgun gives up at 406, Postmark at 403, SendGrid at everything below 500; all others come again.
WAYS: dict[str, HookProvider] = {
    "mail": HookProvider(LARGEST_MAIL, 401, 422, _read_plain),
    "mailgun": HookProvider(3 * LARGEST_MAIL + _AROUND, 401, 406, _read_mailgun, by_secret=False),
    "postmark": HookProvider(3 * LARGEST_MAIL + _AROUND, 401, 403, _read_postmark),
    "sendgrid": HookProvider(LARGEST_MAIL + _AROUND, 503, 422, _read_sendgrid),
}


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Misconfigured("this is not what the provider's documentation describes") from None


def _required(form: Form, name: str, advice: str) -> bytes:
    content = form.content(name)
    if not content:
        raise Misconfigured(f"there is no raw mail in it: {advice}")
    return content


def _addresses(text: str | None) -> tuple[str, ...]:
    given = (each.strip().removeprefix("<").removesuffix(">") for each in (text or "").split(","))
    return tuple(dict.fromkeys(each for each in given if _ADDRESS.fullmatch(each)))


def _sender(text: str | None) -> str | None:
    """Return the return path: empty for a report that nobody may answer, None where it was not told."""
    if text is None or text.strip() in {"", "<>"}:
        return text if text is None else ""
    found = _addresses(text)
    return found[0] if len(found) == 1 else None


def _password(value: str) -> str:
    try:
        return b64decode(value.strip(), validate=True).decode("utf-8").partition(":")[2]
    except ValueError:
        return ""
