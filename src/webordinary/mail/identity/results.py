"""Authentication-Results: what a server that we trust has found, told apart from what a sender wrote himself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.mail.fields import split_outside_quotes, unquote

if TYPE_CHECKING:
    from email.message import Message as Headers

_LONGEST = 16 * 1024
# The last hop into a mailbox comes after the server that has judged the mail. No sender can choose this word: it
# stands right behind the name of the receiving host, and only the first name counts.
_BY = re.compile(r"\sby\s", re.IGNORECASE)
_INTO_THE_MAILBOX = re.compile(r"\sby\s+\S+\s+(?:\([^()]{0,200}\)\s*){0,3}with\s+LMTP", re.IGNORECASE)
_PROPERTY = re.compile(r"([a-z0-9._-]+)\s*=\s*(\"[^\"]*\"|[^\s;()]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """What the trusted server says of DMARC, and for which domain in From."""

    result: str
    domain: str


def trusted_result(headers: Headers, authserv_id: str) -> Found | None:
    """Return what that server wrote on top of the mail, above its own Received line; anything lower anybody wrote."""
    found = None
    for name, value in headers.items():
        if name.lower() == "received" and not _is_last_hop(f" {value}"):
            # Without this line nobody knows who has put the header there.
            return found
        if name.lower() == "authentication-results" and found is None:
            found = _read(str(value), authserv_id)
    return None


def _is_last_hop(value: str) -> bool:
    by = _BY.search(value)
    return by is not None and _INTO_THE_MAILBOX.match(value, by.start()) is not None


def _read(value: str, authserv_id: str) -> Found | None:
    """Return the finding if the header is of that server, with an empty result when it says nothing of DMARC."""
    if len(value) > _LONGEST:
        return None
    server, *statements = split_outside_quotes(_without_comments(value), ";")
    if unquote(server.partition(" ")[0]).lower() != authserv_id.lower():
        return None
    about_dmarc = [dict(_properties(statement)) for statement in statements if _method(statement) == "dmarc"]
    if len(about_dmarc) != 1:
        return Found("", "")
    said = about_dmarc[0]
    return Found(said.get("dmarc", ""), said.get("header.from", ""))


def _method(statement: str) -> str:
    return statement.partition("=")[0].partition("/")[0].strip().lower()


def _properties(statement: str) -> list[tuple[str, str]]:
    pairs = [(name.lower(), unquote(value).lower()) for name, value in _PROPERTY.findall(statement)]
    # The first word wins: what stands behind it may be a sender's text.
    return list(reversed(pairs))


def _without_comments(value: str) -> str:
    kept, depth, quoted, escaped = [], 0, False, False
    for letter in value:
        if escaped:
            escaped = False
        elif letter == "\\" and (quoted or depth):
            escaped = True
        elif letter == '"' and not depth:
            quoted = not quoted
        elif letter == "(" and not quoted:
            depth += 1
        elif letter == ")" and not quoted and depth:
            depth -= 1
            kept.append(" ")
            continue
        if not depth:
            kept.append(letter)
    return "".join(kept).replace("\t", " ").strip()
