"""What `doctor` asks of other machines and programs: the places of sites, name servers, doors and mail providers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.config import Config
from webordinary.doors.probe import check_port, served_at
from webordinary.doors.smtp import Smtp
from webordinary.errors import TryAgain, WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn
from webordinary.mail.door import DOORS
from webordinary.site.targets.registry import TARGETS

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation

_NAME_SERVERS = "name servers"
_LOGIN = "login"
_PATIENCE = timedelta(seconds=3)


def check_sites(config: Config) -> Iterator[Check]:
    """Reach each place that a site is published to, and see that it may be written."""
    for project in config.projects:
        name = f"site of {project.id}"
        try:
            with TARGETS.answering(project.site.target) as target:
                seen = target.doctor(project)
        except WebOrdinaryError as problem:
            yield fail(name, str(problem))
            continue
        if seen is not None:
            yield ok(name, seen)


def check_senders(config: Config) -> Iterator[Check]:
    """Ask about the domain of one editor, as every mail of theirs will make us ask: DKIM and SPF depend on it."""
    from webordinary.mail.identity.dns import Resolver  # noqa: PLC0415 - heavy, and --help should be quick

    addresses = [editor.address for project in config.projects for editor in project.editors]
    if any(smtp.trust_local for smtp in config.find_doors(Smtp)) or not addresses:
        return
    domain = addresses[0].rpartition("@")[2]
    resolver = Resolver(min(config.mail.dns_timeout, _PATIENCE), config.mail.dns_server)
    try:
        resolver.look_up(f"_dmarc.{domain}", "TXT")
    except TryAgain as problem:
        advice = "without them no sender is verified; correct the machine's or `mail.dns_server`"
        yield warn(_NAME_SERVERS, f"{problem}: {advice}")
        return
    yield ok(_NAME_SERVERS, f"they answer about {domain}")


def check_doors(here: Installation) -> Iterator[Check]:
    """Look where mail and browsers come in: ports, certificates, mailboxes; nothing is changed at other servers."""
    from webordinary.serve.doors import Reception  # noqa: PLC0415 - heavy, and --help should be quick

    is_one_machine = here.config.traits.is_one_machine
    if is_one_machine:
        yield check_port("sites", here.config.preview.listen, "preview.listen", served_at, here.config.mark)
    for door in here.config.doors:
        try:
            with DOORS.answering(door.kind) as kind:
                is_used = is_one_machine or not kind.is_of_one_machine
                found = list(kind.findings(door.options, Reception(here, here.intake))) if is_used else []
        except WebOrdinaryError as problem:
            found = [fail("", str(problem))]
        yield from (replace(each, name=each.name or f"door {door.kind}") for each in found)


def check_logins(here: Installation) -> Iterator[Check]:
    """Get a token of each login, and show it to the outgoing server; the mailboxes are tried by themselves."""
    from webordinary.serve.logins import try_outgoing  # noqa: PLC0415 - heavy, and --help should be quick

    config = here.config
    for each in config.oauth:
        tokens = here.tokens(each.name)
        if tokens is not None:
            try:
                tokens.current()
            except WebOrdinaryError as problem:
                yield fail(_LOGIN, str(problem))
                continue
            yield ok(_LOGIN, f"{each.name} has a token")
    if config.outgoing.oauth is not None:
        tried = try_outgoing(config, here.engine.secrets)
        yield fail(_LOGIN, str(tried.problem)) if tried.problem else ok(_LOGIN, f"{tried.where} lets us in")
