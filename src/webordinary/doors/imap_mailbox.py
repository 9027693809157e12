"""One connection to one mailbox at somebody else's mail server; every word of it has a deadline.

Of imap-tools only what connects and searches is used: its `flag` and `move` purge everything in the folder that
anybody has marked as deleted, and its `fetch` parses mails before they are safe.
"""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self

from imap_tools import MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.utils import encode_folder

from webordinary.doors.imap import Security
from webordinary.doors.imap_faults import read_password, translated
from webordinary.doors.imap_idle import forget_news, wait_for_news
from webordinary.doors.imap_token import Bearer, show_token
from webordinary.errors import TryAgain
from webordinary.intake import LARGEST_MAIL

if TYPE_CHECKING:
    import imaplib
    from collections.abc import Iterator
    from types import TracebackType

    from imap_tools import BaseMailBox

    from webordinary.doors.imap import ImapSection
    from webordinary.oauth.tokens import Tokens

_SECONDS_FOR_AN_ANSWER = 60.0
_SECONDS_FOR_A_MAIL = 600.0


class OpenMailbox:
    """A mailbox that is open; used by one thread."""

    def __init__(self, imap: ImapSection, key: str | Bearer) -> None:
        self._imap = imap
        with translated(imap):
            self._box = _connect(imap)
        self._client: imaplib.IMAP4 = self._box.client
        try:
            with translated(imap), self._within(_SECONDS_FOR_AN_ANSWER):
                self.abilities = self._log_in(key)
            self.validity = self._number("UIDVALIDITY")
            self.next_uid = self._number("UIDNEXT")
        except BaseException:
            self._client.shutdown()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Whatever the server says to our farewell, the connection ends.
        with suppress(Exception), self._within(_SECONDS_FOR_AN_ANSWER):
            self._client.logout()
        with suppress(Exception):
            self._client.shutdown()

    @property
    def can_wait(self) -> bool:
        """Whether the server can say by itself that mail has come."""
        return "IDLE" in self.abilities

    def unseen(self) -> list[int]:
        """Return the mails that nobody has marked as seen."""
        return self._search("UNSEEN")

    def after(self, uid: int) -> list[int]:
        """Return the mails that came after this one, seen or not."""
        # The last mail always is in such a range, however small its number.
        return [found for found in self._search(f"UID {uid + 1}:*") if found > uid]

    def read(self, uid: int) -> bytes | None:
        """Return a mail as it is, without marking it, or None when it has gone meanwhile.

        Of one that is too large only so much is read that this can be seen; some servers only guess a mail's size.
        """
        with translated(self._imap), self._within(_SECONDS_FOR_A_MAIL):
            kind, parts = self._client.uid("FETCH", str(uid), f"(UID BODY.PEEK[]<0.{LARGEST_MAIL + 1}>)")
        for part in parts if kind == "OK" else ():
            if isinstance(part, tuple) and b"BODY[]" in part[0]:
                return bytes(part[1])
            if isinstance(part, bytes) and b'BODY[]<0> ""' in part:
                return b""
        return None

    def settle(self, uid: int) -> str | None:
        """Mark a mail as seen, or move it away; say what the server has against it."""
        with translated(self._imap), self._within(_SECONDS_FOR_AN_ANSWER):
            if self._imap.move_to is None:
                return _refusal(self._client.uid("STORE", str(uid), "+FLAGS.SILENT", r"(\Seen)"))
            return self._move(str(uid), encode_folder(self._imap.move_to).decode("ascii"))

    def _move(self, uid: str, folder: str) -> str | None:
        if "MOVE" in self.abilities:
            return _refusal(self._client.uid("MOVE", uid, folder))
        problem = _refusal(self._client.uid("COPY", uid, folder))
        problem = problem or _refusal(self._client.uid("STORE", uid, "+FLAGS.SILENT", r"(\Seen \Deleted)"))
        if problem is None and "UIDPLUS" in self.abilities:
            # Only this one: what others have marked as deleted is theirs to purge.
            problem = _refusal(self._client.uid("EXPUNGE", uid))
        return problem

    def rest(self) -> None:
        """Ask for nothing, so that the server knows that we live and we know that it does."""
        with translated(self._imap), self._within(_SECONDS_FOR_AN_ANSWER):
            self._client.noop()

    def wait_for_news(self, seconds: float, wake: socket.socket) -> None:
        """Wait until the server has something to say, the time is over or somebody wakes us."""
        with translated(self._imap):
            wait_for_news(self._client, seconds, wake, lambda: self._within(_SECONDS_FOR_AN_ANSWER))

    def _log_in(self, key: str | Bearer) -> frozenset[str]:
        """Open the folder and return what the server can do, which may be more for those whom it knows."""
        if isinstance(key, Bearer):
            show_token(self._client, self._imap, key)
        else:
            # LOGIN knows only ASCII.
            log_in = self._box.login if key.isascii() and self._imap.user.isascii() else self._box.login_utf8
            log_in(self._imap.user, key, initial_folder=None)
        _, abilities = self._client.capability()
        self._box.folder.set(self._imap.mailbox)
        return frozenset(b" ".join(abilities).decode("ascii", "replace").upper().split())

    def _search(self, criteria: str) -> list[int]:
        with translated(self._imap), self._within(_SECONDS_FOR_AN_ANSWER):
            forget_news(self._client)
            return sorted(int(uid) for uid in self._box.uids(criteria, charset=None))

    def _number(self, name: str) -> int:
        _, (found, *_) = self._client.response(name)
        if not found:
            raise TryAgain(f"{self._imap.host} does not say the {name} of {self._imap.mailbox}")
        return int(found)

    @contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        """Cut the connection when this takes longer, also if the server sends a byte now and then."""
        timer = threading.Timer(seconds, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _cut(self) -> None:
        with suppress(OSError):
            self._client.sock.shutdown(socket.SHUT_RDWR)


def open_mailbox(imap: ImapSection, tokens: Tokens | None) -> OpenMailbox:
    """Come in with a token, once more with a newer one if need be; without tokens with the password."""
    if tokens is None:
        return OpenMailbox(imap, read_password(imap))
    mechanism = tokens.login.mechanism
    return tokens.use(lambda token: OpenMailbox(imap, Bearer(token, mechanism)), f"{imap.user} at {imap.host}")


def _connect(imap: ImapSection) -> BaseMailBox:
    if imap.security is Security.NONE:
        return MailBoxUnencrypted(imap.host, imap.actual_port, timeout=_SECONDS_FOR_AN_ANSWER)
    context = ssl.create_default_context(cafile=imap.certificates)
    kind = MailBox if imap.security is Security.TLS else MailBoxStartTls
    return kind(imap.host, imap.actual_port, timeout=_SECONDS_FOR_AN_ANSWER, ssl_context=context)


def _refusal(answer: tuple[str, list[bytes]]) -> str | None:
    kind, said = answer
    return None if kind == "OK" else str(said[0])
