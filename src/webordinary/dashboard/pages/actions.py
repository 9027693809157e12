"""The buttons of every page: a form that does one thing, and a page that asks first where it is hard to undo."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webordinary.actions.carry_out import carry_out, permitted, require_role
from webordinary.actions.table import ACTIONS, Action
from webordinary.dashboard.flash import say_next
from webordinary.dashboard.pages.sign_in import inside
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.responses import Response

_LONGEST_TARGET = 400


def ask_first(action: Action, visit: PageVisit) -> Response:
    """Say what would happen, and ask what has to be known for it."""
    require_role(action, visit.viewer)
    target = _target(visit.query.get("target"))
    permitted(visit.house.here, action.name, target, visit.viewer)
    given = {each.name: visit.query.get(each.name, "") for each in action.needs}
    back = inside(visit.query.get("next"))
    return visit.shows("act.html", action=action, target=target, next=back, given=given)


def act(action: Action, visit: PageVisit) -> Response:
    """Do it, and lead back to where the button was."""
    require_role(action, visit.viewer)
    target = _target(visit.form.get("target"))
    done = carry_out(visit.house.here, action.name, target, visit.viewer, visit.form)
    say_next(visit, done.sentence)
    return visit.leads_to(inside(visit.form.get("next")))


def _target(given: str | None) -> str:
    if not given or len(given) > _LONGEST_TARGET:
        raise Refused("The form does not say what it is about; go back and press the button again.")
    return given


def _pages() -> Iterator[PageRoute]:
    for action in ACTIONS.values():
        role = Role.CLIENT if action.for_clients else action.role
        yield PageRoute("GET", f"/do/{action.name}", partial(ask_first, action), role)
        yield PageRoute("POST", f"/do/{action.name}", partial(act, action), role)


PAGES = tuple(_pages())
