"""A person asks what is kept about them, or to be forgotten: rows, files, previews and branches together."""

from __future__ import annotations

import json
import os
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import Refused, TryAgain
from webordinary.jobs.lanes import Stopped
from webordinary.jobs.people import OpenKind, mark_of, still_open
from webordinary.jobs.proposals import Standing
from webordinary.jobs.schedules import timed_name
from webordinary.mail.address import is_well_formed
from webordinary.mail.inbox import Decision
from webordinary.mail.outcomes import MailOutcome
from webordinary.routing.lane import Lane
from webordinary.routing.project import fold_address
from webordinary.workspace.access import Access
from webordinary.workspace.git import Git
from webordinary.workspace.upkeep import MirrorUpkeep, pack

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from webordinary.engines.installation import Installation
    from webordinary.jobs.people import OpenWork, PersonOnRecord
    from webordinary.routing.project import Project

_README = """What {domain} keeps about {address}, as of {moment} UTC

records/   one file for each kind of record, as it is stored
mails/     mails that came from this person, or into a conversation of theirs, as they came
letters/   mails that were sent to this person, as they were sent
files/     photos, documents and transcripts, named by their content

Not in here: what is on the websites themselves and in their history, and backups of the installation.

"""


@dataclass(frozen=True, slots=True)
class PersonalData:
    """Finds, exports and forgets one person in one installation."""

    here: Installation
    address: str

    @property
    def mark(self) -> str:
        return mark_of(self.address, self.here.engine.reply_keys.current().secret)

    def find(self) -> PersonOnRecord:
        return self.here.engine.people.find(self.address)

    def forgotten_at(self) -> datetime | None:
        return self.here.engine.people.forgotten_at(self.mark)

    def refuse_if_configured(self) -> None:
        """Refuse to forget somebody whom the configuration still names: the next mail would bring them back."""
        wanted, config = fold_address(self.address), self.here.config
        for project in self.here.engine.projects.all():
            people = [*(editor.address for editor in project.editors), *project.rules.approvers]
            if wanted in {fold_address(each) for each in people}:
                raise Refused(
                    f"{self.address} is still an editor or approver of {project.id}; remove them there first."
                )
        if config.agency.address and fold_address(config.agency.address) == wanted:
            raise Refused(f"{self.address} is the agency's own address; change `agency.address` first.")

    def end_work(self, by: str) -> None:
        """End what of the person is not over; nobody is written to about it."""
        for work in self.find().open_work:
            self._end(work, by)

    def _end(self, work: OpenWork, by: str) -> None:
        engine, now = self.here.engine, self.here.clock.now()
        match work.kind:
            case OpenKind.MAIL:
                engine.inbox.decide(work.id, Decision(MailOutcome.REFUSED, "its sender is to be forgotten"), now)
            case OpenKind.REQUEST:
                if engine.lanes.stop(work.id, by, now) is Stopped.ASKED:
                    raise TryAgain(f"{work.id} runs and was asked to stop; try again when it has.")
            case OpenKind.PROPOSAL:
                if proposal := engine.proposals.find(work.id):
                    engine.proposals.close(proposal, Standing.WITHDRAWN, by, now)
            case OpenKind.TIMED:
                engine.schedules.close(work.id, by, now)

    def forget(self, by: str) -> PersonOnRecord:
        """Remove everything; what is done twice is harmless, and rows go last, because they say what else there is."""
        engine, person = self.here.engine, self.find()
        if person.open_work:
            raise still_open(person)
        for project in self._projects(person):
            for thread in person.ids.threads:
                engine.sites.remove_preview(project.id, thread)
            self._forget_branches(project, person)
        return engine.people.forget(self.address, self.mark, by, self.here.clock.now())

    def commits_that_stay(self, person: PersonOnRecord) -> dict[str, int]:
        """Return how many commits of each live branch name the person; their history is the site's own."""
        counted = {}
        for project in self._projects(person):
            upkeep = self._upkeep(project)
            if upkeep.is_there:
                counted[project.id] = upkeep.commits_by(self.address)
        return {project: count for project, count in counted.items() if count}

    def _projects(self, person: PersonOnRecord) -> Iterator[Project]:
        names = {str(row["lane"]).partition("#")[0] for row in person.rows.get("jobs", ())}
        for name in sorted(names):
            if (project := self.here.engine.projects.find(name)) is not None:
                yield project

    def _upkeep(self, project: Project) -> MirrorUpkeep:
        access = Access(project.repository, project.git, self.here.engine.secrets)
        return MirrorUpkeep(self.here.config.data / "workspace", project.id, access, project.branch)

    def _forget_branches(self, project: Project, person: PersonOnRecord) -> None:
        ids = person.ids
        branches = {*ids.threads, *ids.jobs, *map(timed_name, ids.jobs)}
        lanes = [Lane.parse(lane) for lane in ids.lanes]
        users = {lane.user for lane in lanes if lane.project == project.id}
        self._upkeep(project).forget(
            branches, set(ids.jobs), users, at_remote=self.here.config.retention.remote_branches
        )
        own = self.here.config.data / "repositories" / f"{project.id}.git"
        if (own / "HEAD").is_file():
            pack(Git(own, repository=own), now=True)

    def export(self, target: Path) -> PersonOnRecord:
        """Write everything into one ZIP that only its owner may read."""
        person = self.find()
        with suppress(FileExistsError):
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
                names = []
                for name, content in self._files(person):
                    archive.writestr(name, content)
                    names.append(f"{name}  ({len(content)} bytes)")
                archive.writestr("README.txt", self._readme() + "\n".join(names) + "\n")
            return person
        raise Refused(f"{target} is there already; name another file.")

    def _readme(self) -> str:
        moment = f"{self.here.clock.now().wall_at:%Y-%m-%d %H:%M}"
        return _README.format(domain=self.here.config.domain, address=self.address, moment=moment)

    def _files(self, person: PersonOnRecord) -> Iterator[tuple[str, bytes]]:
        engine = self.here.engine
        for kind, found in person.rows.items():
            if found:
                rows = [{name: _plain(value) for name, value in row.items()} for row in found]
                yield f"records/{kind}.json", json.dumps(rows, indent=1, ensure_ascii=False).encode()
        for mail in sorted(person.ids.mails):
            with suppress(Refused):
                yield f"mails/{mail}.eml", engine.inbox.read(mail)
        for row in person.rows.get("outbox", ()):
            key = str(row.get("key") or row.get("id"))
            if (sent := engine.outbox.written(key)) is not None:
                yield f"letters/{key}.eml", sent
        for digest in sorted(person.files):
            with suppress(Refused):
                yield f"files/{digest[:16]}{_ending(content := engine.inbox.read_file(digest))}", content


def check_address(text: str) -> str:
    """Return a mail address, or refuse what is none."""
    if not is_well_formed(text):
        raise Refused(f"{text} is no mail address.")
    return text


def _plain(value: object) -> object:
    """Return a value as JSON can have it; a text that is JSON itself is laid out."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, str) and value[:1] in {"{", "["}:
        with suppress(ValueError):
            return json.loads(value)
    return value


def _ending(content: bytes) -> str:
    """Return the extension that fits the first bytes of a file."""
    known = {
        b"\xff\xd8\xff": ".jpg",
        b"\x89PNG": ".png",
        b"%PDF": ".pdf",
        b"RIFF": ".webp",
        b"{": ".json",
        b"From": ".eml",
    }
    return next((ending for start, ending in known.items() if content.startswith(start)), ".bin")
