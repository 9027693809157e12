"""A candidate: a thread's change brought onto what is live now, built, examined and shown as its preview."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.jobs.about import first_asked
from webordinary.jobs.job import Outcome
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.proposals import Standing
from webordinary.routing.project import PublishRule as Rule
from webordinary.site.release.build import build_site
from webordinary.worker.change.authorship import authorship
from webordinary.worker.change.examine import Examination, Examine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime, timedelta

    from webordinary.child import Child
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits
    from webordinary.jobs.proposals import Proposal
    from webordinary.routing.project import Project
    from webordinary.site.checks.run import OthersWords
    from webordinary.site.read.index import SiteIndex
    from webordinary.site.release.dependencies import Dependencies, Installed
    from webordinary.worker.run import Run
    from webordinary.workspace.checkout import Checkout, Prepared
    from webordinary.workspace.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class PublishPlan:
    """What is to go live, how it is judged and how it is told."""

    outcome: Outcome = Outcome.PUBLISHED
    words: str = "published"
    summary: str = ""
    # The owner's own words, held against what changed; empty when nobody asked in words, as with an undo.
    request: str = ""
    # Words that came along with it: they may be shown and need not be.
    brought: tuple[str, ...] = ()
    # What others wrote and came along: it asks for nothing.
    sources: tuple[OthersWords, ...] = ()
    # Why only the agency may let it through; empty when nothing speaks against the owner doing so.
    beyond: str = ""
    # What an approver has seen and said ok to.
    approved: Proposal | None = None
    # Whether it is built with the packages of its own lock, because that has been live before.
    own_packages: bool = False
    # From when until when it holds: at once and for good, if nothing else is said.
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    # The mark of what a visitor would have noticed when it was made or agreed to, long before it goes live.
    agreed: str = ""
    # What is said when there was nothing to do any more.
    told_if_nothing: str = "nothing_changed"

    @property
    def is_asked(self) -> bool:
        """Whether it came with a mail, be it one without a word of its own."""
        return bool(self.request or self.sources)


@dataclass(frozen=True, slots=True)
class Candidate:
    """The commit that would go live, its built site, and what was found out about it."""

    prepared: Prepared
    built: Path
    found: Examination
    # What was live before, built in no more than this time; its files last until the block ends.
    before: Callable[[timedelta], AbstractContextManager[Path]]
    # Lets a child of this attempt be ended with it.
    watch: Callable[[Child], None]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Makes candidates; all of it comes before the commit point and can be done again."""

    engine: Engine
    limits: Limits
    sandbox: Callable[[], Sandbox]
    scratch: Path
    dependencies: Dependencies
    preview_of: Callable[[Project, str], str]

    @contextmanager
    def prepared(self, run: Run, wish: PublishPlan) -> Iterator[Candidate]:
        """Bring the thread onto live as last looked at, build and show it; its files last until the block ends."""
        project, checkout, job = run.project, run.checkout, run.job
        checkout.merge_seen_live()
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            watch = _watched(run)
            build = self._builder(project, checkout, watch, _whose_packages(checkout, wish), self.limits.deadline)
            built = build(checkout.path, Path(folder) / "site")
            run.pulse.check()
            run.journal(Step.BUILT)
            live = checkout.live_commit()
            found = self._examine(run, wish).examine(wish, checkout, built, live, build)
            if not self._hides_proposal(job, wish):
                self.engine.sites.show_preview(project.id, job.thread, built)
            find = self.engine.overview.job
            asked = first_asked(find(wish.approved.id), find) if wish.approved else None
            said = authorship(job, project, asked)
            prepared = checkout.squash(
                said.message, author_name=said.name, author_email=said.address, trailers=said.trailers
            )
            self._journal(run, found, wish, prepared)
            yield Candidate(prepared, built, found, partial(self._before, project, checkout, watch, live), watch)

    @contextmanager
    def pushed(self, run: Run, seen: str) -> Iterator[tuple[Path, Examination]]:
        """Build the live branch as somebody pushed it, and compare it with what visitors see."""
        live, wish = run.checkout.live_commit(), PublishPlan()
        build = self._builder(run.project, run.checkout, _watched(run), live, self.limits.deadline)
        with run.checkout.exported(live, self.scratch) as source:
            built = build(source, source.parent / "built")
            run.pulse.check()
            yield built, self._examine(run, wish).examine(wish, run.checkout, built, seen, build)

    def live_index(self, run: Run) -> SiteIndex:
        """Return what stands on the live site now."""
        live = run.checkout.live_commit()
        build = self._builder(run.project, run.checkout, _watched(run), live, self.limits.deadline)
        return self._examine(run, PublishPlan()).index_of(live, run.checkout, build)

    @contextmanager
    def _before(
        self, project: Project, checkout: Checkout, watch: Callable[[Child], None], live: str, deadline: timedelta
    ) -> Iterator[Path]:
        with checkout.exported(live, self.scratch) as source:
            yield self._builder(project, checkout, watch, live, deadline)(source, source.parent / "built")

    def _examine(self, run: Run, wish: PublishPlan) -> Examine:
        is_compared = wish.approved is not None or bool(wish.beyond) or run.project.rules.publish == Rule.APPROVE
        return Examine(self.engine, self.scratch, run.project, is_compared=is_compared, check=run.pulse.check)

    def _hides_proposal(self, job: Job, wish: PublishPlan) -> bool:
        """Tell whether somebody still has to see in the thread's preview what they were asked about."""
        open_ = self.engine.proposals.find(job.thread) if wish.outcome == Outcome.UNDONE else None
        return open_ is not None and open_.standing == Standing.OPEN

    def _builder(
        self,
        project: Project,
        checkout: Checkout,
        watch: Callable[[Child], None],
        lock_of: str,
        deadline: timedelta,
    ) -> Callable[[Path, Path], Path]:
        def installed() -> Installed | None:
            if not project.build:
                return None
            return self.dependencies.installed(
                lambda name: checkout.file_at(lock_of, name), deadline=deadline, watch=watch
            )

        def build(source: Path, into: Path) -> Path:
            return build_site(
                source,
                project.build,
                project.output,
                deadline=deadline,
                sandbox=self.sandbox,
                into=into,
                watch=watch,
                keep_open=(checkout.lock,),
                installed=installed(),
                size=project.rules.size,
            )

        return build

    def _journal(self, run: Run, found: Examination, wish: PublishPlan, prepared: Prepared) -> None:
        """Write down how the end will be told: whoever settles it after a crash has only this."""
        run.journal(
            Step.PREVIEWED,
            *found.noted(),
            Journal.index(found.index),
            Journal.commit_live(prepared.commit),
            Journal.tell_as(found.told_as(wish.words)),
            Journal.outcome(wish.outcome),
            Journal.preview(self.preview_of(run.project, run.job.thread)),
            *([Journal.summary(wish.summary)] if wish.summary else []),
        )


def _watched(run: Run) -> Callable[[Child], None]:
    def watch(child: Child) -> None:
        run.checkout.record_child(child)
        run.pulse.watch(child)

    return watch


def _whose_packages(checkout: Checkout, wish: PublishPlan) -> str:
    """Return the commit whose lock is installed: what is live, unless the agency has approved another one."""
    approved = wish.approved is not None and wish.approved.for_agency
    return "HEAD" if approved or wish.own_packages else checkout.live_commit()
