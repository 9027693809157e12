"""Which addresses somebody here can be written to at all, before anything else is known about a mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.routing.project import fold_address
from webordinary.routing.route import EDIT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webordinary.routing.project import Project

_REPLIES = "re+"
# Every mail domain has these; what comes there stands in the agency's digest and is answered by nobody.
_POSTMASTERS = frozenset({"postmaster", "abuse"})


def is_postmaster(recipient: str) -> bool:
    """Tell whether a mail to this address is for whoever runs the installation."""
    return fold_address(recipient).partition("@")[0] in _POSTMASTERS


def is_known(recipient: str, projects: Iterable[Project], domain: str) -> bool:
    """Tell whether the address is a project's, `edit@`, one of our reply addresses or the postmaster's."""
    local, _, host = fold_address(recipient).rpartition("@")
    ids = {project.id for project in projects}
    if host != domain:
        # scott@amelia.DOMAIN
        return host.removesuffix(f".{domain}") in ids and bool(local)
    return local in _POSTMASTERS or local == EDIT or local.startswith(_REPLIES) or local.partition("+")[0] in ids
