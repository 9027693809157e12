"""`webordinary project accept-history` and `show project`: a live branch beside what visitors see."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.actions.known import require_project
from webordinary.actions.live_site import (
    BranchView,
    accept_and_publish,
    look_at_branch,
    refuse_what_is_no_rewrite,
)
from webordinary.actions.money import waiting_for_money
from webordinary.cli.ask import wait_for
from webordinary.cli.operate import ProjectArgument, confirm
from webordinary.cli.options import (
    FIFTEEN_MINUTES,
    ConfigOption,
    JsonOption,
    TimeoutOption,
    examples,
    open_installation,
    operator,
)
from webordinary.cli.output import print_json, print_pairs, say
from webordinary.errors import BuildFailed, TryAgain
from webordinary.workspace.history import moved_between

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.engines.installation import Installation
    from webordinary.routing.project import Project

_SHORT = 12
_MOST_FILES = 40


def add_to_projects(app: typer.Typer) -> None:
    """Give `webordinary project` its say about history."""
    app.command(
        name="accept-history",
        epilog=examples(
            "webordinary project accept-history amelia",
            "webordinary project accept-history amelia --json",
            "webordinary project accept-history amelia --yes",
        ),
    )(accept_history)


def accept_history(
    project: ProjectArgument,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether it is meant.")] = False,
    timeout: TimeoutOption = FIFTEEN_MINUTES,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a live branch that was rewritten the live one, after a look at what that changes.

    Without --yes it shows which commits go and come, which files differ and what visitors will notice, and asks; with
    --json it only shows that. Then the branch is built, checked and published as a release, and what waited goes on.
    The exit code says what came of it, as with `ask --wait`.
    """
    here = open_installation(config)
    view = look_at_branch(here, require_project(here, project))
    refuse_what_is_no_rewrite(view)
    if not yes:
        shown = _preview(here, view)
        if as_json:
            print_json(shown)
            return
        _say_preview(view, shown)
        confirm(
            f"Make this the live site of {project}?",
            without_terminal=f"Nobody is there to ask whether this is to become the live site of {project}; say --yes.",
        )
    before = here.engine.trail.last_number()
    job = accept_and_publish(here, view, operator())
    raise typer.Exit(wait_for(here, job, before, timeout, as_json=as_json))


def _preview(here: Installation, view: BranchView) -> dict[str, object]:
    """Return what accepting would change: in git, and for visitors."""
    live, seen = view.live or "", view.seen or ""
    moved = moved_between(view.mirror, seen, live)
    return {
        "project": view.project.id,
        "branch": view.project.branch,
        "visitors_see": seen,
        "branch_is_at": live,
        "commits_gone": list(moved.gone),
        "commits_new": list(moved.came),
        "files": list(moved.files),
        "changes": _changes(here, view),
    }


def _changes(here: Installation, view: BranchView) -> list[str]:
    """Build both commits, and tell in words what a visitor would notice."""
    from webordinary.reply.tell import tell_facts  # noqa: PLC0415 - heavy
    from webordinary.reply.words import phrases  # noqa: PLC0415 - heavy
    from webordinary.site.read.index import SiteIndex, index_site  # noqa: PLC0415 - heavy
    from webordinary.site.receipt.changes import take_receipt  # noqa: PLC0415 - heavy
    from webordinary.site.receipt.telling import tell_receipt  # noqa: PLC0415 - heavy

    def index(commit: str) -> SiteIndex:
        released = here.engine.sites.folder_of(view.project.id, commit)
        if released is not None:
            return index_site(released, lambda: None)
        with _built(here, view, commit) as folder:
            return index_site(folder, lambda: None)

    try:
        old = index(view.seen or "")
    except (BuildFailed, TryAgain):
        # It cannot be built any more, or nobody has that commit: all of the new one is new.
        old = SiteIndex()
    new = index(view.live or "")
    told = tell_receipt(take_receipt(old, new), "", of_pages=len(new.pages), region_of=lambda _path, _text: "")
    return tell_facts({"changes": "\n".join(told.lines)}, phrases("en"), is_done=False)["changes"].splitlines()


@contextmanager
def _built(here: Installation, view: BranchView, commit: str) -> Iterator[Path]:
    from webordinary.cli.release import build_folder  # noqa: PLC0415 - heavy

    scratch = here.config.data / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        source = Path(folder) / "source"
        source.mkdir()
        view.mirror.export(commit, source, Path(folder) / "index")
        yield build_folder(here, view.project, source, Path(folder) / "site")


def _say_preview(view: BranchView, shown: dict[str, object]) -> None:
    say(f"Visitors of {view.project.id} see {(view.seen or '')[:_SHORT]}.")
    say(f"{view.project.branch} is at {(view.live or '')[:_SHORT]}, which does not go on from it.")
    for title, name in (
        ("Commits that would be gone", "commits_gone"),
        ("Commits that would come", "commits_new"),
        ("Files that differ", "files"),
        ("What visitors would notice", "changes"),
    ):
        _say_list(title, shown[name])


def _say_list(title: str, lines: object) -> None:
    found: Sequence[str] = lines if isinstance(lines, list) else []
    say(f"{title}: {'none' if not found else ''}".rstrip())
    for line in found[:_MOST_FILES]:
        say(f"  {line}")
    if len(found) > _MOST_FILES:
        say(f"  and {len(found) - _MOST_FILES} more")


def add_to_show(app: typer.Typer) -> None:
    """Give `webordinary show` the project."""
    app.command(name="project", epilog=examples("webordinary show project amelia"))(show_project)


def show_project(project: ProjectArgument, *, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show one project: its live branch and what visitors see, who edits it, what it spent, and what waits."""
    from webordinary.worker.chores.told_spending import spending_of, told_spending  # noqa: PLC0415 - heavy

    here = open_installation(config)
    view = look_at_branch(here, require_project(here, project))
    found = view.project
    record = {
        "project": found.id,
        "name": found.name,
        "repository": found.shown_repository,
        "branch": found.branch,
        "branch_is_at": view.live,
        "visitors_see": view.seen,
        "history": view.state.value,
        "paused": view.paused,
    }
    spending = spending_of(here.engine, found, here.clock.now().wall_at)
    waiting = waiting_for_money(here, found)
    if as_json:
        print_json({**record, "agent": _agent_record(here, found), "spending": spending.record(), "waiting": waiting})
        return
    agent, today = _agent_record(here, found), f"{spending.today:.2f} of {spending.budget.usd_a_day:g} USD"
    print_pairs(
        [
            *record.items(),
            ("agent", f"{agent['kind']}, model {agent['model']}, sandbox {agent['sandbox']}"),
            ("spent this month", told_spending(spending).partition(": ")[2]),
            ("spent today", today),
            *([("waits for money", ", ".join(waiting))] if waiting else []),
        ]
    )


def _agent_record(here: Installation, project: Project) -> dict[str, object]:
    """Return who edits the site, as it is with what the installation says."""
    agent = here.config.agent.over(project.agent)
    return {
        "kind": str(agent.kind),
        "model": str(agent.model),
        "sandbox": project.sandbox or here.config.sandbox.mode.value,
        "has_own_key": project.agent.has_key,
        "repairs": project.rules.budget.repairs,
    }
