"""Welcomes new editors: one mail for each person of each project, and never a second one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.reply.outbox import WELCOME, Letter
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.routing.project import Editor, Project

# A project may gain an editor while we run; nobody minds to be welcomed a little later.
_LOOK_EVERY = timedelta(minutes=10)


@dataclass(slots=True)
class Welcome:
    """Looks now and then who is new; the outbox remembers everybody who was welcomed, for ever."""

    engine: Engine
    domain: str
    clock: Clock
    _known: set[str] = field(default_factory=set)
    _next_look: float = 0

    def look(self) -> None:
        """Record a mail for everybody who is new."""
        now = self.clock.now()
        if now.boot < self._next_look:
            return
        self._next_look = (now + _LOOK_EVERY).boot
        for project in self.engine.projects.all():
            for editor in project.editors:
                self._welcome(project, editor)

    def _welcome(self, project: Project, editor: Editor) -> None:
        letter = welcome_letter(project, editor, self.domain)
        if letter.key not in self._known:
            self.engine.outbox.add(letter, self.clock.now())
            self._known.add(letter.key)


def welcome_letter(project: Project, editor: Editor, domain: str) -> Letter:
    """Return the one welcome of this person in this project."""
    mark = hashlib.sha256(fold_address(editor.address).encode(errors="replace")).hexdigest()[:16]
    write_to = f"{project.id}@{domain}"
    facts = {
        "project": project.id,
        "write_to": write_to,
        "write_link": f"mailto:{write_to}",
        "address": project.site.url or "",
    }
    return Letter(f"{project.id}-{mark}.{WELCOME}", WELCOME, editor.address, WELCOME, facts)
