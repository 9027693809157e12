"""The steps of the flow from a mail to its place in a lane; each is harmless when it is repeated."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from webordinary.engines.aws.flow.events import arrivals
from webordinary.engines.aws.flow.functions import SHAPE
from webordinary.engines.aws.flow.notices import returned_mails
from webordinary.errors import Misconfigured, Refused
from webordinary.intake import NewRequest
from webordinary.intake.confirm import RELEASED
from webordinary.intake.steps import note_returned
from webordinary.jobs.job import State
from webordinary.jobs.lanes import Accepted
from webordinary.mail.outcomes import MailOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import timedelta

    from webordinary.dispatch.store import Transaction
    from webordinary.engines.aws.dynamodb.write import Write
    from webordinary.engines.aws.flow.events import Arrived
    from webordinary.engines.aws.open import AwsEngine
    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job, NewJob
    from webordinary.jobs.limits import Limits
    from webordinary.routing.lane import Lane
    from webordinary.worker.chores.rounds import Chores

_WANTED = "wanted"
_MARGIN_SECONDS = 600


@dataclass(frozen=True, slots=True)
class MailSteps:
    """What happens to a mail before a worker is wanted."""

    aws: AwsEngine
    here: Installation
    chores: Chores

    def receive(self, event: Mapping[str, Any]) -> list[str]:
        """Write down every mail that an event tells of, begin one execution for each, and note what came back."""
        mails = [self._receive(arrived) for arrived in arrivals(event)]
        note_returned(self.aws.engine, returned_mails(event), self.here.clock.now())
        return mails

    def parse_email(self, mail: str) -> dict[str, str]:
        """Say who wrote, for which lane and what; the words themselves are left aside for the next step."""
        found = self.here.intake.read_or_refuse(mail)
        if found is None:
            raise Refused(f"there is no mail {mail}")
        if isinstance(found, NewRequest):
            self.aws.references.leave(mail, _WANTED, found)
            return {"outcome": _WANTED, "job": ""}
        if released := found.facts.get(RELEASED):
            self.aws.store.flow.start(f"released-{released}", {"mail": released})
        if found.answer:
            self.chores.send(found.letter_key(mail))
        return {"outcome": self._outcome(mail, found.outcome).value, "job": found.job or ""}

    def register(self, mail: str) -> dict[str, Any]:
        """Give the job that a mail asks for its place, once for each request; nobody is claimed here."""
        wanted = self.aws.references.find(mail, _WANTED, NewRequest)
        now, line = self.here.clock.now(), (wanted.author, wanted.job.received_at) if wanted.author else None
        fresh = self.here.intake.decision_of(wanted, Accepted(wanted.job.id, fresh=True))
        is_decided = False

        def decide_it_too(write: Transaction) -> None:
            """Once: if somebody was quicker, it may be because the mail is decided."""
            nonlocal is_decided
            is_decided = not write.is_repeated
            if is_decided:
                cast("Write", write).items += self.aws.inbox.decision_writes(mail, fresh, now, line=line)

        accepted = self.aws.lanes.accept(wanted.judged_job, now, beside=decide_it_too)
        if not (accepted.fresh and is_decided):
            decision = self.here.intake.decision_of(wanted, accepted)
            self.aws.engine.inbox.decide(mail, decision, self.here.clock.now())
        if accepted.job == wanted.job.id:
            is_limited = accepted.was_called if accepted.fresh else None
            # Files may take minutes to prepare, and then somebody may have come.
            is_free = not (accepted.is_owned or wanted.files)
            known = {"free": is_free, "sequence": accepted.sequence, "rule": wanted.on_new_thread}
            return self._describe(wanted.job, files=wanted.files, is_limited=is_limited) | known
        job = self._job(accepted.job)
        if job.mail != mail:
            return {"repeated": True, "job": job.id}
        # This execution came here before, or the sweep was quicker than it.
        return self._describe(job, files=wanted.files if job.state == State.PREPARING else 0)

    def look_up(self, job: str) -> dict[str, Any]:
        """Begin with a job that has its place already: asked for without a mail, or by an execution before."""
        return self._describe(self._job(job), files=0)

    def prepare(self, mail: str, index: int) -> int:
        """Keep one of the files that a mail brought."""
        self.aws.references.leave(mail, f"file-{index}", self.here.intake.prepare(mail, index))
        return index

    def _describe(self, job: Job | NewJob, *, files: int, is_limited: bool | None = None) -> dict[str, Any]:
        """Return what the later steps need to know of a job, and how long the flow waits for it."""
        names, is_limited = self.aws.store.names, self._is_limited(job.lane) if is_limited is None else is_limited
        return {
            "shape": SHAPE,
            "repeated": False,
            "job": job.id,
            "mail": job.mail or "",
            "project": job.lane.project,
            "user": job.lane.user,
            "thread": job.thread,
            "files": list(range(files)),
            "limited": is_limited,
            # What only a mail's own execution knows; others look it up.
            "free": False,
            "sequence": 0,
            "rule": "",
            "unclaimed": self.aws.clients.queue_url(names.unclaimed),
            "queue": self.aws.clients.queue_url(names.input(job.lane)),
            "timeout": _longest_life(self.here.limits),
            # An execution that an earlier version began asks for it, and nobody beats for what merely waits.
            "heartbeat": _longest_life(self.here.limits),
            "settling": _whole(self.here.limits.sweep / 2),
        }

    def _is_limited(self, lane: Lane) -> bool:
        """Tell whether somebody was called for the lane just now, so that a further call is one too many."""
        row = self.aws.store.lane(lane.key)
        return row is not None and row.was_just_called(self.here.limits.ring_again, self.here.clock.now())

    def _receive(self, arrived: Arrived) -> str:
        if arrived.bucket != self.aws.inbox.bucket:
            raise Misconfigured(
                f"the event is about the bucket {arrived.bucket}, but mails are kept in {self.aws.inbox.bucket}:"
                " correct the notification or the prefix"
            )
        now = self.here.clock.now()
        kept = self.aws.inbox.keep_object(arrived.key, arrived.envelope, now, arrived.arrived_at, arrived.authors)
        self.aws.store.flow.start(_execution_name(arrived.key), {"mail": kept.mail})
        return kept.mail

    def _outcome(self, mail: str, outcome: MailOutcome) -> MailOutcome:
        """A mail that was decided before goes on with its own job, so that this execution can wait for it too."""
        known = self.aws.engine.overview.mail(mail) if outcome is MailOutcome.REPEATED else None
        return MailOutcome.QUEUED if known and known.outcome is MailOutcome.QUEUED else outcome

    def _job(self, job: str) -> Job:
        found = self.aws.engine.overview.job(job)
        if found is None:
            raise Refused(f"there is no job {job}")
        return found


def _execution_name(key: str) -> str:
    """Name the execution after the object, so that two notifications of one mail are one execution."""
    return f"mail-{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def _longest_life(limits: Limits) -> int:
    """Return how long a job may live at most: waiting, every attempt with its backoff, and each time set aside."""
    waits = limits.patience * (1 + limits.interruptions)
    tries = (limits.deadline + max(limits.backoff)) * limits.attempts
    return _whole(waits + tries) + _MARGIN_SECONDS


def _whole(span: timedelta) -> int:
    return max(1, math.ceil(span.total_seconds()))
