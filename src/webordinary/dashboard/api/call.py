"""One call of a program, as its handler sees it, and one row of the API's table of routes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from webordinary.actions.role import Role
from webordinary.dashboard.api.shapes import NoQuery
from webordinary.errors import NoSuchThing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from msgspec import Struct
    from starlette.responses import Response

    from webordinary.dashboard.house import House
    from webordinary.dashboard.tokens import ApiToken
    from webordinary.dashboard.viewer import Viewer
    from webordinary.engine import Engine
    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ApiCall:
    """What somebody asks for; query and body have the types that the route names."""

    house: House
    token: ApiToken
    params: Mapping[str, str]
    query: Any
    body: Any
    key: str = ""

    @property
    def viewer(self) -> Viewer:
        return self.token.viewer

    @property
    def here(self) -> Installation:
        return self.house.here

    @property
    def engine(self) -> Engine:
        return self.here.engine

    @property
    def projects(self) -> tuple[str, ...] | None:
        """Which projects this token sees; None means all of them."""
        return self.token.projects if self.token.role is Role.CLIENT else None

    @property
    def is_agency(self) -> bool:
        """Tell whether it is somebody of the agency: everybody but a client."""
        return self.token.role is not Role.CLIENT

    def job(self) -> Job:
        """Return the job of the address."""
        name = self.params["job"]
        found = self.engine.overview.job(name)
        return self.seen(found, found.lane.project if found else None, f"job {name}")

    def seen(self, found: T | None, project: str | None, what: str) -> T:
        """Return what was found, unless it belongs to somebody else."""
        if found is None or not self.viewer.sees(project):
            raise NoSuchThing(f"There is no {what}.")
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRoute:
    """What can be called, by whom, with what and for what."""

    method: str
    path: str
    name: str
    tells: str
    handler: Callable[[ApiCall], Struct | Response]
    # None for a file, which is given as it is.
    answer: type[Any] | None
    role: Role = Role.READER
    query: type[Any] = NoQuery
    body: type[Any] | None = None
    status: int = 200
    # It makes work, so that a program may ask twice with the same key.
    takes_key: bool = False
    params: tuple[str, ...] = field(default=())
