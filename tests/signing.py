"""Domains that sign their mail as providers do, with keys made for the tests."""

from __future__ import annotations

import base64
import hashlib
import math
import random
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import dkim
from dkim.canonicalization import CanonicalizationPolicy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from webordinary.testing.dns import Zone

SIGNED = ("from", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references", "mime-version")
_EXPONENT = 65537
_SMALL_PRIMES = math.prod(
    number for number in range(2, 2000) if all(number % factor for factor in range(2, 45) if factor < number)
)


@dataclass(frozen=True, slots=True)
class Key:
    """A private key as the library wants it, and its public half as DNS shows it."""

    private: Mapping[str, int]
    record: str


@lru_cache(maxsize=16)
def make_key(bits: int = 1024, number: int = 0) -> Key:
    """Make a key; it is the same one for the same numbers, and protects nothing."""
    chance = random.Random(f"{bits} {number}")  # noqa: S311 - a test's key should be the same tomorrow
    p, q = _prime(chance, bits // 2), _prime(chance, bits // 2)
    secret = pow(_EXPONENT, -1, (p - 1) * (q - 1))
    private = {
        "modulus": p * q,
        "publicExponent": _EXPONENT,
        "privateExponent": secret,
        "prime1": p,
        "prime2": q,
        "exponent1": secret % (p - 1),
        "exponent2": secret % (q - 1),
        "coefficient": pow(q, -1, p),
    }
    return Key(private, public_record(p * q, _EXPONENT))


def public_record(modulus: int, exponent: int) -> str:
    """Return the record of a public key."""
    public = _der(0x30, _der_number(modulus) + _der_number(exponent))
    return f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"


def _prime(chance: random.Random, bits: int) -> int:
    """Return a prime number; almost every other number is told by a small factor, without the slow test."""
    while True:
        candidate = chance.getrandbits(bits) | 1 | 3 << (bits - 2)
        if candidate % _EXPONENT != 1 and math.gcd(candidate, _SMALL_PRIMES) == 1 and _seems_prime(candidate):
            return candidate


def _seems_prime(candidate: int) -> bool:
    return all(pow(witness, candidate - 1, candidate) == 1 for witness in (2, 3, 5, 7, 11, 13))


def _der(tag: int, content: bytes) -> bytes:
    size = len(content)
    head = bytes([size]) if size < 0x80 else bytes([0x80 | (size.bit_length() + 7) // 8]) + _number(size)
    return bytes([tag]) + head + content


def _der_number(value: int) -> bytes:
    return _der(0x02, b"\0" + _number(value))


def _number(value: int) -> bytes:
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


@dataclass(frozen=True, slots=True)
class Signer:
    """A domain with a key in a zone."""

    domain: str
    key: Key
    selector: str = "s1"

    def publish(self, zone: Zone) -> Signer:
        zone.put(f"{self.selector}._domainkey.{self.domain}", "TXT", self.key.record)
        return self

    def header(
        self,
        raw: bytes,
        *,
        names: Sequence[str] = SIGNED,
        missing: bool = False,
        length: int | None = None,
        form: str = "relaxed/relaxed",
        algorithm: str = "rsa-sha256",
        made_at: datetime | None = None,
        identity: str | None = None,
        expires_at: datetime | None = None,
    ) -> bytes:
        """Return the signature's header line."""
        signer = dkim.DKIM(raw, signature_algorithm=algorithm.encode())
        policy = CanonicalizationPolicy.from_c_value(form.encode())
        signer.hasher = hashlib.sha256 if algorithm.endswith("256") else hashlib.sha1
        present = {name.lower() for name, _ in signer.headers}
        # Providers also sign that a header is not there.
        included = [name.encode() for name in names if missing or name.encode() in present]
        body = policy.canonicalize_body(signer.body)[:length]
        fields = {
            b"v": b"1",
            b"a": algorithm.encode(),
            b"c": form.encode(),
            b"d": self.domain.encode(),
            b"s": self.selector.encode(),
            # Long enough ago for tests that read the clock once, hours before they are run.
            b"t": str(int(made_at.timestamp()) - 60 if made_at else int(time.time()) - 6 * 3600).encode(),
            b"h": b" : ".join(included),
            b"bh": base64.b64encode(signer.hasher(body).digest()),
        }
        if identity is not None:
            fields[b"i"] = identity.encode()
        if length is not None:
            fields[b"l"] = str(len(body)).encode()
        if expires_at is not None:
            fields[b"x"] = str(int(expires_at.timestamp())).encode()
        lines = signer.gen_header(
            [*fields.items(), (b"b", b"0" * 60)], included, policy, b"DKIM-Signature", self.key.private
        )
        return b"DKIM-Signature: " + bytes(lines)

    def sign(self, raw: bytes, **how: object) -> bytes:
        """Return the mail with the signature on top."""
        return self.header(raw, **how) + raw  # type: ignore[arg-type]  # passed on as it came
