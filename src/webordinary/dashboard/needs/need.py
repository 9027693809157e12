"""One thing that needs a person, and the question that finds such things."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.overview.filters import COUNTED, LeftAsked

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.clock import Moment
    from webordinary.dashboard.looks import Looks
    from webordinary.engine import Engine
    from webordinary.engines.installation import Installation


class NeedTone(StrEnum):
    """How a need is meant; a word says it beside the colour."""

    ASKS = "asks"
    SORRY = "sorry"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenNeed:
    """What waits, its reason in words, and what happens if nobody does anything."""

    title: str
    reason: str
    otherwise: str
    # When that happens, if it is known.
    until_at: datetime | None = None
    since_at: datetime | None = None
    project: str | None = None
    link: str | None = None
    tone: NeedTone = NeedTone.ASKS
    # Names of actions, each with what it is done to.
    actions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NeedsAsked:
    """Who asks, and which part of the list; only these projects, or all of them if they are None."""

    here: Installation
    looks: Looks
    now: Moment
    projects: tuple[str, ...] | None = None
    after: str | None = None
    limit: int = COUNTED

    @property
    def engine(self) -> Engine:
        return self.here.engine

    def of_at_most(self, limit: int) -> NeedsAsked:
        return replace(self, limit=limit)

    def sees(self, project: str | None) -> bool:
        return self.projects is None or project in self.projects

    def left(self, since: datetime | None = None) -> LeftAsked:
        return LeftAsked(self.projects, since)
