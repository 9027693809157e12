"""How much is too much: mails of one person in an hour, for one project and in one thread in a day.

Whatever answers by itself is cut off here: after the limit it hears "paused" once, and then nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from webordinary.intake.admit import short
from webordinary.mail.inbox import Decision
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import OPERATOR
from webordinary.mail.tallies import TallyLimit
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.intake.admit import Admitted
    from webordinary.intake.trust import MailLimits
    from webordinary.mail.inbox import KeptMail

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Limit:
    """One limit: what it counts, how many there may be, and until when it holds."""

    tally: str
    most: int
    said: str
    until_at: datetime


@dataclass(frozen=True, slots=True)
class AcceptanceLimits:
    """The limits, counted by when mails came, so that looking twice at one changes nothing."""

    engine: Engine
    limits: MailLimits
    now: Moment

    def exceeded(self, kept: KeptMail, admitted: Admitted) -> Decision | None:
        """Count the mail, and return what to say when it is one too many."""
        full = self.engine.tallies.note(kept.id, self.tallies(kept, admitted), self.now)
        return next((_paused(each, admitted) for each in self._limits(kept, admitted) if each.tally == full), None)

    def tallies(self, kept: KeptMail, admitted: Admitted) -> list[TallyLimit]:
        """Return what the mail counts for."""
        return [TallyLimit(each.tally, each.most) for each in self._limits(kept, admitted)]

    def would_exceed(self, kept: KeptMail, admitted: Admitted) -> Decision | None:
        """Say the same without counting."""
        limits = self._limits(kept, admitted)
        full = (each for each in limits if self.engine.tallies.count(each.tally) >= each.most)
        return next((_paused(each, admitted) for each in full), None)

    def ask_within(self, held: Decision, kept: KeptMail) -> Decision:
        """Leave the question out when this person was asked often enough today: most likely somebody else writes."""
        if held.answer_kind != "confirm":
            return held
        address = fold_address(held.sender or "")
        tally = f"confirm:{held.project}:{address}:{kept.received_at:%Y-%m-%d}"
        most = self.limits.confirmations_a_day
        if self.engine.tallies.note(kept.id, [TallyLimit(tally, most)], self.now) is None:
            return held
        return replace(held, answer=None, reason=f"{held.reason} The editor was asked {most} times today already.")

    def _limits(self, kept: KeptMail, admitted: Admitted) -> Iterator[_Limit]:
        # The operator hands mails in by hand, and nothing of ours goes back to a machine that way.
        if admitted.sender.method == OPERATOR:
            return
        at, project = kept.received_at, admitted.project.id
        hour, day = f"{at:%Y-%m-%dT%H}", f"{at:%Y-%m-%d}"
        next_hour = at.replace(minute=0, second=0, microsecond=0) + _HOUR
        next_day = at.replace(hour=0, minute=0, second=0, microsecond=0) + _DAY
        address, limits = fold_address(admitted.editor.address), self.limits
        yield _Limit(f"sender:{address}:{hour}", limits.sender_an_hour, "of this person in an hour", next_hour)
        yield _Limit(f"project:{project}:{day}", limits.project_a_day, "for this project in a day", next_day)
        if admitted.thread is not None:
            tally = f"thread:{admitted.thread.id}:{day}"
            yield _Limit(tally, limits.thread_a_day, "in this thread in a day", next_day)


def _paused(limit: _Limit, admitted: Admitted) -> Decision:
    project, address = admitted.project, admitted.editor.address
    until = f"{limit.until_at.astimezone(ZoneInfo(project.rules.timezone)):%H:%M}"
    return Decision(
        MailOutcome.LIMITED,
        f"there were more than {limit.most} mails {limit.said}",
        address,
        project=project.id,
        thread=admitted.thread.id if admitted.thread else None,
        answer="paused_sender",
        answer_key=f"limited.{short(limit.tally, address)}",
        facts={"until": until},
        judged=admitted.sender,
    )
