"""Authentication-Results: what a server that we trust has found, told apart from what a sender wrote himself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.mail.identity.received import is_one_of, read_hop
from webordinary.mail.mime.fields import split_outside_quotes, unquote

if TYPE_CHECKING:
    from collections.abc import Iterable
    from email.message import Message as Headers

    from webordinary.mail.identity.received import Hop

_LONGEST = 16 * 1024
_PROPERTY = re.compile(r"([a-z0-9._-]+)[ \t]*=[ \t]*(\"[^\"]*\"|[^\s;()]+)", re.IGNORECASE)
_NOT_ASCII = re.compile(r"[^\x09\x20-\x7e]")


@dataclass(frozen=True, slots=True)
class Found:
    """What the trusted server says of DMARC, for which domain in From, and for which return path SPF has passed."""

    result: str
    domain: str
    origin: str = ""


def trusted_result(headers: Headers, authserv_id: str, hosts: Iterable[str] = ()) -> Found | None:
    """Return what that server wrote on top of the mail, above its own Received line; anything lower anybody wrote."""
    words: list[list[str]] = []
    for name, value in headers.items():
        if name.lower() == "authentication-results" and (said := _read(str(value), authserv_id)) is not None:
            words.append(said)
        if name.lower() == "received" and not _is_last_hop(str(value), authserv_id, hosts):
            # Without this line nobody knows who has put the header there.
            return _found(words)
    return None


def entry_hop(headers: Headers, authserv_id: str | None, hosts: Iterable[str]) -> Hop | None:
    """Return the hop by which the mail came to a server of ours: the first that is not the last into a mailbox."""
    for value in headers.get_all("Received", []):
        if not _is_last_hop(str(value), authserv_id, hosts):
            return read_hop(str(value))
    return None


def _is_last_hop(value: str, authserv_id: str | None, hosts: Iterable[str]) -> bool:
    hop = read_hop(value)
    return hop is not None and hop.is_into_a_mailbox and is_one_of(hop.by, hosts, authserv_id)


def _read(value: str, authserv_id: str) -> list[str] | None:
    """Return the statements of the header if it is of that server."""
    if len(value) > _LONGEST:
        return None
    # What looks like a space and is none must not divide anything.
    server, *statements = split_outside_quotes(_without_comments(_NOT_ASCII.sub("?", value)), ";")
    return statements if unquote(server.partition(" ")[0]).lower() == authserv_id.lower() else None


def _found(words: list[list[str]]) -> Found | None:
    """Return the topmost word about DMARC, with an empty result when there is none, or two in one header."""
    if not words:
        return None
    origins = [said for said in (_about("spf", statements) for statements in words) if said]
    passed = origins[0][0] if origins and len(origins[0]) == 1 and origins[0][0].get("spf") == "pass" else {}
    origin = passed.get("smtp.mailfrom", "")
    for said in (_about("dmarc", statements) for statements in words):
        if len(said) == 1:
            return Found(said[0].get("dmarc", ""), said[0].get("header.from", ""), origin)
        if said:
            break
    return Found("", "")


def _about(method: str, statements: list[str]) -> list[dict[str, str]]:
    return [dict(_properties(statement)) for statement in statements if _method(statement) == method]


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
