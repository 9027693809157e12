"""One line of the trail: what happened, when, to what and by whom."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


class EventType(StrEnum):
    """Everything that the trail can say; the words are those of the glossary."""

    MAIL_RECEIVED = "mail received"
    MAIL_HELD = "mail held"
    MAIL_REFUSED = "mail refused"
    MAIL_FROM_STRANGER = "mail of a stranger"
    MAIL_QUARANTINED = "mail quarantined"
    MAIL_DROPPED = "forged mail dropped"
    MAIL_IGNORED = "unverified mail ignored"
    MAIL_LIMITED = "mail over a limit"
    MAIL_OF_THANKS = "mail of thanks"
    MAIL_ANSWERED = "mail answered at once"
    MAIL_CONFIRMED = "mail confirmed another"
    MAIL_RELEASED = "mail released"
    MAIL_TURNED_AWAY = "held mail turned away"
    MAIL_AUTOMATIC = "automatic mail ignored"
    MAIL_REPEATED = "mail seen before"
    MAIL_REPLAYED = "mail replayed"
    JOB_ACCEPTED = "job accepted"
    JOB_QUEUED = "job queued"
    JOB_STARTED = "job started"
    JOB_RESUMED = "job resumed"
    JOB_DONE = "job done"
    JOB_FAILED = "job failed"
    JOB_STOPPED = "job stopped"
    JOB_DEAD = "job dead"
    JOB_PARKED = "job parked"
    JOB_GIVEN_BACK = "job given back"
    JOB_RETRIED = "job retried"
    JOB_REDRIVEN = "job redriven"
    INTERRUPT_ASKED = "interrupt asked"
    STOP_ASKED = "stop asked"
    LANE_CLAIMED = "lane claimed"
    LANE_RELEASED = "lane released"
    LANE_GIVEN_BACK = "lane given back"
    LEASE_LAPSED = "lease lapsed"
    STEP = "step"
    AGENT_SAID = "agent said"
    PROPOSAL_CLOSED = "proposal closed"
    SCHEDULE_CLOSED = "schedule closed"
    COMMIT_POINT = "commit point"
    COMMIT_REOPENED = "commit point taken back"
    SETTLED = "commit settled"
    ANSWERED = "answered"
    ANSWER_DELAYED = "answer delayed"
    ANSWER_GIVEN_UP = "answer given up"
    ANSWER_HELD = "answer held"
    ANSWER_EDITED = "answer edited"
    ANSWER_RELEASED = "answer released"
    ANSWER_TAKEN_BACK = "answer taken back"
    MAIL_BOUNCED = "mail came back"
    BOUNCES_CLEARED = "address written to again"
    CALLED_BACK = "called back"
    WORKER_STARTED = "worker started"
    WORKER_GONE = "worker gone"
    PROJECT_PAUSED = "project paused"
    PROJECT_RESUMED = "project resumed"
    HISTORY_ACCEPTED = "history accepted"
    MONEY_ALLOWED = "money allowed"
    FENCES_RAISED = "fences raised"
    CONFIGURATION_READ = "configuration read again"
    CONFIGURATION_BROKEN = "configuration broken"
    PERSON_FORGOTTEN = "person forgotten"
    ACTED = "action taken"
    WEBHOOK_GIVEN_UP = "webhook given up"


class Entry(NamedTuple):
    """What happened, once; `facts` are small and never hold a secret.

    A tuple, because every transaction makes several, and one is made in a third of the time of a frozen dataclass.
    """

    what: EventType
    at: datetime
    lane: str | None = None
    thread: str | None = None
    job: str | None = None
    mail: str | None = None
    worker: str | None = None
    fence: int | None = None
    text: str = ""
    facts: Mapping[str, str] = {}
    number: int = 0
