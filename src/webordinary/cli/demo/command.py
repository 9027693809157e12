"""`webordinary demo`: a bakery's site, a real mail to it, and everything that happens then."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webordinary.audit.entry import EventType
from webordinary.cli.demo.agent import DemoAgent, ask_for_key, choose_agent, environment, refuse_expensive
from webordinary.cli.demo.folder import DOMAIN, MAILBOX, OWNER_ADDRESS, PROJECT, open_folder, read_demo
from webordinary.cli.demo.phone import Conversation, OwnersPhone, SentMail
from webordinary.cli.demo.proof import NEW_HOUR, ReceivedAnswer, answers_to, changed_lines, prove, read_page
from webordinary.cli.demo.run import (
    SUBJECT,
    RunningDemo,
    let_take_time,
    read_files,
    running,
    send,
    staged,
    stoppable,
    watch,
)
from webordinary.cli.follow import LOOK_EVERY_SECONDS, entries_as_they_come, say_entry
from webordinary.cli.options import JsonOption, examples
from webordinary.cli.output import print_json, say
from webordinary.config import Config
from webordinary.config.clock import clock_of
from webordinary.doors.smtp import Smtp
from webordinary.errors import JobFailed, NoSuchThing, TryAgain

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation

FIRST_MAIL = "Hello,\n\nwe open at nine now.\n\nThanks, Scott\n"
NEXT_MAIL = "Hello,\n\nwe open at eight again.\n\nThanks, Scott\n"

_INTERRUPTED = 130

app = typer.Typer()

FolderOption = Annotated[Path, typer.Option("--folder", help="Where the demo lives; made if it is missing.")]


def add_to(program: typer.Typer) -> None:
    """Give the program its demo."""
    shown = examples("webordinary demo", "webordinary demo --once", 'webordinary demo reply "undo"')
    program.add_typer(app, name="demo", epilog=shown)


@app.callback(invoke_without_command=True)
def demo(
    context: typer.Context,
    *,
    once: Annotated[
        bool, typer.Option("--once", help="Begin afresh, send one mail, prove what came of it, and exit.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Remove what an earlier demo left, and begin anew.")] = False,
    agent: Annotated[
        DemoAgent, typer.Option("--agent", help="Who edits: the built-in agent, or Claude Code with a key of yours.")
    ] = DemoAgent.SCRIPTED,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser, where there is one.")
    ] = True,
    folder: FolderOption = Path("demo"),
) -> None:
    """Write mails to a bakery's site on a page, and watch it change; runs until Ctrl-C."""
    if context.invoked_subcommand is not None:
        return
    choose_agent(agent, environment(), ask_for_key)
    with stoppable() as stop, open_folder(folder, fresh=fresh or once) as config:
        refuse_expensive(config)
        if not once:
            let_take_time(config)
        with running(config) as demo:
            if once:
                _play(demo.here, stop, once=True)
            else:
                _show(demo, folder, stop, browser=browser)
        if once and stop.is_set():
            raise typer.Exit(_INTERRUPTED)
    say("The demo has ended." if not once else "It works.", "bold")


def _show(demo: RunningDemo, folder: Path, stop: threading.Event, *, browser: bool) -> None:
    """Show the page, send the first mail, and say what happens until somebody wants to stop."""
    from webordinary.cli.demo.page.server import open_browser, shown_page  # noqa: PLC0415 - heavy, for --help

    with staged(demo) as stage, shown_page(stage) as address:
        say(f"Open the demo:               {address}", "bold")
        # In a pipe nobody waits for a window.
        if browser and sys.stdout.isatty():
            open_browser(address)
        if str(demo.here.config.agent.kind) == str(DemoAgent.SCRIPTED):
            _play(demo.here, stop, once=False)
        else:
            # A model costs money: nothing is asked of it that nobody has written.
            _say_where(demo.here.config)
        _go_on(demo.here, folder, stop)


def _play(here: Installation, stop: threading.Event, *, once: bool) -> None:
    """Send one mail, say what happens, and show what came of it."""
    _say_where(here.config)
    port = here.config.preview.listen.port
    before = read_page(port)
    words = NEXT_MAIL if NEW_HOUR in before else FIRST_MAIL
    after = here.engine.trail.last_number()
    _say_mail(words)
    sent = send(here.config, words)
    way = watch(here, sent, after, stop)
    if stop.is_set():
        return
    answers = _say_outcome(here.config, sent, before)
    if way.problem is not None and once:
        raise JobFailed(way.problem)
    if way.problem is not None:
        say(way.problem, "yellow")
    if once:
        prove(before, read_page(port), answers)


def _say_where(config: Config) -> None:
    web = config.preview.listen.port
    say(f"The site of a small bakery:  http://{PROJECT}.localhost:{web}/", "bold")
    say(f"Its mail address:            {PROJECT}@{DOMAIN}, by SMTP on {config.find_doors(Smtp)[0].listen}")
    say(f"The owner's mailbox:         {config.path.parent / MAILBOX}")
    say("")


def _say_mail(words: str) -> None:
    say("The owner writes a mail:", "bold")
    _say_indented(f"From: {OWNER_ADDRESS}\nTo: {PROJECT}@{DOMAIN}\nSubject: {SUBJECT}\n\n{words}")
    say("")


def _say_outcome(config: Config, sent: SentMail, before: str) -> list[ReceivedAnswer]:
    answers = answers_to(sent.message_id, config.path.parent / MAILBOX)
    for answer in answers:
        _say_answer(answer)
    say("What is different on the page:", "bold")
    for line in changed_lines(before, read_page(config.preview.listen.port)) or ["nothing"]:
        say(f"  {line}", "green" if line.startswith("+") else "red" if line.startswith("-") else "")
    say("")
    return answers


def _say_answer(answer: ReceivedAnswer) -> None:
    say("")
    say("The owner gets this answer:", "bold")
    _say_indented(f"From: {answer.sender}\nSubject: {answer.subject}\n\n{answer.text}")
    say("")


def _say_indented(text: str) -> None:
    for line in text.strip().splitlines():
        say(f"  | {line}")


def _go_on(here: Installation, folder: Path, stop: threading.Event) -> None:
    """Say what happens to further mails until somebody wants to stop."""
    if stop.is_set():
        return
    where = "" if folder == Path("demo") else f" --folder {folder}"
    say("Send another mail from a second terminal, or end everything with Ctrl-C:", "bold")
    say(f'  webordinary demo send "Our phone number is now 030 23125 200."{where}')
    say("")
    trail, overview = here.engine.trail, here.engine.overview
    for entry in entries_as_they_come(trail, after=trail.last_number(), is_over=lambda: stop.wait(LOOK_EVERY_SECONDS)):
        say_entry(entry)
        job = overview.job(entry.job) if entry.what is EventType.ANSWERED and entry.job else None
        if job is not None and job.request.message_id:
            for answer in answers_to(job.request.message_id, here.config.path.parent / MAILBOX):
                _say_answer(answer)


@app.command(
    "send",
    epilog=examples(
        'webordinary demo send "Our phone number is now 030 23125 200."',
        'webordinary demo send "Put this photo on the about page." --attach oven.heic',
    ),
)
def send_mail(
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What the mail says, in quotation marks.")],
    subject: Annotated[str, typer.Option("--subject", help="The mail's subject.")] = "Our website",
    sender: Annotated[
        str, typer.Option("--from", metavar="ADDRESS", help="Who writes; try a stranger.")
    ] = OWNER_ADDRESS,
    attach: Annotated[
        list[Path] | None,
        typer.Option("--attach", metavar="FILE", exists=True, dir_okay=False, help="A photo or document; repeatable."),
    ] = None,
    folder: FolderOption = Path("demo"),
) -> None:
    """Send another mail to the demo that runs in another terminal, and watch it there."""
    phone = _phone(folder)
    with _told_if_it_sleeps():
        sent = phone.write(words, subject=subject, sender=sender, files=read_files(tuple(attach or ())))
    say(f"The mail was taken as {sent.mail}; what becomes of it is shown where the demo runs.")


@app.command("reply", epilog=examples('webordinary demo reply "undo"', 'webordinary demo reply "ok"'))
def reply_to_answer(
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What the reply says, in quotation marks.")],
    number: Annotated[
        int, typer.Option("--to", metavar="N", min=1, help="The conversation, as `demo mailbox` numbers them.")
    ] = 1,
    attach: Annotated[
        list[Path] | None,
        typer.Option("--attach", metavar="FILE", exists=True, dir_okay=False, help="A photo or document; repeatable."),
    ] = None,
    folder: FolderOption = Path("demo"),
) -> None:
    """Reply to the newest answer in the owner's mailbox, in its conversation."""
    phone = _phone(folder)
    talks = [talk for talk in phone.conversations() if talk.answer is not None]
    if number > len(talks):
        raise NoSuchThing("There is no such answer in the mailbox; `webordinary demo mailbox` shows what is there.")
    talk = talks[number - 1]
    with _told_if_it_sleeps():
        sent = phone.write(words, answering=talk.answer, files=read_files(tuple(attach or ())))
    say(f"The reply in “{talk.subject}” was taken as {sent.mail}; `webordinary demo mailbox` shows the answer.")


@app.command(
    "mailbox", epilog=examples("webordinary demo mailbox", "webordinary demo mailbox --json | jq '.[0].mails[-1].text'")
)
def show_mailbox(
    *,
    as_json: JsonOption = False,
    folder: FolderOption = Path("demo"),
) -> None:
    """Show the owner's mails and the answers to them, the newest conversation first."""
    talks = _phone(folder).conversations()
    if as_json:
        print_json([_talk_as_json(talk) for talk in talks])
        return
    if not talks:
        say('No mail yet; send one with `webordinary demo send "…"`.')
    numbers = itertools.count(1)
    for talk in talks:
        number = f"{next(numbers)}  " if talk.answer else ""
        say(f"{number}{talk.subject}", "bold")
        for mail in talk.mails:
            say(f"  {'Scott' if mail.is_own else mail.sender}:", "cyan" if mail.is_own else "green")
            _say_indented(mail.text)
        say("")


def _talk_as_json(talk: Conversation) -> dict[str, Any]:
    mails = [
        {
            "message_id": mail.message_id,
            "from": mail.sender,
            "subject": mail.subject,
            "is_own": mail.is_own,
            "written_at": mail.written_at.isoformat() if mail.written_at else None,
            "text": mail.text,
            "files": list(mail.files),
        }
        for mail in talk.mails
    ]
    return {"id": talk.id, "subject": talk.subject, "is_answered": talk.is_answered, "mails": mails}


def _phone(folder: Path) -> OwnersPhone:
    config = read_demo(folder)
    return OwnersPhone(config, clock_of(config))


@contextmanager
def _told_if_it_sleeps() -> Iterator[None]:
    try:
        yield
    except TryAgain as problem:
        raise TryAgain(f"{problem} Is it running? `webordinary demo` starts it in another terminal.") from None
