"""Which actions can be done to all rows of a list, and which rows each of them is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.actions.table import ACTIONS
from webordinary.dashboard.lists.standing import BOUNCED, CUT_OFF
from webordinary.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.actions.table import Action
    from webordinary.dashboard.visit import PageVisit


@dataclass(frozen=True, slots=True)
class BulkAction:
    """An action on a list; a field of the filter has to be one of `fitting`, the first of them if it is not said."""

    name: str
    of_list: str
    field: str
    fitting: tuple[str, ...]
    # What the first of them are called.
    ones: str

    @property
    def action(self) -> Action:
        return ACTIONS[self.name]

    def narrowed(self, asked: Mapping[str, str]) -> dict[str, str]:
        """Return the filter with only rows that the action is for."""
        said = asked.get(self.field, "")
        if said and said not in self.fitting:
            raise Refused(f"“{self.action.label}” is for {' or '.join(self.fitting)} ones; filter the list by that.")
        return {**asked, self.field: said or self.fitting[0]}


_ALL = (
    BulkAction("redrive", "jobs", "state", ("dead", "failed", "stopped"), "dead letters"),
    BulkAction("stop", "jobs", "state", ("queued", "running", "parked", "preparing"), "queued jobs"),
    BulkAction("release-mail", "mail", "outcome", ("held",), "held mails"),
    BulkAction("refuse-mail", "mail", "outcome", ("held",), "held mails"),
    BulkAction("forgive", "people", "mail", (CUT_OFF, BOUNCED), "addresses that are cut off"),
    BulkAction("pause", "projects", "state", ("running",), "running projects"),
    BulkAction("resume", "projects", "state", ("paused",), "paused projects"),
)
BULK_ACTIONS: Mapping[str, BulkAction] = {each.name: each for each in _ALL}


def offered_for(visit: PageVisit, of_list: str, asked: Mapping[str, str]) -> list[BulkAction]:
    """Return what this viewer can do to all rows of a list with this filter."""
    mine = (each for each in _ALL if each.of_list == of_list and each.action.is_open_to(visit.viewer.role))
    return [each for each in mine if not asked.get(each.field) or asked[each.field] in each.fitting]
