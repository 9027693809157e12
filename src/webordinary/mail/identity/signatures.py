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
from webordinary.mail.identity.coverage import NOTHING, Coverage, coverage_of
from webordinary.mail.identity.domain import is_aligned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from webordinary.mail.identity.dns import Dns
    from webordinary.mail.identity.signed_form import SignedForm

# Of the owner of From; those of others prove nothing and cost nothing, so they hide none either.
MOST_SIGNATURES = 10
MUST_BE_SIGNED = (b"from", b"subject", b"date")
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
    is_owners: bool = False
    is_genuine: bool = False
    is_open: bool = False
    coverage: Coverage = NOTHING

    @property
    def proves(self) -> bool:
        return self.is_genuine and not self.problem


@dataclass(frozen=True, slots=True)
class Author:
    """Whom the signature has to belong to, and when the mail came."""

    domain: str
    strict: bool
    received_at: datetime
    within: str | None = None


class _Unproven(Exception):
    """Why a signature proves nothing; never leaves this module."""


def check_signatures(form: SignedForm, author: Author, dns: Dns) -> Iterator[Checked]:
    """Check the signatures of the author's domain; one whose key could not be fetched now stays open."""
    left = MOST_SIGNATURES
    for value in form.values(b"dkim-signature"):
        checked = _check(form, value, author, dns) if left else Checked(_domain_of(value), "there are too many")
        left -= checked.is_owners and left > 0
        yield checked


def weakest_coverage(form: SignedForm, author_domain: str) -> Coverage:
    """Return what every signature of the author's organisation covers, where it is not known which one counted."""
    covered: frozenset[str] | None = None
    for value in form.values(b"dkim-signature"):
        try:
            tags = _parsed(value)
            domain, names = _text(tags[b"d"]), coverage_of(form, _signed_names(tags)).names or frozenset()
        except (_Unproven, KeyError):
            return NOTHING
        if is_aligned(domain, author_domain, strict=False):
            names = frozenset() if b"l" in tags else names
            covered = names if covered is None else covered & names
    return Coverage(covered or frozenset())


def _parsed(value: bytes) -> dict[bytes, bytes]:
    if len(value) > _LONGEST_SIGNATURE or _LONG_GAP.search(value):
        raise _Unproven("it is longer than any honest one")
    try:
        tags: dict[bytes, bytes] = parse_tag_value(value)
    except (InvalidTagValueList, UnicodeError, ValueError, IndexError):
        raise _Unproven("it is malformed") from None
    return tags


def _text(value: bytes) -> str:
    return value.decode("ascii", "replace").lower()


def _domain_of(value: bytes) -> str:
    try:
        return _text(_read_tags(value)[b"d"])
    except _Unproven:
        return ""


def _check(form: SignedForm, value: bytes, author: Author, dns: Dns) -> Checked:
    domain, is_owners = "", False
    try:
        tags = _read_tags(value)
        domain = _text(tags[b"d"])
        names = _signed_names(tags)
        _require_owner(domain, author)
        is_owners = True
        _require_body(form, tags)
        _require_signature(form, value, tags, names, dns)
    except _Unproven as why:
        return Checked(domain, str(why), is_owners=is_owners)
    except TryAgain as later:
        return Checked(domain, str(later), is_open=True, is_owners=is_owners)
    coverage = coverage_of(form, names)
    return Checked(domain, _weakness(tags, names, author.received_at), is_owners, is_genuine=True, coverage=coverage)


def _read_tags(value: bytes) -> dict[bytes, bytes]:
    tags = _parsed(value)
    try:
        # Its times are compared with the arrival of the mail, not with the clock of the library.
        dkim.validate_signature_fields({name: each for name, each in tags.items() if name not in {b"t", b"x"}})
    except (dkim.DKIMException, UnicodeError, ValueError, IndexError):
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
    if not is_aligned(domain, author.domain, strict=author.strict, within=author.within):
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
        is_valid = verifier.verify_sig(without_body, list(names), (b"DKIM-Signature", value), _key_from(dns, tags))
    except (TryAgain, _Unproven):
        raise
    except Exception as error:  # noqa: BLE001 - key and value are the sender's: whatever they break proves nothing
        raise _Unproven(f"it cannot be checked ({_plain(error)})") from None
    if not is_valid:
        raise _Unproven("it is not genuine, or its key is missing or revoked")


def _plain(error: Exception) -> str:
    return str(error)[:80] if str(error).isascii() and str(error).isprintable() else type(error).__name__


def _key_from(dns: Dns, tags: dict[bytes, bytes]) -> Callable[..., bytes | None]:
    """Return what the library calls for a key; its own lookup takes a server that failed for a missing key."""

    def fetch(name: bytes, timeout: int = 5) -> bytes | None:  # noqa: ARG001 - the library passes it
        found = dns.look_up(name.decode("ascii", "replace"), "TXT")
        keys = [text for text in found if "p=" in text.replace(" ", "")]
        return _usable(keys[0].encode("latin-1"), tags) if keys else None

    return fetch


def _usable(record: bytes, tags: dict[bytes, bytes]) -> bytes | None:
    """Return the key if its owner lets it be used for this, and unless computing with it would take long."""
    try:
        said: dict[bytes, bytes] = parse_tag_value(record)
    except (InvalidTagValueList, UnicodeError, ValueError, IndexError):
        return None
    kind, _, hashing = tags[b"a"].partition(b"-")
    if not said.get(b"p", b"").strip():
        return None
    if said.get(b"k", b"rsa").strip().lower() != kind:
        raise _Unproven("its key is for another algorithm")
    if hashing not in _listed(said, b"h", hashing) or not {b"*", b"email"} & _listed(said, b"s", b"*"):
        raise _Unproven("its key is not meant for such a signature (h= or s=)")
    flags = _listed(said, b"t", b"")
    if b"y" in flags:
        raise _Unproven("its domain is only testing DKIM (t=y)")
    if b"s" in flags and tags.get(b"i", b"@" + tags[b"d"]).lower().rpartition(b"@")[2] != tags[b"d"].lower():
        raise _Unproven("its key is for the domain itself and no subdomain (t=s)")
    # The library reads lists of services wrongly; it gets what it needs and no more.
    record = b"v=%b; k=%b; p=%b" % (said.get(b"v", b"DKIM1"), kind, said[b"p"])
    key, bits, found, _ = dkim.evaluate_pk("key", record)
    if found == b"rsa" and (bits > _MOST_BITS or key["publicExponent"] > _MOST_EXPONENT):
        return None
    return record


def _listed(said: dict[bytes, bytes], name: bytes, default: bytes) -> set[bytes]:
    return {each.strip().lower() for each in said.get(name, default).split(b":")}


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
