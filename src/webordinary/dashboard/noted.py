"""Who did what on the dashboard and through the API, for the log: names of ours, never anybody's words."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from webordinary.dashboard.viewer import Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.dashboard.viewer import Viewer

_log = logging.getLogger(__name__)
_NAMED = ("job", "mail", "project")
# A name of ours; what else somebody types into an address stays out.
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")


def note_act(viewer: Viewer, route: str, params: Mapping[str, str], status: int) -> None:
    """Log that somebody sent a form or a call; a client is a customer, whose name stays out."""
    by = "a client" if viewer.role is Role.CLIENT else viewer.name
    named = {name: params[name] for name in _NAMED if _NAME.fullmatch(params.get(name, ""))}
    about = {"by": by or None, "role": viewer.role.value if by else None, "route": route, "status": status, **named}
    _log.info("somebody acted" if viewer.name else "somebody knocked", extra={"about": about})
