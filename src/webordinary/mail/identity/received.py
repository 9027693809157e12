"""What servers wrote into a mail's headers: Received lines and Authentication-Results, apart from a sender's own words.

Received lines are read by their grammar (RFC 5321): what the client said, what the server saw, and who wrote the line.
The client chooses the first word of such a line. So the words of the server count only where they stand by the grammar,
in ASCII: what some program takes for a space is a letter here, and a line that is written otherwise is no hop at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import TYPE_CHECKING

from webordinary.mail.identity.domain import organisation
from webordinary.mail.identity.origin import DOORS_OF_OURS, is_local, is_relay
from webordinary.mail.mime.fields import split_outside_quotes, unquote

if TYPE_CHECKING:
    from collections.abc import Iterable
    from email.message import Message as Headers

    from webordinary.mail.inbox import Envelope


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


_LONGEST_RESULTS = 16 * 1024
_PROPERTY = re.compile(r"([a-z0-9._-]+)[ \t]*=[ \t]*(\"[^\"]*\"|[^\s;()]+)", re.IGNORECASE)
_NOT_ASCII = re.compile(r"[^\x09\x20-\x7e]")


@dataclass(frozen=True, slots=True)
class AuthResult:
    """What the trusted server says of DMARC, for which domain in From, and for which return path SPF has passed."""

    result: str
    domain: str
    origin: str = ""


def trusted_result(headers: Headers, authserv_id: str, hosts: Iterable[str] = ()) -> AuthResult | None:
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
    if len(value) > _LONGEST_RESULTS:
        return None
    # What looks like a space and is none must not divide anything.
    server, *statements = split_outside_quotes(_without_comments(_NOT_ASCII.sub("?", value)), ";")
    return statements if unquote(server.partition(" ")[0]).lower() == authserv_id.lower() else None


def _found(words: list[list[str]]) -> AuthResult | None:
    """Return the topmost word about DMARC, with an empty result when there is none, or two in one header."""
    if not words:
        return None
    origins = [said for said in (_about("spf", statements) for statements in words) if said]
    passed = origins[0][0] if origins and len(origins[0]) == 1 and origins[0][0].get("spf") == "pass" else {}
    origin = passed.get("smtp.mailfrom", "")
    for said in (_about("dmarc", statements) for statements in words):
        if len(said) == 1:
            return AuthResult(said[0].get("dmarc", ""), said[0].get("header.from", ""), origin)
        if said:
            break
    return AuthResult("", "")


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


def told_envelope(
    headers: Headers, envelope: Envelope, relays: tuple[str, ...], server: str | None, hosts: tuple[str, ...]
) -> Envelope | None:
    """Return the envelope as our server got it, or None when it is not sure that a server of ours wrote the line.

    By LMTP and from a relay the server that hands a mail in names itself, and above its own line stands nothing of
    others. In a mailbox only a server that was named is ours.
    """
    is_handed_in = envelope.door == "lmtp" or (envelope.door == "smtp" and is_relay(envelope.peer, relays))
    if envelope.door not in DOORS_OF_OURS or envelope.user or (envelope.door == "smtp" and not is_handed_in):
        return None
    ours = (*hosts, envelope.helo) if is_handed_in and envelope.helo else hosts
    hop = entry_hop(headers, server, ours)
    if hop is None or hop.address is None or not hop.is_from_outside or not is_one_of(hop.by, ours, server):
        return None
    mail_from = envelope.mail_from if envelope.mail_from is not None else _return_path(headers)
    if not mail_from or is_local(hop.address) or is_relay(hop.address, relays):
        return None
    return replace(envelope, door="smtp", mail_from=mail_from, peer=hop.address, helo=hop.client)


def _return_path(headers: Headers) -> str | None:
    """Return the one return path that stands above every Received line; any other the sender may have written."""
    found: list[str] = []
    for name, value in headers.items():
        if name.lower() == "received":
            break
        if name.lower() == "return-path":
            found.append(str(value).strip(" \t").removeprefix("<").removesuffix(">"))
    return found[0] if len(found) == 1 else None
