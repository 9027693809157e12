"""Welcomes new editors: one mail for each person, whichever sites they edit, and never two about one site."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias

from webordinary.jobs.lines import SiteLine, write_lines
from webordinary.mail.mime.bounded import read_mail
from webordinary.reply.outbox import WELCOME, Letter
from webordinary.routing.project import PublishRule, fold_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.routing.project import Editor, Project

    # A site, and who edits it.
    Place: TypeAlias = tuple[Project, Editor]

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
        projects = self.engine.projects.unwelcomed()
        for places in _by_person(projects).values():
            new = [place for place in places if _key(*place) not in self._known]
            if new:
                self._welcome(places, new)
        for project in projects:
            self.engine.projects.note_welcomed(project.id)

    def _welcome(self, places: Sequence[Place], new: Sequence[Place]) -> None:
        """Welcome a person to what no mail has told them of; as long as one is on its way it is the same one."""
        told = self._told(places)
        self._known |= {_key(*place) for place in new if _address(place[0], self.domain) in told}
        left = [place for place in new if _key(*place) not in self._known]
        if left:
            self.engine.outbox.add(welcome_letter(left, self.domain), self.clock.now())

    def _told(self, places: Sequence[Place]) -> frozenset[str]:
        """Return the words of earlier welcomes, and with them the addresses that the person knows."""
        written = (self.engine.outbox.written(_key(*place)) for place in places)
        return frozenset(word for raw in written if raw is not None for word in read_mail(raw).text.split())


def welcome_letter(places: Sequence[Place], domain: str) -> Letter:
    """Return the one welcome of a person to these sites."""
    (project, editor), *others = places
    facts = {"project": project.id}
    if others:
        lines = (SiteLine(each.name, _address(each, domain), _ok(each, who)) for each, who in places)
        facts["sites"] = write_lines(lines)
        return Letter(_key(project, editor), WELCOME, editor.address, "welcome_to_sites", facts)
    write_to = _address(project, domain)
    facts |= {"write_to": write_to, "write_link": f"mailto:{write_to}", "address": project.site.url or ""}
    facts["approval"] = _ok(project, editor)
    return Letter(_key(project, editor), WELCOME, editor.address, WELCOME, facts)


def _by_person(projects: Iterable[Project]) -> dict[str, list[Place]]:
    found = defaultdict[str, "list[Place]"](list)
    for project in projects:
        for editor in project.editors:
            found[fold_address(editor.address)].append((project, editor))
    return found


def _key(project: Project, editor: Editor) -> str:
    mark = hashlib.sha256(fold_address(editor.address).encode(errors="replace")).hexdigest()[:16]
    return f"{project.id}-{mark}.{WELCOME}"


def _address(project: Project, domain: str) -> str:
    return f"{project.id}@{domain}"


def _ok(project: Project, editor: Editor) -> str:
    """Say whose ok a change needs before it goes live; nothing when it needs none."""
    if project.rules.publish != PublishRule.APPROVE:
        return ""
    return "own" if project.may_approve(editor.address, None) else "others"
