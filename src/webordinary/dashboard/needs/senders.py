"""Mails and addresses that need somebody: held and forged mails, and people whose mails come back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.dashboard.needs.need import NeedsAsked, NeedTone, OpenNeed
from webordinary.dashboard.needs.requests import SHOWN_FOR
from webordinary.mail.outcomes import MailOutcome
from webordinary.overview.filters import FoundPage, MailsAsked
from webordinary.reply.bounces import COUNTED_FOR, find_dead_end

if TYPE_CHECKING:
    from webordinary.overview import MailView
    from webordinary.reply.bounces import Bounce

_KEPT_FOR = timedelta(days=30)
# One address may send many mails back.
_MOST_BOUNCES = 1_000


def held(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find mails that wait until their sender confirms them or somebody lets them through."""
    return _mails(asked, MailOutcome.HELD)


def quarantined(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find mails that were forged in an editor's name."""
    return _mails(asked, MailOutcome.QUARANTINED)


def _mails(asked: NeedsAsked, outcome: MailOutcome) -> FoundPage[OpenNeed]:
    wanted = MailsAsked(projects=asked.projects, outcomes=(outcome,), since=asked.now.wall_at - SHOWN_FOR)
    page = asked.engine.overview.find_mails(wanted, after=asked.after, limit=asked.limit)
    tell = _about_held if outcome is MailOutcome.HELD else _about_forged
    kept = {project.id: project.rules.retention.raw_mail for project in asked.engine.projects.all()}
    return FoundPage([tell(mail, kept.get(mail.project or "", _KEPT_FOR)) for mail in page.items], page.after)


def _about_held(mail: MailView, kept_for: timedelta) -> OpenNeed:
    return OpenNeed(
        title=mail.subject or "A mail without a subject",
        reason=f"{mail.sender or 'Somebody'} wrote it, perhaps: {mail.reason or 'nothing proves it'}",
        otherwise="It stays undone until its sender confirms it, and its text is deleted",
        until_at=mail.received_at + kept_for,
        since_at=mail.received_at,
        project=mail.project,
        link=f"/mail/{mail.id}",
        actions=(("release-mail", mail.id), ("refuse-mail", mail.id)),
    )


def _about_forged(mail: MailView, kept_for: timedelta) -> OpenNeed:
    return OpenNeed(
        title=mail.subject or "A mail without a subject",
        reason=f"Somebody wrote in the name of {mail.sender or 'an editor'}: {mail.reason or 'it is forged'}",
        otherwise="Nobody answers it, and its text is deleted",
        until_at=mail.received_at + kept_for,
        since_at=mail.received_at,
        project=mail.project,
        link=f"/mail/{mail.id}",
        tone=NeedTone.SORRY,
        actions=(("replay", mail.id),),
    )


def bounced(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find addresses that a letter could not be brought to, each once."""
    newest: dict[str, Bounce] = {}
    oldest_told = asked.now.wall_at - COUNTED_FOR
    for bounce in asked.engine.bounces.all(limit=_MOST_BOUNCES):
        if bounce.is_for_good and bounce.bounced_at >= oldest_told:
            newest.setdefault(bounce.address, bounce)
    names = list(newest)
    first = names.index(asked.after) + 1 if asked.after in names else 0
    part = names[first : first + asked.limit]
    is_more = first + asked.limit < len(names)
    return FoundPage([_about_bounce(asked, newest[each]) for each in part], part[-1] if is_more else None)


def _about_bounce(asked: NeedsAsked, bounce: Bounce) -> OpenNeed:
    dead_end = find_dead_end(asked.engine.bounces, bounce.address, asked.now.wall_at)
    if dead_end is None:
        title, otherwise = f"A mail to {bounce.address} came back", "After a few more in a row nobody writes there"
    else:
        title = f"Nobody writes to {bounce.address} any more"
        otherwise = "Their requests are done, but they get no answer; it is tried again"
    return OpenNeed(
        title=title,
        reason=bounce.reason,
        otherwise=otherwise,
        until_at=bounce.bounced_at + COUNTED_FOR if dead_end else None,
        since_at=dead_end.bounced_at if dead_end else bounce.bounced_at,
        link="/people",
        tone=NeedTone.SORRY,
        actions=(("forgive", bounce.address),),
    )
