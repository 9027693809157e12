"""Domains: who stands behind one, and what its owner asks to be done with mail that is not theirs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from publicsuffixlist import PublicSuffixList

from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from webordinary.mail.identity.dns import Dns


_MOST_STEPS = 8


@cache
def _public_suffixes() -> PublicSuffixList:
    # With the private section: two customers of one hoster are two owners. Read when first needed: it takes a while.
    return PublicSuffixList()


def organisation(domain: str) -> str:
    """Return the domain that somebody has registered, of which this one is a part."""
    domain = domain.lower().rstrip(".")
    return _public_suffixes().privatesuffix(domain) or domain


def domain_of(address: str) -> str:
    """Return what stands behind the last @, in lower case."""
    return address.rpartition("@")[2].lower().rstrip(".")


@dataclass(frozen=True, slots=True)
class Policy:
    """What the owner of a domain asks for; without a record nothing is asked."""

    request: str = "none"
    strict_signatures: bool = False
    strict_origin: bool = False
    found_at: str | None = None
    # Where its owner says that nobody above it is the same owner.
    within: str | None = None

    @property
    def refuses(self) -> bool:
        """Whether mail that proves nothing is to be refused or put aside."""
        return self.request in {"reject", "quarantine"}


# When the record could not be read, only the very same domain is surely the same owner.
STRICTEST = Policy(strict_signatures=True, strict_origin=True)


def find_policy(domain: str, dns: Dns) -> Policy:
    """Read the DMARC record of a domain, else the next one above it (the tree walk of DMARCbis).

    The walk goes as far as a public suffix may speak for everybody below it: that is what `psd=y` is for, and a record
    above the organisation that does not say so is nobody's.
    """
    domain = domain.lower().rstrip(".")
    own = organisation(domain)
    for place in _places(domain):
        tags = _record_at(place, dns) if len(place) >= len(own) else _record_of_suffix(place, dns)
        if tags is None:
            continue
        return _policy(tags, place, _Inherited(place != domain, place != domain and _is_missing(domain, tags, dns)))
    return Policy()


def _places(domain: str) -> list[str]:
    """Return the domain and what stands above it, at most eight names: of a longer one the last seven labels."""
    labels = domain.split(".")
    shortest = labels[-(_MOST_STEPS - 1) :] if len(labels) >= _MOST_STEPS else labels[1:]
    return [domain, *(".".join(shortest[place:]) for place in range(len(shortest)))]


def _record_at(place: str, dns: Dns) -> dict[str, str] | None:
    records = [tags for text in dns.look_up(f"_dmarc.{place}", "TXT") if (tags := _read_record(text))]
    return records[0] if len(records) == 1 else None


def _record_of_suffix(place: str, dns: Dns) -> dict[str, str] | None:
    """Return the record of a public suffix if it speaks for those below; who fails up there stands in nobody's way."""
    try:
        tags = _record_at(place, dns)
    except TryAgain:
        return None
    return tags if tags and tags.get("psd") == "y" else None


def _is_missing(domain: str, tags: dict[str, str], dns: Dns) -> bool:
    """Tell whether a domain does not exist, where its owner asks for something else then."""
    return "np" in tags and not any(dns.look_up(domain, kind) for kind in ("A", "AAAA", "MX"))


def _read_record(text: str) -> dict[str, str] | None:
    pairs = [part.partition("=") for part in text.split(";") if "=" in part]
    tags = [(name.strip().lower(), value.strip().lower()) for name, _, value in pairs]
    return dict(tags) if tags and tags[0] == ("v", "dmarc1") else None


@dataclass(frozen=True, slots=True)
class _Inherited:
    """Whether a record was found above the domain, and whether that domain does not exist at all."""

    is_from_above: bool
    is_missing: bool


def _policy(tags: dict[str, str], place: str, inherited: _Inherited) -> Policy:
    request = tags.get("p", "none")
    if inherited.is_from_above:
        request = tags.get("sp", request)
    if inherited.is_missing:
        request = tags["np"]
    if tags.get("pct") == "0" or tags.get("t") == "y":
        request = "none"
    within = place if tags.get("psd") == "n" else None
    return Policy(request, tags.get("adkim") == "s", tags.get("aspf") == "s", place, within)


def is_aligned(domain: str, author_domain: str, *, strict: bool, within: str | None = None) -> bool:
    """Tell whether a domain that was proven belongs to the owner of the domain in From.

    Both must be `within` a domain whose record says that nobody above it is the same owner.
    """
    domain, author_domain = domain.lower().rstrip("."), author_domain.lower().rstrip(".")
    if strict or not domain:
        return domain == author_domain
    if within is not None and not all(f".{each}".endswith(f".{within}") for each in (domain, author_domain)):
        return False
    return organisation(domain) == organisation(author_domain)
