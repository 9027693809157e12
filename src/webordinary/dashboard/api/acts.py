"""What a program can do: ask for a change, and every action of the table that the dashboard's buttons are made of."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct, defstruct, json, structs

from webordinary.actions.ask import ask
from webordinary.actions.carry_out import carry_out, note, permitted
from webordinary.actions.role import Role
from webordinary.actions.table import ACTIONS, Action, Thing
from webordinary.dashboard.api.call import ApiCall, ApiRoute
from webordinary.dashboard.api.seen import job_seen
from webordinary.dashboard.api.shapes import DoneShape, JobAsked, JobShape, SentByProgram
from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.actions.table import Needed

_PLURAL = {
    Thing.JOB: "jobs",
    Thing.MAIL: "mails",
    Thing.LANE: "lanes",
    Thing.PROJECT: "projects",
    Thing.ADDRESS: "addresses",
    Thing.PLAN: "plans",
}
# It has a route of its own, `POST /jobs`.
_ASK = "ask"


def ask_for_job(call: ApiCall) -> JobShape:
    """Queue a change; with the same Idempotency-Key it is the same job, also after a crash."""
    asked: JobAsked = call.body
    action = permitted(call.here, _ASK, asked.project, call.viewer)
    key = f"api:{call.token.id}:{call.key}:{_mark(asked)}" if call.key else ""
    done = ask(call.here, asked.project, call.viewer.name, asked.user, asked.words, key=key)
    note(call.here, action, asked.project, call.viewer.name, done)
    found = call.engine.overview.job(done.job or "")
    if found is None:
        raise TryAgain("The job was accepted and cannot be read yet; ask for it again in a moment.")
    return job_seen(found)


def _mark(asked: JobAsked) -> str:
    """Name what is asked for: a job is kept longer than the answer under a key, and other words are another job."""
    return hashlib.sha256(json.encode(asked)).hexdigest()[:16]


def act(action: Action, call: ApiCall) -> DoneShape:
    """Do what a button would do."""
    given = structs.asdict(call.body) if isinstance(call.body, Struct) else {}
    said = {name: "" if value is None else str(value) for name, value in given.items()}
    done = carry_out(call.here, action.name, call.params[action.about.value], call.viewer, said)
    return DoneShape(sentence=done.sentence, job=done.job)


def _routes() -> Iterator[ApiRoute]:
    for action in ACTIONS.values():
        if action.name == _ASK:
            continue
        yield ApiRoute(
            method="POST",
            path=f"/{_PLURAL[action.about]}/{{{action.about.value}}}/{action.name}",
            name=action.name.replace("-", "_"),
            tells=action.tells,
            handler=partial(act, action),
            answer=DoneShape,
            role=Role.CLIENT if action.for_clients else action.role,
            body=_body(action),
            takes_key=True,
            params=(action.about.value,),
        )


def _body(action: Action) -> type[Any] | None:
    if not action.needs:
        return None
    name = f"{action.name.title().replace('-', '')}SentByProgram"
    fields = [_field(each) for each in sorted(action.needs, key=lambda each: not each.is_required)]
    return defstruct(name, fields, bases=(SentByProgram,), frozen=True, kw_only=True)


def _field(needed: Needed) -> tuple[str, Any, Any] | tuple[str, Any]:
    if needed.is_number:
        return needed.name, Annotated[float, Meta(gt=0, le=1_000_000, description=needed.label)] | None, None
    if needed.is_required:
        return needed.name, Annotated[str, Meta(min_length=1, max_length=needed.longest, description=needed.label)]
    return needed.name, Annotated[str, Meta(max_length=needed.longest, description=needed.label)], ""


ACTS = (
    ApiRoute(
        method="POST", path="/jobs", name="ask", tells=ACTIONS[_ASK].tells, handler=ask_for_job, answer=JobShape,
        role=ACTIONS[_ASK].role, body=JobAsked, status=201, takes_key=True,
    ),
    *_routes(),
)  # fmt: skip
