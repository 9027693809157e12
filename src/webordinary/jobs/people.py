"""People: what is kept about one of them, found and forgotten by the same rule on every engine."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from webordinary.errors import Refused
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from webordinary.clock import Moment

# Stands wherever an address stood in what is kept about others.
FORGOTTEN = "(forgotten)"
_MOST_NAMED = 10
DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class MailTrace:
    """What connects a mail with a person, with a conversation, and with the files that hold its words."""

    id: str
    senders: tuple[str, ...]
    job: str | None
    thread: str | None


@dataclass(frozen=True, slots=True)
class JobTrace:
    """The same of a job."""

    id: str
    lane: str
    thread: str
    sequence: int
    mail: str | None
    reply_to: str | None


@dataclass(frozen=True, slots=True)
class Ids:
    """The mails, jobs and conversations of a person, and the lanes in which they began one."""

    address: str
    mails: frozenset[str]
    jobs: frozenset[str]
    threads: frozenset[str]
    lanes: frozenset[str]

    def owns(self, *names: object) -> bool:
        """Tell whether one of these names a mail, a job or a conversation of the person."""
        return any(name in self.jobs or name in self.mails or name in self.threads for name in names)


def choose_ids(address: str, mails: Sequence[MailTrace], jobs: Sequence[JobTrace]) -> Ids:
    """Choose what is a person's: their mails and jobs, and as a whole each conversation that they began.

    Where they only answered in the conversation of somebody else, what they said goes and the conversation stays.
    """
    wanted = fold_address(address)
    sent = {mail.id for mail in mails if any(fold_address(each) == wanted for each in mail.senders)}
    asked = {job.id for job in jobs if fold_address(job.reply_to or "") == wanted or job.mail in sent}
    first: dict[str, JobTrace] = {}
    for job in jobs:
        if job.thread not in first or job.sequence < first[job.thread].sequence:
            first[job.thread] = job
    begun = [job for job in first.values() if job.id in asked]
    threads = {job.thread for job in begun}
    of_them = [job for job in jobs if job.id in asked or job.thread in threads]
    chosen = {job.id for job in of_them}
    theirs = {job.mail for job in of_them if job.mail}
    theirs |= {mail.id for mail in mails if mail.id in sent or mail.thread in threads or mail.job in chosen}
    lanes = frozenset(job.lane for job in begun)
    return Ids(wanted, frozenset(theirs), frozenset(chosen), frozenset(threads), lanes)


class OpenKind(StrEnum):
    """What of a person may not be over yet."""

    MAIL = "mail"
    REQUEST = "request"
    PROPOSAL = "proposal"
    TIMED = "timed change"


@dataclass(frozen=True, slots=True)
class OpenWork:
    """An undecided mail, a job, the proposal of a conversation, or a moment that is to come."""

    kind: OpenKind
    id: str


@dataclass(frozen=True, slots=True)
class PersonOnRecord:
    """Everything that is kept about a person: rows by their kind, the files they name, and what is not over."""

    ids: Ids
    rows: Mapping[str, Sequence[Mapping[str, Any]]]
    files: frozenset[str]
    open_work: tuple[OpenWork, ...] = ()
    # Mails and requests of other people in which the address stands; they are theirs and stay.
    mentions: int = 0

    @property
    def is_known(self) -> bool:
        return any(self.rows.values())

    @property
    def counts(self) -> dict[str, int]:
        return {kind: len(found) for kind, found in self.rows.items() if found} | {"files": len(self.files)}


def still_open(person: PersonOnRecord) -> Refused:
    """Say what keeps a person from being forgotten."""
    named = ", ".join(f"{each.kind} {each.id}" for each in person.open_work[:_MOST_NAMED])
    more = len(person.open_work) - _MOST_NAMED
    return Refused(
        f"This is not over yet: {named}{f' and {more} more' if more > 0 else ''}."
        " `webordinary forget ADDRESS --end` stops requests, withdraws proposals and cancels timed changes first."
    )


class People(Protocol):
    """Finds a person in everything that the engine stores, and forgets them."""

    def find(self, address: str) -> PersonOnRecord: ...

    def forget(self, address: str, mark: str, by: str, now: Moment) -> PersonOnRecord:
        """Remove it all and record that it was done, under a mark; Refused when something of theirs is not over."""

    def forgotten_at(self, mark: str) -> datetime | None:
        """Return when the person with this mark was forgotten."""


def mark_of(address: str, secret: bytes) -> str:
    """Return what a forgotten person is known by: without the key nobody can tell who it was."""
    return hmac.new(secret, b"forgotten\0" + fold_address(address).encode(errors="replace"), hashlib.sha256).hexdigest()


def redacted(text: str, address: str) -> str:
    """Take an address out of a text, however it is written."""
    return re.sub(re.escape(address), FORGOTTEN, text, flags=re.IGNORECASE | re.ASCII)


def files_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the files that texts name by their content's hash."""
    return frozenset(digest for text in texts for digest in DIGEST.findall(text))
