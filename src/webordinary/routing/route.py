"""Which project a mail is for, and whether its sender may edit it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.mail.tokens import REPLY, is_reply_address
from webordinary.routing.lane import Lane
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webordinary.routing.project import Editor, Project
    from webordinary.routing.projects import Projects


EDIT = "edit"
# Nobody writes to more sites at once; a mail with a thousand recipients asks no thousand questions.
_MOST_NAMED = 50


@dataclass(frozen=True, slots=True)
class Route:
    """The project and the editor, when both were found; else why not, and for whom it might have been."""

    project: Project | None = None
    editor: Editor | None = None
    problem: str = ""
    candidates: tuple[str, ...] = ()
    is_for_us: bool = False

    @property
    def lane(self) -> Lane | None:
        return Lane(self.project.id, self.editor.user) if self.project and self.editor else None


def is_ours(recipient: str, domain: str) -> bool:
    """Tell whether the address is under the domain that this installation answers for."""
    host = recipient.rpartition("@")[2].lower()
    return host == domain or host.endswith(f".{domain}")


def choose_project(
    recipients: Iterable[str],
    sender: str | None,
    projects: Projects,
    domain: str,
    *,
    within: Project | None = None,
) -> Route:
    """Find the project by the recipient's address, by the thread it is in, else by who writes.

    The user in an address is only a courtesy.
    """
    ours = [recipient for recipient in recipients if is_ours(recipient, domain)]
    named = {name for name in (_project_in(recipient, domain) for recipient in ours) if name}
    known = (projects.find(name) for name in sorted(named)[:_MOST_NAMED])
    found = [project for project in known if project is not None]
    if within is not None and (not found or within in found):
        found = [within]
    if not found and any(_is_for_anyone(recipient, domain) for recipient in ours):
        found = list(projects.find_by_address(sender)) if sender else []
        if not found:
            return Route(problem="the sender edits no project here", is_for_us=True)
    if len(found) > 1:
        return Route(
            problem="it could be for several projects", candidates=tuple(each.id for each in found), is_for_us=True
        )
    if not found:
        return Route(problem="no project has this address")
    editor = found[0].editor_by_address(sender) if sender else None
    problem = "" if editor else f"the sender is not an editor of {found[0].id}"
    return Route(found[0], editor, problem, is_for_us=True)


def _project_in(recipient: str, domain: str) -> str | None:
    """Read the project from scott@amelia.DOMAIN, amelia+scott@DOMAIN or amelia@DOMAIN."""
    local, _, host = fold_address(recipient).rpartition("@")
    if host != domain:
        return host.removesuffix(f".{domain}")
    name = local.partition("+")[0]
    return None if name in {EDIT, REPLY} else name


def _is_for_anyone(recipient: str, domain: str) -> bool:
    """Tell whether the address names no project: `edit@`, or a reply address that leads nowhere any more."""
    return fold_address(recipient) == f"{EDIT}@{domain}" or is_reply_address(recipient, domain)


_REPLIES = "re+"
# Every mail domain has these; what comes there stands in the agency's digest and is answered by nobody.
_POSTMASTERS = frozenset({"postmaster", "abuse"})


def is_postmaster(recipient: str) -> bool:
    """Tell whether a mail to this address is for the operator of the installation."""
    return fold_address(recipient).partition("@")[0] in _POSTMASTERS


def is_known(recipient: str, projects: Projects, domain: str) -> bool:
    """Tell whether the address is a project's, `edit@`, one of our reply addresses or the postmaster's."""
    local, _, host = fold_address(recipient).rpartition("@")
    if host != domain:
        # scott@amelia.DOMAIN
        return bool(local) and projects.find(host.removesuffix(f".{domain}")) is not None
    if local in _POSTMASTERS or local == EDIT or local.startswith(_REPLIES):
        return True
    return projects.find(local.partition("+")[0]) is not None
