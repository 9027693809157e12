"""What a program reads of one thing, as its page shows it: letters, work, words of a mail, answers that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.actions import answers as acts
from webordinary.actions.role import Role
from webordinary.dashboard.api.call import ApiCall, ApiRoute
from webordinary.dashboard.api.seen import mail_seen
from webordinary.dashboard.api.shapes import (
    ChangedFileShape,
    ChangeShape,
    FindingShape,
    HeldAnswerShape,
    HeldShape,
    LetterShape,
    MailStoryShape,
    Paged,
    TextShape,
    WorkShape,
)
from webordinary.dashboard.story.incoming import tell_mail
from webordinary.dashboard.story.told import tell_story
from webordinary.mail.tokens import hide_tokens
from webordinary.reply.held_answers import MOST_HELD, free_words

if TYPE_CHECKING:
    from webordinary.dashboard.story.difference import CommitDifference
    from webordinary.dashboard.story.excerpt import ShownText
    from webordinary.dashboard.story.letters import SentLetter
    from webordinary.dashboard.story.told import JobStory
    from webordinary.reply.held_answers import HeldAnswer


def letters(call: ApiCall) -> Paged[LetterShape]:
    return Paged(items=[_letter(each) for each in _story(call).letters])


def work(call: ApiCall) -> WorkShape:
    """Return what only the agency sees of a job."""
    story = _story(call)
    return WorkShape(
        findings=[FindingShape(heading=each.heading, lines=[*map(hide_tokens, each.lines)]) for each in story.findings],
        change=_change(story.change) if story.change else None,
        log=_text(story.log),
        no_pictures=story.job.journal.no_pictures,
    )


def mail_story(call: ApiCall) -> MailStoryShape:
    name = call.params["mail"]
    found = call.engine.overview.mail(name)
    story = tell_mail(call.engine, call.seen(found, found.project if found else None, f"mail {name}"))
    return MailStoryShape(
        mail=mail_seen(story.mail),
        became=story.became,
        text=_text(story.text),
        cut=_text(story.cut),
        headers=[(name, hide_tokens(value)) for name, value in story.headers],
        files=[each.name for each in story.files],
        letters=[_letter(each) for each in story.letters],
    )


def held_answers(call: ApiCall) -> Paged[HeldShape]:
    return Paged(items=[_held(each) for each in call.engine.held_answers.all(limit=MOST_HELD)])


def held_answer(call: ApiCall) -> HeldAnswerShape:
    held = acts.held_answer(call.here, call.params["job"])
    mail = acts.as_it_would_go_out(call.here, held)
    words = free_words(held.letter)
    return HeldAnswerShape(held=_held(held), subject=mail.subject, text=hide_tokens(mail.text), words=words)


def _story(call: ApiCall) -> JobStory:
    return tell_story(call.here, call.job(), to_agency=call.is_agency)


def _letter(letter: SentLetter) -> LetterShape:
    return LetterShape(
        kind=letter.kind, state=letter.state, at=letter.at, to=letter.to, subject=letter.subject, text=letter.text
    )


def _change(change: CommitDifference) -> ChangeShape:
    files = [
        ChangedFileShape(path=each.path, added=each.added, removed=each.removed, lines=[one.text for one in each.lines])
        for each in change.files
    ]
    return ChangeShape(files=files, source=change.source, is_cut=change.is_cut)


def _text(text: ShownText | None) -> TextShape | None:
    return TextShape(text=text.text, size=text.size, is_cut=text.is_cut) if text else None


def _held(held: HeldAnswer) -> HeldShape:
    return HeldShape(
        job=held.job,
        project=held.project,
        lane=held.lane,
        thread=held.thread,
        to=held.letter.to,
        tells=held.letter.words,
        held_at=held.held_at,
    )


INSIDE = (
    ApiRoute(method="GET", path="/jobs/{job}/letters", name="list_letters", handler=letters, role=Role.CLIENT,
             tells="The mails that were written about a job, as they went out.", answer=Paged[LetterShape],
             params=("job",)),
    ApiRoute(method="GET", path="/jobs/{job}/work", name="show_work", handler=work, answer=WorkShape,
             tells="What was found in a job's change, the change line by line, and the end of the build's log.",
             params=("job",)),
    ApiRoute(method="GET", path="/mails/{mail}/story", name="show_mail_story", handler=mail_story,
             tells="What a mail says, its headers and what its sender was written.", answer=MailStoryShape,
             params=("mail",)),
    ApiRoute(method="GET", path="/answers", name="list_held_answers", handler=held_answers, role=Role.OPERATOR,
             tells="Answers that wait for the agency's eye, the oldest first.", answer=Paged[HeldShape]),
    ApiRoute(method="GET", path="/answers/{job}", name="show_held_answer", handler=held_answer, role=Role.OPERATOR,
             tells="An answer that waits, as it would go out now.", answer=HeldAnswerShape, params=("job",)),
)  # fmt: skip
