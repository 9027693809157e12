"""The records that a domain needs, word for word: nobody but its owner can write them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webordinary.engines.aws.account.regions import mail_exchanger

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.engines.aws.account.mail_domain import Identity
    from webordinary.engines.aws.s3.site_policy import Distribution

_SPF = '"v=spf1 include:amazonses.com ~all"'
_DMARC = '"v=DMARC1; p=quarantine"'
ALIAS = "A and AAAA alias"


@dataclass(frozen=True, slots=True)
class Record:
    """One record, and what it is for."""

    name: str
    kind: str
    value: str
    why: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the records of one project depend on; `preview` is the pattern of addresses, if there is one."""

    domain: str
    region: str
    project: str
    hosts: Sequence[str]
    preview: str | None
    identity: Identity
    distributions: Sequence[Distribution]


def records(wanted: Wanted) -> list[Record]:
    """Return every record of a project and of the domain that it lives under."""
    return [*_of_mail(wanted), *_of_sites(wanted)]


def _of_mail(wanted: Wanted) -> Iterator[Record]:
    domain, identity = wanted.domain, wanted.identity
    for token in identity.tokens:
        name = f"{token}._domainkey.{identity.domain}"
        yield Record(name, "CNAME", f"{token}.{identity.zone}", "SES proves the domain and signs answers by it")
    exchanger = mail_exchanger(wanted.region)
    yield Record(domain, "MX", exchanger, f"mail to {wanted.project}@{domain} reaches SES")
    # A name that exists, as a site does, is no longer covered by the record of the domain or by a wildcard.
    own = f"{wanted.project}.{domain}"
    yield Record(own, "MX", exchanger, f"mail to an editor's own address at {own} reaches SES")
    yield Record(domain, "TXT", _SPF, "others see that SES may send for the domain")
    yield Record(f"_dmarc.{domain}", "TXT", _DMARC, "others distrust mail that only pretends to be from it")
    if identity.mail_from:
        feedback = f"10 feedback-smtp.{wanted.region}.amazonses.com"
        yield Record(identity.mail_from, "MX", feedback, "bounces come back to SES")
        yield Record(identity.mail_from, "TXT", _SPF, "the same for the sender on the envelope")


def _of_sites(wanted: Wanted) -> Iterator[Record]:
    for distribution in wanted.distributions[:1]:
        for host in wanted.hosts:
            yield _shown(host, distribution.host, wanted, "visitors find the site")
        if wanted.preview:
            named = urlsplit(wanted.preview.replace("{project}", wanted.project).replace("{thread}", "thread")).hostname
            yield _shown(f"*.{(named or '').partition('.')[2]}", distribution.host, wanted, "people find previews")


def _shown(host: str, to: str, wanted: Wanted, why: str) -> Record:
    if host.endswith(f".{wanted.domain}") or host == wanted.domain:
        # Beside a CNAME no MX may stand, and without that mail to the same name would be lost.
        return Record(host, ALIAS, to, f"{why}; not a CNAME, because mail goes to the same name")
    return Record(host, "CNAME", to, why)
