"""Whether a smaller change still does all that was asked for, by the built pages; only then it replaces the larger."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from webordinary.site.checks.finding import Problem
from webordinary.site.least.hunks import Hunk, find_hunks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webordinary.site.checks.finding import Finding
    from webordinary.site.least.extra import RequestTopic
    from webordinary.site.receipt.changes import Receipt

# Their words name some of what was found: with less to name, others may be named.
_SOME = frozenset({Problem.UNASKED, Problem.UNEXPLAINED, Problem.MORE_THAN_TOLD})


def is_same_for_visitors(receipt: Receipt, smaller: Receipt) -> bool:
    """Tell whether nobody would notice what was taken out; where nothing is noticed at all it may have been meant."""
    return receipt == smaller and not smaller.is_empty


def keeps_what_was_asked(wanted: RequestTopic, receipt: Receipt, smaller: Receipt) -> bool:
    """Tell whether a change brings nothing that the larger one did not, and lacks nothing of it that was asked for."""
    had, has = _told(receipt), _told(smaller)
    if smaller.is_empty or has - had or not set(_all_files(smaller)) <= set(_all_files(receipt)):
        return False
    lost = had - has
    return not any(wanted.speaks_of(hunk) for _, hunk in lost) and not _lost_files(wanted, receipt, smaller)


def says_what_was_asked(wanted: RequestTopic, receipt: Receipt, smaller: Receipt) -> bool:
    """Tell the same where a page has its own name again: what was new on a new page is a change on the old one."""
    had, has = ([hunk for _, hunk in _told(each)] for each in (receipt, smaller))
    brings = [hunk for hunk in has if hunk not in had and not wanted.speaks_of(hunk)]
    return not brings and _marks(wanted, had) <= _marks(wanted, has) and not _lost_files(wanted, receipt, smaller)


def is_no_worse(findings: Sequence[Finding], smaller: Sequence[Finding]) -> bool:
    """Tell whether checks find nothing in the smaller change that they did not find in the larger one."""
    had, has = (Counter(each.problem for each in some) for some in (findings, smaller))
    news = set(smaller) - set(findings)
    return not has - had and all(finding.problem in _SOME for finding in news)


def _told(receipt: Receipt) -> Counter[tuple[str, Hunk]]:
    """Return what a visitor reads otherwise, page by page, sentence by sentence."""
    found: Counter[tuple[str, Hunk]] = Counter()
    for page in (*receipt.pages, *receipt.beside):
        for words in page.words:
            hunks = find_hunks(words.before, words.after)
            found.update((f"{page.path} {words.place}", hunk) for hunk in hunks if hunk.differs)
    return found


def _marks(wanted: RequestTopic, hunks: Iterable[Hunk]) -> set[str]:
    return {mark for hunk in hunks if wanted.speaks_of(hunk) for mark in wanted.marks_of(hunk)}


def _lost_files(wanted: RequestTopic, receipt: Receipt, smaller: Receipt) -> bool:
    """Tell whether a picture or a file is missing that somebody may have wished for."""
    lost = set(_files(receipt)) - set(_files(smaller))
    return any(wanted.may_mean(path) for path in lost)


def _all_files(receipt: Receipt) -> Iterator[str]:
    yield from _files(receipt)
    yield from (*receipt.pages_added, *receipt.pages_gone)
    yield from (f"{page.path} looks otherwise" for page in receipt.pages if page.look_changed)


def _files(receipt: Receipt) -> Iterator[str]:
    for page in receipt.pages:
        yield from (*page.pictures_added, *page.pictures_gone)
    yield from (*receipt.files_added, *receipt.files_gone, *receipt.files_changed)
