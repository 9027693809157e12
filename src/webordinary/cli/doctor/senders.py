"""What `doctor` finds out about knowing senders: whether name servers answer, on which signatures and SPF depend."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from webordinary.config import Config
from webordinary.doors.smtp import Smtp
from webordinary.errors import TryAgain
from webordinary.findings import Check, ok, warn

_NAME = "name servers"
_PATIENCE = timedelta(seconds=3)


def check_senders(config: Config) -> Iterator[Check]:
    """Ask about the domain of one editor, as every mail of theirs will make us ask."""
    from webordinary.mail.identity.dns import Resolver  # noqa: PLC0415 - heavy, and --help should be quick

    addresses = [editor.address for project in config.projects for editor in project.editors]
    if any(smtp.trust_local for smtp in config.find_doors(Smtp)) or not addresses:
        return
    domain = addresses[0].rpartition("@")[2]
    resolver = Resolver(min(config.mail.dns_timeout, _PATIENCE), config.mail.dns_server)
    try:
        resolver.look_up(f"_dmarc.{domain}", "TXT")
    except TryAgain as problem:
        yield warn(_NAME, f"{problem}: without them no sender is verified; correct the machine's or `mail.dns_server`")
        return
    yield ok(_NAME, f"they answer about {domain}")
