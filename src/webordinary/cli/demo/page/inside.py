"""What happens inside, in plain words for somebody who sees it for the first time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.audit.story import tell

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from webordinary.audit.entry import Entry

_WORDS = {
    EventType.MAIL_RECEIVED: "The mail is here. It was safe on disk before the sender was told “accepted”.",
    EventType.MAIL_HELD: "Nothing proves who wrote this mail. It is held, and the real owner is asked.",
    EventType.MAIL_REFUSED: "The mail is refused: its sender may not edit here.",
    EventType.MAIL_FROM_STRANGER: "A stranger wrote: nothing is done.",
    EventType.MAIL_QUARANTINED: "The mail is forged and is put aside: nothing is done.",
    EventType.MAIL_LIMITED: "That is one mail too many: nothing is done.",
    EventType.MAIL_OF_THANKS: "A thank-you: it starts nothing.",
    EventType.MAIL_ANSWERED: "The mail is answered at once, it needs no work.",
    EventType.MAIL_CONFIRMED: "The owner has confirmed a held mail.",
    EventType.MAIL_RELEASED: "The held mail is released and goes on.",
    EventType.MAIL_TURNED_AWAY: "The held mail was turned away.",
    EventType.JOB_ACCEPTED: "The sender is known, and what is asked for stands in line.",
    EventType.JOB_QUEUED: "It waits for its turn: one person's requests are done in order.",
    EventType.JOB_STARTED: "A worker has begun.",
    EventType.JOB_RESUMED: "A worker goes on where the last one stopped.",
    EventType.JOB_DONE: "The request is done.",
    EventType.JOB_FAILED: "It did not work out. The site is as before, and the owner is told.",
    EventType.JOB_STOPPED: "The request was stopped.",
    EventType.JOB_DEAD: "The request was given up, and somebody is told.",
    EventType.JOB_PARKED: "The older request is set aside for the newer one, with its work kept.",
    EventType.JOB_GIVEN_BACK: "The worker gives the request back; it keeps its place.",
    EventType.JOB_RETRIED: "That did not work; it is tried again in a moment.",
    EventType.INTERRUPT_ASKED: "A newer mail asks the running request to make way.",
    EventType.LANE_CLAIMED: "A worker owns this line of work now; nobody else touches it.",
    EventType.LANE_RELEASED: "The worker lets the idle line of work go.",
    EventType.LANE_GIVEN_BACK: "The worker gives the line of work back.",
    EventType.LEASE_LAPSED: "The dead worker's hold on the line of work has ended.",
    EventType.AGENT_SAID: "The agent speaks.",
    EventType.COMMIT_POINT: "Point of no return: from here the change is finished, whatever happens.",
    EventType.SETTLED: "What the dead worker had begun to publish is settled.",
    EventType.ANSWERED: "A mail is sent to the owner.",
    EventType.ANSWER_DELAYED: "The mail could not be sent yet; it is tried again.",
    EventType.WORKER_STARTED: "A worker is ready.",
    EventType.WORKER_GONE: "A worker is gone.",
    EventType.PROPOSAL_CLOSED: "The proposal is decided.",
    EventType.SCHEDULE_CLOSED: "A planned moment has come, or was called off.",
    EventType.CONFIGURATION_READ: "The agency has changed a rule.",
}
_STEPS = {
    "checked out": "The site's files are fetched, on a branch of this conversation.",
    "agent started": "The agent begins to edit.",
    "timed": "The change holds for a while, and not at once.",
    "edited": "The agent is finished, and its work is committed.",
    "built": "The site is built and compared, page by page, with what is live.",
    "previewed": "There is a preview that only the owner knows.",
    "reduced": "What the request does not need is left out.",
    "kept": "The change is kept until its time comes.",
    "reverted": "The change is taken back.",
    "pushed": "The change is in the site's repository.",
    "published": "The site is live, all of it at once.",
    "pictured": "Pictures of the changed pages are taken for the answer.",
}
_TONES = {
    EventType.ANSWERED: "done",
    EventType.JOB_DONE: "done",
    EventType.MAIL_HELD: "asks",
    EventType.MAIL_REFUSED: "sorry",
    EventType.MAIL_FROM_STRANGER: "sorry",
    EventType.MAIL_QUARANTINED: "sorry",
    EventType.WORKER_GONE: "sorry",
    EventType.JOB_FAILED: "sorry",
    EventType.JOB_DEAD: "sorry",
    EventType.LEASE_LAPSED: "sorry",
    EventType.JOB_PARKED: "asks",
    EventType.INTERRUPT_ASKED: "asks",
}


@dataclass(frozen=True, slots=True)
class InnerStep:
    """One thing that happened: for everybody, for engineers, and by its name."""

    number: int
    at: datetime
    words: str
    detail: str
    name: str
    tone: str


def steps_of(entries: Iterable[Entry]) -> list[InnerStep]:
    """Return what happened, the newest first."""
    return [_step(entry) for entry in entries][::-1]


def _step(entry: Entry) -> InnerStep:
    is_step = entry.what is EventType.STEP
    detail = tell(entry)
    words = _STEPS.get(entry.text) if is_step else _WORDS.get(entry.what)
    name = entry.text if is_step and entry.text in _STEPS else str(entry.what)
    tone = "done" if is_step and entry.text == "published" else _TONES.get(entry.what, "")
    return InnerStep(entry.number, entry.at, words or detail[:1].upper() + detail[1:], detail, name, tone)
