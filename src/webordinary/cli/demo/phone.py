"""The owner's phone: what was sent from it and what lies in the mailbox, as conversations; it sends by SMTP."""

from __future__ import annotations

import mailbox
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from email.utils import getaddresses, make_msgid, parsedate_to_datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.cli.demo.folder import DOMAIN, MAILBOX, OWNER_ADDRESS, PROJECT
from webordinary.doors.smtp import Smtp
from webordinary.doors.submit import submit
from webordinary.errors import NoSuchThing
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.clock import Clock
    from webordinary.config import Config

SENT = "sent"
ADDRESS = f"{PROJECT}@{DOMAIN}"
MailFile = tuple[str, str, bytes]
_LONGEST = 20_000
_MOST_FILES = 10


@dataclass(frozen=True, slots=True)
class SentMail:
    """A mail that the listener took, by its own id and by ours."""

    message_id: str
    mail: str


@dataclass(frozen=True, slots=True)
class PhoneMail:
    """One mail as a phone shows it; `name` is that of its file."""

    name: str
    message_id: str
    is_own: bool
    sender: str
    reply_to: str
    subject: str
    text: str
    written_at: datetime | None
    kept_at: float
    in_reply_to: str = ""
    files: tuple[str, ...] = ()
    has_html: bool = False


@dataclass(frozen=True, slots=True)
class Conversation:
    """Mails that answer each other, the oldest first."""

    id: str
    mails: tuple[PhoneMail, ...]

    @property
    def subject(self) -> str:
        return self.mails[0].subject

    @property
    def newest(self) -> PhoneMail:
        return self.mails[-1]

    @property
    def answer(self) -> PhoneMail | None:
        """The last one that somebody else wrote: what a reply answers."""
        return next((mail for mail in reversed(self.mails) if not mail.is_own), None)

    @property
    def is_answered(self) -> bool:
        return not self.newest.is_own


@dataclass(frozen=True, slots=True)
class OwnersPhone:
    """Scott's: one folder of mails that came, and one of those that went out, as mail programs keep them."""

    config: Config
    clock: Clock

    def write(
        self,
        words: str,
        *,
        subject: str = "Our website",
        files: Sequence[MailFile] = (),
        answering: PhoneMail | None = None,
        sender: str = OWNER_ADDRESS,
    ) -> SentMail:
        """Send a mail, or a reply to one, and keep it among those that went out."""
        to = answering.reply_to if answering else ADDRESS
        message_id = make_msgid(domain=sender.rpartition("@")[2])
        raw = write_mail(
            sender=sender,
            to=to,
            text=words,
            subject=_answering(answering.subject) if answering else subject,
            message_id=message_id,
            in_reply_to=f"<{answering.message_id}>" if answering else None,
            written_at=self.clock.now().wall_at,
            files=tuple(files),
        )
        host, port = self.config.find_doors(Smtp)[0].listen
        said = submit(raw, host, port, sender, [to])
        if sender == OWNER_ADDRESS:
            mailbox.Maildir(self._folder(SENT), factory=None, create=True).add(raw)
        return SentMail(message_id, said.rpartition(" ")[2])

    def conversations(self) -> list[Conversation]:
        """Return all of them, the one with the newest mail first."""
        mails = sorted((*self._mails(SENT), *self._mails(MAILBOX)), key=lambda mail: mail.kept_at)
        known = {mail.message_id: mail for mail in mails}
        found: dict[str, list[PhoneMail]] = {}
        for mail in mails:
            found.setdefault(_beginning_of(mail, known), []).append(mail)
        talks = [Conversation(name, tuple(each)) for name, each in found.items()]
        return sorted(talks, key=lambda talk: talk.newest.kept_at, reverse=True)

    def mail(self, name: str) -> EmailMessage:
        """Return a mail as it was received, to be looked at."""
        for mail in self._mails(MAILBOX):
            if mail.name == name:
                path = next(path for path in self._paths(MAILBOX) if path.name == name)
                return BytesParser(EmailMessage, policy=default).parsebytes(path.read_bytes())
        raise NoSuchThing("There is no such mail in the mailbox.")

    def _mails(self, folder: str) -> list[PhoneMail]:
        return [_read(str(path), is_own=folder == SENT) for path in self._paths(folder)]

    def _paths(self, folder: str) -> Iterator[Path]:
        for part in ("new", "cur"):
            place = self._folder(folder) / part
            yield from place.iterdir() if place.is_dir() else ()

    def _folder(self, name: str) -> Path:
        return self.config.path.parent / name


def _answering(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def _beginning_of(mail: PhoneMail, known: dict[str, PhoneMail]) -> str:
    """Return the id of the first mail of a conversation; mails that answer each other in a ring end somewhere too."""
    seen = {mail.message_id}
    while mail.in_reply_to in known and mail.in_reply_to not in seen:
        mail = known[mail.in_reply_to]
        seen.add(mail.message_id)
    return mail.message_id


@lru_cache(maxsize=1024)
def _read(path: str, *, is_own: bool) -> PhoneMail:
    """Read a mail that lies in a folder, where it is never changed."""
    place = Path(path)
    mail = BytesParser(EmailMessage, policy=default).parsebytes(place.read_bytes())
    body = mail.get_body(("plain",))
    text = str(body.get_content()) if body is not None else ""
    answers = getaddresses([str(mail["Reply-To"] or mail["From"] or "")])
    names = [part.get_filename() or "a file" for part in mail.iter_attachments()]
    return PhoneMail(
        name=place.name,
        message_id=_id_in(mail, "Message-ID") or place.name,
        is_own=is_own,
        sender=str(mail["From"] or ""),
        reply_to=answers[0][1] if answers else "",
        subject=str(mail["Subject"] or ""),
        text="\n".join(text.strip()[:_LONGEST].splitlines()),
        written_at=_moment(str(mail["Date"] or "")),
        kept_at=place.stat().st_mtime,
        in_reply_to=_id_in(mail, "In-Reply-To"),
        files=tuple(names[:_MOST_FILES]),
        has_html=mail.get_body(("html",)) is not None,
    )


def _id_in(mail: EmailMessage, header: str) -> str:
    return str(mail[header] or "").strip().strip("<>")


def _moment(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
