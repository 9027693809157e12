"""What was answered, as it was sent: the bytes that the outbox has kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.dashboard.story.excerpt import plain
from webordinary.dashboard.story.mail_frame import InlinePicture
from webordinary.dashboard.story.steps import letters_in
from webordinary.reply.ok_links import APPROVAL
from webordinary.reply.outbox import ALARM
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from webordinary.audit.entry import Entry
    from webordinary.config import Config
    from webordinary.reply.outbox import Outbox

ANSWER = "answer"
_ABOUT_MAILS = ("confirm", ANSWER)
_KIND = re.compile(r"[a-z_]{1,40}\Z")
_FORMATS = frozenset({"image/png", "image/jpeg", "image/webp"})
# Letters about a job that are written to the agency, whatever its address was then.
_TO_AGENCY = frozenset({ALARM, APPROVAL, "elsewhere"})
_STATES = {
    EventType.ANSWERED: "sent",
    EventType.ANSWER_DELAYED: "not taken by the server yet; it is tried again",
    EventType.ANSWER_GIVEN_UP: "given up: the server does not take it",
}


@dataclass(frozen=True, slots=True)
class SentLetter:
    """One mail of ours; without a subject it has not been written yet, or is no longer kept."""

    kind: str
    state: str
    at: datetime | None = None
    to: str = ""
    subject: str = ""
    text: str = ""
    has_html: bool = False


def letters_of(outbox: Outbox, about: str, entries: Sequence[Entry]) -> list[SentLetter]:
    """Return the letters about a job or a mail, its answer last."""
    known = letters_in(entries)
    kinds = [*(kind for kind in known if kind != ANSWER), ANSWER]
    letters = [_letter(outbox, about, kind, known.get(kind)) for kind in kinds if _KIND.match(kind)]
    return [letter for letter in letters if letter.subject or letter.at is not None]


def letters_to_sender(outbox: Outbox, mail: str) -> list[SentLetter]:
    """Return what its sender was written about a mail that became no job."""
    letters = [_letter(outbox, mail, kind, None) for kind in _ABOUT_MAILS]
    return [letter for letter in letters if letter.subject]


def read_letter(outbox: Outbox, about: str, kind: str) -> EmailMessage | None:
    """Return a letter as it was sent; None when there is none, or it is no longer kept."""
    raw = outbox.written(f"{about}.{kind}") if _KIND.match(kind) else None
    return message_from_bytes(raw, _class=EmailMessage, policy=policy.default) if raw else None


def is_for_agency(kind: str, to: str, config: Config) -> bool:
    """Tell whether a letter was written to the agency: it says more than a client may read."""
    agency, (_, address) = config.agency.address, parseaddr(to)
    return kind in _TO_AGENCY or (agency is not None and fold_address(agency) == fold_address(address))


def html_of(letter: EmailMessage) -> str:
    """Return its HTML; empty when it has none."""
    body = letter.get_body(("html",))
    return str(body.get_content()) if body is not None else ""


def pictures_in(letter: EmailMessage) -> dict[str, InlinePicture]:
    """Return the pictures that its HTML shows."""
    return {
        str(part["Content-ID"]).strip("<>"): InlinePicture(part.get_content_type(), part.get_content())
        for part in letter.walk()
        if part["Content-ID"] and part.get_content_type() in _FORMATS
    }


def _letter(outbox: Outbox, about: str, kind: str, entry: Entry | None) -> SentLetter:
    state = _STATES[entry.what] if entry else "written, and on its way"
    at = entry.at if entry else None
    found = read_letter(outbox, about, kind)
    if found is None:
        return SentLetter(kind, state, at)
    body = found.get_body(("plain",))
    text = plain(str(body.get_content())) if body is not None else ""
    return SentLetter(kind, state, at, str(found["To"]), str(found["Subject"]), text, bool(html_of(found)))
