"""Mail addresses, read so strictly that no two programs could disagree about who is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass

from webordinary.mail.mime.charset import clean_line, decode_words
from webordinary.mail.mime.fields import split_outside_quotes, unquote

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*\Z")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LONGEST = 254
_LONGEST_LOCAL_PART = 64
# Longer ones are never written by a person, and a name this long has no place in any answer.
_LONGEST_MAILBOX = 2_000


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A person's name as they wrote it, and their address in lower case."""

    name: str
    address: str


def is_well_formed(address: str) -> bool:
    """Tell whether this is one plain address: no quotes, no comments, no spaces, ASCII only."""
    local, _, _ = address.partition("@")
    if len(address) > _LONGEST or len(local) > _LONGEST_LOCAL_PART:
        return False
    return _ADDRESS.match(address) is not None


def read_mailbox(text: str) -> Mailbox | None:
    """Return the one mailbox in `text`, or None when programs could read it differently."""
    text = text.replace("\t", " ").replace("\xa0", " ").strip()
    if len(text) > _LONGEST_MAILBOX or _CONTROLS.search(text):
        return None
    if text.endswith(">"):
        name, _, address = text[:-1].rpartition("<")
        return _mailbox(name.strip(), address.strip()) if _is_plain_name(name.strip(), address) else None
    if text.endswith(")"):
        address, _, name = text[:-1].partition("(")
        return _mailbox(name, address.strip()) if _is_plain_name(name, address) else None
    return _mailbox("", text)


def _mailbox(name: str, address: str) -> Mailbox | None:
    if not is_well_formed(address):
        return None
    return Mailbox(clean_line(decode_words(unquote(name))), address.lower())


def _is_plain_name(name: str, address: str) -> bool:
    """Tell whether a name cannot be taken for a second address; many programs repeat the address as name."""
    if len(name) > 1 and name[0] == name[-1] == '"':
        return re.search(r'(?<!\\)"', name[1:-1].replace("\\\\", "")) is None and not name.endswith('\\"')
    if name.strip("'").lower() == address.strip().lower():
        return True
    return not any(letter in '@<>()[]:;,"\\' for letter in name)


def read_recipients(values: list[str], *, most: int) -> tuple[str, ...]:
    """Return the addresses of To and Cc in their order, leaving out what is not one."""
    found: dict[str, None] = {}
    for value in values:
        for piece in split_outside_quotes(value, ","):
            mailbox = read_mailbox(piece)
            if mailbox:
                found[mailbox.address] = None
            if len(found) >= most:
                return tuple(found)
    return tuple(found)


def read_author(values: list[str]) -> tuple[Mailbox | None, str | None]:
    """Return the one author of the From headers, or None and the reason in one sentence."""
    if not values:
        return None, "The mail does not say who it is from."
    if len(values) > 1:
        return None, "The mail has more than one From header."
    pieces = [piece for piece in split_outside_quotes(values[0], ",") if piece]
    if len(pieces) > 1:
        return None, "The mail names more than one author."
    mailbox = read_mailbox(pieces[0]) if pieces else None
    return mailbox, None if mailbox else "The From header is not one plain mail address."
