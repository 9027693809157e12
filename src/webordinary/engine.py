"""One frozen record that names every port, built once and handed down; and one of what is true of an engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.audit.trail import Trail
    from webordinary.interrupts.signals import Signals
    from webordinary.jobs.callbacks import Callbacks
    from webordinary.jobs.lanes import Lanes
    from webordinary.jobs.people import People
    from webordinary.jobs.proposals import Proposals
    from webordinary.jobs.retention import Pruning
    from webordinary.jobs.schedules import Schedules
    from webordinary.jobs.spending import SpendingLedger
    from webordinary.mail.inbox import Inbox
    from webordinary.mail.mailboxes import Mailboxes
    from webordinary.mail.tallies import Tallies
    from webordinary.mail.tokens import ReplyKeys
    from webordinary.metrics.totals import KeptTotals
    from webordinary.overview import Overview
    from webordinary.overview.search import ContentSearch
    from webordinary.ownership.attempts import Attempts
    from webordinary.ownership.claims import Claims
    from webordinary.ownership.versions import Versions
    from webordinary.reply.bounces import Bounces
    from webordinary.reply.held_answers import HeldAnswers
    from webordinary.reply.outbox import Outbox
    from webordinary.routing.projects import Projects
    from webordinary.routing.secrets import Secrets
    from webordinary.routing.threads import Threads
    from webordinary.site.sites import Sites


@dataclass(frozen=True, slots=True)
class Engine:
    """All ports together on one kind of machinery."""

    inbox: Inbox
    mailboxes: Mailboxes
    projects: Projects
    threads: Threads
    lanes: Lanes
    callbacks: Callbacks
    claims: Claims
    attempts: Attempts
    signals: Signals
    sites: Sites
    outbox: Outbox
    held_answers: HeldAnswers
    bounces: Bounces
    trail: Trail
    overview: Overview
    tallies: Tallies
    spending: SpendingLedger
    proposals: Proposals
    schedules: Schedules
    reply_keys: ReplyKeys
    secrets: Secrets
    retention: Pruning
    people: People
    search: ContentSearch
    totals: KeptTotals
    versions: Versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What is true of one kind of machinery, known before it is opened."""

    store: str
    """What a check calls the place where everything is stored."""
    own_target: str
    """Where a site is published if its project does not say."""
    is_one_machine: bool
    """Mails come in, sites are shown, chores are done and everything is stored on the machine of the workers."""
    has_free_looks: bool
    """Looking at the store costs nothing, so a command may poll it; otherwise each look is a paid request."""
    has_container_workers: bool
    """Each worker is a container with its own name and a disk that goes with it, and is not on this machine."""
    searches_everything: bool
    """A search finds every word that is kept; otherwise only those of the newest requests and of subjects of mails."""
    measures_by_logs: bool
    """Each process writes what it measures into its log (EMF)."""

    @property
    def seconds_between_looks(self) -> float:
        """How often one may look at the trail: where it is free, often enough to seem immediate."""
        return 0.1 if self.has_free_looks else 2.0
