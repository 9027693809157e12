"""A publish target: what a kind of place checks, says about itself, and how a site gets there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from msgspec import Struct

    from webordinary.routing.project import Project, SiteTarget
    from webordinary.site.sites import Release, Sites, Switched


class Live(Protocol):
    """What of the port belongs to the place of the live site, and not to previews."""

    def add_release(self, project: str, commit: str, built: Path) -> None: ...

    def switch_live(
        self, project: str, commit: str, *, lane: str, fence: int, descends: Callable[[str, str], bool]
    ) -> Switched: ...

    def advance_fence(self, project: str, lane: str, fence: int) -> None: ...

    def live(self, project: str) -> str | None: ...

    def releases(self, project: str) -> Sequence[Release]: ...

    def remove_old(self, project: str, *, keep: int) -> None: ...


class SiteTable(Protocol):
    """What of `[project.site]` a target checks: `to` here, and by name each of the keys that it asks for."""

    @property
    def to(self) -> str | None: ...

    @property
    def options(self) -> Mapping[str, object]: ...


@dataclass(frozen=True, slots=True)
class EnginePlaces:
    """Where the engine itself keeps sites: in its own place, and in buckets that it was told to open."""

    own: Sites
    in_buckets: Mapping[str, Sites] = field(default_factory=dict)


class PublishTarget(ABC):
    """One kind of place; it keeps nothing, and is asked about one project after the other."""

    # The keys that this target reads besides target, to and url. Those of a built-in one stand in `[project.site]`
    # itself and are refused beside other targets, those of one from outside stand in `[project.site.options]`.
    options: ClassVar[type[Struct] | None] = None
    # Whether pushing the live branch is all of the publishing.
    is_push: ClassVar[bool] = False

    @abstractmethod
    def check(self, site: SiteTable, *, own: str) -> Iterator[tuple[str, str]]:
        """Yield each key that is wrong with the rest of a sentence; `own` is the target that the engine itself has."""

    @abstractmethod
    def describe(self, site: SiteTarget) -> str:
        """Return the place in a few words, as lists show it."""

    @abstractmethod
    def doctor(self, project: Project) -> str | None:
        """Return what was seen there, or None where nothing is far away; WebOrdinaryError when it cannot be used."""

    @abstractmethod
    def publish(self, project: Project, engine: EnginePlaces) -> Live:
        """Return the way to the project's place."""
