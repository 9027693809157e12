"""The IMAP door: what comes into an existing mailbox is taken in, in order, and marked only when it is safe."""

from __future__ import annotations

import logging
import socket
import threading
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.doors.imap_mailbox import open_mailbox
from webordinary.errors import LoginNeeded, Misconfigured, Refused, TryAgain
from webordinary.mail.inbox import Envelope
from webordinary.mail.mailboxes import Bookmark
from webordinary.reply.outbox import login_needed

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.doors.imap import ImapSection
    from webordinary.doors.imap_mailbox import OpenMailbox
    from webordinary.intake import Intake
    from webordinary.oauth.tokens import Tokens

FIRST_WAIT = timedelta(seconds=1)
LONGEST_WAIT = timedelta(minutes=5)
# How long a mail that is being taken in may still take when the door is closed.
GRACE = timedelta(seconds=10)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ImapDoor:
    """What one mailbox is to us, whether somebody is connected to it or not."""

    imap: ImapSection
    intake: Intake
    authserv_id: str | None = None
    tokens: Tokens | None = None

    def open(self) -> OpenMailbox:
        return open_mailbox(self.imap, self.tokens)

    def tell_agency(self, needed: LoginNeeded) -> None:
        """Say once that somebody has to log in; what comes meanwhile waits in the mailbox."""
        trust, now = self.intake.trust, self.intake.clock.now()
        agency = trust.agency if trust else None
        if agency is not None:
            self.intake.engine.outbox.add(login_needed(needed, agency, now.wall_at), now)

    def take_new(self, mailbox: OpenMailbox, *, is_over: Callable[[], bool] = lambda: False) -> int:
        """Take in what has come since the last time, and return how many mails that were.

        The first time, and when the server has numbered its mails anew, only what nobody has seen is new.
        """
        bookmark = self.intake.engine.mailboxes.find(self.imap.name)
        taken = 0
        if bookmark is None or bookmark.validity != mailbox.validity:
            for uid in mailbox.unseen():
                if is_over():
                    # The bookmark waits until all of them are safe: older ones that were seen are behind it too.
                    return taken
                taken += uid < mailbox.next_uid and self._take(mailbox, uid)
            bookmark = self._remember(mailbox, mailbox.next_uid - 1)
        for uid in mailbox.after(bookmark.uid):
            if is_over():
                break
            taken += self._take(mailbox, uid)
            self._remember(mailbox, uid)
        return taken

    def _remember(self, mailbox: OpenMailbox, uid: int) -> Bookmark:
        bookmark = Bookmark(mailbox.validity, uid)
        self.intake.engine.mailboxes.remember(self.imap.name, bookmark, self.intake.clock.now())
        return bookmark

    def _take(self, mailbox: OpenMailbox, uid: int) -> bool:
        raw = mailbox.read(uid)
        if raw is None:
            # Somebody has removed it since we asked.
            return False
        mail = self._keep(raw, f"imap:{self.imap.name}:{mailbox.validity}:{uid}")
        problem = mailbox.acknowledge(uid)
        if problem is not None:
            # It is safe with us, and the bookmark keeps it from being taken again.
            _log.warning("a mail in %s stays as it is: %s", self.imap.name, problem)
        if mail is not None:
            self._decide(mail)
        return mail is not None

    def _keep(self, raw: bytes, key: str) -> str | None:
        believed = self.imap.authserv_id or self.authserv_id
        try:
            return self.intake.receive(raw, Envelope("imap", (), transport_key=key, authserv_id=believed)).mail
        except Refused as refused:
            facts = {"door": "imap", "mailbox": self.imap.name}
            entry = Entry(EventType.MAIL_REFUSED, self.intake.clock.now().wall_at, text=str(refused), facts=facts)
            self.intake.engine.trail.record(entry)
            return None

    def _decide(self, mail: str) -> None:
        try:
            self.intake.decide(mail)
        except Exception:  # noqa: BLE001 - whatever it is, the next mail has to be taken in
            # It stays undecided; the sweep of any worker decides it in half a minute.
            _log.exception("the mail %s could not be decided yet", mail)


class ImapPoller:
    """Stays at one mailbox in a thread of its own, and comes back when the server was gone."""

    def __init__(
        self,
        door: ImapDoor,
        *,
        on_taken: Callable[[int], None] = lambda _: None,
        first_wait: timedelta = FIRST_WAIT,
        grace: timedelta = GRACE,
    ) -> None:
        self._door = door
        self._on_taken = on_taken
        self._first_wait = first_wait
        self._grace = grace
        self._is_over = threading.Event()
        self._wake, self._waker = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name=f"imap {door.imap.name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Finish the mail that is being taken in, and go; may be called twice.

        A server that hangs is not waited for: what was not taken in is found again by the next start.
        """
        if not self._is_over.is_set():
            # In this order: the thread closes both ends as soon as it knows that it is over.
            self._waker.send(b".")
            self._is_over.set()
            self._thread.join(self._grace.total_seconds())

    def _run(self) -> None:
        with self._wake, self._waker:
            wait = self._first_wait
            while not self._is_over.is_set():
                began = self._stay_until_it_breaks()
                wait = self._first_wait if began else min(wait * 2, LONGEST_WAIT)
                self._is_over.wait(wait.total_seconds())

    def _stay_until_it_breaks(self) -> bool:
        """Return whether the mailbox could be read at all."""
        has_looked = False
        try:
            with self._door.open() as mailbox:
                while not self._is_over.is_set():
                    self._on_taken(self._door.take_new(mailbox, is_over=self._is_over.is_set))
                    has_looked = True
                    self._rest(mailbox)
        except (TryAgain, Misconfigured) as problem:
            _log.warning("%s; trying again", problem)
            self._tell(problem)
        except Exception:  # noqa: BLE001 - a thread that ends would leave the mailbox unread for ever
            _log.exception("%s could not be read; trying again", self._door.imap.name)
        return has_looked

    def _tell(self, problem: Exception) -> None:
        if isinstance(problem, LoginNeeded):
            try:
                self._door.tell_agency(problem)
            except TryAgain as busy:
                _log.warning("the agency could not be told yet: %s", busy)

    def _rest(self, mailbox: OpenMailbox) -> None:
        if mailbox.can_wait:
            mailbox.wait_for_news(self._door.imap.idle.total_seconds(), self._wake)
        elif not self._is_over.wait(self._door.imap.poll.total_seconds()):
            mailbox.rest()
