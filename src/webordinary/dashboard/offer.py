"""Which buttons a viewer sees beside something: what makes sense, and what they may do."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from webordinary.actions.fitting import Known, fitting, target_of
from webordinary.actions.table import ACTIONS, Action

if TYPE_CHECKING:
    from webordinary.dashboard.visit import PageVisit


def offered(visit: PageVisit, thing: Known) -> list[Action]:
    """Return what this viewer may do to it at this moment."""
    named = (ACTIONS[name] for name in fitting(visit.engine, thing))
    return [action for action in named if action.is_open_to(visit.viewer.role)]


def asking(action: Action, target: str, back: str, **given: str) -> str:
    """Return where a page asks whether it is meant."""
    return f"/do/{action.name}?{urlencode({'target': target, 'next': back, **given})}"


HELPS = {"offered": offered, "asking": asking, "target_of": target_of, "ACTIONS": ACTIONS}
