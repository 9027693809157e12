"""Projects that need somebody: paused ones, rewritten branches, and those that fail in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.needs.need import NeedsAsked, NeedTone, OpenNeed
from webordinary.dashboard.story.for_clients import why_paused
from webordinary.jobs.job import State
from webordinary.overview.filters import FoundPage
from webordinary.worker.change.from_git import FROM_GIT

if TYPE_CHECKING:
    from webordinary.overview import FailingView, PausedView

REWRITTEN = "was rewritten"


def rewritten(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find projects whose live branch no longer goes on from what visitors see."""
    return FoundPage([_about_rewritten(each) for each in _paused(asked) if _is_rewritten(each)])


def paused(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find the other projects in which nothing starts."""
    return FoundPage([_about_paused(asked, each) for each in _paused(asked) if not _is_rewritten(each)])


def _paused(asked: NeedsAsked) -> list[PausedView]:
    return [each for each in asked.engine.overview.paused() if asked.sees(each.project)]


def _is_rewritten(each: PausedView) -> bool:
    return each.reason.startswith(FROM_GIT) and REWRITTEN in each.reason


def _about_rewritten(each: PausedView) -> OpenNeed:
    return OpenNeed(
        title=f"The live branch of {each.project} was rewritten",
        reason=each.reason.removeprefix(FROM_GIT),
        otherwise="Nothing of this site is published; mails go on being accepted and wait",
        since_at=each.since_at,
        project=each.project,
        link=f"/projects/{each.project}",
        tone=NeedTone.SORRY,
        actions=(("accept-history", each.project),),
    )


def _about_paused(asked: NeedsAsked, each: PausedView) -> OpenNeed:
    waiting = asked.engine.overview.counts(projects=(each.project,)).of(State.QUEUED)
    return OpenNeed(
        title=f"{each.project} is paused",
        reason=why_paused(each.reason.removeprefix(FROM_GIT), to_agency=asked.projects is None),
        otherwise=f"Nothing starts; mails go on being accepted and wait ({waiting} now)",
        since_at=each.since_at,
        project=each.project,
        link=f"/projects/{each.project}",
        tone=NeedTone.SORRY,
        actions=(("resume", each.project),),
    )


def failing(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find projects in which agents or builds fail in a row, before they are paused for it."""
    is_paused = {each.project for each in _paused(asked)}
    found = [each for each in asked.engine.overview.failing() if asked.sees(each.project)]
    return FoundPage([_about_failing(asked, each) for each in found if each.project not in is_paused])


def _about_failing(asked: NeedsAsked, each: FailingView) -> OpenNeed:
    return OpenNeed(
        title=f"{each.project} fails again and again",
        reason=f"Its last {each.failures} jobs failed in the agent, the build or the publish.",
        otherwise=f"After {asked.here.limits.breaker} in a row the project is paused",
        project=each.project,
        link=f"/projects/{each.project}",
        tone=NeedTone.SORRY,
        actions=(("pause", each.project),),
    )
