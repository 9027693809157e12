"""A candidate: a thread's change brought onto what is live now, built, examined and shown as its preview."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.jobs.about import first_asked
from webordinary.jobs.job import Outcome
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.proposals import Standing
from webordinary.routing.project import PublishRule as Rule
from webordinary.site.release.build import build_site
from webordinary.worker.change.authorship import authorship
from webordinary.worker.change.beyond import find_in_change
from webordinary.worker.change.carried import whole_request
from webordinary.worker.change.examine import Examination, Examine
from webordinary.worker.change.kept import BuildLog, keep_diff
from webordinary.worker.change.least import LeastChange
from webordinary.worker.change.live_site import KnownSites, LiveSite
from webordinary.worker.change.to_mend import ToMend, find_mendable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from webordinary.child import Child
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits
    from webordinary.jobs.proposals import Proposal
    from webordinary.jobs.repairs import Findings
    from webordinary.routing.project import Project
    from webordinary.site.checks.run import OthersWords
    from webordinary.site.least.extra import Extra
    from webordinary.site.read.index import SiteIndex
    from webordinary.site.release.dependencies import Dependencies, Installed
    from webordinary.site.release.release import KnownRelease
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
    # Whether the findings go back to the agent before anybody is asked.
    may_mend: Callable[[Findings], bool] = lambda _: False
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
    # The files of what was live before; they last until the block ends.
    before: Callable[[], Path]
    # Lets a child of this attempt be ended with it.
    watch: Callable[[Child], None]
    # How it is judged: what goes too far may have been taken out.
    wish: PublishPlan = field(default_factory=PublishPlan)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Makes candidates; all of it comes before the commit point and can be done again."""

    engine: Engine
    limits: Limits
    sandbox: Callable[[Project], Sandbox]
    scratch: Path
    dependencies: Dependencies
    preview_of: Callable[[Project, str], str]
    known: KnownSites

    @contextmanager
    def prepared(self, run: Run, wish: PublishPlan) -> Iterator[Candidate]:
        """Bring the thread onto live as last looked at, build and show it; its files last until the block ends."""
        project, checkout, job = run.project, run.checkout, run.job
        checkout.merge_seen_live()
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            packages = _whose_packages(checkout, wish)
            live = self._live(run, Path(folder), packages=packages)
            into = (Path(folder) / f"site-{number}" for number in count())

            def look() -> tuple[Path, Examination]:
                return self._look(run, wish, live, packages, next(into))

            built, found = look()
            least = LeastChange(run, wish, look, found, live.index())
            if (wrong := find_mendable(found.findings, self._extras(least))) is not None and wish.may_mend(wrong):
                raise ToMend(wrong)
            if (smaller := self._smaller(least)) is not None:
                built, found = smaller
                wish = replace(wish, beyond=_beyond(run) if wish.beyond else "", summary=run.job.journal.summary)
            find = self.engine.overview.job
            asked = first_asked(find(wish.approved.id), find) if wish.approved else None
            said = authorship(job, project, asked)
            prepared = checkout.squash(
                said.message, author_name=said.name, author_email=said.address, trailers=said.trailers
            )
            live.pass_on(prepared.commit, found.index)
            self._journal(run, found, wish, prepared)
            yield Candidate(prepared, built, found, live.files, _watched(run), wish)

    def _extras(self, least: LeastChange) -> tuple[Extra, ...]:
        """Find what the request does not need: the agent may take it back."""
        return least.over.extras()

    def _smaller(self, least: LeastChange) -> tuple[Path, Examination] | None:
        """Take it out, as far as the rest still does all that was asked for."""
        return least.smaller()

    def _look(self, run: Run, wish: PublishPlan, live: LiveSite, packages: str, into: Path) -> tuple[Path, Examination]:
        """Build what lies in the checkout and compare it with what is live."""
        digests, log = dict[str, str](), BuildLog(run)
        build = self._builder(
            run.project, run.checkout, _watched(run), packages, live.release(), digests, hear=log.hear
        )
        with log.noted():
            built = build(run.checkout.path, into)
            run.checkout.remove_build()
            run.pulse.check()
        return built, self._examine(run, wish).examine(wish, built, live, digests)

    @contextmanager
    def pushed(self, run: Run, seen: str) -> Iterator[tuple[Path, Examination]]:
        """Build the live branch as somebody pushed it, and compare it with what visitors see."""
        pushed, wish = run.checkout.live_commit(), PublishPlan()
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            live, digests = self._live(run, Path(folder), seen), dict[str, str]()
            build = self._builder(run.project, run.checkout, _watched(run), pushed, live.release(), digests)
            with run.checkout.exported(pushed, Path(folder)) as source:
                built = build(source, Path(folder) / "site")
            run.pulse.check()
            found = self._examine(run, wish).examine(wish, built, live, digests)
            live.pass_on(pushed, found.index, by_mail=False)
            yield built, found

    def live_index(self, run: Run) -> SiteIndex:
        """Return what stands on the live site now."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            return self._live(run, Path(folder)).index()

    def show(self, run: Run, wish: PublishPlan, candidate: Candidate) -> None:
        """Show a candidate as the preview of its thread."""
        if not self._hides_proposal(run.job, wish):
            self.engine.sites.show_preview(run.project.id, run.job.thread, candidate.built)

    def keep_build(self, run: Run, candidate: Candidate) -> None:
        """Keep what is live now for the next change, where its host has no folder on this machine."""
        project, commit = run.project.id, candidate.prepared.commit
        if self.engine.sites.folder_of(project, commit) is None:
            self.known.keep_build(project, commit, candidate.built)

    def live_site(self, run: Run, scratch: Path, watch: Callable[[Child], None], check: Callable[[], None]) -> LiveSite:
        """Return what is live, for somebody who only looks."""
        commit = run.checkout.live_commit()
        build = self._builder(run.project, run.checkout, watch, commit, None, None, ())
        return LiveSite(self.engine, self.known, run.project.id, commit, run.checkout, build, scratch, check)

    def builder_for(
        self, run: Run, watch: Callable[[Child], None], like: KnownRelease | None, digests: dict[str, str]
    ) -> Callable[[Path, Path], Path]:
        """Return what builds, with the packages of what is live, for somebody who only looks."""
        commit = run.checkout.live_commit()
        return self._builder(run.project, run.checkout, watch, commit, like, digests, ())

    def examine_for(self, run: Run, check: Callable[[], None]) -> Examine:
        """Return what examines a build, for somebody who only looks."""
        return Examine(self.engine, run.project, check=check)

    def _live(self, run: Run, scratch: Path, seen: str | None = None, packages: str | None = None) -> LiveSite:
        commit = seen or run.checkout.live_commit()
        build = self._builder(run.project, run.checkout, _watched(run), packages or commit)
        # What differs by packages that were agreed to is no change of the mail, and nothing to remember.
        known = KnownSites(scratch / "known") if packages not in {None, commit} else self.known
        return LiveSite(self.engine, known, run.project.id, commit, run.checkout, build, scratch, run.pulse.check)

    def _examine(self, run: Run, wish: PublishPlan) -> Examine:
        is_compared = wish.approved is not None or bool(wish.beyond) or run.project.rules.publish == Rule.APPROVE
        return Examine(self.engine, run.project, is_compared=is_compared, check=run.pulse.check)

    def _hides_proposal(self, job: Job, wish: PublishPlan) -> bool:
        """Tell whether somebody still has to see in the thread's preview what they were asked about."""
        open_ = self.engine.proposals.find(job.thread) if wish.outcome == Outcome.UNDONE else None
        return open_ is not None and open_.standing == Standing.OPEN

    def _builder(  # noqa: PLR0913 - as many sides as a build has
        self,
        project: Project,
        checkout: Checkout,
        watch: Callable[[Child], None],
        lock_of: str,
        like: KnownRelease | None = None,
        digests: dict[str, str] | None = None,
        keep_open: tuple[int, ...] | None = None,
        *,
        hear: Callable[[bytes], None] = lambda _: None,
    ) -> Callable[[Path, Path], Path]:
        deadline, sandbox = self.limits.deadline, partial(self.sandbox, project)

        def installed() -> Installed | None:
            if not project.build:
                return None
            return replace(self.dependencies, sandbox=sandbox).installed(
                lambda name: checkout.file_at(lock_of, name), deadline=deadline, watch=watch
            )

        def build(source: Path, into: Path) -> Path:
            return build_site(
                source,
                project.build,
                project.output,
                deadline=deadline,
                sandbox=sandbox,
                into=into,
                watch=watch,
                keep_open=(checkout.lock,) if keep_open is None else keep_open,
                installed=installed(),
                size=project.rules.size,
                like=like,
                digests=digests,
                hear=hear,
            )

        return build

    def _journal(self, run: Run, found: Examination, wish: PublishPlan, prepared: Prepared) -> None:
        """Write down how the end will be told: a worker that settles it after a crash has only this."""
        run.journal(
            Step.PREVIEWED,
            *found.noted(run.job.journal),
            Journal.index(found.index),
            Journal.commit_live(prepared.commit),
            Journal.tell_as(found.told_as(wish.words)),
            Journal.outcome(wish.outcome),
            Journal.preview(self.preview_of(run.project, run.job.thread)),
            Journal.diff(keep_diff(run, prepared)),
            *([Journal.summary(wish.summary)] if wish.summary else []),
        )


def _watched(run: Run) -> Callable[[Child], None]:
    def watch(child: Child) -> None:
        run.checkout.record_child(child)
        run.pulse.watch(child)

    return watch


def _beyond(run: Run) -> str:
    problem = find_in_change(whole_request(run.engine, run.job), run.checkout, run.project)
    return problem.reason if problem else ""


def _whose_packages(checkout: Checkout, wish: PublishPlan) -> str:
    """Return the commit whose lock is installed: what is live, unless the agency has approved another one."""
    approved = wish.approved is not None and wish.approved.for_agency
    return "HEAD" if approved or wish.own_packages else checkout.live_commit()
