"""What everything is called on AWS: tables, queues and the rest, all from one prefix."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.engines.aws.dynamodb.shards import Shards

if TYPE_CHECKING:
    from webordinary.routing.lane import Lane

LONGEST_QUEUE_NAME = 80
_FIFO = ".fifo"


@dataclass(frozen=True, slots=True)
class Names:
    """Names of one installation; two of them can live in one account."""

    prefix: str = "webordinary"
    ownership_table: str | None = None
    jobs_table: str | None = None
    # What the names of restored tables end with: nobody can restore a table under its own name.
    restored: str = ""
    # Of how many keys each hot mark consists; the store learns it.
    shards: Shards = field(default_factory=Shards, compare=False)

    @property
    def ownership(self) -> str:
        return self.ownership_table or f"{self.prefix}-container-ownership{self.restored}"

    @property
    def jobs(self) -> str:
        return self.jobs_table or f"{self.prefix}-active-jobs{self.restored}"

    @property
    def records(self) -> str:
        return f"{self.prefix}-records{self.restored}"

    @property
    def threads(self) -> str:
        return f"{self.prefix}-thread-mappings{self.restored}"

    @property
    def projects(self) -> str:
        return f"{self.prefix}-project-configs{self.restored}"

    @property
    def interruptions(self) -> str:
        return f"{self.prefix}-interruptions{self.restored}"

    @property
    def secrets(self) -> str:
        """The table of what opens repositories and models, one row for each secret."""
        return f"{self.prefix}-secrets{self.restored}"

    @property
    def unclaimed(self) -> str:
        return f"{self.prefix}-unclaimed"

    @property
    def unclaimed_dead_letters(self) -> str:
        return f"{self.prefix}-unclaimed-dlq"

    @property
    def intake_dead_letters(self) -> str:
        return f"{self.prefix}-intake-dlq"

    @property
    def receipt_rules(self) -> str:
        return f"{self.prefix}-mail"

    @property
    def answers(self) -> str:
        """The configuration set by which SES says what became of our answers."""
        return f"{self.prefix}-answers"

    @property
    def cluster(self) -> str:
        return f"{self.prefix}-edit-cluster"

    @property
    def workers(self) -> str:
        return f"{self.prefix}-edit-service"

    @property
    def repository(self) -> str:
        """Where the image of workers and functions lies."""
        return self.prefix

    @property
    def routes(self) -> str:
        """The key value store that leads from a host to what is shown there."""
        return f"{self.prefix}-routes"

    def mails_bucket(self, account: str) -> str:
        """Names of buckets belong to all the world, so the account is in them."""
        return f"{self.prefix}-ses-emails-{account}"

    def media_bucket(self, account: str) -> str:
        return f"{self.prefix}-media-{account}"

    def sites_bucket(self, account: str) -> str:
        return f"{self.prefix}-sites-{account}"

    def own_secret(self, name: str) -> str:
        """A secret of the installation itself; those of projects lie one step below."""
        return f"{self.prefix}/{name}"

    @property
    def flow(self) -> str:
        return f"{self.prefix}-email-processor"

    def secret(self, name: str) -> str:
        """Return what Secrets Manager calls a secret of a project, or of several."""
        return f"{self.prefix}/git/{name}"

    def function(self, name: str) -> str:
        return f"{self.prefix}-{name}"

    def input(self, lane: Lane) -> str:
        return self._queue("input", lane, _FIFO)

    def dead_letters(self, lane: Lane) -> str:
        return self._queue("dlq", lane, _FIFO)

    def interrupts(self, lane: Lane) -> str:
        return self._queue("interrupts", lane)

    def output(self, lane: Lane) -> str:
        return self._queue("output", lane)

    def _queue(self, what: str, lane: Lane, ending: str = "") -> str:
        name = f"{self.prefix}-{what}-{lane.project}-{lane.user}"
        if "-" not in lane.project + lane.user and len(name + ending) <= LONGEST_QUEUE_NAME:
            return name + ending
        # With hyphens inside, a-b + c and a + b-c would share a queue: the lane's own hash tells them apart.
        mark = f"-{hashlib.sha256(lane.key.encode()).hexdigest()[:8]}{ending}"
        return name[: LONGEST_QUEUE_NAME - len(mark)].rstrip("-") + mark
