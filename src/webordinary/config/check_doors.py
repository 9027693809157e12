"""What does not fit together in the tables of the doors."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.config.doors import Protocol, Security
from webordinary.config.values import Listen

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from webordinary.config.doors import ImapSection, Smtp
    from webordinary.config.lines import KeyPath
    from webordinary.config.outgoing import Outgoing

# After half an hour of silence a server may close the connection (RFC 2177 says 29 minutes).
_LONGEST_IDLE = timedelta(minutes=29)


def complaints_about_smtp(smtp: Smtp) -> Iterator[tuple[KeyPath, str]]:
    """Say what is wrong with the listener."""
    for name in ("command_deadline", "mail_deadline", "session_deadline"):
        if not getattr(smtp, name):
            yield ("smtp", name), "must be longer than 0"
    if (smtp.certificate is None) != (smtp.key is None):
        there, missing = ("certificate", "key") if smtp.certificate else ("key", "certificate")
        yield ("smtp", there), f"needs `smtp.{missing}` beside it"
    if smtp.users and not smtp.certificate and not smtp.is_local:
        # Without either everybody on the way could read the passwords.
        yield ("smtp", "users"), "needs `smtp.certificate` and `smtp.key`, or a listener on loopback"
    if smtp.trust_local and smtp.protocol is Protocol.LMTP:
        yield ("smtp", "trust_local"), "cannot be true behind another mail server, because all mail comes from there"


def complaints_about_imap(
    mailboxes: tuple[ImapSection, ...], logins: Collection[str] = ()
) -> Iterator[tuple[KeyPath, str]]:
    """Say what is wrong with the mailboxes."""
    seen: set[str] = set()
    for index, each in enumerate(mailboxes):
        path: KeyPath = ("imap", index)
        yield from _one_mailbox(each, path, logins)
        if each.name in seen:
            yield (*path, "user"), f'is looked into twice, as "{each.name}"; remove one of them'
        seen.add(each.name)


def _one_mailbox(imap: ImapSection, path: KeyPath, logins: Collection[str]) -> Iterator[tuple[KeyPath, str]]:
    if sum(each is not None for each in (imap.password_file, imap.password_variable, imap.oauth)) != 1:
        yield path, "needs exactly one of `password_file`, `password_variable` and `oauth`"
    if imap.oauth is not None and imap.oauth not in logins:
        yield (*path, "oauth"), f'is "{imap.oauth}", and no `[[oauth]]` has that name'
    if imap.security is Security.NONE and not Listen((imap.host, 0)).is_loopback:
        yield (*path, "security"), 'can be "none" only on loopback, because the password would be readable on its way'
    if not timedelta(0) < imap.idle < _LONGEST_IDLE:
        yield (*path, "idle"), "must be longer than 0 and shorter than 29 minutes, after which servers hang up"
    if not imap.poll:
        yield (*path, "poll"), "must be longer than 0"
    if imap.move_to == imap.mailbox:
        yield (*path, "move_to"), "must be another folder than `mailbox`"


def complaints_about_outgoing(
    outgoing: Outgoing, oauth: str | None, logins: Collection[str]
) -> Iterator[tuple[KeyPath, str]]:
    """Say what is wrong with the way in at the outgoing server."""
    if oauth is None:
        if outgoing.user is not None and outgoing.password is None:
            yield ("outgoing", "url"), "must have both a user and a password, or `outgoing.oauth` beside it"
        return
    if oauth not in logins:
        yield ("outgoing", "oauth"), f'is "{oauth}", and no `[[oauth]]` has that name'
    if outgoing.user is None or outgoing.password is not None:
        why = "must have a user and no password beside `outgoing.oauth`, such as smtp://USER@smtp.example.com:587"
        yield ("outgoing", "url"), why
