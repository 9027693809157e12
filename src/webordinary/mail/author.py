"""Whose mail it is, read from its header alone: mails of one author are decided in the order of their arrival."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.mail.address import read_author
from webordinary.mail.mime.parts import read_header_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.mail.inbox import Envelope


def author_of(raw: bytes, envelope: Envelope) -> str:
    """Name the line of mails that this one stands in; empty when it does not say whose it is.

    Nobody has judged the mail yet. A forger who writes in somebody's name from elsewhere stands in a line of their own,
    so that their name servers, which may take minutes to answer, hold up nobody else.
    """
    block = read_header_block(memoryview(raw))
    return author_in([] if block.excess else [str(value) for value in block.headers.get_all("From", [])], envelope)


def author_in(authors: Sequence[str], envelope: Envelope) -> str:
    """Name the line of a mail whose header names these authors."""
    author, _ = read_author(list(authors))
    vouched = envelope.vouch.address if envelope.vouch else None
    address = vouched or (author.address if author else "")
    origin = (envelope.mail_from or "").rpartition("@")[2]
    return f"{address} {origin}".lower().rstrip() if address else ""
