"""The records that the DNS of the domain has to hold, looked for until they are there."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import TryAgain
from webordinary.findings import fail, ok, warn
from webordinary.mail.identity.dns import Resolver
from webordinary.setup.plan import StepPlan
from webordinary.setup.question import Inquiry, as_in_the_file
from webordinary.setup.step import SetupStep
from webordinary.setup.ways import chosen_way
from webordinary.setup.ways.way import Records
from webordinary.values import Host

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.findings import Check
    from webordinary.mail.identity.dns import Dns
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given

_BEGIN = "v=spf1"
# A name that nobody has chosen: every name below the domain has to lead to the same server.
_BELOW = "setup-looks-here"
_WAIT = timedelta(seconds=5)


class DnsStep(SetupStep):
    """What the world has to know."""

    name = "dns"
    title = "DNS records"
    why = "Mail finds your server by an MX record; others believe our answers by SPF and DMARC."
    may_wait = True

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - all of them always
        known = _known(desk)
        return (
            Inquiry(
                "mx",
                "Which host receives the domain's mail?",
                "as your provider names it; empty: any",
                as_in_the_file(Host),
                known.mx,
                may_be_empty=True,
            ),
            Inquiry(
                "spf",
                "What does SPF have to allow?",
                "the part of your outgoing server, such as include:spf.example.com or mx; empty: answers go out"
                " under another domain",
                _one_word,
                known.spf,
                may_be_empty=True,
            ),
        )

    def plan(self, desk: Desk, given: Given) -> StepPlan:
        domain = desk.config().domain
        return StepPlan(
            tells=("Set these records where the domain's DNS is kept:", *_wanted(domain, given, _known(desk)))
        )

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:
        config = desk.config()
        # Made anew for each look: what it remembers could be what is no longer true.
        dns = Resolver(_WAIT, config.mail.dns_server)
        try:
            yield from look(dns, config.domain, given, _known(desk))
        except TryAgain as problem:
            yield fail("dns", f"{problem}; look again later")


def _known(desk: Desk) -> Records:
    way = chosen_way(desk)
    return way.records(desk.kept.answers("mail")) if way else Records()


def _one_word(text: str) -> str:
    if text.startswith(_BEGIN) or " " in text:
        raise ValueError("must be one part such as include:spf.example.com, without v=spf1 and without spaces")
    return text


def _wanted(domain: str, given: Given, known: Records) -> Iterator[str]:
    host = given.get("mx") or "the host that your provider names"
    yield f"  {domain}.  MX  10 {host}"
    if known.has_names_below:
        yield f"  *.{domain}.  MX  10 {host}"
    if given.get("spf"):
        yield f'  {domain}.  TXT  "{_BEGIN} {given["spf"]} -all"'
        yield f'  _dmarc.{domain}.  TXT  "v=DMARC1; p=none"'


def look(dns: Dns, domain: str, given: Given, known: Records) -> Iterator[Check]:
    """Ask for each record; what is not there is said with what it should be."""
    yield _mx(dns, domain, given.get("mx", ""))
    if known.has_names_below:
        yield _mx(dns, f"{_BELOW}.{domain}", given.get("mx", ""), shown=f"*.{domain}")
    if given.get("spf"):
        yield _spf(dns, domain, given["spf"])
        yield _dmarc(dns, domain)


def _mx(dns: Dns, name: str, wanted: str, shown: str = "") -> Check:
    shown = shown or name
    hosts = [each.partition(" ")[2].rstrip(".").lower() for each in dns.look_up(name, "MX")]
    if not hosts:
        return fail("mx", f"{shown} has no MX record yet: set it to {wanted or 'what your provider names'}")
    if wanted and wanted.lower().rstrip(".") not in hosts:
        return fail("mx", f"the MX record of {shown} leads to {', '.join(hosts)[:200]} and not to {wanted}")
    return ok("mx", f"{shown} leads to {', '.join(hosts)[:200]}")


def _spf(dns: Dns, domain: str, wanted: str) -> Check:
    found = [each for each in dns.look_up(domain, "TXT") if each.lower().startswith(_BEGIN)]
    if len(found) > 1:
        return fail("spf", f"{domain} has {len(found)} SPF records, which counts as none: put them into one")
    if not found:
        return fail("spf", f'{domain} has no SPF record yet: set TXT "{_BEGIN} {wanted} -all"')
    if wanted.lower() not in found[0].lower().replace("+", "").split():
        return fail("spf", f"the SPF record of {domain} does not allow {wanted}: it says {found[0][:200]}")
    return ok("spf", f"{domain} allows {wanted}")


def _dmarc(dns: Dns, domain: str) -> Check:
    found = [each for each in dns.look_up(f"_dmarc.{domain}", "TXT") if each.lower().startswith("v=dmarc1")]
    if not found:
        return warn("dmarc", f'_dmarc.{domain} has no record; some providers want one: TXT "v=DMARC1; p=none"')
    return ok("dmarc", found[0][:200])
