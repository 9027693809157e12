"""Sites whose host builds them itself: pushing the live branch is publishing, and nothing else is laid anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.site.sites import Release, Switched
from webordinary.site.targets.target import PublishTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webordinary.routing.project import Project, SiteTarget
    from webordinary.site.targets.target import EnginePlaces, Live, SiteTable


class GitTarget(PublishTarget):
    """A host that builds whatever is pushed to the live branch."""

    is_push = True

    def check(self, site: SiteTable, *, own: str) -> Iterator[tuple[str, str]]:  # noqa: ARG002 - the same everywhere
        if site.to is not None:
            yield "to", 'is not asked for with `target = "git"`; remove it'

    def describe(self, site: SiteTarget) -> str:  # noqa: ARG002 - the host builds what is pushed
        return "its host, which builds it"

    def doctor(self, project: Project) -> str | None:  # noqa: ARG002 - the repository is looked at anyway
        return None

    def publish(self, project: Project, engine: EnginePlaces) -> Live:  # noqa: ARG002 - the push was all of it
        return GitSites()


class GitSites:
    """Has neither releases nor a pointer: the push under the lane's fence, which came before, was all of it."""

    def add_release(self, project: str, commit: str, built: Path) -> None:
        """Lay nothing anywhere: what was built here served the checks, the receipt and the preview."""

    def switch_live(
        self,
        project: str,  # noqa: ARG002 - as the port names it
        commit: str,  # noqa: ARG002 - the same
        *,
        lane: str,  # noqa: ARG002 - the same
        fence: int,  # noqa: ARG002 - the same
        descends: Callable[[str, str], bool],  # noqa: ARG002 - the same
    ) -> Switched:
        return Switched.SWITCHED

    def advance_fence(self, project: str, lane: str, fence: int) -> None:
        """Guard nothing more than the repository does, which keeps the lanes' fences too."""

    def live(self, project: str) -> str | None:  # noqa: ARG002 - as the port names it
        return None

    def releases(self, project: str) -> tuple[Release, ...]:  # noqa: ARG002 - as the port names it
        return ()

    def remove_old(self, project: str, *, keep: int) -> None:
        """Remove nothing: what the host keeps is the host's."""
