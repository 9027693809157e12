"""What of all that was found the agent can mend: the rest is for a person, or for nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.errors import JobFailed
from webordinary.jobs.lines import CopyLine, read_line
from webordinary.jobs.repairs import Findings, Found, FoundKind
from webordinary.site.checks.finding import Problem
from webordinary.site.release.build import SiteBroken
from webordinary.workspace.checkout import MergeConflict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webordinary.site.checks.finding import Finding
    from webordinary.site.least.extra import Extra

# What the request may not have meant; an agent is told, and knows the request.
_UNASKED = frozenset({
    Problem.UNASKED, Problem.UNEXPLAINED, Problem.MISTYPED, Problem.PAGE_GONE, Problem.NEW_PROGRAM, Problem.NEW_FRAME,
    Problem.NEW_FORM, Problem.NEW_ORDER, Problem.NEW_HOST, Problem.NEW_LOOK, Problem.DEED_GONE, Problem.NEW_DATA,
})  # fmt: skip


_WRITTEN = "how the file is written, such as its spaces, quotes or line ends"


class ToMend(JobFailed):
    """The change is not right yet, and its agent has not been told so."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        super().__init__(f"the change is not right yet: {findings.in_short}")


def findings_of(problem: JobFailed) -> Findings | None:
    """Return what an agent is told about why its change could not be built or joined; None when it could not help."""
    match problem:
        case ToMend():
            return problem.findings
        case SiteBroken():
            return Findings.of([Found(FoundKind.BUILD, f"{problem}\n{problem.details}".strip())])
        case MergeConflict() if problem.is_marked:
            return Findings.of(_sides(problem))
        case _:
            return None


def find_mendable(findings: Iterable[Finding], extras: Sequence[Extra] = ()) -> Findings | None:
    """Return what of a built change an agent is told; None when there is nothing that it could mend.

    How a file is written is no reason to ask anybody: it is put back without them.
    """
    found = [each for finding in findings for each in _found(finding)]
    found += [Found(FoundKind.UNASKED, "", each.path, each.before, each.after) for each in extras if not each.is_form]
    written = dict.fromkeys(each.path for each in extras if each.is_form)
    told = (Found(FoundKind.UNASKED, _WRITTEN, path) for path in written)
    return Findings.of((*found, *told)) if found else None


def _found(finding: Finding) -> Iterator[Found]:
    match finding.problem:
        case Problem.BROKEN_LINK:
            page, _, link = finding.about.partition(": ")
            yield Found(FoundKind.LINK, link, page)
        case Problem.MISSING:
            yield Found(FoundKind.MISSING, finding.about)
        case Problem.OLD_COPY:
            copy = read_line(CopyLine, finding.about)
            yield Found(FoundKind.COPY, copy.shown, copy.pages, copy.was, copy.now)
        case problem if problem in _UNASKED:
            yield Found(FoundKind.UNASKED, finding.about)
        case _:
            pass


def _sides(conflict: MergeConflict) -> Iterator[Found]:
    named = {clash.path for clash in conflict.clashes}
    for clash in conflict.clashes:
        yield Found(FoundKind.CONFLICT, "", clash.path, clash.theirs, clash.ours)
    yield from (Found(FoundKind.CONFLICT, "", path) for path in conflict.files if path not in named)
