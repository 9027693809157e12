"""The guided walk as pages: the steps, questions and checks of `webordinary setup`, each shown before it is done."""

from __future__ import annotations

import os
import shlex
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child import run
from webordinary.dashboard.forms.upload import LARGEST_FILE
from webordinary.dashboard.forms.writing import MEANWHILE
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import Refused, WebOrdinaryError
from webordinary.setup.desk import Desk, Ran
from webordinary.setup.kept import KeptWalk, StepState
from webordinary.setup.walk import SetupWalk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.responses import Response

    from webordinary.findings import Check
    from webordinary.setup.plan import StepPlan
    from webordinary.setup.question import Given
    from webordinary.setup.step import SetupStep
    from webordinary.setup.walk import TakenAnswers

_LONGEST = timedelta(minutes=20)


def run_beside(words: Sequence[str], *, is_talk: bool) -> Ran:
    """Run a command of ours as a child; who has to talk with it does so in a terminal."""
    if is_talk:
        return Ran(1, "", f"This needs a terminal: run `webordinary {shlex.join(words)}` there, and check again here.")
    done = run([sys.executable, "-m", "webordinary.cli", *words], cwd=Path.cwd(), env=os.environ, deadline=_LONGEST)
    return Ran(done.code, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def _walk(visit: PageVisit) -> SetupWalk:
    path = visit.house.here.config.path
    return SetupWalk(Desk(path, KeptWalk(path), run_beside, os.environ))


def overview(visit: PageVisit) -> Response:
    walk = _walk(visit)
    rows = [(step, walk.state(step).value) for step in walk.steps]
    return visit.shows("setup.html", rows=rows, begin=walk.begins_at(), path=walk.desk.path)


def step(visit: PageVisit) -> Response:
    walk = _walk(visit)
    chosen = walk.find(visit.params["step"])
    return _form(visit, walk, chosen, walk.take(chosen, walk.remembered(chosen)), shows_wrong=False)


def step_typed(visit: PageVisit) -> Response:
    """Check what was typed, show what would be done, or do it if that is what was shown."""
    walk = _walk(visit)
    chosen = walk.find(visit.params["step"])
    match visit.form.get("go", ""):
        case "later":
            walk.note(chosen, StepState.LEFT, walk.remembered(chosen))
            return visit.leads_to("/setup")
        case "check":
            return _result(visit, walk, chosen, walk.remembered(chosen), [])
        case go:
            return _typed(visit, walk, chosen, go)


def _typed(visit: PageVisit, walk: SetupWalk, chosen: SetupStep, go: str) -> Response:
    kept = visit.house.typed_secrets.find(visit.viewer.name, visit.form.get("ticket", ""))
    taken = walk.take(chosen, {**visit.form, **kept, **_sent(visit, walk, chosen)})
    is_new = any(each.key not in visit.form and not (each.is_secret and kept) for each in taken.questions)
    if taken.wrong or is_new or go == "back":
        return _form(visit, walk, chosen, taken, shows_wrong=go != "back")
    walk.note(chosen, StepState.BEGUN, taken.given)
    try:
        plan = chosen.plan(walk.desk, taken.given)
        if go != "do":
            return _look(visit, walk, chosen, taken, plan)
        if visit.form.get("mark", "") != _mark(walk):
            return _look(visit, walk, chosen, taken, plan, MEANWHILE)
        told = list(walk.carry_out(chosen, plan, taken.given))
    except WebOrdinaryError as problem:
        return _form(visit, walk, chosen, taken, str(problem))
    visit.house.typed_secrets.drop(visit.form.get("ticket", ""))
    return _result(visit, walk, chosen, taken.given, [*told, *plan.tells])


def _sent(visit: PageVisit, walk: SetupWalk, chosen: SetupStep) -> Mapping[str, str]:
    """Keep a file that was sent with the form, and return where, as if its path had been typed."""
    if visit.file is None:
        return {}
    for question in walk.take(chosen, visit.form).questions:
        if question.takes_file:
            name = f"{chosen.name}-{question.key}{question.takes_file}"
            return {question.key: str(walk.desk.keep_upload(visit.file, name))}
    raise Refused("No file is asked for here; send the form again from its page.")


def _form(
    visit: PageVisit,
    walk: SetupWalk,
    chosen: SetupStep,
    taken: TakenAnswers,
    why: str = "",
    *,
    shows_wrong: bool = True,
) -> Response:
    wrong = {key: each for key, each in taken.wrong.items() if shows_wrong and key in visit.form}
    values = {**{each.key: each.default or "" for each in taken.questions}, **_typed_values(visit, taken)}
    return visit.shows(
        "setup_step.html",
        409 if wrong or why else 200,
        step=chosen,
        state=walk.state(chosen).value,
        not_needed=chosen.not_needed(walk.desk),
        questions=taken.questions,
        largest=LARGEST_FILE // 1024 // 1024,
        values=values,
        wrong=wrong,
        why=why,
        found=(),
        told=(),
    )


def _typed_values(visit: PageVisit, taken: TakenAnswers) -> Mapping[str, str]:
    """Return what fields show: what was typed or answered before, and never a secret."""
    plain = [each.key for each in taken.questions if not each.is_secret]
    known = {**taken.given, **{key: visit.form[key] for key in plain if key in visit.form}}
    return {key: known[key] for key in plain if key in known}


def _look(
    visit: PageVisit, walk: SetupWalk, chosen: SetupStep, taken: TakenAnswers, plan: StepPlan, why: str = ""
) -> Response:
    secret = {each.key for each in taken.questions if each.is_secret}
    hidden = {key: value for key, value in taken.given.items() if key in secret and value}
    ticket = visit.house.typed_secrets.keep(visit.viewer.name, hidden)
    changes = plan.changes(walk.desk)
    others = [line for line in plan.lines(walk.desk) if not line.startswith("  ")]
    return visit.shows(
        "setup_look.html",
        409 if why else 200,
        step=chosen,
        fields=[(key, value) for key, value in taken.given.items() if key not in secret],
        ticket=ticket,
        lines=changes,
        others=others[1:] if changes else others,
        tells=plan.tells,
        path=walk.desk.path,
        mark=_mark(walk),
        why=why,
    )


def _result(visit: PageVisit, walk: SetupWalk, chosen: SetupStep, given: Given, told: Sequence[str]) -> Response:
    found: Sequence[Check] = walk.check(chosen, given)
    following = walk.begins_at()
    return visit.shows(
        "setup_done.html", step=chosen, state=walk.state(chosen).value, told=told, found=found, following=following
    )


def _mark(walk: SetupWalk) -> str:
    file = walk.desk.file()
    return file.mark if file else ""


def at_the_door(visit: PageVisit) -> Response:
    """Lead to the walk, where there is nothing else yet."""
    return visit.leads_to("/setup")


AT_THE_DOOR = (PageRoute("GET", "/", at_the_door, role=Role.AGENCY),)
PAGES = (
    PageRoute("GET", "/setup", overview, role=Role.AGENCY),
    PageRoute("GET", "/setup/{step}", step, role=Role.AGENCY),
    PageRoute("POST", "/setup/{step}", step_typed, role=Role.AGENCY, takes_file=True),
)
