"""DKIM signatures: whether one of them proves that this mail was written to us, now, by the owner of its From."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import dkim
from dkim.util import InvalidTagValueList, parse_tag_value

from webordinary.errors import TryAgain
from webordinary.mail.identity.domain import is_aligned
from webordinary.mail.identity.signed_form import read_signed_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from webordinary.mail.identity.dns import Dns
    from webordinary.mail.identity.signed_form import SignedForm

MOST_SIGNATURES = 5
MUST_BE_SIGNED = (b"from", b"to", b"subject", b"date")
_FEWEST_BITS = 1024
_MOST_BITS = 8192
_MOST_EXPONENT = 2**32
_LONGEST_SIGNATURE = 8 * 1024
_MOST_NAMES = 200
# The library's patterns take cubic time for spaces.
_LONG_GAP = re.compile(rb"\s{40}")
_AHEAD = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Checked:
    """One signature: whose it is, whether it is genuine, and whether that proves anything to us."""

    domain: str
    problem: str
    is_genuine: bool = False
    is_open: bool = False
    signed: frozenset[str] = frozenset()

    @property
    def proves(self) -> bool:
        return self.is_genuine and not self.problem


@dataclass(frozen=True, slots=True)
class Author:
    """Whom the signature has to belong to, and when the mail came."""

    domain: str
    strict: bool
    received_at: datetime


class _Unproven(Exception):
    """Why a signature proves nothing; never leaves this module."""


def check_signatures(raw: bytes, author: Author, dns: Dns) -> Iterator[Checked]:
    """Check the first five signatures; one whose key could not be fetched now stays open."""
    form = read_signed_form(raw)
    if form is None:
        if re.search(rb"(?im)^DKIM-Signature[ \t]*:", raw[: 256 * 1024]):
            yield Checked("", "The headers are written so that programs could read them differently.")
        return
    for value in form.values(b"dkim-signature")[:MOST_SIGNATURES]:
        yield _check(form, value, author, dns)


def _check(form: SignedForm, value: bytes, author: Author, dns: Dns) -> Checked:
    domain, signed = "", frozenset[str]()
    try:
        tags = _read_tags(value)
        domain = tags[b"d"].decode("ascii", "replace").lower()
        names = _signed_names(tags)
        signed = frozenset(name.decode("ascii", "replace") for name in names)
        _require_owner(domain, author)
        _require_body(form, tags)
        _require_signature(form, value, tags, names, dns)
    except _Unproven as why:
        return Checked(domain, str(why), signed=signed)
    except TryAgain as later:
        return Checked(domain, str(later), is_open=True)
    return Checked(domain, _weakness(tags, names, author.received_at), is_genuine=True, signed=signed)


def _read_tags(value: bytes) -> dict[bytes, bytes]:
    if len(value) > _LONGEST_SIGNATURE or _LONG_GAP.search(value):
        raise _Unproven("it is longer than any honest one")
    try:
        tags: dict[bytes, bytes] = parse_tag_value(value)
        # Its times are compared with the arrival of the mail, not with the clock of the library.
        dkim.validate_signature_fields({name: each for name, each in tags.items() if name not in {b"t", b"x"}})
    except (InvalidTagValueList, dkim.DKIMException, UnicodeError, ValueError, IndexError):
        raise _Unproven("it is malformed") from None
    if tags[b"a"] not in {b"rsa-sha256", b"ed25519-sha256"}:
        raise _Unproven("its algorithm is too weak or unknown")
    return tags


def _signed_names(tags: dict[bytes, bytes]) -> list[bytes]:
    names = [name.strip().lower() for name in tags[b"h"].split(b":")]
    if len(names) > _MOST_NAMES:
        raise _Unproven("it names more headers than any honest one")
    return names


def _require_owner(domain: str, author: Author) -> None:
    if not is_aligned(domain, author.domain, strict=author.strict):
        raise _Unproven("it belongs to another domain than the one in From")


def _require_body(form: SignedForm, tags: dict[bytes, bytes]) -> None:
    if b"l" in tags:
        # Checked before the body: with a length the library would verify what somebody else has appended to.
        raise _Unproven("it covers only the beginning of the text (l=)")
    kind = tags.get(b"c", b"simple/simple").partition(b"/")[2] or b"simple"
    if kind not in {b"simple", b"relaxed"}:
        raise _Unproven("it is malformed")
    if form.body_hash(relaxed=kind == b"relaxed") != _decoded(tags[b"bh"]):
        raise _Unproven("the text was changed after it was signed")


def _decoded(text: bytes) -> bytes:
    try:
        return base64.b64decode(re.sub(rb"\s+", b"", text))
    except binascii.Error:
        return b""


def _require_signature(form: SignedForm, value: bytes, tags: dict[bytes, bytes], names: list[bytes], dns: Dns) -> None:
    verifier = dkim.DKIM(minkey=_FEWEST_BITS)
    verifier.headers = [list(header) for header in form.headers]
    without_body = {name: each for name, each in tags.items() if name != b"bh"}
    try:
        is_valid = verifier.verify_sig(without_body, list(names), (b"DKIM-Signature", value), _key_from(dns))
    except TryAgain:
        raise
    except Exception as error:  # noqa: BLE001 - key and value are the sender's: whatever they break proves nothing
        raise _Unproven(f"it cannot be checked ({_plain(error)})") from None
    if not is_valid:
        raise _Unproven("it is not genuine, or its key is missing or revoked")


def _plain(error: Exception) -> str:
    return str(error)[:80] if str(error).isascii() and str(error).isprintable() else type(error).__name__


def _key_from(dns: Dns) -> Callable[..., bytes | None]:
    """Return what the library calls for a key; its own lookup takes a server that failed for a missing key."""

    def fetch(name: bytes, timeout: int = 5) -> bytes | None:  # noqa: ARG001 - the library passes it
        found = dns.look_up(name.decode("ascii", "replace"), "TXT")
        keys = [text for text in found if "p=" in text.replace(" ", "")]
        return _usable(keys[0].encode("latin-1")) if keys else None

    return fetch


def _usable(record: bytes) -> bytes | None:
    """Return the key unless computing with it would take long."""
    key, bits, kind, _ = dkim.evaluate_pk("key", record)
    if kind == b"rsa" and (bits > _MOST_BITS or key["publicExponent"] > _MOST_EXPONENT):
        return None
    return record


def _weakness(tags: dict[bytes, bytes], names: list[bytes], received_at: datetime) -> str:
    """Return why a genuine signature proves nothing to us, or an empty text."""
    missing = [name.decode().title() for name in MUST_BE_SIGNED if name not in names]
    if missing:
        return f"it does not cover {', '.join(missing)}"
    expires, made = _seconds(tags, b"x"), _seconds(tags, b"t")
    now = received_at.timestamp()
    if expires is not None and expires < now:
        return "it has expired"
    if made is not None and made > now + _AHEAD.total_seconds():
        return "it was made in the future"
    return ""


def _seconds(tags: dict[bytes, bytes], name: bytes) -> float | None:
    text = tags.get(name)
    if text is None:
        return None
    # What is no number has expired.
    return float(text) if text.isdigit() and len(text) <= len("9999999999999") else 0.0
