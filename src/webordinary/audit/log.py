"""Structured logs: one line of JSON for each event, with what it is about and never with anybody's words.

Mail texts, subjects, agents' words, error texts of others and addresses stay out: only our own messages, names and
numbers of the glossary are written.
"""

from __future__ import annotations

import json
import logging
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any

from webordinary.audit.entry import EventType
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.audit.entry import Entry

_trail = logging.getLogger("webordinary.trail")
_context: ContextVar[Mapping[str, object]] = ContextVar("about", default={})  # noqa: B039 - never changed, only replaced

# Facts that we ourselves have made; all others may hold what somebody wrote.
_FACTS = frozenset(
    {
        "attempt", "build_s", "commit", "code", "interruption", "kind", "lanes", "outcome", "sequence", "took_s",
        "tries", "usd", "verdict", "wait_s", "waited_s",
    }
)  # fmt: skip
_OWN_WORDS = {
    EventType.STEP,
    EventType.WORKER_GONE,
    EventType.CONFIGURATION_READ,
    EventType.CONFIGURATION_BROKEN,
}


class JsonLines(logging.Formatter):
    """Formats a record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage() if record.name.startswith("webordinary") else record.msg,
            "logger": record.name,
            **_context.get(),
            **getattr(record, "about", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            told["error"] = _error(record.exc_info[1])
        return json.dumps({name: value for name, value in told.items() if value is not None}, default=str)


def write_logs_to(stream: IO[str], level: int = logging.INFO) -> None:
    """Let this process log lines of JSON and nothing else."""
    writer = logging.StreamHandler(stream)
    writer.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [writer]
    root.setLevel(logging.WARNING)
    logging.getLogger("webordinary").setLevel(level)


class about:  # noqa: N801 - a block that is written like a call
    """Put these facts on every line that this thread logs in the block."""

    __slots__ = ("_facts", "_token")

    def __init__(self, **facts: object) -> None:
        self._facts = facts

    def __enter__(self) -> None:
        self._token = _context.set({**_context.get(), **self._facts})

    def __exit__(self, *_error: object) -> None:
        _context.reset(self._token)


def log_entry(entry: Entry, execution: str | None = None) -> None:
    """Log an entry of the trail, without the words in it."""
    if _trail.isEnabledFor(logging.INFO):
        _trail.info(entry.what.value, extra={"about": describe(entry, execution)})


def line_of(entry: Entry) -> str:
    """Return an entry of the trail as a line of the log."""
    time = entry.at.isoformat(timespec="milliseconds")
    return json.dumps({"time": time, "level": "info", "event": entry.what.value, **describe(entry)}, default=str)


def describe(entry: Entry, execution: str | None = None) -> dict[str, Any]:
    """Return what an entry is about, as its log line says it."""
    facts = {name: value for name, value in entry.facts.items() if name in _FACTS}
    told = {
        "message": entry.mail,
        "lane": entry.lane,
        "thread": entry.thread,
        "job": entry.job,
        "fence": entry.fence,
        "worker": entry.worker,
        "execution": execution,
        "step": entry.text if entry.what in _OWN_WORDS else None,
        **facts,
    }
    return {name: value for name, value in told.items() if value is not None}


def _error(error: BaseException) -> dict[str, object]:
    """Say what went wrong and where; the text of a foreign error may quote what somebody wrote."""
    frames = traceback.extract_tb(error.__traceback__)
    where = [f"{frame.filename.rpartition('/webordinary/')[2]}:{frame.lineno}" for frame in frames[-5:]]
    told: dict[str, object] = {"type": type(error).__name__, "where": where}
    return {**told, "family": _family(error)} if isinstance(error, WebOrdinaryError) else told


def _family(error: WebOrdinaryError) -> str:
    """Return the branch of the error tree, which says what was done about it."""
    branches = [kind.__name__ for kind in type(error).__mro__ if WebOrdinaryError in kind.__bases__]
    return branches[0] if branches else type(error).__name__
