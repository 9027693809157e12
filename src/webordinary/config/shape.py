"""Every key of `webordinary.toml`: its type, its default and, below it, the sentence that explains it.

The sentences are what docs/reference/configuration.md is made of.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from webordinary.config.agent import AgentChoice, OwnAgent, PriceSection
from webordinary.config.amazon import AccountNumber, Prefix, Region, StoreArn, TableEnding, TableName
from webordinary.config.dashboard import Dashboard
from webordinary.config.doors import DoorSection, DoorTables
from webordinary.config.figures import TelemetrySection
from webordinary.config.git import GitSection
from webordinary.config.mail import NameServerAddress, Network, Secret
from webordinary.config.oauth import OauthSection
from webordinary.config.options import optional_keys
from webordinary.config.outgoing import OutgoingSection
from webordinary.config.site import SiteSection
from webordinary.config.webhook import WebhookSection
from webordinary.media import MediaLimits
from webordinary.routing.project import AnswerRule, OnNewThread, PublishRule, WhenSpent
from webordinary.site.screenshots.shot import PictureLimits
from webordinary.values import (
    Address,
    Approver,
    AtLeastOne,
    Branch,
    Command,
    Domain,
    Duration,
    Id,
    InsidePath,
    LanguageCode,
    Listen,
    PreviewAddress,
    Repository,
    Section,
    ServerName,
    Timezone,
    Title,
    WebAddress,
    Whole,
)


class SizeSection(Section, frozen=True, kw_only=True):
    """How large the built site may be, and what a change may add to it; above it nothing is published."""

    files: AtLeastOne = 100_000
    """How many files and folders the site may have."""
    megabytes: AtLeastOne = 4_000
    """How many megabytes all of its files may have together, by what they say they have."""
    largest: AtLeastOne = 500
    """How many megabytes one file may have."""


_MEGABYTE = 1_000_000
Pixels = Annotated[int, Meta(ge=100, le=8000)]
# A mail has at most 25 megabytes.
Megabytes = Annotated[int, Meta(ge=1, le=25)]


class Media(Section, frozen=True, kw_only=True):
    """What comes with a mail."""

    long_side: Pixels = 1600
    """How many pixels the longer side of a photo keeps; smaller photos stay as they are."""
    file_megabytes: Megabytes = 20
    """How large one attached file may be; larger ones are refused and the rest of the mail goes on."""

    def limits(self) -> MediaLimits:
        return MediaLimits(long_side=self.long_side, file_bytes=self.file_megabytes * _MEGABYTE)


Pages = Annotated[int, Meta(ge=1, le=10)]


class PicturesMode(StrEnum):
    """Whether answers show the changed pages."""

    AUTO = "auto"
    OFF = "off"


class PicturesSection(Section, frozen=True, kw_only=True):
    """The pictures of changed pages in answers."""

    mode: PicturesMode = PicturesMode.AUTO
    """`auto` shows changed pages before and after when a browser is there, `off` never does."""
    pages: Pages = 3
    """How many pages an answer shows at most."""
    deadline: Duration = Duration(seconds=20)
    """How long all pictures of an answer may take; it then goes out with those that there are."""
    browser: Path | None = None
    """Another Chromium than the one that is on the path."""

    def limits(self) -> PictureLimits:
        return PictureLimits(pages=self.pages, deadline=self.deadline)


Hour = Annotated[int, Meta(ge=0, le=23)]
Processes = Annotated[int, Meta(ge=0, le=1000)]
Dollars = Annotated[float, Meta(ge=0, le=1_000_000)]


class EngineKind(StrEnum):
    """The machinery that an installation runs on."""

    EMBEDDED = "embedded"
    AWS = "aws"


class LogFormat(StrEnum):
    """For whom logs are written."""

    TEXT = "text"
    JSON = "json"


class SandboxMode(StrEnum):
    """How the agent and the build are kept away from the rest of the machine."""

    AUTO = "auto"
    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    UID = "uid"
    NONE = "none"


class Agency(Section, frozen=True, kw_only=True):
    """Who runs this installation."""

    address: Address | None = None
    """The agency's mail address, for reports and for approvals that only the agency may give."""
    welcome: bool = True
    """Whether each new editor gets one mail that says how to write."""
    digest: bool = True
    """Whether the agency gets one mail a day with what waits for it; none when that is nothing."""
    digest_hour: Hour = 8
    """The hour of that mail, by the installation's `timezone`."""


class Mail(Section, frozen=True, kw_only=True):
    """Whom to believe, and how much mail is too much."""

    authserv_id: ServerName | None = None
    """The server whose Authentication-Results are believed, in a polled mailbox and behind a relay."""
    hosts: tuple[ServerName, ...] = ()
    """Other names of your mail servers in their Received lines, such as the one that puts mail into the mailbox."""
    addresses: tuple[Address, ...] = ()
    """Addresses outside of `domain` whose mail is forwarded here; what is written to them is written to you."""
    relays: tuple[Network, ...] = ()
    """The mail servers in front of ours that hand over other people's mail; SPF says nothing about them."""
    dns_server: NameServerAddress | None = None
    """The name server that is asked about senders; those of the machine if it is left out."""
    dns_timeout: Duration = Duration(seconds=5)
    """How long to wait for one answer about a sender."""
    dns_tries: AtLeastOne = 5
    """How often a mail is looked at again because no name server answers; then its sender is unverified."""
    sender_an_hour: AtLeastOne = 30
    """How many mails of one person are taken in an hour; the rest is recorded and not acted on."""
    project_a_day: AtLeastOne = 200
    """How many mails are taken for one project in a day."""
    thread_a_day: AtLeastOne = 10
    """How many automatic mails we send in one thread in a day."""
    reply_key: Secret | None = None
    """The key of the reply addresses; made by itself and kept with the data if it is left out."""


class Aws(Section, frozen=True, kw_only=True):
    """Which installation on AWS, for `engine = "aws"`; region and endpoint also for sites with `target = "s3"`."""

    prefix: Prefix = Prefix("webordinary")
    """What the name of every table, queue, bucket and function begins with."""
    region: Region | None = None
    """The region; what `AWS_REGION` or the profile of the machine says if it is left out."""
    account: AccountNumber | None = None
    """The account's number; `AWS_ACCOUNT_ID`, or the account of the credentials, if it is left out."""
    endpoint: WebAddress | None = None
    """Another server than Amazon's own: one that speaks S3, or for tests and the stack on one's own machine."""
    mail_from: Address | None = None
    """The verified address that SES sends answers from; each answer's own From if it is left out."""
    unclaimed_queue: WebAddress | None = None
    """The address of the unclaimed queue; `UNCLAIMED_QUEUE_URL` or the one of that prefix if it is left out."""
    ownership_table: TableName | None = None
    """The table of the lanes; `OWNERSHIP_TABLE_NAME` or the one of that prefix if it is left out."""
    jobs_table: TableName | None = None
    """The table of the jobs; `ACTIVE_JOBS_TABLE` or the one of that prefix if it is left out."""
    restored: TableEnding | None = None
    """What the names of all tables end with after a restore to a moment of the past; nothing if it is left out."""
    key_value_store: StoreArn | None = None
    """The ARN of CloudFront's key-value store that leads visitors to releases; without it nothing is written there."""


class Workers(Section, frozen=True, kw_only=True):
    """How many workers there are, and how long things may take."""

    count: Processes = 2
    """How many worker processes `webordinary serve` starts."""
    lease: Duration = Duration(seconds=30)
    """How long a worker owns a lane without saying that it still lives."""
    beat: Duration = Duration(seconds=5)
    """How often a worker with a job extends its lease; shorter than `lease`."""
    idle_lease: Duration = Duration(seconds=30)
    """How long an idle worker owns its lane without saying that it still lives."""
    idle_beat: Duration = Duration(seconds=10)
    """How often an idle owner extends its lease; shorter than `idle_lease`."""
    idle_release: Duration = Duration(minutes=30)
    """How long an idle worker keeps a lane warm when nobody else waits."""
    look: Duration = Duration(seconds=1)
    """How often an idle worker looks for work although nobody has called it."""
    sweep: Duration = Duration(seconds=1)
    """How often every worker looks for what was forgotten or is overdue."""
    git_look: Duration = Duration(minutes=5)
    """How often a repository is asked whether somebody has pushed to its live branch."""
    prepare_by: Duration = Duration(minutes=5)
    """How long the attachments of a mail may take before its job fails with an answer."""
    patience: Duration = Duration(hours=24)
    """How long a job may wait for a worker before it fails with an answer."""
    deadline: Duration = Duration(minutes=20)
    """How long a job may take before it fails with its work kept aside."""
    attempts: AtLeastOne = 3
    """How often a job is tried before it is buried."""
    backoff: tuple[Duration, ...] = (Duration(seconds=10), Duration(seconds=60))
    """How long to wait before the second and each later attempt; the last one repeats."""
    overload: tuple[Duration, ...] = tuple(Duration(minutes=each) for each in (1, 2, 5, 10, 20, 30))
    """How long to wait while the model has too much to do, each time longer, until `patience`; costs no attempt."""
    first_interrupt_after: Duration = Duration(seconds=20)
    """How long a job runs at least before a newer mail may interrupt it."""
    interruptions: Whole = 2
    """How often a job may be interrupted; after that it runs to its end."""
    drain: Duration = Duration(seconds=10)
    """How long a stopping worker may take to give its job back."""
    drain_committing: Duration = Duration(seconds=30)
    """How long a stopping worker may take when its job is already being published."""
    breaker: AtLeastOne = 3
    """After how many failed jobs in a row a project is paused."""


class SandboxSection(Section, frozen=True, kw_only=True):
    """How far the agent and the build can reach."""

    mode: SandboxMode = SandboxMode.AUTO
    """`auto` takes the best that works here: `bubblewrap`, else `landlock`, else `uid`; `none` is for trials."""


class OwnSandbox(Section, frozen=True, kw_only=True):
    """How far this site's agent and build can reach."""

    mode: SandboxMode | None = None
    """As in `[sandbox]`, for this project alone."""


class Preview(Section, frozen=True, kw_only=True):
    """Where previews and local sites are shown."""

    listen: Listen = Listen(("127.0.0.1", 8080))
    """Where the preview server waits for browsers."""
    url: PreviewAddress | None = None
    """The public address of a preview, with `{thread}` and `{project}`; else they open only here."""

    def address(self, thread: str, project: str, port: int) -> str:
        """Return the address of one preview; the port is the one that was really bound."""
        pattern = self.url or f"http://{{thread}}.{{project}}.localhost:{port}/"
        return pattern.replace("{thread}", thread).replace("{project}", project)


class Logs(Section, frozen=True, kw_only=True):
    """What the long-running commands say."""

    format: LogFormat = LogFormat.TEXT
    """`text` for people, or `json`: one line for each event, without anybody's words in it."""


class BudgetSection(Section, frozen=True, kw_only=True):
    """What the agent may use up for each site; over it a job fails with its work kept aside."""

    usd: Dollars = 2.0
    """What one job may cost, in US dollars."""
    turns: AtLeastOne = 40
    """How many turns the agent has for one job."""
    minutes: AtLeastOne = 15
    """How many minutes the agent has for one job."""
    usd_a_day: Dollars = 20.0
    """What all jobs of the project may cost in a day, in US dollars."""
    usd_a_day_each: Dollars | None = None
    """What the jobs of each editor may cost in a day, in US dollars; no such limit if it is left out."""
    usd_a_month: Dollars | None = None
    """What all jobs of the project may cost in a month, in US dollars; no such limit if it is left out."""
    when_spent: WhenSpent = WhenSpent.FAIL
    """When the money of the day or the month is spent, `fail` ends a job; `wait` keeps it until there is some again."""
    repairs: Whole = 2
    """How often the agent may mend what the build and the checks find in its edit, within these limits; 0 is never."""
    looks: Whole = 20
    """How often the agent may look at the built pages in one job; 0 is never."""


if TYPE_CHECKING:
    OwnBudget = BudgetSection
else:
    OwnBudget = optional_keys(
        BudgetSection, "OwnBudget", "What this site's agent may use up; what is left out is as in `[budget]`."
    )


class RetentionSection(Section, frozen=True, kw_only=True):
    """How long things are kept."""

    raw_mail: Duration = Duration(days=30)
    """How long mails are kept as they came."""
    interruptions: Duration = Duration(days=30)
    """How long the work of interrupted jobs is kept."""
    releases: AtLeastOne = 20
    """How many releases of the site are kept."""


class KeepingSection(Section, frozen=True, kw_only=True):
    """How long the installation keeps what nothing needs any more; each project has a `retention` of its own too."""

    jobs: Duration = Duration(days=180)
    """Ended jobs with what is noted of their mails, their conversations and branches; each lane keeps its newest 20."""
    letters: Duration = Duration(days=30)
    """The words of mails that were sent; that they were is known for as long as their job."""
    previews: Duration = Duration(days=30)
    """Previews, since they were last made anew."""
    request_keys: Duration = Duration(days=400)
    """The keys by which a mail that comes a second time is known."""
    remote_branches: bool = True
    """Whether branches of ended conversations are also removed from the sites' repositories."""


class EditorSection(Section, frozen=True, kw_only=True):
    """One person who may edit the site."""

    user: Id
    """The person's name in lanes and addresses, such as `scott`."""
    address: Address
    """The address the person writes from; upper and lower case do not matter, dots and plus tags do."""
    language: LanguageCode | None = None
    """The language of this person's answers; the project's if it is left out."""
    default_instruction: str | None = None
    """Put before each request of this person, and used alone when a mail has only photos."""


class ProjectSection(Section, frozen=True, kw_only=True):
    """One website."""

    id: Id
    """The project's name in addresses and lanes, such as `amelia`."""
    repository: Repository
    """The site's git repository, a folder or an address."""
    name: Title | None = None
    """The name that people read; the id if it is left out."""
    group: Title | None = None
    """The group that the agency sorts it under, such as `Hotels`: lists can be filtered by it."""
    branch: Branch = Branch("main")
    """The branch whose build is the live site."""
    build: Command = Command()
    """The command that builds the site, run in the repository without a shell; none for plain HTML."""
    output: InsidePath = InsidePath(".")
    """The folder inside the repository that holds the built site."""
    publish: PublishRule = PublishRule.AUTO
    """Whether a change that passes the checks goes live (`auto`) or waits for an approver's `ok`."""
    approvers: tuple[Approver, ...] = ()
    """Editors' users, or addresses, that may say `ok`; all editors of the project if it is left out."""
    answers: AnswerRule = AnswerRule.SEND
    """Whether an answer goes out by itself (`send`) or waits until somebody of the agency releases it (`hold`)."""
    on_new_thread: OnNewThread = OnNewThread.INTERRUPT
    """A newer mail in another thread: `interrupt` runs it first, `queue` waits, `drop` ends the older job."""
    allowed_paths: tuple[InsidePath, ...] = ()
    """Patterns of the files that may change; if left out, all that holds content, and nothing else."""
    templates: bool = False
    """Whether mails may also change templates, such as layouts and `.astro` files: they run when the site is built."""
    max_files: AtLeastOne = 20
    """How many files one job may change before the agency has to approve."""
    max_deleted_lines: Whole = 400
    """How many lines one job may delete before the agency has to approve."""
    max_unexplained: Whole = 0
    """How many texts may change on pages that a request does not speak of before somebody has to say `ok`."""
    idle_release: Duration | None = None
    """As in `[workers]`, for this project alone."""
    timezone: Timezone | None = None
    """The project's time zone; the installation's if it is left out."""
    language: LanguageCode | None = None
    """The project's language; the installation's if it is left out."""
    size: SizeSection = SizeSection()
    agent: OwnAgent = OwnAgent()
    sandbox: OwnSandbox = OwnSandbox()
    budget: OwnBudget = OwnBudget()
    retention: RetentionSection = RetentionSection()
    site: SiteSection = SiteSection()
    git: GitSection = GitSection()
    editor: tuple[EditorSection, ...] = ()


class File(DoorTables, frozen=True, kw_only=True):
    """The whole installation."""

    domain: Domain
    """The mail domain that people write to, such as `edit.example.com`."""
    data: Path = Path("data")
    """The folder for mails, the database, checkouts and sites."""
    engine: EngineKind = EngineKind.EMBEDDED
    """The machinery underneath."""
    timezone: Timezone = Timezone("UTC")
    """The time zone of dates and days."""
    language: LanguageCode = LanguageCode("en")
    """The language of answers."""
    demo: bool = False
    """Marks the configuration of a demo, the only one that may trust local mail."""
    agency: Agency = Agency()
    oauth: tuple[OauthSection, ...] = ()
    door: tuple[DoorSection, ...] = ()
    mail: Mail = Mail()
    media: Media = Media()
    outgoing: OutgoingSection
    aws: Aws = Aws()
    workers: Workers = Workers()
    agent: AgentChoice = AgentChoice()
    price: tuple[PriceSection, ...] = ()
    budget: BudgetSection = BudgetSection()
    sandbox: SandboxSection = SandboxSection()
    git: GitSection = GitSection()
    preview: Preview = Preview()
    pictures: PicturesSection = PicturesSection()
    dashboard: Dashboard = Dashboard()
    logs: Logs = Logs()
    telemetry: TelemetrySection = TelemetrySection()
    retention: KeepingSection = KeepingSection()
    webhook: tuple[WebhookSection, ...] = ()
    project: tuple[ProjectSection, ...] = ()
