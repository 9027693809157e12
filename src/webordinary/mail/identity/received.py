"""Received lines by their grammar (RFC 5321): what the client said, what the server saw, and who wrote the line.

The client chooses the first word of such a line. So the words of the server count only where they stand by the grammar,
in ASCII: what some program takes for a space is a letter here, and a line that is written otherwise is no hop at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

from webordinary.mail.identity.domain import organisation

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 4096
_MOST_COMMENTS = 6
_BLANK = re.compile(r"[ \t\r\n]+")
_HOST = r"(?P<{0}>[A-Za-z0-9][A-Za-z0-9._-]{{0,254}}|\[[A-Za-z0-9.:]{{2,60}}\])"
# Each comment is one letter by then. Nothing may follow that the grammar does not name, a second "by" least of all.
_NOTES = rf"(?: \x00){{0,{_MOST_COMMENTS}}}"
_LINE = re.compile(
    rf"from {_HOST.format('client')}(?P<seen>{_NOTES})"
    rf" by {_HOST.format('by')}{_NOTES}(?: via [A-Za-z0-9-]{{1,40}})?{_NOTES}"
    rf" with (?P<protocol>[A-Za-z0-9]{{1,40}}){_NOTES}"
    rf"(?: id [!-~]{{1,200}}?)?{_NOTES}(?: for [!-~]{{1,400}}?)?{_NOTES} ?(?:; ?[A-Za-z0-9,:+ \x00-]{{0,80}})?",
    re.IGNORECASE | re.ASCII,
)
_SEEN = re.compile(r"(?:[A-Za-z0-9._-]{1,255} )?\[(?:IPv6:)?(?P<address>[0-9A-Fa-f.:]{2,45})\]", re.ASCII)


@dataclass(frozen=True, slots=True)
class Hop:
    """One way from a client to a server: the client's own name, its address as the server saw it, and the server."""

    client: str
    address: str | None
    by: str
    protocol: str

    @property
    def is_into_a_mailbox(self) -> bool:
        """Whether it is the last hop, behind the server that judges; nobody outside speaks this protocol to us."""
        return self.protocol in {"LMTP", "LMTPS", "LMTPA", "LMTPSA"}

    @property
    def is_from_outside(self) -> bool:
        """Whether it is the way on which mail comes from other servers."""
        return self.protocol in {"SMTP", "ESMTP", "ESMTPS", "UTF8SMTP", "UTF8SMTPS"}


def read_hop(value: str) -> Hop | None:
    """Return the hop that a Received line tells of, or None when it is not written as the grammar asks."""
    if len(value) > _LONGEST or not value.isascii() or "\0" in value:
        return None
    parted = _part_comments(value)
    if parted is None:
        return None
    line, comments = parted
    found = _LINE.fullmatch(_BLANK.sub(" ", line).strip(" "))
    if found is None:
        return None
    # Only what stands right behind the client's name is what the server saw of it.
    seen = _SEEN.fullmatch(comments[0]) if found["seen"] else None
    return Hop(
        found["client"], _address(seen["address"]) if seen else None, found["by"].lower(), found["protocol"].upper()
    )


def _address(text: str) -> str | None:
    try:
        return str(ip_address(text))
    except ValueError:
        return None


def _part_comments(value: str) -> tuple[str, list[str]] | None:
    """Return the line with one mark for each comment, and the comments; None when they do not end."""
    kept: list[str] = []
    comments: list[str] = []
    start, depth = 0, 0
    for place, letter in enumerate(value):
        if letter in '\\"':
            return None
        if letter == "(":
            if not depth:
                kept.append(value[start:place])
                start = place + 1
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth < 0:
                return None
            if not depth:
                kept.append(" \0 ")
                comments.append(_BLANK.sub(" ", value[start:place]).strip(" "))
                start = place + 1
    return None if depth else ("".join((*kept, value[start:])), comments)


def is_one_of(host: str, hosts: Iterable[str], server: str | None) -> bool:
    """Tell whether a host is one that was named, or one of the owner of the server whose word is believed."""
    host = host.lower().rstrip(".")
    if host in {each.lower().rstrip(".") for each in hosts}:
        return True
    if server is None or "." not in server:
        return host == (server or "").lower()
    return organisation(host) == organisation(server)
