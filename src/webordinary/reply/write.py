"""Writes the letters of the outbox: from what is recorded to the bytes of one mail, always the same."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.jobs.job import Kind
from webordinary.mail.conversation import bare_id, message_id_for
from webordinary.mail.mime.bounded import read_mail
from webordinary.mail.words.quoting import marker_line, own_words
from webordinary.mail.words.replies import language_of_word
from webordinary.reply.as_html import Frame, as_html
from webordinary.reply.as_text import as_text
from webordinary.reply.attached import files_fact
from webordinary.reply.blocks import below_title
from webordinary.reply.compose import Answer, compose, reply_subject
from webordinary.reply.held_answers import NOTE
from webordinary.reply.kinds import Tone, kind_of
from webordinary.reply.language import detect_language
from webordinary.reply.ok_links import ASKED_BY, OK_LINK, ok_link
from webordinary.reply.pictures import read_scenes
from webordinary.reply.words import phrases, spoken, wording

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.clock import Clock
    from webordinary.jobs.job import Job
    from webordinary.mail.inbox import Inbox
    from webordinary.mail.tokens import ReplyKeys
    from webordinary.overview import Overview
    from webordinary.reply.blocks import Wording
    from webordinary.reply.outbox import Letter, Outbox
    from webordinary.reply.pictures import Scene
    from webordinary.routing.project import Project
    from webordinary.routing.projects import Projects

CONFIRM = "confirm"
UNCLEAR = "confirm_unclear"
# The held mail that a yes to this letter is about, when that is not the mail which it answers.
CONFIRMS = "confirms"
_PRODUCT = "WebOrdinary"


@dataclass(frozen=True, slots=True)
class _Context:
    """Where in a conversation the letter belongs, and what the person wrote there."""

    subject: str = ""
    message_id: str | None = None
    references: tuple[str, ...] = ()
    project: Project | None = None
    thread: str | None = None
    written: str = ""
    # The person's own words, when they were a single word.
    word: str = ""
    files: str = ""


@dataclass(frozen=True, slots=True)
class WordedLetter:
    """What a letter says, before it is a mail."""

    words: Wording
    language: str
    name: str
    scenes: tuple[Scene, ...]
    context: _Context


@dataclass(frozen=True, slots=True)
class Writer:
    """Turns a letter into a mail; `language` and `sender`, if all mails have the same, are the installation's."""

    outbox: Outbox
    overview: Overview
    inbox: Inbox
    projects: Projects
    reply_keys: ReplyKeys
    domain: str
    clock: Clock
    language: str = "en"
    sender: str | None = None
    # Where browsers find the dashboard; without it no link is in a mail.
    dashboard: str | None = None

    def seal(self, letter: Letter) -> bytes:
        """Write the letter and return the bytes that were kept first, so that every try sends the same text."""
        now = self.clock.now()
        message_id = self.message_id(letter)
        raw = compose(self.write(letter, message_id, now.wall_at))
        return self.outbox.seal(letter, raw, bare_id(message_id), now)

    def write(self, letter: Letter, message_id: str, written_at: datetime) -> Answer:
        """Return the mail that this letter is."""
        tone = kind_of(letter.words).tone
        said = self.say(letter)
        known, words, context = phrases(said.language), said.words, said.context
        footer = known.agency_footer if tone is Tone.AGENCY else known.footer
        frame = Frame(said.language, said.name, tone, known.tones[tone.value], marker_line(said.language), footer)
        return Answer(
            kind=letter.kind,
            to=letter.to,
            subject=words.subject or reply_subject(context.subject),
            text=as_text(words, known, footer),
            in_reply_to=context.message_id,
            references=context.references,
            message_id=message_id,
            from_name=said.name,
            from_address=self._address(letter, context, written_at),
            written_at=written_at,
            language=said.language,
            html=as_html(words, frame, said.scenes),
            pictures=tuple(picture for scene in said.scenes for picture in scene.pictures),
            sender=self.sender,
        )

    def say(self, letter: Letter, *, with_link: bool = True) -> WordedLetter:
        """Return the words and pictures of a letter; a page that the link leads to says them without it."""
        # The agency has one language and one sender for all of its projects.
        context = _Context() if kind_of(letter.words).tone is Tone.AGENCY else self._context(letter)
        language = self._language(letter, context)
        name = context.project.name if context.project else _PRODUCT
        facts = {"files": context.files, "site": name, "newer": self._newer(letter), **letter.facts}
        if with_link:
            facts[OK_LINK] = self._ok_link(letter)
        words = below_title(wording(letter.words, language, facts), letter.facts.get(NOTE, ""))
        scenes = read_scenes(letter.facts.get("pictures", ""), phrases(language), self.inbox.read_file, self.domain)
        return WordedLetter(words, language, name, scenes, context)

    def _ok_link(self, letter: Letter) -> str:
        job = self.overview.job(letter.job) if self.dashboard and letter.words in ASKED_BY and letter.job else None
        return ok_link(self.dashboard, self.reply_keys.current(), letter, job.lane.project) if job else ""

    def _newer(self, letter: Letter) -> str:
        """Return the subject of the request that came first instead."""
        name = letter.facts.get("newer_job")
        newer = self.overview.job(name) if name else None
        return newer.subject if newer else ""

    def message_id(self, letter: Letter) -> str:
        """Name the mail: by the job or mail that it answers, else by a name that only we can make."""
        about = letter.job or letter.mail
        if about is None:
            secret = self.reply_keys.current().secret
            about = f"{letter.key}-{hmac.digest(secret, letter.key.encode(), hashlib.sha256).hex()[:16]}"
        return message_id_for(about, letter.kind, self.domain)

    def _context(self, letter: Letter) -> _Context:
        job = self.overview.job(letter.job) if letter.job else None
        if job is not None:
            return self._context_of(job)
        project = self.projects.find(letter.facts["project"]) if letter.facts.get("project") else None
        if letter.mail is None:
            return _Context(project=project)
        message = read_mail(self.inbox.read(letter.mail))
        view = self.overview.mail(letter.mail)
        written = own_words(message.text, is_reply=bool(message.references)).kept
        return _Context(
            subject=message.subject,
            message_id=message.message_id,
            references=message.references,
            project=project,
            thread=view.thread if view else None,
            written=written,
            word=written,
        )

    def _context_of(self, job: Job) -> _Context:
        request = job.request
        return _Context(
            subject=job.subject,
            message_id=request.message_id,
            references=request.references,
            project=self.projects.find(job.lane.project),
            thread=job.thread,
            written=f"{job.subject}\n{request.text}",
            word=self._word_of(job),
            files=files_fact(request.attachments),
        )

    def _word_of(self, job: Job) -> str:
        """Return what was written in the mail of an `ok` or an `undo`, as long as it is kept."""
        if job.kind != Kind.VERB or job.mail is None:
            return ""
        try:
            message = read_mail(self.inbox.read(job.mail))
        except Refused:
            return ""
        return own_words(message.text, is_reply=True).kept

    def _language(self, letter: Letter, context: _Context) -> str:
        """Choose the language of the request where it shows, else the editor's, the project's, the installation's.

        A single word shows it too, but only to whom nobody has given another language than the installation's.
        """
        project = context.project
        editor = project.editor_by_address(letter.to) if project else None
        usual = editor.language if editor else project.rules.language if project else self.language
        written = context.written.replace(editor.default_instruction or "", "") if editor else context.written
        word = language_of_word(context.word, usual) if usual == self.language else None
        return spoken(detect_language(context.word) or detect_language(written) or word or usual)

    def _address(self, letter: Letter, context: _Context, now: datetime) -> str:
        """Return where the person's reply leads: into the thread, or at least to the project."""
        if context.project is None:
            return f"edit@{self.domain}"
        project, key = context.project.id, self.reply_keys.current()
        held = letter.facts.get(CONFIRMS) or letter.mail
        if letter.words in {CONFIRM, UNCLEAR} and held is not None:
            return key.confirm_address(self.domain, project=project, mail=held, to=letter.to, now=now)
        if context.thread is None:
            return f"{project}@{self.domain}"
        return key.reply_address(self.domain, project=project, thread=context.thread, to=letter.to, now=now)
