"""Watches the configuration while the program runs, and says what has become of a change."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.config.live import LiveConfig, changed_projects, changed_sections, keep_copy
from webordinary.reply.outbox import ALARM, Letter

if TYPE_CHECKING:
    from types import TracebackType

    from webordinary.config import Config
    from webordinary.engines.installation import Installation

_LOOK_SECONDS = 1.0
_log = logging.getLogger(__name__)


class ConfigWatch:
    """A thread of its own; every process reads the file by itself, and this one alone tells of it."""

    def __init__(self, here: Installation, live: LiveConfig) -> None:
        self._here = here
        self._live = live
        self._known, self._told = live.config, live.version
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="configuration", daemon=True)

    def __enter__(self) -> None:
        keep_copy(self._known)
        self._thread.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._is_over.set()
        self._thread.join()

    def look(self) -> None:
        """Tell what has changed since the last look, in the trail and, if it is broken, to the agency."""
        now = self._live.config
        version, problem = self._live.version, self._live.problem
        if version == self._told:
            return
        if problem is not None:
            self._tell_broken(problem, version)
        else:
            keep_copy(now)
            self._record(EventType.CONFIGURATION_READ, _difference(self._known, now))
        self._known, self._told = now, version

    def _run(self) -> None:
        while not self._is_over.wait(_LOOK_SECONDS):
            try:
                self.look()
            except Exception:  # noqa: BLE001 - the store may be busy: the next look is a second away
                _log.exception("a change of the configuration could not be told yet")

    def _tell_broken(self, problem: str, version: str) -> None:
        agency = self._here.config.agency.address
        if agency is not None:
            letter = Letter(f"configuration.{version}", ALARM, agency, "configuration_broken", {"reason": problem})
            self._here.engine.outbox.add(letter, self._here.clock.now())
        self._record(EventType.CONFIGURATION_BROKEN, problem)

    def _record(self, what: EventType, text: str) -> None:
        self._here.engine.trail.record(Entry(what, self._here.clock.now().wall_at, text=text))


def _difference(before: Config, after: Config) -> str:
    told = changed_projects(before, after)
    if sections := changed_sections(before, after):
        told.append(f"what is new under {', '.join(sections)} takes effect with the next start")
    return ", ".join(told) or "nothing is different"
