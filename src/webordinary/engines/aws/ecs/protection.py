"""Protection of a task: ECS is asked not to stop this container while a job runs in it, and only then."""

from __future__ import annotations

import json
import logging
import threading
import urllib.request
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "ECS_AGENT_URI"
# It expires soon after the worker that asked for it is dead; one that waits takes it back, so that a deployment ends.
PROTECTED_MINUTES = 3
_EXTENDED_AFTER_SECONDS = 60.0
_PATIENCE_SECONDS = 2.0

_log = logging.getLogger(__name__)


class TaskProtection:
    """Asked for again and again; outside of ECS it does nothing, and it never fails."""

    def __init__(self, agent: str | None = None) -> None:
        self._agent = agent
        self._lock = threading.Lock()
        self._asked_at: float | None = None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Self:
        """Find the agent of ECS, which tells each container where it is."""
        address = environ.get(VARIABLE, "")
        return cls(address if address.startswith("http://") else None)

    def extend(self, now: float) -> None:
        """Ask for protection unless that was done within the last minute; `now` is of a clock that is never set."""
        if self._agent is None:
            return
        with self._lock:
            if self._asked_at is not None and now - self._asked_at < _EXTENDED_AFTER_SECONDS:
                return
            self._asked_at = now
        self._ask(self._agent, {"ProtectionEnabled": True, "ExpiresInMinutes": PROTECTED_MINUTES})

    def end(self) -> None:
        """Take back what was asked for; a worker that shares the task and has a job asks anew within a minute."""
        with self._lock:
            was_asked, self._asked_at = self._asked_at is not None, None
        if self._agent is not None and was_asked:
            self._ask(self._agent, {"ProtectionEnabled": False})

    def _ask(self, agent: str, what: dict[str, object]) -> None:
        request = urllib.request.Request(  # noqa: S310 - checked to be http
            f"{agent}/task-protection/v1/state",
            json.dumps(what).encode(),
            {"Content-Type": "application/json"},
            method="PUT",
        )
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE_SECONDS) as answer:  # noqa: S310 - the same address
                answer.read(1)
        except (OSError, ValueError) as error:
            # Unprotected is no danger to the job: a stopped worker gives it back, and another one goes on.
            _log.warning("ECS does not protect this task: %s", type(error).__name__)
