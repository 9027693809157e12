"""A story: a scenario told with people and mails, over any engine's rig; the trail is its only clock."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from webordinary.testing.mail import write_mail
from webordinary.testing.rig import SiteSetup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from webordinary.audit.entry import Entry, EventType
    from webordinary.jobs.job import Job
    from webordinary.testing.rig import Received, Rig

T = TypeVar("T")

# The product's own limits are far below; a story that waits this long will never end.
_PATIENCE_SECONDS = 120.0
_LOOK_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who writes mails."""

    user: str
    address: str


# Scott owns the bakery, Maria helps him, Tom has the flower shop, and Eve has no business here.
SCOTT = Person("scott", "scott@example.org")
MARIA = Person("maria", "maria@example.org")
TOM = Person("tom", "tom@example.net")
EVE = Person("eve", "eve@elsewhere.example")
AGENCY = Person("agency", "agency@example.com")
BAKERY = SiteSetup("amelia", ((SCOTT.user, SCOTT.address), (MARIA.user, MARIA.address)))
FLOWERS = SiteSetup("flora", ((TOM.user, TOM.address),))


class NeverHappened(AssertionError):
    """What the story waits for did not come; the trail so far is in the message."""


class Story:
    """What happens to people and their sites."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self._seen = 0
        self._began_at = self._day = datetime.now(UTC)

    def begin(self, *sites: SiteSetup, settings: Mapping[str, str] | None = None, workers: int = 1) -> list[str]:
        """Set the installation up and start workers; returns their names."""
        self.rig.set_up(sites or (BAKERY,), settings or {})
        return [self.rig.start_worker() for _ in range(workers)]

    def writes(  # noqa: PLR0913 - a mail has this many sides; all but the first two are named
        self,
        person: Person,
        text: str,
        *,
        site: str = "amelia",
        subject: str = "Our website",
        in_reply_to: Received | None = None,
        message_id: str | None = None,
        verified: bool = True,
        files: tuple[tuple[str, str, bytes], ...] = (),
    ) -> str:
        """Let the person send a mail, and return the mail's id; `files` are (name, content type, content)."""
        to = f"{site}@{self.rig.domain}"
        raw = write_mail(
            sender=person.address,
            to=to,
            text=text,
            subject=subject,
            message_id=message_id,
            in_reply_to=in_reply_to.message_id if in_reply_to else None,
            # One that is sent twice under the same name is the same to the last letter.
            written_at=self._began_at if message_id else self._next_moment(),
            files=files,
        )
        return self.rig.deliver(raw, as_address=person.address if verified else None, to=to)

    def replies(self, person: Person, answered: Received, text: str, *, verified: bool = True) -> str:
        """Let the person answer a mail of ours as a mail program does, and return the mail's id."""
        quoted = "\n".join(f"> {line}" for line in answered.text.splitlines())
        raw = write_mail(
            sender=person.address,
            to=answered.reply_to,
            text=f"{text}\n\nOn Tuesday <{answered.reply_to}> wrote:\n{quoted}\n",
            subject=f"Re: {answered.subject}",
            in_reply_to=answered.message_id,
            written_at=self._next_moment(),
        )
        if verified:
            return self.rig.send(raw, sender=person.address, to=answered.reply_to)
        return self.rig.deliver(raw, as_address=None, to=answered.reply_to)

    def _next_moment(self) -> datetime:
        """Return a moment of its own for each mail: nobody writes the same mail twice in one second."""
        self._day += timedelta(seconds=1)
        return self._day

    def goes_on_at(self, at: datetime) -> None:
        """Let mails be dated behind this moment; the caller has moved the rig's clock too."""
        self._day = at

    def waits_for(self, what: EventType, *, count: int = 1, matching: Callable[[Entry], bool] | None = None) -> Entry:
        """Wait until the trail says so for the count-th time, and return that entry."""

        def find() -> Entry | None:
            found = [e for e in self.rig.trail() if e.what == what and (matching is None or matching(e))]
            return found[count - 1] if len(found) >= count else None

        return self._wait(find, f"{what.value}, {count} times")

    def waits_for_answer(self, person: Person, *, count: int = 1) -> Received:
        """Wait until the person has got that many mails, and return the last of them."""

        def find() -> Received | None:
            box = self.rig.mailbox(person.address)
            return box[count - 1] if len(box) >= count else None

        return self._wait(find, f"mail {count} to {person.address}")

    def waits_for_job(self, mail: str) -> Job:
        """Wait until the mail's job has come to its end."""

        def find() -> Job | None:
            return next((job for job in self.rig.jobs() if job.mail == mail and not job.state.is_live), None)

        return self._wait(find, f"the end of the job of {mail}")

    def waits_until(self, look: Callable[[], bool]) -> None:
        """Wait until something outside is so."""
        self._wait(lambda: look() or None, "something outside")

    def job_of(self, mail: str) -> Job:
        """Return the job that a mail became."""
        return next(job for job in self.rig.jobs() if job.mail == mail)

    def opens_gate(self, name: str) -> None:
        """Let an agent go on that was told to wait for this file."""
        (self.rig.gates / name).write_text("open", encoding="utf-8")

    def told(self, *whats: EventType) -> list[Entry]:
        """Return the trail's entries of these kinds."""
        return [entry for entry in self.rig.trail() if entry.what in whats]

    def _wait(self, look: Callable[[], T | None], what: str) -> T:
        return wait_for(look, what, lambda: tell(self.rig.trail()))


def wait_for(look: Callable[[], T | None], what: str, story: Callable[[], str]) -> T:
    """Wait until something is to be seen, or tell the story so far."""
    ends_at = time.monotonic() + _PATIENCE_SECONDS
    pause = threading.Event()
    while True:
        looked_at = time.monotonic()
        if (found := look()) is not None:
            return found
        if time.monotonic() > ends_at:
            raise NeverHappened(f"waited for {what}\n{story()}")
        # Who looks all the time slows down what is waited for: a dear look is followed by a longer pause.
        pause.wait(max(_LOOK_SECONDS, 4 * (time.monotonic() - looked_at)))


def tell(entries: Sequence[Entry]) -> str:
    return "\n".join(
        f"{entry.number:4} {entry.what.value:24} {entry.job or entry.mail or '':18} {entry.text} {dict(entry.facts)}"
        for entry in entries
    )
