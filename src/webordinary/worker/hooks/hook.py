"""One receiver, what it wants to hear of, and what is told."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from webordinary.audit.entry import Entry, EventType
from webordinary.audit.story import tell
from webordinary.errors import Misconfigured
from webordinary.jobs.journal import Step
from webordinary.mail.tokens import hide_tokens
from webordinary.reply.bounces import FOR_GOOD
from webordinary.routing.secrets import read_named_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STANDARD_SECRET = "whsec_"  # noqa: S105 - the beginning of every secret, and none itself


class HookEvent(StrEnum):
    """What a receiver can hear of."""

    JOB_FINISHED = "job finished"
    NEEDS_YOU = "needs you"


_ENDS = frozenset({EventType.JOB_DONE, EventType.JOB_FAILED, EventType.JOB_STOPPED, EventType.JOB_DEAD})
_NEEDS = frozenset(
    {
        EventType.MAIL_HELD,
        EventType.MAIL_QUARANTINED,
        EventType.JOB_DEAD,
        EventType.ANSWER_HELD,
        EventType.ANSWER_GIVEN_UP,
        EventType.PROJECT_PAUSED,
        EventType.CONFIGURATION_BROKEN,
    }
)
# What a job that is done may still wait for.
_WAITS = frozenset({"proposed", "asked"})


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where to tell it, and what lies where."""

    url: str
    events: frozenset[HookEvent]
    secret_file: Path
    # It may be on this machine or in a private network.
    private: bool = False

    def secret(self) -> str:
        """Read it; each time anew, because it may change."""
        found = read_named_file(self.secret_file, lambda why: f"{self.secret_file} cannot be read ({why})").strip()
        if not found:
            raise Misconfigured(f"{self.secret_file} is empty: put the secret of the webhook there")
        return found

    @property
    def mark(self) -> str:
        """Return a name for its file that tells nothing of its address."""
        return hashlib.sha256(self.url.encode()).hexdigest()[:24]


class ToldEvent(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent: the trail's sentence and what it is about, the same in every try."""

    id: str
    event: HookEvent
    number: int
    at: datetime
    what: str
    told: str
    job: str | None = None
    mail: str | None = None
    lane: str | None = None
    project: str | None = None
    outcome: str | None = None


def events_of(entry: Entry, wanted: frozenset[HookEvent]) -> Iterator[HookEvent]:
    """Yield what an entry of the trail means for a receiver."""
    if HookEvent.JOB_FINISHED in wanted and entry.what in _ENDS:
        yield HookEvent.JOB_FINISHED
    if HookEvent.NEEDS_YOU in wanted and (entry.what in _NEEDS or _waits(entry)):
        yield HookEvent.NEEDS_YOU


def _waits(entry: Entry) -> bool:
    """Tell whether what an entry says is one of those that somebody has to do something about."""
    match entry.what:
        case EventType.JOB_DONE:
            return entry.facts.get("outcome") in _WAITS
        case EventType.STEP:
            return entry.text == Step.OUT_OF_MONEY
        case EventType.MAIL_BOUNCED:
            return FOR_GOOD in entry.facts
        case _:
            return False


def told_of(entry: Entry, event: HookEvent, hook: Webhook) -> ToldEvent:
    """Return what one receiver is told of one entry; the id is the same in every try."""
    name = hashlib.sha256(f"{hook.url}\0{event}\0{entry.number}\0{entry.at.isoformat()}".encode()).hexdigest()
    lane = entry.lane or ""
    return ToldEvent(
        id=f"evt_{name[:32]}",
        event=event,
        number=entry.number,
        at=entry.at,
        what=entry.what.value,
        told=hide_tokens(tell(entry)),
        job=entry.job,
        mail=entry.mail,
        lane=entry.lane,
        project=entry.facts.get("project") or lane.partition("#")[0] or None,
        outcome=entry.facts.get("outcome"),
    )


def sign(secret: str, name: str, seconds: int, body: bytes) -> str:
    """Return the signature over id, moment and body, as Standard Webhooks writes it."""
    signed = b".".join((name.encode(), str(seconds).encode(), body))
    return "v1," + base64.b64encode(hmac.digest(_key(secret), signed, "sha256")).decode()


def _key(secret: str) -> bytes:
    if not secret.startswith(_STANDARD_SECRET):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_STANDARD_SECRET), validate=True)
    except binascii.Error:
        return secret.encode()
