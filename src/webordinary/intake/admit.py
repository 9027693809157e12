"""Who is it, and for which lane: the project, the thread, and what this person may do there; changes nothing."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.mail.inbox import Decision
from webordinary.mail.mime.charset import clean_line
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import Verdict
from webordinary.mail.tokens import Purpose, read_token, tokens_in
from webordinary.routing.project import Editor, fold_address
from webordinary.routing.route import choose_project

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.mail.inbox import KeptMail
    from webordinary.mail.message import Message
    from webordinary.mail.sender import Sender
    from webordinary.mail.tokens import Token
    from webordinary.routing.project import Project
    from webordinary.routing.route import Route
    from webordinary.routing.threads import Thread


def once_a_day(decision: Decision, kept: KeptMail) -> Decision:
    """Give the answer a key that is the same for the same person, reason and day."""
    if decision.answer is None or decision.answer_key is not None:
        return decision
    about = (decision.sender, decision.project, decision.answer)
    return replace(decision, answer_key=f"{decision.outcome}.{kept.received_at:%Y%m%d}.{short(*about)}")


def short(*parts: str | None) -> str:
    """Return a short name for these words that no other words have."""
    content = b"".join(len(each).to_bytes(4, "big") + each for each in ((part or "").encode() for part in parts))
    return hashlib.sha256(content).hexdigest()[:20]


_EXCERPT = 200
_LINK = re.compile(r"\S{0,200}(?:://|www\.)\S*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Admitted:
    """A verified person in a project, perhaps in one of its threads; who may not edit may only approve."""

    project: Project
    editor: Editor
    thread: Thread | None
    sender: Sender
    may_edit: bool = True
    found_by: str = ""


@dataclass(frozen=True, slots=True)
class Confirming:
    """Somebody answers the question whether a held mail is theirs, at the address that only they were given."""

    held: str
    project: Project
    address: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class Admission:
    """One look at who writes to what."""

    engine: Engine
    domain: str
    agency: str | None
    now: Moment

    def admit(self, kept: KeptMail, message: Message, sender: Sender) -> Decision | Admitted:
        """Return what this person may do, or what became of their mail without that."""
        thread, found_by = self.find_thread(_recipients(kept, message, sender), message, sender.address)
        route = self._route(kept, message, sender, thread)
        known = self._known(route, sender.address)
        if known is None:
            return self._turn_away(route, sender, kept)
        project, editor = known
        if sender.verdict != Verdict.VERIFIED:
            return _wait_or_hide(project, editor, message, sender)
        if route.candidates:
            return self._ask_which(route, sender, kept)
        if thread is not None and thread.lane.project != project.id:
            thread, found_by = None, ""
        may_edit = project.editor_by_address(editor.address) is not None
        return Admitted(project, editor, thread, sender, may_edit, found_by)

    def confirming(self, kept: KeptMail, message: Message, sender: Sender) -> Confirming | None:
        """Return which held mail this one is about, if its address was given to the person in its From."""
        for token in self._tokens(_recipients(kept, message, sender), Purpose.CONFIRM):
            view = self.engine.overview.mail(token.mail)
            project = self.engine.projects.find(view.project) if view and view.project else None
            if view is None or project is None or not view.sender or not sender.address:
                continue
            key, registered = self.engine.reply_keys.current(), view.sender
            if fold_address(registered) != fold_address(sender.address):
                continue
            if key.is_sealed(token, project=project.id, sender=registered):
                is_over = view.outcome is not MailOutcome.HELD or self.now.wall_at >= token.expires_at
                return Confirming(view.id, project, registered, is_over)
        return None

    def find_thread(
        self, recipients: Iterable[str], message: Message, address: str | None
    ) -> tuple[Thread | None, str]:
        """Find the conversation by our reply address, by our Message-IDs, else by what is quoted; never by subject."""
        thread = self._thread_of(self._tokens(recipients, Purpose.REPLY), address)
        if thread is not None:
            return thread, "the reply address"
        thread = self.engine.threads.find_by_messages(message.references)
        if thread is not None:
            return thread, "a Message-ID"
        quoted = [token for token in tokens_in(message.text, self.domain) if token.purpose == Purpose.REPLY]
        thread = self._thread_of(reversed(quoted), address)
        return thread, "our address in the quoted text" if thread else ""

    def _tokens(self, recipients: Iterable[str], purpose: Purpose) -> list[Token]:
        found = (read_token(recipient, self.domain) for recipient in recipients)
        return [token for token in found if token is not None and token.purpose == purpose]

    def _thread_of(self, tokens: Iterable[Token], address: str | None) -> Thread | None:
        for token in tokens:
            thread = self.engine.threads.find(token.about)
            if thread is None or address is None:
                continue
            key = self.engine.reply_keys.current()
            if key.is_genuine(token, project=thread.lane.project, sender=address, now=self.now.wall_at):
                return thread
        return None

    def _route(self, kept: KeptMail, message: Message, sender: Sender, thread: Thread | None) -> Route:
        recipients = _recipients(kept, message, sender)
        within = self.engine.projects.find(thread.lane.project) if thread else None
        return choose_project(recipients, sender.address, self.engine.projects, self.domain, within=within)

    def _known(self, route: Route, address: str | None) -> tuple[Project, Editor] | None:
        """Return the first of the possible projects in which this address may do something."""
        if address is None:
            return None
        possible = [route.project] if route.project else [self.engine.projects.find(name) for name in route.candidates]
        for project in possible:
            person = self._person(project, address) if project else None
            if project is not None and person is not None:
                return project, person
        return None

    def _person(self, project: Project, address: str) -> Editor | None:
        editor = project.editor_by_address(address)
        if editor is None and project.may_approve(address, self.agency):
            return Editor("", address, project.rules.language)
        return editor

    def _turn_away(self, route: Route, sender: Sender, kept: KeptMail) -> Decision:
        reason = f"{route.problem}; {sender.reason}"
        project = route.project.id if route.project else None
        told = Decision(MailOutcome.IGNORED, reason, sender.address, project=project, judged=sender)
        match sender.verdict:
            case Verdict.FORGED:
                return replace(told, outcome=MailOutcome.DROPPED)
            case Verdict.UNVERIFIED:
                return told
            case Verdict.VERIFIED if not route.is_for_us:
                return replace(told, outcome=MailOutcome.REFUSED)
            case Verdict.VERIFIED:
                site = route.project.name if route.project else self.domain
                stranger = replace(told, outcome=MailOutcome.STRANGER, answer="not_an_editor", facts={"site": site})
                return once_a_day(stranger, kept)

    def _ask_which(self, route: Route, sender: Sender, kept: KeptMail) -> Decision:
        facts = {"addresses": "\n".join(f"{name}@{self.domain}" for name in route.candidates)}
        asked = Decision(
            MailOutcome.REFUSED, route.problem, sender.address, answer="which_project", facts=facts, judged=sender
        )
        return once_a_day(asked, kept)


def _recipients(kept: KeptMail, message: Message, sender: Sender) -> Sequence[str]:
    """Return to whom the mail was written: what a signature has proven goes before what an envelope says."""
    if sender.recipients is not None:
        return sender.recipients
    return kept.envelope.recipients or message.recipients


def _wait_or_hide(project: Project, editor: Editor, message: Message, sender: Sender) -> Decision:
    told = Decision(MailOutcome.QUARANTINED, sender.reason, editor.address, project=project.id, judged=sender)
    if sender.verdict == Verdict.FORGED:
        return told
    about = clean_line(message.subject)[:_EXCERPT]
    facts = {"about": _LINK.sub("…", about) or "…", "excerpt": excerpt(message.text), "site": project.name}
    return replace(told, outcome=MailOutcome.HELD, answer="confirm", answer_kind="confirm", facts=facts)


def excerpt(text: str) -> str:
    """Return the beginning of a mail, without links: a stranger chose these words, and we send them on."""
    text = _LINK.sub("…", clean_line(text[: 10 * _EXCERPT]))
    return (text if len(text) <= _EXCERPT else text[:_EXCERPT].rstrip() + "…") or "…"
