"""Sites in folders of this machine: a folder for each release, and a link to the one that is live."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import tempfile
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import LostOwnership, Misconfigured, PublishFailed
from webordinary.routing.project import FOLDER
from webordinary.site.release.release import KnownRelease, copy_whole, seal_whole, sync, told_plainly
from webordinary.site.sites import PreviewShown, Release, Switched, checked_name, missing_release, needs_switch
from webordinary.site.targets.keeping import too_old
from webordinary.site.targets.registry import TARGETS
from webordinary.site.targets.target import PublishTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from webordinary.routing.project import Project, SiteTarget
    from webordinary.site.targets.target import EnginePlaces, Live, SiteTable

LIVE = "live"
_OURS = ".webordinary"
_SHOWN = ".shown"
_EARLIER = "earlier"
_UNFINISHED = ".unfinished-"
_REMOVED = ".removed-"


def live_link(target: Path) -> Path:
    """Return the link that leads to the live release."""
    return target / LIVE


def previous_link(target: Path) -> Path:
    """Return the link that leads to the release before the live one."""
    return target / _OURS / "previous"


def earlier_releases(target: Path, since: float) -> list[Path]:
    """Return the releases that were live after that moment and no longer are, the newest first."""
    replaced = []
    for link in (target / _OURS / _EARLIER).glob("[!.]*"):
        # An old one may be removed at any moment.
        with suppress(FileNotFoundError):
            replaced.append((link.lstat().st_mtime, link))
    return [Path(os.path.realpath(link)) for at, link in sorted(replaced, reverse=True) if at > since]


def preview_link(previews: Path, project: str, thread: str) -> Path:
    """Return the link that leads to what a thread's preview shows."""
    return previews / project / thread


class FolderTarget(PublishTarget):
    """A folder of this machine, which the embedded engine keeps itself."""

    def check(self, site: SiteTable, *, own: str) -> Iterator[tuple[str, str]]:  # noqa: ARG002 - any place will do
        if own != FOLDER:
            yield "target", f"must be {TARGETS.choices(FOLDER)} with this `engine`"

    def describe(self, site: SiteTarget) -> str:
        return site.to

    def doctor(self, project: Project) -> str | None:  # noqa: ARG002 - folders of this machine are looked at anyway
        return None

    def publish(self, project: Project, engine: EnginePlaces) -> Live:  # noqa: ARG002 - the engine knows the folders
        return engine.own


class FolderSites:
    """Each project's releases lie under its target; what has a name is complete."""

    def __init__(self, previews: Path, targets: Mapping[str, Path]) -> None:
        self._previews = previews
        self._targets = targets

    def add_release(self, project: str, commit: str, built: Path) -> None:
        target = self._target(project)
        release = _release(target, commit)
        with told_plainly(target):
            if release.is_dir():
                return
            with _unfinished(release.parent, _lock_of(target)) as copy:
                copy_whole(built, copy, PublishFailed, like=_known(_live_release(target)))
                seal_whole(copy)
                _name_release(copy, release)

    def take_release(self, project: str, commit: str, built: Path) -> Path:
        target = self._target(project)
        release = _release(target, commit)
        with told_plainly(target):
            if release.is_dir():
                return release
            release.parent.mkdir(parents=True, exist_ok=True)
            if release.parent.stat().st_dev == built.stat().st_dev:
                # Complete before it has its name, and it gets that from one moment to the next.
                built.chmod(0o755)
                seal_whole(built)
                _name_release(built, release)
                return release
        self.add_release(project, commit, built)
        return release

    def switch_live(
        self, project: str, commit: str, *, lane: str, fence: int, descends: Callable[[str, str], bool]
    ) -> Switched:
        target = self._target(project)
        release = _release(target, commit)
        with told_plainly(target), _locked(_lock_of(target)):
            _raise_fence(target, lane, fence)
            old = _live(target)
            if not needs_switch(commit, old, descends):
                return Switched.ALREADY_LIVE
            if not release.is_dir():
                raise missing_release(commit)
            if old is not None:
                # Before the pointer: after a crash in between both name the live release, which is harmless.
                _point(previous_link(target), _release(target, old))
                _point(_earlier_link(target, old), _release(target, old))
            _point(live_link(target), release)
            return Switched.SWITCHED

    def advance_fence(self, project: str, lane: str, fence: int) -> None:
        target = self._target(project)
        with told_plainly(target), _locked(_lock_of(target)):
            _raise_fence(target, lane, fence)

    def live(self, project: str) -> str | None:
        target = self._target(project)
        with told_plainly(target):
            return _live(target)

    def releases(self, project: str) -> tuple[Release, ...]:
        target = self._target(project)
        with told_plainly(target):
            return tuple(Release(path.name, _added_at(path)) for path in _newest_first(target))

    def folder_of(self, project: str, commit: str) -> Path | None:
        release = _release(self._target(project), commit)
        return release if release.is_dir() else None

    def show_preview(self, project: str, thread: str, built: Path) -> None:
        shown = self._previews / checked_name(project) / _SHOWN
        link = preview_link(self._previews, project, checked_name(thread))
        lock = shown / "lock"
        if self._is_release(project, built):
            with told_plainly(self._previews), _locked(lock):
                # It may have been removed meanwhile, because so many newer ones are there.
                _show(link, built if built.is_dir() else live_link(self._target(project)), shown)
            return
        with told_plainly(self._previews), _unfinished(shown, lock) as copy:
            copy_whole(built, copy, PublishFailed, like=_known(self._seen(project)))
            with _locked(lock):
                # A name never used before: what a browser kept of the last preview is not mistaken for this one.
                _show(link, copy.rename(shown / f"{thread}.{secrets.token_hex(6)}"), shown)

    def previews(self, project: str) -> tuple[PreviewShown, ...]:
        found = []
        for link in (self._previews / checked_name(project)).glob("[!.]*"):
            with suppress(FileNotFoundError):
                found.append(PreviewShown(link.name, datetime.fromtimestamp(link.lstat().st_mtime, UTC)))
        return tuple(found)

    def remove_preview(self, project: str, thread: str) -> None:
        shown = self._previews / checked_name(project) / _SHOWN
        with told_plainly(self._previews), _locked(shown / "lock"):
            preview_link(self._previews, project, checked_name(thread)).unlink(missing_ok=True)
            for old in shown.glob(f"{thread}.*"):
                shutil.rmtree(old)

    def remove_old(self, project: str, *, keep: int) -> None:
        target = self._target(project)
        releases = target / "releases"
        with told_plainly(target):
            with _locked(_lock_of(target)):
                _remove_abandoned(releases)
                for release in _too_old(target, keep):
                    self._take_away(project, target, release)
            for removed in releases.glob(f"{_REMOVED}*"):
                shutil.rmtree(removed, ignore_errors=True)

    def _is_release(self, project: str, folder: Path) -> bool:
        target = self._targets.get(project)
        return target is not None and folder == target / "releases" / folder.name

    def _take_away(self, project: str, target: Path, release: Path) -> None:
        """Take a release's name; previews of what went live long ago show the live site from then on.

        That is what their threads would publish now. One that never went live stays for as long as it is shown.
        """
        previews = self._previews / checked_name(project)
        was_live = _earlier_link(target, release.name)
        with _locked(previews / _SHOWN / "lock"):
            shows = [link for link in previews.glob("[!.]*") if link.resolve() == release.resolve()]
            if shows and not was_live.is_symlink():
                return
            for link in shows:
                _point_elsewhere(link, live_link(target), link.lstat().st_mtime_ns)
            # Renamed first: after a crash half a release must not carry the name of a whole one.
            release.rename(release.with_name(f"{_REMOVED}{secrets.token_hex(6)}"))
        was_live.unlink(missing_ok=True)

    def _seen(self, project: str) -> Path | None:
        """Return what most of a preview looks like."""
        target = self._targets.get(project)
        return None if target is None else _live_release(target)

    def _target(self, project: str) -> Path:
        if project not in self._targets:
            raise Misconfigured(f"the project {project} has no place to be published to: set its site.to")
        return self._targets[project]


def _release(target: Path, commit: str) -> Path:
    return target / "releases" / checked_name(commit)


def _earlier_link(target: Path, commit: str) -> Path:
    """Return the link to a release that was live; it is as old as that release is not live any more."""
    return target / _OURS / _EARLIER / checked_name(commit)


def _lock_of(target: Path) -> Path:
    return target / _OURS / "lock"


def _live(target: Path) -> str | None:
    try:
        return live_link(target).readlink().name
    except FileNotFoundError:
        return None


def _live_release(target: Path) -> Path | None:
    """Return the release whose files the next one may share: it is whole, and nobody writes into it."""
    live = _live(target)
    return None if live is None else _release(target, live)


def _known(release: Path | None) -> KnownRelease | None:
    return None if release is None else KnownRelease(release)


def _raise_fence(target: Path, lane: str, fence: int) -> None:
    """Record the lane's fence for good before anything is done under it."""
    file = target / _OURS / "fences.json"
    fences = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    recorded = fences.get(lane, 0)
    if recorded > fence:
        raise LostOwnership(f"a newer owner of {lane} has published already")
    if recorded < fence:
        fresh = file.with_suffix(".new")
        fresh.write_text(json.dumps({**fences, lane: fence}, indent=1, sort_keys=True), encoding="utf-8")
        sync(fresh)
        fresh.replace(file)
        sync(file.parent)


def _show(link: Path, folder: Path, shown: Path) -> None:
    """Let a preview's link lead to a folder, and remove what was shown before."""
    if folder.parent == shown:
        _point(link, folder)
    else:
        _point_elsewhere(link, folder)
    for old in shown.glob(f"{link.name}.*"):
        if old.name != folder.name:
            shutil.rmtree(old)


def _point(link: Path, folder: Path) -> None:
    """Let a link lead to a folder of the same place, from one moment to the next and for good."""
    _link(link, os.path.relpath(folder, link.parent))


def _point_elsewhere(link: Path, folder: Path, made_ns: int | None = None) -> None:
    """Let a link lead to a folder of another place, whose way from here may change; it may be as old as one before."""
    _link(link, folder.absolute(), made_ns)


def _link(link: Path, to: str | Path, made_ns: int | None = None) -> None:
    link.parent.mkdir(parents=True, exist_ok=True)
    fresh = link.with_name(f".{link.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(to)
    if made_ns is not None:
        os.utime(fresh, ns=(made_ns, made_ns), follow_symlinks=False)
    fresh.replace(link)
    sync(link.parent)


def _name_release(copy: Path, release: Path) -> None:
    # The folder's time is the order in which releases came, which decides which are removed.
    now = time.time_ns()
    os.utime(copy, ns=(now, now))
    try:
        copy.rename(release)
    except OSError:
        if not release.is_dir():
            raise
        # Somebody else added the release of the same commit meanwhile; ours is thrown away.
    sync(release.parent)


def _newest_first(target: Path) -> list[Path]:
    releases = (target / "releases").glob("[!.]*")
    return sorted(releases, key=lambda path: path.stat().st_mtime_ns, reverse=True)


def _added_at(release: Path) -> datetime:
    return datetime.fromtimestamp(release.stat().st_mtime, UTC)


def _too_old(target: Path, keep: int) -> list[Path]:
    link = previous_link(target)
    previous = link.readlink().name if link.is_symlink() else None
    names = too_old([path.name for path in _newest_first(target)], live=_live(target), previous=previous, keep=keep)
    return [_release(target, name) for name in names]


@contextmanager
def _locked(lock: Path) -> Iterator[None]:
    """Be the only one, of all threads and processes, until the block ends or the process does."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def _unfinished(folder: Path, lock: Path) -> Iterator[Path]:
    """Give a new folder to write into; it disappears unless it was renamed.

    It is locked for as long as its writer lives, so that what a crash left behind can be told from what is
    still being written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(lock):
        _remove_abandoned(folder)
        path = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder))
        opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(opened, fcntl.LOCK_EX)
    try:
        # Visitors may be served by a program of another user.
        path.chmod(0o755)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(opened)


def _remove_abandoned(folder: Path) -> None:
    for path in folder.glob(f"{_UNFINISHED}*"):
        # Its writer may finish, and so rename it, at any moment.
        with suppress(FileNotFoundError, BlockingIOError):
            _remove_if_nobody_writes(path)


def _remove_if_nobody_writes(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(opened)
