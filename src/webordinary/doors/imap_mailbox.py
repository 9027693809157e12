"""One mailbox by IMAP: getting in by a password or a token, reading it by its numbers, and waiting for its news.

Of imap-tools only what connects and searches is used: its `flag` and `move` purge everything in the folder that
anybody has marked as deleted, and its `fetch` parses mails before they are safe.

The wait (IDLE, RFC 2177) is our own, because Python before 3.14 has none, and imap-tools misses a word: a server says
only once that mail has come. It may do so in its answer to any command, also to the search that has not found that mail
yet, or in the same breath in which the wait begins: then it lies in the buffer of the connection, where waiting at the
socket does not see it.
"""

from __future__ import annotations

import imaplib
import os
import select
import socket
import ssl
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from imap_tools import MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError, MailboxFolderSelectError, MailboxLoginError, UnexpectedCommandStatusError
from imap_tools.utils import encode_folder

from webordinary.config.outside import read_outside
from webordinary.doors.imap import Security
from webordinary.errors import Misconfigured, TryAgain
from webordinary.intake import LARGEST_MAIL
from webordinary.oauth.sasl import SaslAnswers, choose_mechanism, first_words
from webordinary.oauth.server import quoted
from webordinary.oauth.tokens import TokenRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from types import TracebackType

    from imap_tools import BaseMailBox

    from webordinary.doors.imap import ImapSection
    from webordinary.oauth.login import Mechanism
    from webordinary.oauth.tokens import Tokens


# Codes with which a server refuses a login that may work later (RFC 5530).
_PASSING = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")


@contextmanager
def translated(imap: ImapSection) -> Iterator[None]:
    """Let no error of a driver out; none of its sentences holds a password."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise Misconfigured(
            f"the certificate of {imap.host} is not believed ({error.verify_message}): "
            "correct imap.host, or name its authority in imap.certificates"
        ) from None
    except MailboxLoginError as error:
        raise _login_refused(imap, _said(error)) from None
    except MailboxFolderSelectError as error:
        raise Misconfigured(
            f"{imap.user} at {imap.host} has no folder {imap.mailbox} ({_said(error)}): correct imap.mailbox"
        ) from None
    except (ImapToolsError, imaplib.IMAP4.error, OSError, UnicodeError, ValueError) as error:
        raise TryAgain(f"{imap.name} cannot be read right now ({_reason(error)})") from None


def _login_refused(imap: ImapSection, said: str) -> Exception:
    if is_passing(said):
        return TryAgain(f"{imap.host} lets nobody in right now ({said})")
    key = "imap.password_file" if imap.password_file else "imap.password_variable"
    return Misconfigured(f"{imap.host} does not let {imap.user} in ({said}): correct {key}")


def is_passing(said: str) -> bool:
    """Tell whether a login that was refused with these words may work later."""
    return any(code in said.upper() for code in _PASSING)


def _said(error: UnexpectedCommandStatusError) -> str:
    data = error.command_result[1]
    first = data[0] if isinstance(data, list) and data else data
    return first.decode(errors="replace") if isinstance(first, bytes) else str(first)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return _said(error) if isinstance(error, UnexpectedCommandStatusError) else str(error) or type(error).__name__


def read_password(imap: ImapSection, environ: Mapping[str, str] = os.environ) -> str:
    """Return the password from where the configuration says that it is; each time anew, because it may change."""
    what = f"the password of {imap.user}"
    return read_outside(imap.password_file, imap.password_variable, what, "imap.password_file", environ)


_NEWS = "EXISTS"
imaplib.Commands.setdefault("IDLE", ("SELECTED",))


def wait_for_news(
    client: imaplib.IMAP4, seconds: float, wake: socket.socket, deadline: Callable[[], AbstractContextManager[None]]
) -> None:
    """Wait until the server has something to say, the time is over or somebody wakes us; not at all if it has."""
    if has_news(client):
        return
    driver: Any = client
    with deadline():
        tag, is_told = _begin(driver)
    if not is_told:
        _wait_for_either(client.sock, wake, seconds)
    with deadline():
        client.send(b"DONE\r\n")
        while not driver.tagged_commands[tag]:
            driver._get_response()  # noqa: SLF001 - imaplib before 3.14 has no public word for it
    kind, said = driver.tagged_commands.pop(tag)
    if kind != "OK":
        raise client.error(f"IDLE: {said}")


def has_news(client: imaplib.IMAP4) -> bool:
    """Tell whether the server has said that mail has come since `forget_news`."""
    return _NEWS in client.untagged_responses


def forget_news(client: imaplib.IMAP4) -> None:
    """Begin to listen: call it before a search, and what the search misses is news."""
    client.untagged_responses.pop(_NEWS, None)


def _wait_for_either(one: socket.socket, other: socket.socket, seconds: float) -> None:
    # Unlike `select` it also knows sockets beyond the thousandth.
    poll = select.poll()
    for each in (one, other):
        poll.register(each, select.POLLIN)
    poll.poll(seconds * 1000)


def _begin(driver: Any) -> tuple[bytes, bool]:  # noqa: ANN401 - imaplib's private side has no types
    tag = driver._command("IDLE")  # noqa: SLF001 - see above
    # Until the server says that it waits, it may say other things, or that it will not.
    while driver._get_response() is not None:  # noqa: SLF001 - see above
        if driver.tagged_commands[tag]:
            raise driver.error(f"IDLE: {driver.tagged_commands.pop(tag)}")
    return tag, has_news(driver) or _has_buffered(driver)


def _has_buffered(driver: Any) -> bool:  # noqa: ANN401 - see _begin
    """Tell whether more has been read from the connection than was asked for."""
    if hasattr(driver, "_readbuf"):
        # Python 3.14 keeps it there.
        return bool(driver._readbuf)  # noqa: SLF001 - see above
    patience = driver.sock.gettimeout()
    driver.sock.settimeout(0)
    try:
        return bool(driver.file.peek(1))
    except OSError:
        # An encrypted connection says in this way that there is nothing.
        return False
    finally:
        driver.sock.settimeout(patience)


@dataclass(frozen=True, slots=True)
class Bearer:
    """A token, and how the provider likes to be shown it."""

    token: str = field(repr=False)
    mechanism: Mechanism | None = None


def show_token(client: imaplib.IMAP4, imap: ImapSection, bearer: Bearer) -> None:
    """Log in with a token; TokenRefused when the server does not take it."""
    offered = {each.removeprefix("AUTH=") for each in map(str.upper, client.capabilities) if each.startswith("AUTH=")}
    mechanism = choose_mechanism(offered, bearer.mechanism)
    if mechanism is None:
        raise Misconfigured(f"{imap.host} takes no tokens: remove imap.oauth and name a password instead")
    shown = first_words(mechanism, imap.user, bearer.token, imap.host, imap.actual_port)
    try:
        client.authenticate(mechanism.value.upper(), SaslAnswers(mechanism, shown))
    except imaplib.IMAP4.error as error:
        said = quoted(_plain(str(error)), [bearer.token, shown.decode()])
        if isinstance(error, imaplib.IMAP4.abort):
            raise imaplib.IMAP4.abort(said) from None
        if is_passing(said):
            raise TryAgain(f"{imap.host} lets nobody in right now ({said})") from None
        raise TokenRefused(said) from None


def _plain(said: str) -> str:
    """Take away what the driver has made of the server's words."""
    return said.removeprefix("b").strip("'\"")


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

    def acknowledge(self, uid: int) -> str | None:
        """Acknowledge a mail: mark it as seen, or move it away; say what the server has against it."""
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
