"""Examines a built change before it goes live: what a visitor would notice, and what somebody should look at first."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from webordinary.errors import JobFailed
from webordinary.jobs.journal import Journal, Noted
from webordinary.jobs.lines import KindLine, write_line
from webordinary.site.checks.alarms import find_alarms
from webordinary.site.checks.explained import find_unexplained
from webordinary.site.checks.kept_index import carry_snapshot
from webordinary.site.checks.run import Finding, Problem, check_change, find_new_leak
from webordinary.site.read.elements import region_of
from webordinary.site.read.index import SiteIndex, digests_of, index_site
from webordinary.site.receipt.changes import Receipt, take_receipt
from webordinary.site.receipt.excerpt import cut, one_line
from webordinary.site.receipt.noise import as_shown, may_be_noise, quieten
from webordinary.site.receipt.telling import Telling, tell_receipt, tell_unasked
from webordinary.site.release.build import SiteBroken
from webordinary.worker.change.beyond import find_in_output
from webordinary.worker.change.left import LEFT, tell_left

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webordinary.engine import Engine
    from webordinary.routing.project import Project
    from webordinary.site.checks.guard import Overreach
    from webordinary.worker.change.candidate import PublishPlan
    from webordinary.worker.change.live_site import LiveSite

_log = logging.getLogger(__name__)

_MOST_TOLD, _MOST_REASONS = 12, 12


class Leaked(JobFailed):
    """The built site holds something that must never be public."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        what = "a secret" if finding.problem == Problem.SECRET else "the address of a storage that is not public"
        super().__init__(f"{finding.about} in the built site holds {what}, so nothing was published")


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found out about a change."""

    receipt: Receipt
    findings: tuple[Finding, ...]
    # The digest under which the index of the new build is kept.
    index: str
    # What in the built site goes further than a mail may go alone.
    beyond: Overreach | None = None
    # The receipt as it is told to the owner.
    telling: Telling = field(default_factory=Telling)

    @property
    def needs_ok(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.needs_ok)

    @property
    def mark(self) -> str:
        """Name what a visitor would notice: the same change on another live site has the same mark."""
        return hashlib.sha256(msgspec.json.encode(self.receipt)).hexdigest()

    def told(self) -> dict[str, str]:
        """Return the facts for the answer, line by line, to be put into the owner's language."""
        reasons = [write_line(_reason(each)) for each in self.needs_ok]
        lines = {"changes": self.telling.lines, "reasons": _some(reasons), **tell_left(self.findings)}
        return {name: "\n".join(told) for name, told in lines.items() if told}

    def noted(self, before: Journal) -> list[Noted]:
        """Return the same for the journal, and take back what an earlier look at the job's work has noted in it."""
        told, facts = self.told(), (Journal.changes, Journal.reasons, *LEFT)
        return [fact(told.get(fact.name)) for fact in facts if fact.name in told or before.told(fact)]

    def told_as(self, words: str) -> str:
        """Return how an end is told: what is done only in part is not called done."""
        is_missing = any(finding.problem is Problem.MISSING for finding in self.findings)
        return "published_in_part" if words == "published" and is_missing else words


def _reason(finding: Finding) -> KindLine:
    is_change = finding.problem in {Problem.UNASKED, Problem.UNEXPLAINED}
    about = tell_unasked(finding.about).fields if is_change else (cut(one_line(finding.about)),)
    return KindLine(finding.problem.value, about)


def _some(lines: list[str]) -> list[str]:
    more = write_line(KindLine("more", (str(len(lines) - _MOST_REASONS),)))
    return lines if len(lines) <= _MOST_REASONS else [*lines[:_MOST_REASONS], more]


@dataclass(frozen=True, slots=True)
class Examine:
    """Compares the new build with what is live now."""

    engine: Engine
    project: Project
    # Whether somebody will hold this receipt against another one of the same change.
    is_compared: bool = False
    # Raises when the attempt has to end: reading a large site takes a while.
    check: Callable[[], None] = lambda: None

    def examine(self, wish: PublishPlan, built: Path, live: LiveSite, digests: dict[str, str]) -> Examination:
        old = live.index()
        new = index_site(built, self.check, like=old, digests=digests or digests_of(built))
        carry_snapshot(old, new)
        if old.pages and not new.pages:
            raise SiteBroken("the built site is empty: not one of its pages is left")
        if (leak := find_new_leak(old, new)) is not None:
            raise Leaked(leak)
        beyond = find_in_output(old, new, built, self.project)
        receipt = take_receipt(old, new)
        findings, told = self._check(wish, old, new, receipt), receipt
        if self._may_be_noisy(wish, receipt, findings, beyond):
            # What two builds of the same commit differ in is not what anybody changed.
            found = live.noise(old)
            noise = found.receipt
            was, is_now = quieten(old, noise), quieten(new, noise)
            receipt = take_receipt(was, is_now, noise)
            findings, told = self._check(wish, was, is_now, receipt), as_shown(receipt, old, new, noise)
            beyond = find_in_output(old, new, built, self.project, found.files)
        telling = tell_receipt(
            told, wish.request, of_pages=len(new.pages), region_of=lambda path, text: region_of(built / path, text)
        )
        if wish.is_asked and telling.left_out:
            unnamed = find_unexplained(_said(wish), old, new, receipt, is_all_told=False)
            findings = (*findings, Finding(Problem.MORE_THAN_TOLD, str(telling.left_out)), *unnamed)
            findings = tuple(dict.fromkeys(findings))
        return Examination(receipt, findings, live.keeper.keep(new), beyond, telling)

    def _check(self, wish: PublishPlan, old: SiteIndex, new: SiteIndex, receipt: Receipt) -> tuple[Finding, ...]:
        if not wish.is_asked:
            return ()
        try:
            return self._find(wish, old, new, receipt)
        except Exception:  # noqa: BLE001 - whatever a page made of a check, somebody looks at the change instead
            _log.exception("a check broke; the change waits for somebody's ok")
            return (Finding(Problem.UNCHECKED, ""),)

    def _find(self, wish: PublishPlan, old: SiteIndex, new: SiteIndex, receipt: Receipt) -> tuple[Finding, ...]:
        most = self.project.rules.max_unexplained
        return (
            *check_change(wish.request, old, new, receipt, brought=wish.brought, sources=wish.sources),
            *find_alarms(wish.request, old, new, receipt),
            *find_unexplained(_said(wish), old, new, receipt, most=most),
        )

    def _may_be_noisy(
        self, wish: PublishPlan, receipt: Receipt, findings: tuple[Finding, ...], beyond: Overreach | None
    ) -> bool:
        """Tell whether it is worth knowing, perhaps by a second build of what is live, what differs by itself."""
        # What is published as it stands never differs from itself.
        if not self.project.build or receipt.is_empty:
            return False
        needs_ok = beyond is not None or any(finding.needs_ok for finding in findings)
        return self.is_compared or needs_ok or not wish.is_asked or may_be_noise(receipt, wish.request)


def _said(wish: PublishPlan) -> str:
    """Return all words that explain a change: the request, what its photos are called, what was asked for before."""
    return "\n".join((wish.request, *wish.brought))
