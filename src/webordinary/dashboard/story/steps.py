"""The steps of a job as its page shows them: the newest first, with how long each took and what it cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.dashboard.story.for_clients import entry_for_client

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import timedelta

    from webordinary.audit.entry import Entry
    from webordinary.audit.trail import Trail

AT_ONCE = 200
_TONES = {
    EventType.JOB_DONE: "done",
    EventType.ANSWERED: "done",
    EventType.JOB_FAILED: "sorry",
    EventType.JOB_DEAD: "sorry",
    EventType.JOB_STOPPED: "sorry",
    EventType.ANSWER_GIVEN_UP: "sorry",
    EventType.LEASE_LAPSED: "sorry",
    EventType.AGENT_SAID: "faint",
}


# What the agent, the build and the checks say is the agency's; a client reads the steps that are listed here.
_INNER = frozenset({EventType.STEP, EventType.AGENT_SAID})
# What became of an answer before it went out is between the agency and us, as is whom else we have told.
_BEHIND = frozenset(
    {
        EventType.ANSWER_HELD,
        EventType.ANSWER_EDITED,
        EventType.ANSWER_RELEASED,
        EventType.ANSWER_TAKEN_BACK,
        EventType.WEBHOOK_GIVEN_UP,
    }
)
_ON_ANSWERS = frozenset({"release-answer", "edit-answer", "take-back-answer"})
_FOR_CLIENTS = frozenset(
    {
        "checked out", "came from git", "released from git", "agent started", "timed", "edited", "built",
        "previewed", "kept", "reverted", "pushed", "published", "pictured",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StepLine:
    """One thing that happened; `took` is the time since the one before it."""

    entry: Entry
    took: timedelta | None
    usd: float | None = None

    @property
    def tone(self) -> str:
        if self.entry.text == "build broke":
            return "sorry"
        return _TONES.get(self.entry.what, "")

    @property
    def log(self) -> str:
        """Return under which name the log of a build is kept."""
        return self.entry.facts.get("build_log", "") if self.entry.what is EventType.STEP else ""


@dataclass(frozen=True, slots=True)
class StepPage:
    """Some steps, and the number before which the older ones stand, if there are any."""

    lines: tuple[StepLine, ...]
    older: int | None = None

    @property
    def entries(self) -> list[Entry]:
        return [line.entry for line in self.lines]


def is_for_clients(entry: Entry) -> bool:
    """Tell whether somebody may read a step who is not of the agency."""
    if entry.what in _BEHIND or entry.facts.get("action") in _ON_ANSWERS:
        return False
    return entry.what not in _INNER or (entry.what is EventType.STEP and entry.text in _FOR_CLIENTS)


def shown_to_clients(entries: Iterable[Entry], *, is_unread: bool) -> list[Entry]:
    """Return the steps that a client reads, as they read them."""
    read = (entry for entry in entries if is_for_clients(entry))
    return [entry_for_client(entry, is_unread=is_unread) for entry in read]


def newest_steps(
    trail: Trail, job: str, before: int | None = None, *, to_agency: bool = True, is_unread: bool = False
) -> StepPage:
    """Return the newest steps, or the newest before an entry, as far as somebody may read them."""
    # One more, because the duration of the last one shown begins with it.
    found = trail.newest(limit=AT_ONCE + 1, job=job, before=before)
    lines = [_line(entry, found[at - 1] if at else None) for at, entry in enumerate(found)]
    shown = lines if len(found) <= AT_ONCE else lines[1:]
    read = [line for line in reversed(shown) if to_agency or is_for_clients(line.entry)]
    if not to_agency:
        read = [replace(line, entry=entry_for_client(line.entry, is_unread=is_unread)) for line in read]
    return StepPage(tuple(read), found[1].number if len(found) > AT_ONCE else None)


def letters_in(entries: Sequence[Entry]) -> dict[str, Entry]:
    """Return the kinds of letters that were sent or tried, each with the last that is known of it."""
    told = {EventType.ANSWERED, EventType.ANSWER_DELAYED, EventType.ANSWER_GIVEN_UP}
    in_order = sorted((entry for entry in entries if entry.what in told), key=lambda entry: entry.number)
    return {entry.facts.get("kind", "answer"): entry for entry in in_order}


def _line(entry: Entry, before: Entry | None) -> StepLine:
    cost = entry.facts.get("usd") if entry.what is EventType.STEP else None
    return StepLine(entry, entry.at - before.at if before else None, _money(cost))


def _money(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
