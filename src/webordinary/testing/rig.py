"""A rig: one engine with everything around it, as a scenario needs it; each engine brings its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from webordinary.audit.entry import Entry
    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView, MailView


@dataclass(frozen=True, slots=True)
class Received:
    """A mail that a person got."""

    to: str
    subject: str
    text: str
    message_id: str
    in_reply_to: str | None
    reply_to: str = ""
    html: str = ""
    # By the names under which the HTML shows them.
    pictures: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class SiteSetup:
    """A project of a scenario: who edits it, how it is built, and its rules as written in the configuration.

    `where` are the lines of its site's table; without them it is published where the engine itself has sites.
    """

    id: str
    editors: tuple[tuple[str, str], ...]
    build: tuple[str, ...] = ()
    output: str = "."
    rules: str = ""
    sample: str = "sample_site"
    where: str = ""


class Rig(Protocol):
    """What a scenario can do and see; what a person or an operator could, and nothing else."""

    domain: str
    gates: Path

    def set_up(self, sites: Sequence[SiteSetup], settings: Mapping[str, str]) -> None:
        """Make the installation; settings are lines for tables of the configuration. Starts no worker."""

    def deliver(self, raw: bytes, *, as_address: str | None, to: str) -> str:
        """Bring a mail in through a door, and return its id."""

    def send(self, raw: bytes, *, sender: str, to: str) -> str:
        """Bring a mail in as a verified person's own mail program does, and return its id."""

    def start_worker(self) -> str:
        """Start one worker process, and return its name."""

    def kill_worker(self, name: str) -> None:
        """Kill it without any chance to clean up."""

    def drain_worker(self, name: str) -> None:
        """Ask it to give back what it has and end; returns when it is gone."""

    def page(self, project: str, path: str) -> str:
        """Return a page of the live site, as the public sees it."""

    def fetch(self, project: str, path: str) -> bytes:
        """Return any file of the live site, as the public gets it; empty when there is none."""

    def mailbox(self, address: str) -> list[Received]:
        """Return the mails that a person got, in the order in which they came."""

    def trail(self, after: int = 0) -> Sequence[Entry]: ...

    def jobs(self) -> Sequence[Job]: ...

    def lanes(self) -> Sequence[LaneView]: ...

    def mails(self) -> Sequence[MailView]: ...

    def stop_job(self, job: str, by: str) -> str: ...

    def roll_back(self, project: str, commit: str) -> str:
        """Ask for a site as it was in a release, as the command does, and return the job."""

    def live_log(self, project: str) -> list[str]:
        """Return the subjects of the live branch's commits, newest first."""

    def close(self) -> None: ...
