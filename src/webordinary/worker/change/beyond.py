"""What goes further than a mail may go alone: in the files of a change, and in what the build makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.errors import JobFailed
from webordinary.site.checks.guard import Overreach, find_overreach
from webordinary.site.content import Limit, judge_output
from webordinary.worker.change.files import brought_paths
from webordinary.worker.change.look import front_matter_program, is_looked_into, look_at, read_bounded
from webordinary.workspace.change import ChangeKind

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from webordinary.jobs.job import Request
    from webordinary.routing.project import Project
    from webordinary.site.read.index import SiteIndex
    from webordinary.workspace.change import Change
    from webordinary.workspace.checkout import Checkout


class BeyondLimits(JobFailed):
    """The change goes further than the project allows, and there is no agency that could let it through."""

    def __init__(self, told: str, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the change was not published: {told}")


def find_in_change(request: Request, checkout: Checkout, project: Project) -> Overreach | None:
    """Look at everything that would go live, whichever mail of the thread it comes from."""
    changes = checkout.changes_for_live()
    brought = frozenset(brought_paths(request, checkout))
    beyond = find_overreach(changes, project.rules, build=project.build, brought=brought)
    if beyond is not None:
        return beyond
    present = (change for change in changes if change.kind is not ChangeKind.REMOVED)
    found = (_look_into(change, checkout, project) for change in present)
    return next((each for each in found if each is not None), None)


def _look_into(change: Change, checkout: Checkout, project: Project) -> Overreach | None:
    limit = _look(checkout.path / change.path, change.path)
    if limit is None and _runs_at_its_top(change, checkout, project):
        limit = Limit.ACTIVE
    return None if limit is None else Overreach.at(limit, change.path)


def _look(file: Path, path: str) -> Limit | None:
    content = read_bounded(file)
    if content is None:
        return Limit.KIND if is_looked_into(path) else None
    return look_at(path, content)


def _runs_at_its_top(change: Change, checkout: Checkout, project: Project) -> bool:
    """Tell whether the page's head is a program, and another one than is live: some sites have them for good."""
    rules = project.rules
    if rules.templates or rules.allowed_paths or not is_looked_into(change.path):
        return False
    program = front_matter_program(read_bounded(checkout.path / change.path) or b"")
    was = checkout.file_at(checkout.live_commit(), change.path) if program else None
    return bool(program) and (was is None or front_matter_program(was) != program)


def find_in_output(
    old: SiteIndex, new: SiteIndex, built: Path, project: Project, noise: Collection[str] = ()
) -> Overreach | None:
    """Compare what would be served with what is: what no content is stays as it is unless the agency says so."""
    for path in sorted(differing(old, new) - set(noise)):
        limit = judge_output(path, project.rules, project.output)
        if limit is None and path in new.files:
            limit = _look(built / path, path)
        if limit is not None:
            return Overreach.at(limit, path)
    links = (path for path in sorted({*old.links, *new.links}) if old.links.get(path) != new.links.get(path))
    if (link := next(links, None)) is not None:
        return Overreach.at(Limit.PLACE, link)
    programs = (path for mark, path in new.programs.items() if mark not in old.programs)
    return next((Overreach.at(Limit.ACTIVE, path) for path in programs), None)


def differing(old: SiteIndex, new: SiteIndex) -> set[str]:
    """Return the files that are not the same in both builds."""
    return {path for path in {*old.files, *new.files} if old.files.get(path) != new.files.get(path)}
