"""Waits for a mail server's word (IDLE, RFC 2177), because Python before 3.14 cannot, and imap-tools misses a word.

A server says only once that mail has come. It may do so in its answer to any command, also to the search that has not
found that mail yet, or in the same breath in which the wait begins: then it lies in the buffer of the connection,
where waiting at the socket does not see it.
"""

from __future__ import annotations

import imaplib
import select
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from contextlib import AbstractContextManager

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
