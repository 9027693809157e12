"""What the API takes and gives: these types are checked at the door, and the OpenAPI document is made from them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Generic, TypeVar

from msgspec import Meta, Struct

from webordinary.jobs.job import Outcome, State
from webordinary.mail.outcomes import MailOutcome

MOST = 200
USUAL = 50
T = TypeVar("T")
Limit = Annotated[int, Meta(ge=1, le=MOST, description="How many at most.")]
Cursor = Annotated[str, Meta(max_length=200, description="The `next` of the page before; nothing for the first one.")]
Name = Annotated[str, Meta(min_length=1, max_length=200)]


class Given(Struct, frozen=True, kw_only=True):
    """What the API gives."""


class SentByProgram(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the API takes; a key that it does not know is refused."""


class Paged(Given, Generic[T], frozen=True, kw_only=True):
    """One page of a list; without `next` it is the last one."""

    items: list[T]
    next: str | None = None


class NoQuery(SentByProgram, frozen=True):
    """Nothing can be asked for."""


class PageQuery(SentByProgram, frozen=True, kw_only=True):
    after: Cursor = ""
    limit: Limit = USUAL


class JobsQuery(PageQuery, frozen=True, kw_only=True):
    state: State | None = None
    project: Name | None = None
    lane: Name | None = None


class MailsQuery(PageQuery, frozen=True, kw_only=True):
    outcome: MailOutcome | None = None
    project: Name | None = None


class TrailQuery(SentByProgram, frozen=True, kw_only=True):
    after: Annotated[int, Meta(ge=0, le=2**62, description="The number of the last entry that is known.")] = 0
    limit: Limit = USUAL
    job: Name | None = None
    lane: Name | None = None


class SearchQuery(PageQuery, frozen=True, kw_only=True):
    words: Annotated[
        str, Meta(max_length=500, description="All of them have to be there; a star ends a beginning.")
    ] = ""


class HitShape(Given, frozen=True, kw_only=True):
    """Something that has all the words."""

    kind: str
    id: str
    at: datetime
    title: str
    excerpt: str
    job: str | None
    project: str | None


class LaneShape(Given, frozen=True, kw_only=True):
    lane: str
    project: str
    owner: str | None
    fence: int
    pending: int
    running: str | None
    lease_until: datetime | None
    paused: str | None


class WorkerShape(Given, frozen=True, kw_only=True):
    worker: str
    idle: bool
    seen_at: datetime
    claims_won: int
    claims_lost: int
    claims_failed: int
    holds_back_until: datetime | None


class JobShape(Given, frozen=True, kw_only=True):
    id: str
    project: str
    user: str
    lane: str
    thread: str
    kind: str
    state: State
    outcome: Outcome | None
    subject: str
    summary: str
    error: str | None
    commit: str | None
    attempt: int
    interruptions: int
    mail: str | None
    repeats: str | None
    usd: float
    received_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class EntryShape(Given, frozen=True, kw_only=True):
    number: int
    at: datetime
    what: str
    told: Annotated[str, Meta(description="The same in one plain sentence.")]
    lane: str | None
    thread: str | None
    job: str | None
    mail: str | None
    worker: str | None


class PendingShape(Given, frozen=True, kw_only=True):
    """What a job that is done still waits for."""

    for_what: Annotated[str, Meta(description="`ok` or `answer`")]
    for_agency: bool = False
    reasons: list[str] = []
    question: str = ""
    choices: list[str] = []
    preview: str = ""
    expires_at: datetime | None = None


class StoryShape(Given, frozen=True, kw_only=True):
    """A job with its story; the newest steps stand last."""

    job: JobShape
    request: str
    cut: str
    asked_by: str
    steps: list[EntryShape]
    receipt: Annotated[list[str], Meta(description="What a visitor notices, line by line.")]
    preview: str
    waits: PendingShape | None
    actions: Annotated[list[str], Meta(description="What this token may do to it now.")]


class LineShape(Given, frozen=True, kw_only=True):
    """One line of what the agent said and did."""

    who: str
    text: str


class LetterShape(Given, frozen=True, kw_only=True):
    """A mail of ours; without a subject it has not been written yet, or is no longer kept."""

    kind: str
    state: str
    at: datetime | None
    to: str
    subject: str
    text: str


class TextShape(Given, frozen=True, kw_only=True):
    """A piece of a text, and how many bytes there are of it."""

    text: str
    size: int
    is_cut: bool


class FindingShape(Given, frozen=True, kw_only=True):
    """What was found in a change, under one heading."""

    heading: str
    lines: list[str]


class ChangedFileShape(Given, frozen=True, kw_only=True):
    path: str
    added: int
    removed: int
    lines: Annotated[list[str], Meta(description="As `git diff` writes them.")]


class ChangeShape(Given, frozen=True, kw_only=True):
    files: list[ChangedFileShape]
    source: str
    is_cut: bool


class WorkShape(Given, frozen=True, kw_only=True):
    """What the agency works with; what is not known, or no longer kept, is null."""

    findings: list[FindingShape]
    change: ChangeShape | None
    log: TextShape | None
    no_pictures: Annotated[str, Meta(description="Why there are no pictures, if there are none.")]


class FileShape(Given, frozen=True, kw_only=True):
    """A file of a job; without a digest nothing of it can be had, and `problem` says why."""

    name: str
    origin: Annotated[
        str, Meta(description="`request` if it came with the request, `work` if the work left it behind.")
    ]
    content_type: str
    digest: Annotated[str | None, Meta(description="Its name under `/jobs/{job}/files/`.")]
    thumbnail: Annotated[str | None, Meta(description="The same for the smallest version of a picture.")] = None
    fate: str = ""
    problem: str = ""
    size: Annotated[int | None, Meta(description="The bytes that came.")] = None


class PictureShape(Given, frozen=True, kw_only=True):
    """A picture of a page; its digest is its name under `/jobs/{job}/files/`."""

    digest: str
    content_type: str
    width: int
    height: int


class SceneShape(Given, frozen=True, kw_only=True):
    """One page on one kind of screen, before and after; one is null if the page came or went."""

    title: str
    path: str
    screen: str
    before: PictureShape | None
    after: PictureShape | None


class MailShape(Given, frozen=True, kw_only=True):
    id: str
    door: str
    sender: str | None
    recipients: list[str]
    subject: str
    state: str
    outcome: MailOutcome | None
    reason: str | None
    project: str | None
    job: str | None
    thread: str | None
    verdict: str | None
    method: str | None
    reasons: list[str]
    received_at: datetime


class MailStoryShape(Given, frozen=True, kw_only=True):
    """A mail with its words; without a text its bytes are no longer kept."""

    mail: MailShape
    became: str
    text: TextShape | None
    cut: TextShape | None
    headers: list[tuple[str, str]]
    files: list[str]
    letters: list[LetterShape]


class HeldShape(Given, frozen=True, kw_only=True):
    """An answer that waits for the agency's eye."""

    job: str
    project: str
    lane: str
    thread: str
    to: str
    tells: Annotated[str, Meta(description="What it tells, such as `published` or `question`.")]
    held_at: datetime


class HeldAnswerShape(Given, frozen=True, kw_only=True):
    """The same as it would go out; only `words` can be edited."""

    held: HeldShape
    subject: str
    text: str
    words: str


class EditorShape(Given, frozen=True, kw_only=True):
    project: str
    user: str
    address: str
    language: str


class ProjectShape(Given, frozen=True, kw_only=True):
    id: str
    name: str
    repository: str
    branch: str
    group: str | None
    publish: str
    answers: Annotated[str, Meta(description="`send`, or `hold` for the agency's eye.")]
    on_new_thread: str
    approvers: list[str]
    address: str
    paused: str | None
    editors: list[EditorShape]


class ReleaseShape(Given, frozen=True, kw_only=True):
    commit: str
    added_at: datetime
    is_live: bool


class PlanShape(Given, frozen=True, kw_only=True):
    """A planned change."""

    id: str
    project: str
    lane: str
    thread: str
    job: str
    what: str
    at: datetime
    until: datetime | None


class CostShape(Given, frozen=True, kw_only=True):
    jobs: int
    usd: float


class SpendingShape(Given, frozen=True, kw_only=True):
    project: str
    day: date
    usd_today: float
    usd_a_day: float
    allowed_today: float
    usd_this_month: float
    usd_a_month: float | None
    outcomes: dict[str, CostShape]


class SettleShape(Given, frozen=True, kw_only=True):
    """An action that settles a need, and what it is done to."""

    action: str
    target: str


class NeedShape(Given, frozen=True, kw_only=True):
    """Something that waits for a person."""

    kind: str
    title: str
    reason: str
    otherwise: Annotated[str, Meta(description="What happens if nobody does anything.")]
    until: datetime | None
    since: datetime | None
    project: str | None
    settles: list[SettleShape]


class DoneShape(Given, frozen=True, kw_only=True):
    """What was done."""

    sentence: str
    job: str | None


class JobAsked(SentByProgram, frozen=True, kw_only=True):
    """A change that is asked for, as if an editor had written a mail."""

    project: Annotated[str, Meta(min_length=1, max_length=60)]
    user: Annotated[str, Meta(min_length=1, max_length=60, description="The editor in whose name it is done.")]
    words: Annotated[str, Meta(min_length=1, max_length=100_000, pattern=r"\S", description="What should change.")]


class ToldProblem(Given, frozen=True, kw_only=True):
    """Why something was not done, in the form of RFC 9457."""

    type: str
    title: str
    status: int
    detail: str


class WhoShape(Given, frozen=True, kw_only=True):
    """Whom a token stands for."""

    name: str
    role: str
    projects: list[str]
