"""Where a mail came from, as the Received line of our own server in front of us tells it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.mail.identity.origin import DOORS_OF_OURS, is_local, is_relay
from webordinary.mail.identity.received import is_one_of
from webordinary.mail.identity.results import entry_hop

if TYPE_CHECKING:
    from email.message import Message as Headers

    from webordinary.mail.inbox import Envelope


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
