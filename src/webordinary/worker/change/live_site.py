"""The site that is live: its files, its index and its noise, each found once for a commit and kept on this machine.

What is kept saves builds and is never needed: whatever is gone or torn is found again from a release, or by a build.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from webordinary.errors import BuildFailed, WebOrdinaryError
from webordinary.site.checks.kept_index import IndexKeeper
from webordinary.site.read.index import SiteIndex, digests_of, index_site
from webordinary.site.receipt.changes import Receipt, compare
from webordinary.site.release.release import KnownRelease
from webordinary.worker.change.beyond import differing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import TypeAlias

    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.workspace.checkout import Checkout

    # Builds a folder with a project's files into another one.
    Build: TypeAlias = Callable[[Path, Path], Path]

# An index and its snapshot, for a few changes.
_MOST_FILES = 8
_MOST_KEPT = 8


@dataclass(frozen=True, slots=True)
class Noise:
    """What two builds of one commit differ in: for visitors, and by their files."""

    receipt: Receipt = field(default_factory=Receipt)
    files: frozenset[str] = frozenset()

    @property
    def is_none(self) -> bool:
        return not self.files


@dataclass(frozen=True, slots=True)
class KnownSite:
    """What is known about a commit's build: the digest under which its index is kept, and its noise."""

    index: str = ""
    noise: Noise | None = None


@dataclass(frozen=True, slots=True)
class KnownSites:
    """Keeps what is known on this machine; a project has few commits whose builds anybody asks about again."""

    folder: Path

    def find(self, project: str, commit: str) -> KnownSite:
        try:
            return msgspec.json.decode(self._note(project, commit).read_bytes(), type=KnownSite)
        except (OSError, msgspec.MsgspecError):
            return KnownSite()

    def keep(self, project: str, commit: str, known: KnownSite) -> None:
        note = self._note(project, commit)
        note.parent.mkdir(parents=True, exist_ok=True)
        fresh = note.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(msgspec.json.encode(known))
        fresh.replace(note)
        for old in sorted(note.parent.glob("*.json"), key=_age)[:-_MOST_KEPT]:
            old.unlink(missing_ok=True)

    def build_of(self, project: str, commit: str) -> Path | None:
        """Return the files of a build that is kept because its host has no folder on this machine."""
        place = self.folder / project / commit
        return place if place.is_dir() else None

    def keep_build(self, project: str, commit: str, built: Path) -> None:
        """Keep the files of what is live now, in place of what was; they are moved and no longer where they were."""
        place = self.folder / project / commit
        place.parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):
            # Another lane of the project may have been here first, or the disk is another one.
            built.rename(place)
        for old in place.parent.iterdir():
            if old.is_dir() and old != place:
                shutil.rmtree(old, ignore_errors=True)

    def keep_file(self, project: str, keep: Callable[[bytes], str], content: bytes) -> str:
        """Keep a file for all, and on this machine too."""
        digest = keep(content)
        self._keep_here(project, digest, content)
        return digest

    def read_file(self, project: str, read: Callable[[str], bytes], digest: str) -> bytes:
        """Read a file, from this machine if it is here as it was."""
        with suppress(OSError):
            content = (self._files(project) / digest).read_bytes()
            if hashlib.sha256(content).hexdigest() == digest:
                return content
        content = read(digest)
        self._keep_here(project, digest, content)
        return content

    def _keep_here(self, project: str, digest: str, content: bytes) -> None:
        place = self._files(project)
        # A full disk is no reason to stop: it is read from afar then.
        with suppress(OSError):
            place.mkdir(parents=True, exist_ok=True)
            fresh = place / f"{digest}.{os.getpid()}"
            fresh.write_bytes(content)
            fresh.replace(place / digest)
            for old in sorted(place.iterdir(), key=_age)[:-_MOST_FILES]:
                old.unlink(missing_ok=True)

    def _files(self, project: str) -> Path:
        # Beside the folder of its builds, in which only the newest is kept; no id of a project has a dot.
        return self.folder / f"{project}.files"

    def _note(self, project: str, commit: str) -> Path:
        return self.folder / project / f"{commit}.json"


def _age(note: Path) -> float:
    try:
        return note.stat().st_mtime
    except FileNotFoundError:
        return 0.0


@dataclass(slots=True)
class LiveSite:
    """The live commit as one attempt sees it; a build that was needed lasts as long as the attempt's folder."""

    engine: Engine
    known: KnownSites
    project: str
    commit: str
    checkout: Checkout
    build: Build
    # What is built or laid out here is removed with the attempt.
    scratch: Path
    check: Callable[[], None] = lambda: None
    _built: Path | None = None
    _index: SiteIndex | None = None

    @property
    def keeper(self) -> IndexKeeper:
        inbox = self.engine.inbox
        if self.engine.sites.folder_of(self.project, self.commit) is not None:
            return IndexKeeper(inbox.keep_file, inbox.read_file)
        # Where files are far away, what this machine kept or read once is not fetched again.
        keep = partial(self.known.keep_file, self.project, inbox.keep_file)
        return IndexKeeper(keep, partial(self.known.read_file, self.project, inbox.read_file))

    def release(self) -> KnownRelease | None:
        """Return the files that visitors see if they lie on this machine, with their digests."""
        place = self._lies_here()
        return None if place is None else KnownRelease(place, self.index().files)

    def _lies_here(self) -> Path | None:
        place = self.engine.sites.folder_of(self.project, self.commit)
        return place or self.known.build_of(self.project, self.commit) or self._built

    def files(self) -> Path:
        """Return the files that visitors see: those of the release, of a kept build, or of one that is made now."""
        place = self._lies_here()
        if place is None:
            place = self._built = self._build("live")
        return place

    def index(self) -> SiteIndex:
        """Return the index: as it was kept, or read from the files."""
        if self._index is None:
            self._index = self._find_index()
        return self._index

    def _find_index(self) -> SiteIndex:
        for digest in self._kept():
            with suppress(WebOrdinaryError, OSError, ValueError):
                return self.keeper.read(digest)
        try:
            # What many pages say is found out once, and is known for all changes to come.
            digest = self.keeper.keep(index_site(self.files(), self.check))
        except BuildFailed:
            # What is live cannot be built any more: whatever builds is an improvement, and all of it is new.
            return SiteIndex()
        known = self.known.find(self.project, self.commit)
        self.known.keep(self.project, self.commit, KnownSite(digest, known.noise))
        return self.keeper.read(digest)

    def noise(self, index: SiteIndex) -> Noise:
        """Return what differs between two builds of this commit; a second build finds it, once."""
        known = self.known.find(self.project, self.commit)
        if known.noise is None:
            try:
                built = self._build("again")
                again = index_site(built, self.check, like=index, digests=digests_of(built))
            except BuildFailed:
                again = SiteIndex()
            noise = Noise(compare(index, again), frozenset(differing(index, again)))
            known = KnownSite(known.index, noise)
            self.known.keep(self.project, self.commit, known)
        return known.noise or Noise()

    def pass_on(self, commit: str, index: str, *, by_mail: bool = True) -> None:
        """Note the index of the next commit; where builds repeat themselves, that of a change by mail does too."""
        noise = self.known.find(self.project, self.commit).noise
        repeats = by_mail and noise is not None and noise.is_none
        self.known.keep(self.project, commit, KnownSite(index, noise if repeats else None))

    def _kept(self) -> Iterator[str]:
        """Return where the index may lie; the job that made the commit is asked only if this machine has forgotten."""
        if here := self.known.find(self.project, self.commit).index:
            yield here
        job = self._job()
        if job is not None and job.journal.index:
            yield job.journal.index

    def _job(self) -> Job | None:
        name = self.checkout.job_of(self.commit)
        job = self.engine.overview.job(name) if name else None
        # A trailer can be written by anybody; only a job that made this very commit knows its index.
        return job if job is not None and job.journal.commit_live == self.commit else None

    def _build(self, name: str) -> Path:
        if not self.checkout.knows(self.commit):
            raise BuildFailed("somebody has rewritten the history and thrown away the commit that is live")
        with self.checkout.exported(self.commit, self.scratch) as source:
            return self.build(source, self.scratch / name)
