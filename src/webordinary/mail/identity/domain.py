"""Domains: who stands behind one, and what its owner asks to be done with mail that is not theirs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from publicsuffixlist import PublicSuffixList

if TYPE_CHECKING:
    from webordinary.mail.identity.dns import Dns


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

    @property
    def refuses(self) -> bool:
        """Whether mail that proves nothing is to be refused or put aside."""
        return self.request in {"reject", "quarantine"}


# When the record could not be read, only the very same domain is surely the same owner.
STRICTEST = Policy(strict_signatures=True, strict_origin=True)


def find_policy(domain: str, dns: Dns) -> Policy:
    """Read the DMARC record of a domain, else that of its organisation."""
    domain = domain.lower().rstrip(".")
    for place in dict.fromkeys((domain, organisation(domain))):
        records = [tags for text in dns.look_up(f"_dmarc.{place}", "TXT") if (tags := _read_record(text))]
        if len(records) == 1:
            return _policy(records[0], place, inherited=place != domain)
    return Policy()


def _read_record(text: str) -> dict[str, str] | None:
    pairs = [part.partition("=") for part in text.split(";") if "=" in part]
    tags = [(name.strip().lower(), value.strip().lower()) for name, _, value in pairs]
    return dict(tags) if tags and tags[0] == ("v", "dmarc1") else None


def _policy(tags: dict[str, str], place: str, *, inherited: bool) -> Policy:
    request = tags.get("p", "none")
    if inherited:
        request = tags.get("sp", request)
    if tags.get("pct") == "0" or tags.get("t") == "y":
        request = "none"
    return Policy(request, tags.get("adkim") == "s", tags.get("aspf") == "s", place)


def is_aligned(domain: str, author_domain: str, *, strict: bool) -> bool:
    """Tell whether a domain that was proven belongs to the owner of the domain in From."""
    domain, author_domain = domain.lower().rstrip("."), author_domain.lower().rstrip(".")
    if strict or not domain:
        return domain == author_domain
    return organisation(domain) == organisation(author_domain)
