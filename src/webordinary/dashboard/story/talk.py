"""What the agent said and did: its transcript page by page, or what it said while it worked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.agent.transcript import TranscriptLine, read_transcript
from webordinary.audit.entry import EventType
from webordinary.dashboard.story.excerpt import plain
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.audit.entry import Entry
    from webordinary.jobs.job import Job
    from webordinary.mail.inbox import Inbox

ON_A_PAGE = 100
_LARGEST_READ = 20_000_000


@dataclass(frozen=True, slots=True)
class TranscriptPage:
    """Some moments of a session, which page of how many that is, and where all of it can be had."""

    lines: tuple[TranscriptLine, ...]
    page: int = 1
    pages: int = 1
    total: int = 0
    digest: str = ""


def talk_of(inbox: Inbox, job: Job, entries: Sequence[Entry], page: int = 1) -> TranscriptPage:
    """Return a page of what was said; an agent without a transcript is known by what it said in the trail."""
    digest = job.journal.transcript or ""
    lines = _read(inbox, digest) if digest else _from_trail(entries)
    pages = max(1, -(-len(lines) // ON_A_PAGE))
    page = min(max(page, 1), pages)
    shown = lines[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]
    return TranscriptPage(
        tuple(TranscriptLine(each.who, plain(each.text)) for each in shown), page, pages, len(lines), digest
    )


def _read(inbox: Inbox, digest: str) -> list[TranscriptLine]:
    try:
        return read_transcript(inbox.read_file(digest)[:_LARGEST_READ])
    except WebOrdinaryError:
        return []


def _from_trail(entries: Sequence[Entry]) -> list[TranscriptLine]:
    said = sorted((each for each in entries if each.what is EventType.AGENT_SAID), key=lambda each: each.number)
    return [TranscriptLine("tool" if each.facts.get("kind") == "used" else "assistant", each.text) for each in said]
