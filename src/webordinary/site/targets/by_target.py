"""Sites of which each project has its own publish target; previews are always shown by the engine itself."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from webordinary.site.targets.registry import TARGETS
from webordinary.site.targets.target import EnginePlaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from webordinary.routing.project import Project
    from webordinary.site.sites import PreviewShown, Release, Sites, Switched
    from webordinary.site.targets.target import Live


class SitesByTarget:
    """Asks the place that the project is published to: the engine's own, another machine, or nobody at all."""

    def __init__(
        self, own: Sites, find: Callable[[str], Project | None], in_buckets: Mapping[str, Sites] | None = None
    ) -> None:
        self._own = own
        self._find = find
        self._engine = EnginePlaces(own, in_buckets or {})

    def add_release(self, project: str, commit: str, built: Path) -> None:
        with self._place(project) as place:
            place.add_release(project, commit, built)

    def take_release(self, project: str, commit: str, built: Path) -> Path:
        with self._place(project) as place:
            if place is self._own:
                return self._own.take_release(project, commit, built)
            place.add_release(project, commit, built)
            return built

    def switch_live(
        self, project: str, commit: str, *, lane: str, fence: int, descends: Callable[[str, str], bool]
    ) -> Switched:
        with self._place(project) as place:
            return place.switch_live(project, commit, lane=lane, fence=fence, descends=descends)

    def advance_fence(self, project: str, lane: str, fence: int) -> None:
        with self._place(project) as place:
            place.advance_fence(project, lane, fence)

    def live(self, project: str) -> str | None:
        with self._place(project) as place:
            return place.live(project)

    def releases(self, project: str) -> Sequence[Release]:
        with self._place(project) as place:
            return place.releases(project)

    def folder_of(self, project: str, commit: str) -> Path | None:
        with self._place(project) as place:
            return self._own.folder_of(project, commit) if place is self._own else None

    def show_preview(self, project: str, thread: str, built: Path) -> None:
        self._own.show_preview(project, thread, built)

    def previews(self, project: str) -> Sequence[PreviewShown]:
        return self._own.previews(project)

    def remove_preview(self, project: str, thread: str) -> None:
        self._own.remove_preview(project, thread)

    def remove_old(self, project: str, *, keep: int) -> None:
        with self._place(project) as place:
            place.remove_old(project, keep=keep)

    @contextmanager
    def _place(self, project: str) -> Iterator[Live]:
        found = self._find(project)
        if found is None:
            yield self._own
            return
        with TARGETS.answering(found.site.target) as target:
            yield target.publish(found, self._engine)
