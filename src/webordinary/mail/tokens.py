"""Our reply addresses: each carries the conversation that it belongs to, sealed so that nobody can make one up.

A token routes a mail and never says who sent it: that is judged apart, and the seal only holds for the person the
address was given to. Two exceptions speak for the person, because they are sent nowhere but to the registered
address: the one that confirms a held mail, and the link under which somebody says ok to one proposal.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from base64 import b32decode, b32encode
from binascii import Error as NotBase32
from dataclasses import dataclass, field
from datetime import timedelta
from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

from webordinary.clock import from_seconds
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from datetime import datetime

REPLY = "re"
# After this a reply is still found by our Message-IDs; the token of an old mailbox that was stolen is not.
REPLY_LASTS = timedelta(days=365)
CONFIRM_LASTS = timedelta(hours=24)

_VERSION = 1
_SECRET = 32
_SEAL = 16
_EXPIRY = 4
_LONGEST_ABOUT = 16
_MAIL = "mail-"
_JOB = "job-"
_MOST_FOUND = 20
# One byte for version and purpose, the expiry, at least one letter of an id, and the seal.
_SHORTEST = 1 + _EXPIRY + 1 + _SEAL
_TOKEN = re.compile(r"[a-z2-7]{32,60}")
# Mail servers rewrite links on their way, and mail programs break them over lines.
_SLASH, _PLUS = r"(?:/|%(?:25)*2f|-2f|_)", r"(?:\+|%(?:25)*2b|-2b)"
_BROKEN = r"[a-z2-7]{1,60}(?:=?\r?\n[> \t]*[a-z2-7]{8,60}\b)+"
_SECRET_PART = re.compile(rf"({_SLASH}ok{_SLASH}|re{_PLUS})(?:{_BROKEN}|[a-z2-7]{{32,60}})", re.IGNORECASE)
_BEFORE_TOKEN = re.compile(r"(?<![A-Za-z0-9.+_-])re\+([a-z2-7]{32,60})@", re.IGNORECASE)


class Purpose(IntEnum):
    """What a token is for; a seal made for one never holds for another."""

    REPLY = 1
    CONFIRM = 2
    APPROVE = 3


# What stands in addresses; a link is no address, and an address is no link.
_BY_MAIL = frozenset({Purpose.REPLY, Purpose.CONFIRM})


@dataclass(frozen=True, slots=True)
class Token:
    """What an address claims; nothing of it counts before `ReplyKey.is_genuine` has said so."""

    purpose: Purpose
    about: str
    expires_at: datetime
    seal: bytes = field(repr=False)

    @property
    def mail(self) -> str:
        """The held mail that is to be confirmed."""
        return _MAIL + self.about

    @property
    def proposal(self) -> str:
        """The job whose proposal is to be approved."""
        return _JOB + self.about


@dataclass(frozen=True, slots=True)
class ReplyKey:
    """The secret of an installation: made once, and known to nobody who writes to it."""

    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) < _SECRET:
            raise Misconfigured(f"The key of the reply addresses must have at least {_SECRET} bytes; make a new one.")

    def reply_address(self, domain: str, *, project: str, thread: str, to: str, now: datetime) -> str:
        """Return the address under which this person answers in this thread."""
        token = self._token(Purpose.REPLY, project, thread, to, now + REPLY_LASTS)
        return f"{REPLY}+{token}@{domain}"

    def confirm_address(self, domain: str, *, project: str, mail: str, to: str, now: datetime) -> str:
        """Return the address by which the registered person confirms that a held mail is theirs."""
        token = self._token(Purpose.CONFIRM, project, mail.removeprefix(_MAIL), to, now + CONFIRM_LASTS)
        return f"{REPLY}+{token}@{domain}"

    def approval_token(self, *, project: str, proposal: str, to: str, expires_at: datetime) -> str:
        """Return what lets this person say ok to this proposal, for as long as it waits."""
        return self._token(Purpose.APPROVE, project, proposal.removeprefix(_JOB), to, expires_at)

    def is_genuine(self, token: Token, *, project: str, sender: str, now: datetime) -> bool:
        """Tell whether we gave this token to this person for this project and it still holds."""
        # The seal first, so that an expired token teaches nothing about seals.
        return self.is_sealed(token, project=project, sender=sender) and now < token.expires_at

    def is_sealed(self, token: Token, *, project: str, sender: str) -> bool:
        """Tell whether we gave this token to this person for this project, perhaps long ago; in constant time."""
        expected = self._seal(token.purpose, project, token.about, sender, int(token.expires_at.timestamp()))
        return hmac.compare_digest(expected, token.seal)

    def _token(self, purpose: Purpose, project: str, about: str, to: str, expires_at: datetime) -> str:
        named = about.encode("ascii")
        if not 1 <= len(named) <= _LONGEST_ABOUT:
            raise ValueError(f"an id of 1 to {_LONGEST_ABOUT} letters fits into a reply address, not {about!r}")
        expiry = int(expires_at.timestamp())
        seal = self._seal(purpose, project, about, to, expiry)
        content = bytes([_VERSION << 4 | purpose]) + expiry.to_bytes(_EXPIRY, "big") + named + seal
        return b32encode(content).decode("ascii").rstrip("=").lower()

    def _seal(self, purpose: Purpose, project: str, about: str, person: str, expiry: int) -> bytes:
        fields = (str(_VERSION), purpose.name, project, about, _folded(person), str(expiry))
        # Each field with its length: no two different sets of fields are the same bytes.
        content = b"".join(len(each).to_bytes(4, "big") + each for each in (part.encode() for part in fields))
        return hmac.digest(self.secret, content, hashlib.sha256)[:_SEAL]


class ReplyKeys(Protocol):
    """Where the installation keeps its key: the first caller makes it, and every later one gets the same."""

    def current(self) -> ReplyKey: ...


def new_secret() -> bytes:
    """Return a secret for a new installation."""
    return secrets.token_bytes(_SECRET)


def _folded(person: str) -> str:
    return person.strip().lower()


def read_token(address: str, domain: str) -> Token | None:
    """Return what a reply address under our domain claims, or None when it is none."""
    local, _, host = address.lower().rpartition("@")
    name, plus, token = local.partition("+")
    if host != domain.lower() or name != REPLY or not plus:
        return None
    return _unpacked(token, _BY_MAIL)


def read_link(token: str) -> Token | None:
    """Return what the end of a link claims, or None when it is none of ours."""
    return _unpacked(token, frozenset({Purpose.APPROVE}))


def is_reply_address(address: str, domain: str) -> bool:
    """Tell whether the address is one that only we give away, whatever its token says."""
    local, _, host = address.lower().rpartition("@")
    return host == domain.lower() and local.partition("+")[0] == REPLY


def tokens_in(text: str, domain: str) -> list[Token]:
    """Return the last tokens of our addresses that stand in a text, such as what a person quoted."""
    host = domain.lower()
    places = (match for match in _BEFORE_TOKEN.finditer(text) if _follows(text, match.end(), host))
    found = (_unpacked(match[1].lower(), _BY_MAIL) for match in places)
    return [token for token in found if token is not None][-_MOST_FOUND:]


def hide_tokens(text: str) -> str:
    """Return a text for somebody who was not meant by the tokens in it."""
    return _SECRET_PART.sub(r"\1…", text)


def _follows(text: str, position: int, host: str) -> bool:
    end = position + len(host)
    return text[position:end].lower() == host and not (text[end : end + 1].isalnum() or text[end : end + 1] == "-")


def _unpacked(token: str, purposes: frozenset[Purpose]) -> Token | None:
    if not _TOKEN.fullmatch(token):
        return None
    try:
        content = b32decode(token.upper() + "=" * (-len(token) % 8))
    except NotBase32:
        return None
    version, purpose = content[0] >> 4, content[0] & 0x0F
    if version != _VERSION or purpose not in purposes or len(content) < _SHORTEST:
        return None
    about = content[1 + _EXPIRY : -_SEAL]
    if not about.isascii() or not about.isalnum():
        return None
    expires_at = from_seconds(int.from_bytes(content[1 : 1 + _EXPIRY], "big"))
    return Token(Purpose(purpose), about.decode("ascii"), expires_at, content[-_SEAL:])
