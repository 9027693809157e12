"""Sites of which each project has its own kind of place; previews are always shown by the engine itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from webordinary.routing.project import Target
from webordinary.site.targets.address import Remote
from webordinary.site.targets.git import GitSites
from webordinary.site.targets.remote import Shell
from webordinary.site.targets.rsync import RsyncSites

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from webordinary.routing.project import Project
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


class SitesByTarget:
    """Asks the place that the project is published to: the engine's own, another machine, or nobody at all."""

    def __init__(
        self, own: Sites, find: Callable[[str], Project | None], in_buckets: Mapping[str, Sites] | None = None
    ) -> None:
        self._own = own
        self._find = find
        self._in_buckets = in_buckets or {}

    def add_release(self, project: str, commit: str, built: Path) -> None:
        self._place(project).add_release(project, commit, built)

    def switch_live(
        self, project: str, commit: str, *, lane: str, fence: int, descends: Callable[[str, str], bool]
    ) -> Switched:
        return self._place(project).switch_live(project, commit, lane=lane, fence=fence, descends=descends)

    def advance_fence(self, project: str, lane: str, fence: int) -> None:
        self._place(project).advance_fence(project, lane, fence)

    def live(self, project: str) -> str | None:
        return self._place(project).live(project)

    def releases(self, project: str) -> Sequence[Release]:
        return self._place(project).releases(project)

    def show_preview(self, project: str, thread: str, built: Path) -> None:
        self._own.show_preview(project, thread, built)

    def remove_old(self, project: str, *, keep: int) -> None:
        self._place(project).remove_old(project, keep=keep)

    def _place(self, project: str) -> Live:
        found = self._find(project)
        match found.site.target if found else None:
            case Target.S3 if project in self._in_buckets:
                return self._in_buckets[project]
            case Target.GIT:
                return GitSites()
            case Target.RSYNC if found is not None:
                return RsyncSites(Shell(Remote.read(found.site.to), found.site.ssh))
            case _:
                return self._own
