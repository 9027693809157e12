"""One mail as it came: who says they wrote it, what is believed of that, what it says and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.story.excerpt import ShownText, beginning_of, plain
from webordinary.dashboard.story.letters import SentLetter, letters_to_sender
from webordinary.errors import WebOrdinaryError
from webordinary.mail.mime.bounded import read_mail
from webordinary.mail.mime.parts import read_header_block, split_mail
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.words.quoting import own_words

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.mail.message import Attachment, Message
    from webordinary.overview import MailView

# In the order in which somebody who doubts a mail asks for them.
_HEADERS = (
    "From", "Sender", "Reply-To", "To", "Cc", "Date", "Subject", "Message-ID", "In-Reply-To",
    "Return-Path", "Authentication-Results", "Received-SPF", "Auto-Submitted", "List-Id",
)  # fmt: skip
_LONGEST_HEADER, _MOST_OF_ONE = 1_000, 3
_MOST_HTML = 4_000_000
BECAME = {
    MailOutcome.QUEUED: "It became a job.",
    MailOutcome.ANSWERED: "It was answered at once and became no job.",
    MailOutcome.CONFIRMED: "It released another mail that was held for its sender's word.",
    MailOutcome.REPEATED: "It asks for what another mail asked for already, and started nothing.",
    MailOutcome.AUTOMATIC: "A program wrote it. Such mails are never answered.",
    MailOutcome.REFUSED: "It was refused: it can become no job as it is.",
    MailOutcome.STRANGER: "Its sender is no editor of a site, so nothing was done.",
    MailOutcome.HELD: "It is held until its sender confirms it, or somebody here releases it.",
    MailOutcome.QUARANTINED: "It was forged in an editor's name, and lies in quarantine.",
    MailOutcome.DROPPED: "It was forged in another's name, and was dropped.",
    MailOutcome.IGNORED: "Nothing is known of its sender, and it was ignored.",
    MailOutcome.LIMITED: "It was one too many for its sender, thread or project.",
    MailOutcome.THANKS: "It says thank you, and started nothing.",
    MailOutcome.UNDECIDED: "Nobody has decided about it yet; it is looked at again by itself.",
}
VERDICTS = {
    "verified": "The sender is verified.",
    "unverified": "Nothing proves that this address sent the mail.",
    "forged": "The mail is forged: somebody else wrote it in this name.",
}


@dataclass(frozen=True, slots=True)
class MailStory:
    """What is known of a mail; without a message its bytes are no longer kept."""

    mail: MailView
    job: Job | None
    became: str
    verdict: str
    letters: list[SentLetter]
    message: Message | None = None
    text: ShownText | None = None
    cut: ShownText | None = None
    headers: tuple[tuple[str, str], ...] = ()
    size: int = 0
    has_html: bool = False

    @property
    def files(self) -> tuple[Attachment, ...]:
        return self.message.attachments if self.message else ()


def tell_mail(engine: Engine, mail: MailView) -> MailStory:
    """Gather what is known of a mail."""
    job = engine.overview.job(mail.job) if mail.job else None
    became = BECAME[mail.outcome or MailOutcome.UNDECIDED]
    verdict = VERDICTS.get(mail.verdict or "", "Nobody has judged its sender yet.")
    letters = [] if job else letters_to_sender(engine.outbox, mail.id)
    try:
        raw = engine.inbox.read(mail.id)
    except WebOrdinaryError:
        return MailStory(mail, job, became, verdict, letters)
    message = read_mail(raw)
    words = own_words(message.text, is_reply=bool(message.references))
    return MailStory(
        mail, job, became, verdict, letters, message,
        beginning_of(words.kept.encode("utf-8", "replace")), beginning_of(words.cut.encode("utf-8", "replace")),
        _headers(raw), len(raw), bool(html_in(raw)),
    )  # fmt: skip


def html_in(raw: bytes) -> str:
    """Return the HTML of a mail, as its sender wrote it; empty when it has none or breaks a limit."""
    try:
        view = memoryview(raw)
        leaves = split_mail(view, read_header_block(view)).leaves()
        pages = (part for part in leaves if part.content_type == "text/html" and part.disposition != "attachment")
        page = next(pages, None)
        return page.text(most=_MOST_HTML) if page is not None else ""
    except (WebOrdinaryError, ValueError):
        return ""


def _headers(raw: bytes) -> tuple[tuple[str, str], ...]:
    headers = read_header_block(memoryview(raw)).headers
    return tuple(
        (name, plain(" ".join(str(value).split()))[:_LONGEST_HEADER])
        for name in _HEADERS
        for value in headers.get_all(name, [])[:_MOST_OF_ONE]
    )
