"""Carries an action out for somebody who has a role: who may not is refused, and the trail says who did what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from webordinary.actions.role import Role
from webordinary.actions.table import ACTIONS, Action, Thing
from webordinary.audit.entry import Entry, EventType
from webordinary.errors import NoSuchThing, NotYours
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.actions.done import Done
    from webordinary.engines.installation import Installation

_Found = TypeVar("_Found")


class Actor(Protocol):
    """Who wants it."""

    @property
    def name(self) -> str: ...
    @property
    def role(self) -> Role: ...
    def sees(self, project: str | None) -> bool: ...


def carry_out(here: Installation, name: str, target: str, actor: Actor, said: Mapping[str, str]) -> Done:
    """Do it, once all that it needs is there, and write down who did it."""
    action = permitted(here, name, target, actor)
    given = {each.name: each.read(said) for each in action.needs}
    done = action.run(here, target, actor.name, given)
    note(here, action, target, actor.name, done)
    return done


def permitted(here: Installation, name: str, target: str, actor: Actor) -> Action:
    """Return the action, if this person may do it to that."""
    action = ACTIONS.get(name)
    if action is None:
        raise NoSuchThing(f"There is no action {name}; known: {', '.join(sorted(ACTIONS))}.")
    require_role(action, actor)
    project = project_of(here, action.about, target)
    if not actor.sees(project) or (project is None and actor.role is Role.CLIENT):
        # The same words as for what does not exist: a client learns nothing of others.
        raise NoSuchThing(f"There is no {action.about} {target}.")
    if actor.role is Role.CLIENT:
        _leave_to_agency(here, target)
    return action


def require_role(action: Action, actor: Actor) -> None:
    """Let pass who may do this to anything at all; a reader is more than a client, and still decides nothing."""
    if not action.is_open_to(actor.role):
        raise NotYours(f"To {action.label.lower()} one has to be {action.role}.")


def project_of(here: Installation, about: Thing, target: str) -> str | None:
    """Return the project that something belongs to, or None; refuse the name of nothing."""
    overview = here.engine.overview
    match about:
        case Thing.JOB:
            return _there(overview.job(target), about, target).lane.project
        case Thing.MAIL:
            return _there(overview.mail(target), about, target).project
        case Thing.LANE:
            return Lane.parse(target).project
        case Thing.PROJECT:
            return target
        case Thing.PLAN:
            return _there(here.engine.schedules.find(target), about, target).lane.project
        case Thing.ADDRESS:
            return None


def note(here: Installation, action: Action, target: str, by: str, done: Done) -> None:
    """Write down who did it; the action itself has told what came of it."""
    facts = {"action": action.name, "about": action.about.value, "target": target, "by": by}
    job = done.job or (target if action.about is Thing.JOB else None)
    mail = target if action.about is Thing.MAIL else None
    lane = Lane.parse(target).key if action.about is Thing.LANE else None
    entry = Entry(EventType.ACTED, here.clock.now().wall_at, job=job, mail=mail, lane=lane, facts=facts)
    here.engine.trail.record(entry)


def _there(found: _Found | None, about: Thing, target: str) -> _Found:
    if found is None:
        raise NoSuchThing(f"There is no {about} {target}.")
    return found


def _leave_to_agency(here: Installation, target: str) -> None:
    job = here.engine.overview.job(target)
    proposal = here.engine.proposals.find(job.thread) if job else None
    if proposal is not None and proposal.id == target and proposal.for_agency:
        raise NotYours("Only the agency may decide about this.")
