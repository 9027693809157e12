"""`webordinary imap`: takes in what has come into the existing mailboxes."""

from __future__ import annotations

import queue
import signal
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import ConfigOption, examples, open_installation
from webordinary.cli.output import say, say_error
from webordinary.doors.imap import ImapSection, mailbox_door
from webordinary.errors import Misconfigured, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.doors.imap_poll import ImapDoor

    # None means that it is time to go.
    News = queue.SimpleQueue[tuple[ImapDoor, int] | None]


def add_to(app: typer.Typer) -> None:
    """Give the program its door to mailboxes."""
    app.command(rich_help_panel="Mail", epilog=examples("webordinary imap --once", "webordinary imap"))(imap)


def imap(
    *,
    once: Annotated[bool, typer.Option("--once", help="Look into each mailbox once, then exit.")] = False,
    config: ConfigOption = None,
) -> None:
    """Take in the mails of every mailbox that `imap` configures; without --once, until Ctrl-C or SIGTERM.

    A mail is marked as seen (or moved) only when it is safe here. `webordinary serve` does the same by itself:
    this is for a first try, for cron, and for a machine that only fetches mail.
    """
    here = open_installation(config)
    doors = [mailbox_door(each, here, here.intake) for each in here.config.find_doors(ImapSection)]
    if not doors:
        raise Misconfigured("No mailbox is configured; add an [[imap]] table with host, user and password_file.")
    if not once:
        _stay(doors)
        return
    unread = [door for door in doors if not _look(door)]
    if unread:
        raise typer.Exit(1)


def _look(door: ImapDoor) -> bool:
    try:
        with door.open() as mailbox:
            _say_how_many(door, door.take_new(mailbox))
    except WebOrdinaryError as problem:
        # One mailbox that cannot be read keeps nobody from reading the next.
        say_error(f"{problem}.")
        return False
    return True


def _stay(doors: list[ImapDoor]) -> None:
    from webordinary.doors.imap_poll import ImapPoller  # noqa: PLC0415 - heavy

    news: News = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: news.put(None))
    with ExitStack() as open_now:
        for door in doors:
            poller = ImapPoller(door, on_taken=_told_to(news, door))
            poller.start()
            open_now.callback(poller.close)
        while (found := news.get()) is not None:
            door, taken = found
            if taken:
                _say_how_many(door, taken)
    say("Everything has ended.")


def _told_to(news: News, door: ImapDoor) -> Callable[[int], None]:
    return lambda taken: news.put((door, taken))


def _say_how_many(door: ImapDoor, taken: int) -> None:
    say(f"{door.imap.name}: {taken or 'no'} new {'mail' if taken == 1 else 'mails'}")
