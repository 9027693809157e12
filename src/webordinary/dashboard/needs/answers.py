"""Answers that wait for the agency's eye, as needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.needs.need import NeedsAsked, NeedTone, OpenNeed
from webordinary.overview.filters import FoundPage
from webordinary.reply.held_answers import LONG, MOST_HELD

if TYPE_CHECKING:
    from webordinary.reply.held_answers import HeldAnswer


def held_answers(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find the answers that nobody has released, the oldest first."""
    waiting = [each for each in asked.engine.held_answers.all(limit=MOST_HELD) if asked.sees(each.project)]
    names = [each.letter.key for each in waiting]
    first = names.index(asked.after) + 1 if asked.after in names else 0
    part = waiting[first : first + asked.limit]
    is_more = first + asked.limit < len(waiting)
    return FoundPage([_about(asked, each) for each in part], part[-1].letter.key if is_more else None)


def _about(asked: NeedsAsked, held: HeldAnswer) -> OpenNeed:
    job = asked.engine.overview.job(held.job)
    is_long = asked.now.wall_at - held.held_at >= LONG
    return OpenNeed(
        title=job.subject if job and job.subject else held.job,
        reason=f"The answer to {held.letter.to} waits" + (", and has waited for days." if is_long else "."),
        otherwise=f"{held.letter.to} hears nothing of what was done",
        since_at=held.held_at,
        project=held.project,
        link=f"/answers/{held.job}",
        tone=NeedTone.SORRY if is_long else NeedTone.ASKS,
        actions=(("release-answer", held.job), ("take-back-answer", held.job)),
    )
