"""The outbox: one recorded letter for each job and kind, sent until the server has taken it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from webordinary.errors import JobFailed, TryAgain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from webordinary.clock import Moment
    from webordinary.errors import LoginNeeded
    from webordinary.mail.inbox import Decision


# Recorded for ever: nobody is welcomed twice, however long ago it was.
WELCOME = "welcome"
# How long a letter rests that waits for a person, such as one who has to log in.
FOR_A_PERSON = timedelta(minutes=5)
# Longer than any one try may take; a sender that died gives its letters up after it.
RESERVED = timedelta(minutes=2)
_WAITS = (10, 30, 120, 600, 1800, 3600)
_GIVE_UP_AFTER = 60
# What became of a job: the letter that is recorded with its end.
ANSWER = "answer"
# The same for who wanted a change that somebody else has said ok to, and if that ok came too late.
APPROVED, CONFLICT = "approved", "conflict"
# Worth nothing any more when the answer itself is there.
ACK = "ack"
# The same about a request of a project that is paused.
ON_HOLD = "on_hold"
# The same about one that waits for money.
WAITS_FOR_MONEY = "waits_for_money"


class AddressRefused(JobFailed):
    """The outgoing server will never take a mail for this address."""


class ServerRefuses(TryAgain):
    """The outgoing server takes no mail for anybody now, which says nothing about an address."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What has to be said to whom; `sealed` holds the bytes once they were written, so that no second text exists."""

    key: str
    kind: str
    to: str
    words: str
    facts: Mapping[str, str] = field(default_factory=dict)
    job: str | None = None
    mail: str | None = None
    tries: int = 0
    sealed: bytes | None = None
    # Whether somebody of the agency has let it go, after it had waited for their eye.
    is_let_go: bool = False


@dataclass(frozen=True, slots=True)
class Delay:
    """What becomes of a letter that was not taken: how long it waits, how many tries count, or that it is given up."""

    wait: timedelta
    tries: int
    is_given_up: bool


def delay_of(letter: Letter, *, for_good: bool, counts: bool) -> Delay:
    """Return the backoff of a letter; a try that says nothing about the letter does not count."""
    if not counts:
        return Delay(FOR_A_PERSON, letter.tries - 1, is_given_up=for_good)
    wait = timedelta(seconds=_WAITS[min(letter.tries, len(_WAITS)) - 1])
    return Delay(wait, letter.tries, is_given_up=for_good or letter.tries >= _GIVE_UP_AFTER)


def answer_to(mail: str, decision: Decision) -> Letter:
    """Return the answer to a mail that becomes no job."""
    facts = {"project": decision.project or "", **decision.facts}
    key = decision.letter_key(mail)
    return Letter(key, decision.answer_kind, decision.sender or "", decision.answer or "", facts, mail=mail)


class Outbox(Protocol):
    """Letters are added in the transaction that makes them true, and leave after they were sent."""

    def add(self, letter: Letter, now: Moment) -> bool:
        """Record a letter that belongs to no job's end; False when its key is known."""

    def take_due(self, sender: str, now: Moment, *, limit: int = 10) -> Sequence[Letter]:
        """Reserve letters that are due, so that no second process sends them at the same time."""

    def take(self, key: str, sender: str, now: Moment) -> Letter | None:
        """Reserve one letter by its key, also the moment after it was recorded; None when it is not due."""

    def seal(self, letter: Letter, raw: bytes, message_id: str, now: Moment) -> bytes:
        """Keep the written bytes before the first try to send them; return those kept first, which are to be sent."""

    def written(self, key: str) -> bytes | None:
        """Return the bytes that were kept for the letter with this key, as long as letters are kept."""

    def find_sent(self, message_id: str) -> Letter | None:
        """Return the letter that left under this Message-ID, ours or the one that the outgoing server gave it."""

    def deliver(self, letter: Letter, raw: bytes) -> None:
        """Hand the bytes to the outgoing server; TryAgain when it does not take them now, JobFailed if never.

        AddressRefused when that is because of the address and not because of us.
        """

    def mark_sent(self, letter: Letter, now: Moment) -> None: ...

    def in_doubt(self, now: Moment) -> Sequence[Letter]:
        """Return letters of the last day that may have been sent, and so are not sent again; an agency should know."""

    def mark_delayed(
        self, letter: Letter, why: str, now: Moment, *, for_good: bool = False, counts: bool = True
    ) -> bool:
        """Try again later, with growing patience; True when the letter was given up, at once if it is refused for good.

        A try that does not count is made again every five minutes, and the letter is never given up because of it.
        Nothing changes for a letter that another sender has by now.
        """


ALARM = "alarm"


def outage(reason: str, agency: str, now: datetime, about: str) -> Letter:
    """Return what is said once a day about something that has been away for a while."""
    return Letter(f"outage.{about}.{now:%Y-%m-%d}", ALARM, agency, "outage", {"reason": reason})


def login_needed(needed: LoginNeeded, agency: str, now: datetime) -> Letter:
    """Return what is said once for each login of a person, and once a week for an application that is refused."""
    mark = needed.since or ("never" if needed.person else f"{now:%G-W%V}")
    facts = {"reason": needed.why, "person" if needed.person else "application": needed.login}
    return Letter(f"login.{needed.login}.{mark}", ALARM, agency, "login_needed", {"login": needed.login, **facts})
