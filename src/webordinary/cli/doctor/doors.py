"""What `doctor` finds at the doors, each of which looks at its own: ports, certificates, logins, mailboxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.doors.probe import check_port, served_at
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail
from webordinary.mail.door import DOORS

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation


def check_doors(here: Installation) -> Iterator[Check]:
    """Look where mail and browsers come in; nothing is changed at other servers."""
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
