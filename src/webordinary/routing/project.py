"""A project: one website, the people who may edit it, where it is published and its rules."""

from __future__ import annotations

import string
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

# What most git servers take for any token.
USUAL_USER = "x-access-token"
# The publish targets that an engine itself has: the one of this machine, and the one of AWS.
FOLDER, S3 = "folder", "s3"

# `edit@` finds the project by its sender and `re+` begins our reply addresses; the others belong to every
# mail domain. A project of such a name could never be written to.
RESERVED_IDS = frozenset({"edit", "re", "postmaster", "abuse", "mailer-daemon"})

# Only A to Z: full Unicode lowering would make the Kelvin sign a "k", and a look-alike domain an editor's.
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def fold_address(address: str) -> str:
    """Return the form in which two mail addresses are compared; dots and plus tags stay what they are."""
    return address.translate(_LOWER)


class PublishRule(StrEnum):
    """What happens to a change that passed the checks."""

    AUTO = "auto"
    APPROVE = "approve"


class AnswerRule(StrEnum):
    """Whether an answer goes out by itself or waits for somebody of the agency."""

    SEND = "send"
    HOLD = "hold"


class OnNewThread(StrEnum):
    """What a newer mail in another thread of the same lane does to the running job."""

    INTERRUPT = "interrupt"
    QUEUE = "queue"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Editor:
    """A person who may edit a project, known by mail address."""

    user: str
    address: str
    language: str = "en"
    default_instruction: str | None = None


class WhenSpent(StrEnum):
    """What becomes of a job when the money of the day or the month is spent."""

    FAIL = "fail"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Budget:
    """What one job may cost, and what a project may cost in a day and in a month."""

    usd: float = 2.0
    turns: int = 40
    minutes: int = 15
    usd_a_day: float = 20.0
    usd_a_day_each: float | None = None
    repairs: int = 2
    looks: int = 20
    usd_a_month: float | None = None
    when_spent: WhenSpent = WhenSpent.FAIL

    @property
    def time_limit(self) -> timedelta:
        """How long the agent may work on one job."""
        return timedelta(minutes=self.minutes)


@dataclass(frozen=True, slots=True)
class Retention:
    """How long what is no longer needed is kept."""

    raw_mail: timedelta = timedelta(days=30)
    interruptions: timedelta = timedelta(days=30)
    releases: int = 20


@dataclass(frozen=True, slots=True)
class Size:
    """How large a site may be, and what one change may add to it: in files, in megabytes, and in those of one file."""

    files: int = 100_000
    megabytes: int = 4_000
    largest: int = 500


@dataclass(frozen=True, slots=True)
class Rules:
    """What a project allows; no approvers means its editors, no allowed paths means content only."""

    publish: PublishRule = PublishRule.AUTO
    approvers: tuple[str, ...] = ()
    on_new_thread: OnNewThread = OnNewThread.INTERRUPT
    allowed_paths: tuple[str, ...] = ()
    templates: bool = False
    max_files: int = 20
    max_deleted_lines: int = 400
    max_unexplained: int = 0
    size: Size = field(default_factory=Size)
    budget: Budget = field(default_factory=Budget)
    idle_release: timedelta = timedelta(minutes=30)
    timezone: str = "UTC"
    language: str = "en"
    retention: Retention = field(default_factory=Retention)
    answers: AnswerRule = AnswerRule.SEND


@dataclass(frozen=True, slots=True)
class SshAccess:
    """What lets us in at a server by SSH, and how it is known: where the key lies, never the key itself."""

    ssh_key_file: str | None = None
    ssh_key_variable: str | None = None
    known_hosts: str | None = None
    host_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteTarget:
    """Where a site is published: the publish target's name, the place, and its public address if it has one.

    The options are the target's own keys: what lets us in there, never a secret itself.
    """

    target: str
    to: str
    url: str | None = None
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GitAccess:
    """What lets us in at a repository: where each secret lies, never the secret itself; and whom commits name."""

    ssh_key_file: str | None = None
    ssh_key_variable: str | None = None
    known_hosts: str | None = None
    host_keys: tuple[str, ...] = ()
    token_file: str | None = None
    token_variable: str | None = None
    # A token or a key, by what the repository's address asks for, that the engine keeps under this name.
    secret: str | None = None
    user: str = USUAL_USER
    mail_addresses: bool = False

    @property
    def ssh(self) -> SshAccess:
        return SshAccess(self.ssh_key_file, self.ssh_key_variable, self.known_hosts, self.host_keys)


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """What a million tokens of a model cost, in US dollars; the name is the beginning of those that it is for."""

    model: str
    input: float
    output: float
    cache_write: float
    cache_read: float


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """What a project sets of its agent, over what the installation says; nothing means what that says.

    Where the model's key lies, never the key itself: stores keep projects.
    """

    kind: str | None = None
    command: tuple[str, ...] = ()
    provider: str | None = None
    model: str | None = None
    models: tuple[str, ...] = ()
    address: str | None = None
    environment: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    program: str | None = None
    repairs: bool | None = None
    notes: str | None = None
    key_file: str | None = None
    key_variable: str | None = None
    # A key that the engine keeps under this name.
    secret: str | None = None

    @property
    def has_key(self) -> bool:
        """Whether the project has a key of its own."""
        return bool(self.key_file or self.key_variable or self.secret)


@dataclass(frozen=True, slots=True)
class Project:
    """One website; an empty build means that the repository already is the site."""

    id: str
    name: str
    repository: str
    branch: str
    build: tuple[str, ...]
    output: str
    rules: Rules
    site: SiteTarget
    editors: tuple[Editor, ...]
    git: GitAccess = field(default_factory=GitAccess)
    agent: AgentSettings = field(default_factory=AgentSettings)
    # The sandbox of its agent and its builds; the installation's if it is left out.
    sandbox: str | None = None
    # Those that the agency has corrected.
    prices: tuple[ModelPrice, ...] = ()
    # What the agency sorts it under.
    group: str | None = None

    def editor(self, user: str) -> Editor | None:
        """Find an editor by the user's name in this project."""
        return next((editor for editor in self.editors if editor.user == user), None)

    def editor_by_address(self, address: str) -> Editor | None:
        """Find the editor who writes from this address."""
        wanted = fold_address(address)
        return next((editor for editor in self.editors if fold_address(editor.address) == wanted), None)

    def address_in_commits(self, editor: Editor) -> str:
        """Return the address that a commit gives to its author: history is copied to places that nobody knows."""
        is_told = self.git.mail_addresses and editor.address
        return editor.address if is_told else f"{editor.user}@{self.id}.invalid"

    def may_approve(self, address: str, agency: str | None) -> bool:
        """Say whether this address may say `ok`: an approver, the agency, or any editor if no approver is named."""
        wanted = fold_address(address)
        if agency is not None and fold_address(agency) == wanted:
            return True
        return wanted in {fold_address(each) for each in self.approvers}

    @property
    def approvers(self) -> tuple[str, ...]:
        """The addresses that may say `ok` besides the agency: those that the rules name, else every editor's."""
        if not self.rules.approvers:
            return tuple(editor.address for editor in self.editors)
        named = ((name, self.editor(name)) for name in self.rules.approvers)
        return tuple(editor.address if editor else name for name, editor in named)

    @property
    def shown_repository(self) -> str:
        """The repository as it may be shown: without a password that stands in its address."""
        scheme, slashes, rest = self.repository.rpartition("://")
        host, slash, path = rest.partition("/")
        return f"{scheme}{slashes}{host.rpartition('@')[2]}{slash}{path}" if scheme else self.repository

    @property
    def local_repository(self) -> Path | None:
        """The repository's folder, or nothing if it lives on another machine."""
        return Path(self.repository) if is_local(self.repository) else None


def is_local(repository: str) -> bool:
    """Say whether git would read this as a folder, rather than as an address or as `host:path`."""
    before_slash = repository.partition("/")[0]
    return ":" not in before_slash
