"""Least change: takes out of a change what the request does not need, if the built site then still does all of it.

Nothing is committed before that is known: a worker that dies here leaves the change as the agent made it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from webordinary.errors import JobFailed
from webordinary.jobs.job import Outcome
from webordinary.jobs.journal import Journal, Step
from webordinary.site.checks.explained import topic_of
from webordinary.site.checks.request import Asked
from webordinary.site.least.extra import FileChange, Overedit, RequestTopic, find_overedit
from webordinary.site.least.smaller import (
    is_no_worse,
    is_same_for_visitors,
    keeps_what_was_asked,
    says_what_was_asked,
)
from webordinary.worker.change.authorship import authorship
from webordinary.worker.change.carried import earlier_in_thread, whole_request
from webordinary.worker.change.files import brought_paths
from webordinary.workspace.change import ChangeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webordinary.site.least.extra import Place
    from webordinary.site.read.index import SiteIndex
    from webordinary.site.receipt.changes import Receipt
    from webordinary.worker.change.candidate import PublishPlan
    from webordinary.worker.change.examine import Examination
    from webordinary.worker.run import Run
    from webordinary.workspace.change import Change

_log = logging.getLogger(__name__)

# Each try is a build.
_MOST_TRIES = 4
_MOST_NOTED = 12


def overedit_of(run: Run, wish: PublishPlan, live: SiteIndex) -> Overedit:
    """Hold the files that a change touches against its request."""
    request = whole_request(run.engine, run.job)
    said = "\n".join((wish.request, *wish.brought))
    wanted = RequestTopic(
        Asked(wish.request, wish.brought, wish.sources),
        topic_of(said, live),
        frozenset(brought_paths(request, run.checkout)),
        has_files=any(each.is_usable for each in request.attachments),
    )
    changes = run.checkout.changes_for_live()
    if any(change.is_link or change.is_repository or change.is_executable for change in changes):
        return find_overedit(wanted, ())
    return find_overedit(wanted, [each for change in changes for each in _both_sides(run, change)])


def _both_sides(run: Run, change: Change) -> Iterator[FileChange]:
    """Yield what a file was and is; nothing of one that is too large to be read."""
    live = run.checkout.live_commit()
    before = None if change.kind is ChangeKind.ADDED else run.checkout.file_at(live, change.path)
    after = None if change.kind is ChangeKind.REMOVED else run.checkout.file_at("HEAD", change.path)
    if (before is None) == (change.kind is ChangeKind.ADDED) and (after is None) == (change.kind is ChangeKind.REMOVED):
        yield FileChange(change.path, before, after)


@dataclass(frozen=True, slots=True)
class _Try:
    """Files with some hunks taken out, and how it is judged whether that may be."""

    out: frozenset[Place]
    moved: frozenset[str]
    is_kept: Callable[[Receipt, Receipt], bool]


@dataclass(frozen=True)
class LeastChange:
    """Makes one change smaller."""

    run: Run
    wish: PublishPlan
    # Builds what lies in the checkout and examines it.
    build: Callable[[], tuple[Path, Examination]]
    # What was found out about the whole change, and what is live.
    found: Examination
    live: SiteIndex

    @cached_property
    def over(self) -> Overedit:
        """What of the change the request does not need; nothing of one that is not a mail's own."""
        if not self._is_for_us():
            return Overedit(RequestTopic(Asked(self.wish.request), frozenset()), ())
        return overedit_of(self.run, self.wish, self.live)

    def smaller(self) -> tuple[Path, Examination] | None:
        """Commit a smaller change that does the same for the request and return its build; None if there is none."""
        for each in _tries(self.over):
            built = self._tried(each)
            if built is not None:
                self._keep(each)
                return built
            self.run.checkout.discard_changes()
        return None

    def _is_for_us(self) -> bool:
        """Tell whether this is one mail's own change, which nobody has seen and said ok to."""
        wish, began = self.wish, self.run.job.journal.began
        if not wish.request.strip() or wish.outcome is not Outcome.PUBLISHED or wish.approved or wish.agreed:
            return False
        # What an earlier mail of the thread asked for is not held against this one, be it made or only asked for.
        return not self._is_asked_before() and not (began and self.run.checkout.held_work(began))

    def _is_asked_before(self) -> bool:
        """Tell whether the mail before this one came to nothing yet: the agent may do now what that asked for."""
        job = self.run.job
        earlier = earlier_in_thread(self.run.engine, job) if job.request.references else []
        return bool(earlier) and earlier[-1].outcome is not Outcome.PUBLISHED

    def _tried(self, each: _Try) -> tuple[Path, Examination] | None:
        self.run.pulse.check()
        self.run.checkout.lay(self.over.without(each.out, each.moved))
        try:
            built, smaller = self.build()
        except JobFailed as failed:
            _log.info("%s needs what nobody asked for: %s", self.run.job.id, failed)
            return None
        is_kept = each.is_kept(self.found.receipt, smaller.receipt)
        is_kept = is_kept and is_no_worse(self.found.findings, smaller.findings)
        return (built, smaller) if is_kept else None

    def _keep(self, each: _Try) -> None:
        """Write down what is not in the smaller change, and commit it: who dies in between does both again."""
        run = self.run
        noted = [Journal.left_out("\n".join(self.over.in_short(each.out, each.moved)[:_MOST_NOTED]))]
        if each.out & self.over.unasked or each.moved:
            # What the agent says it did is not what is there any more.
            noted.append(Journal.summary(""))
        run.journal(Step.REDUCED, *noted)
        said = authorship(run.job, run.project)
        message = "Leave out what the request does not need"
        run.checkout.lay(self.over.without(each.out, each.moved))
        run.checkout.commit(message, author_name=said.name, author_email=said.address)


def _tries(over: Overedit) -> list[_Try]:
    """Return what to take out, the most first: all of it, what says nothing, then file by file."""
    wanted = over.wanted

    def keeps(receipt: Receipt, smaller: Receipt) -> bool:
        return keeps_what_was_asked(wanted, receipt, smaller)

    def says(receipt: Receipt, smaller: Receipt) -> bool:
        return says_what_was_asked(wanted, receipt, smaller)

    everything, nothing = over.form | over.unasked, frozenset[str]()
    tries = [_Try(everything, over.moved, says if over.moved else keeps)] if over.unasked or over.moved else []
    tries += [_Try(over.form, nothing, is_same_for_visitors)]
    for path in dict.fromkeys(path for path, _ in sorted(over.unasked)):
        tries.append(_Try(frozenset(place for place in everything if place[0] == path), nothing, keeps))
    known: dict[tuple[frozenset[Place], frozenset[str]], _Try] = {}
    for each in tries:
        if each.out or each.moved:
            known.setdefault((each.out, each.moved), each)
    return list(known.values())[:_MOST_TRIES]
