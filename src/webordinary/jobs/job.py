"""A job: what one mail asks for, from its acceptance to its one final outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime  # noqa: TC003 - a new job is read back from JSON by its annotations
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.jobs.journal import Journal
from webordinary.routing.lane import Lane  # noqa: TC001 - a new job is read back from JSON by its annotations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.jobs.proposals import Proposal
    from webordinary.jobs.schedules import Schedule


class Kind(StrEnum):
    """Where a job comes from."""

    INSTRUCTION = "instruction"
    VERB = "verb"
    REVERT = "revert"
    SCHEDULED = "scheduled"
    ASKED = "asked"


class State(StrEnum):
    """Where a job stands; the last five are final."""

    PREPARING = "preparing"
    QUEUED = "queued"
    RUNNING = "running"
    PARKED = "parked"
    COMMITTING = "committing"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"
    REFUSED = "refused"
    DEAD = "dead"

    @property
    def is_live(self) -> bool:
        return self in LIVE


LIVE = frozenset({State.PREPARING, State.QUEUED, State.RUNNING, State.PARKED, State.COMMITTING})


class Outcome(StrEnum):
    """What `done` means."""

    PUBLISHED = "published"
    PROPOSED = "proposed"
    ASKED = "asked"
    NOTHING_CHANGED = "nothing_changed"
    UNDONE = "undone"
    SCHEDULED = "scheduled"
    ANSWERED = "answered"


class FileKind(StrEnum):
    """What became of an attached file before anybody worked with it."""

    PHOTO = "photo"
    DOCUMENT = "document"
    REFUSED = "refused"
    # A logo in a signature, a tracking pixel: nobody meant it, so nobody is told about it.
    SKIPPED = "skipped"


class FileProblem(StrEnum):
    """Why an attached file was refused; the answer says it in the owner's language."""

    NONE = ""
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"
    TOO_MUCH_TOGETHER = "too_much_together"
    TOO_MANY_PIXELS = "too_many_pixels"
    TOO_MANY_FRAMES = "too_many_frames"
    TOOK_TOO_LONG = "took_too_long"
    ACTIVE_SVG = "active_svg"
    PROGRAM = "program"
    OUTLOOK_PACKET = "outlook_packet"


@dataclass(frozen=True, slots=True)
class PictureVersion:
    """One form of a picture that is ready for a web page; an animation or a vector graphic has only one."""

    content_type: str
    digest: str
    size: int
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that came with the request, kept by its content's hash.

    The name is safe in any folder and its stem is no other file's; the type is what the content says; the digest
    is that of the document, or of the photo's plain version, and empty when nothing was kept; `limit` is the
    number that a refused file broke, with its unit.
    """

    name: str
    content_type: str
    digest: str
    fate: FileKind = FileKind.DOCUMENT
    size: int = 0
    versions: tuple[PictureVersion, ...] = ()
    about: str = ""
    problem: FileProblem = FileProblem.NONE
    limit: str = ""

    @property
    def is_usable(self) -> bool:
        return self.fate in {FileKind.PHOTO, FileKind.DOCUMENT}


@dataclass(frozen=True, slots=True)
class Request:
    """What the person wants, and how the answer finds back into their thread."""

    text: str
    cut: str = ""
    attachments: tuple[Attached, ...] = ()
    reply_to: str | None = None
    message_id: str | None = None
    references: tuple[str, ...] = ()
    # Who asked at a terminal: nobody who could be answered.
    by: str = ""
    # Nothing was asked for in its conversation before.
    opens_thread: bool = False


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job that is about to be accepted."""

    id: str
    lane: Lane
    thread: str
    dedup_key: str
    kind: Kind
    subject: str
    request: Request
    received_at: datetime
    mail: str | None = None
    repeats: str | None = None
    # What a verb, a revert or a schedule is about: a proposal, a commit, a moment.
    about: str | None = None
    # How sure we are of who wrote the mail that asks for it.
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A job as a store keeps it."""

    id: str
    lane: Lane
    thread: str
    sequence: int
    kind: Kind
    state: State
    subject: str
    request: Request
    received_at: datetime
    fence: int = 0
    attempt: int = 0
    interruptions: int = 0
    outcome: Outcome | None = None
    summary: str = ""
    error: str | None = None
    commit: str | None = None
    mail: str | None = None
    repeats: str | None = None
    about: str | None = None
    token: str | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    deadline_at: datetime | None = None
    journal: Journal = field(default_factory=Journal)


@dataclass(frozen=True, slots=True)
class Ending:
    """How an attempt ends its job: a final state, and the template and facts of the owner's answer."""

    state: State
    outcome: Outcome | None = None
    summary: str = ""
    error: str | None = None
    template: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    proposal: Proposal | None = None
    schedules: tuple[Schedule, ...] = ()
    # A failure that says something about the project's health; several in a row pause it.
    blames_project: bool = False
