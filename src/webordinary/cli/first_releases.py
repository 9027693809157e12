"""First releases beside the open doors: after a restore mail is taken at once, and each site comes when it is ready."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.cli.output import say, say_error
from webordinary.errors import WebOrdinaryError
from webordinary.site.targets.registry import TARGETS

if TYPE_CHECKING:
    from webordinary.child import Child
    from webordinary.engines.installation import Installation
    from webordinary.routing.project import Project

# What is away comes back within minutes, or somebody has to put it in order.
_FIRST_PAUSE, _LONGEST_PAUSE = 15.0, 600.0
_GRACE = timedelta(seconds=2)


class FirstReleases:
    """Publishes the live branch of every site of which nothing is shown, one after the other, until all are shown."""

    def __init__(self, here: Installation, *, aloud: bool) -> None:
        self._here = here
        self._aloud = aloud
        self._over = threading.Event()
        self._building: Child | None = None
        self._said: set[str] = set()
        self._thread = threading.Thread(target=self._show_all, name="first releases", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the build that runs; whatever is not shown yet is built after the next start."""
        self._over.set()
        if self._building is not None:
            self._building.stop(_GRACE)
        if self._thread.is_alive():
            self._thread.join()

    def _show_all(self) -> None:
        waiting = [project for project in self._here.config.projects if not self._is_shown(project)]
        if waiting and self._aloud:
            say(f"Sites of which nothing is shown yet: {len(waiting)}. They are built beside the open doors.")
        pause = _FIRST_PAUSE
        while waiting:
            waiting = [project for project in waiting if not self._show(project)]
            if not waiting or self._over.wait(pause):
                return
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _is_shown(self, project: Project) -> bool:
        if TARGETS.find(project.site.target).is_push:
            return True
        with suppress(WebOrdinaryError):
            return self._here.engine.sites.live(project.id) is not None
        return False

    def _show(self, project: Project) -> bool:
        """Return whether nothing more is to be done for a site."""
        from webordinary.cli.release import publish_first  # noqa: PLC0415 - heavy

        if self._over.is_set():
            return True
        try:
            if publish_first(self._here, project, self._watch) and self._aloud:
                say(f"{project.name} is shown as its live branch is.")
        except (WebOrdinaryError, OSError) as problem:
            # Or a job was quicker.
            if self._over.is_set() or self._is_shown(project):
                return True
            self._tell(f"{project.name} cannot be shown yet: {problem}")
            return False
        return True

    def _watch(self, child: Child) -> None:
        self._building = child
        if self._over.is_set():
            child.stop(_GRACE)

    def _tell(self, problem: str) -> None:
        if problem not in self._said:
            self._said.add(problem)
            say_error(problem)
