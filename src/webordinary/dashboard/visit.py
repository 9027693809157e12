"""One request, as a page sees it, and the table of all pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, RedirectResponse, Response

from webordinary.dashboard.templates import render
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from webordinary.dashboard.house import House
    from webordinary.engine import Engine


@dataclass(frozen=True, slots=True)
class PageVisit:
    """What somebody asks for; the path's parameters, the query and the form are plain texts."""

    house: House
    viewer: Viewer
    path: str
    secret: str = field(repr=False)
    csrf: str = field(repr=False)
    params: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict, repr=False)
    cookies: Mapping[str, str] = field(default_factory=dict, repr=False)
    # The address that the request came from.
    sender: str = ""
    # What was sent beside the form; it is there until the page has answered.
    file: Path | None = None
    # The last entry of the trail before the page was made; what comes after it renews the page.
    heard: int | None = None

    @property
    def engine(self) -> Engine:
        return self.house.here.engine

    @property
    def projects(self) -> tuple[str, ...] | None:
        """Which projects the viewer sees; None means all of them."""
        return self.viewer.projects if self.viewer.role is Role.CLIENT else None

    @property
    def badge(self) -> str:
        """How much needs the viewer, in few signs; nothing when it is nothing, or cannot be known now."""
        try:
            found = self.house.badge.count(self.projects)
        except WebOrdinaryError:
            return ""
        return f"{found.number}+" if found.is_more else str(found.number or "")

    def shows(self, template: str, status: int = 200, **facts: Any) -> Response:  # noqa: ANN401 - a template takes all
        """Answer with a page."""
        return HTMLResponse(render(template, visit=self, **facts), status)

    def leads_to(self, path: str) -> Response:
        """Answer a form: the browser goes on to another page, so that a reload repeats nothing."""
        return RedirectResponse(path, 303)

    def may(self, role: Role) -> bool:
        return self.viewer.role.includes(role)


@dataclass(frozen=True, slots=True)
class PageRoute:
    """One row of the table of routes; without a role everybody may visit, also without a session."""

    method: str
    path: str
    handler: Callable[[PageVisit], Response]
    role: Role | None = Role.READER
    # The answer does not depend on the caller: one answer (single flight) serves all who ask at the same moment.
    is_shared: bool = False
    # Whether the form may come with a file.
    takes_file: bool = False

    @property
    def needs(self) -> Role:
        """What somebody has to be who gets a shared answer: one who sees every project."""
        return Role.READER if self.role in {None, Role.CLIENT} else self.role
