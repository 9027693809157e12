"""Sites in S3: a prefix for each release, and one object a project that says which is live.

The pointer is a single object, written with a condition on the version that was read: it holds the live
release and the lanes' fences together, so that a fence is checked in the very write that it guards.
"""

from __future__ import annotations

import hashlib
import io
import secrets
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from webordinary.errors import LostOwnership, TryAgain
from webordinary.site.release.release import told_plainly
from webordinary.site.release.tree import SiteFile, files_of
from webordinary.site.sites import PreviewShown, Release, Switched, checked_name, missing_release, needs_switch
from webordinary.site.web.preview import is_markable, mark_preview

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webordinary.engines.aws.s3.bucket import Bucket, Stored
    from webordinary.engines.aws.s3.hosts import Hosts
    from webordinary.engines.aws.s3.visitor_routes import VisitorRoutes
    from webordinary.routing.project import Project

# What CloudFront shows for a page that no release has; its functions are not asked about answers of errors.
NOT_FOUND = "not-found.html"
_NOT_FOUND_PAGE = b"<!doctype html><meta charset=utf-8><title>Not found</title><p>There is no such page.\n"
_HTML = "text/html; charset=utf-8"
_JSON = "application/json"
_UPLOADS = 8
_TRIES = 8
# No build is uploaded for as long as that; what is older and has no name was left behind by a crash.
_ABANDONED = timedelta(days=1)


class Pointer(msgspec.Struct, frozen=True):
    """What visitors see; `turn` makes every version different, so that no tag ever comes back."""

    commit: str | None = None
    place: str | None = None
    previous: str | None = None
    fences: dict[str, int] = {}
    turn: str = ""


class UploadRecord(msgspec.Struct, frozen=True):
    """The prefix under which a whole upload lies, and what each of its files holds, by its hash."""

    place: str
    turn: str = ""
    files: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Visitors:
    """What leads visitors to a place: the visitor_routes, and the hosts that need them."""

    visitor_routes: VisitorRoutes
    hosts: Hosts
    find_project: Callable[[str], Project | None]


class S3Sites:
    """Every project's site in one bucket; what has a name is complete."""

    def __init__(self, bucket: Bucket, visitors: Visitors | None = None) -> None:
        self._bucket = bucket
        self._visitors = visitors
        self._told_what_is_missing = False

    def add_release(self, project: str, commit: str, built: Path) -> None:
        name = _release(project, commit)
        if self._place(name) is not None:
            return
        place = f"{checked_name(project)}/files/{commit}-{secrets.token_hex(6)}/"
        files = self._upload(place, built, self._live_place(project))
        named = UploadRecord(place, secrets.token_hex(6), files)
        if not self._bucket.put_if(name, msgspec.json.encode(named), None, _JSON) and self._place(name) != named:
            # Somebody else added the release of the same commit meanwhile; ours is thrown away.
            self._bucket.delete_folder(place)

    def take_release(self, project: str, commit: str, built: Path) -> Path:
        self.add_release(project, commit, built)
        return built

    def switch_live(
        self, project: str, commit: str, *, lane: str, fence: int, descends: Callable[[str, str], bool]
    ) -> Switched:
        result = Switched.ALREADY_LIVE

        def switch(now: Pointer) -> Pointer:
            nonlocal result
            raised = _raised(now, lane, fence)
            if not needs_switch(commit, now.commit, descends):
                result = Switched.ALREADY_LIVE
                return raised
            release = self._place(_release(project, commit))
            if release is None:
                raise missing_release(commit)
            result = Switched.SWITCHED
            return Pointer(commit, release.place, now.commit, raised.fences)

        self._change(project, switch)
        # Also when it was live already: the worker that switched may have died before visitors were led there.
        self.lead_visitors(project)
        return result

    def can_lead_visitors(self) -> bool:
        """Say whether there are visitor_routes at all; Misconfigured when they cannot be reached."""
        return self._visitors is not None and bool(self._visitors.visitor_routes.version())

    def lead_visitors(self, project: str) -> None:
        """Let visitors find what the pointer says; again and again is harmless."""
        if self._visitors is None:
            return
        known = self._visitors.find_project(project)
        hosts = self._visitors.hosts.live(project, known.site.url if known else None)
        self._visitors.visitor_routes.lead(hosts, lambda: self._pointer(project)[0].place)
        if not self._told_what_is_missing:
            self._bucket.put_if(NOT_FOUND, _NOT_FOUND_PAGE, None, _HTML)
            self._told_what_is_missing = True

    def advance_fence(self, project: str, lane: str, fence: int) -> None:
        self._change(project, lambda now: _raised(now, lane, fence))

    def live(self, project: str) -> str | None:
        return self._pointer(project)[0].commit

    def releases(self, project: str) -> tuple[Release, ...]:
        names = self._bucket.stored(f"{checked_name(project)}/releases/")
        found = (Release(_name_of(stored.key), stored.modified_at) for stored in names)
        return tuple(sorted(found, key=lambda release: release.added_at, reverse=True))

    def folder_of(self, project: str, commit: str) -> None:
        """Return nothing: its files lie in the bucket."""

    def show_preview(self, project: str, thread: str, built: Path) -> None:
        name = preview_key(project, thread)
        place = f"{project}/shown/{thread}-{secrets.token_hex(6)}/"
        self._upload(place, built, self._live_place(project), is_preview=True)
        old = self._point_preview(name, UploadRecord(place, secrets.token_hex(6)))
        if self._visitors is not None:
            hosts = self._visitors.hosts.preview(project, thread)
            self._visitors.visitor_routes.lead(hosts, lambda: shown.place if (shown := self._place(name)) else None)
        if old is not None and old.place != place:
            self._bucket.delete_folder(old.place)

    def previews(self, project: str) -> tuple[PreviewShown, ...]:
        found = self._bucket.stored(f"{checked_name(project)}/previews/")
        return tuple(PreviewShown(_name_of(stored.key), stored.modified_at) for stored in found)

    def remove_preview(self, project: str, thread: str) -> None:
        name = preview_key(project, thread)
        place = self._place(name)
        self._bucket.delete([name])
        if self._visitors is not None:
            self._visitors.visitor_routes.lead(self._visitors.hosts.preview(project, thread), lambda: None)
        if place is not None:
            self._bucket.delete_folder(place.place)

    def remove_old(self, project: str, *, keep: int) -> None:
        names = list(self._bucket.stored(f"{checked_name(project)}/releases/"))
        pointer = self._pointer(project)[0]
        for name in _too_old(project, names, pointer, keep):
            place = self._place(name)
            # The name first: after a crash half a release must not carry the name of a whole one.
            self._bucket.delete([name])
            if place is not None:
                self._bucket.delete_folder(place.place)
        self._remove_abandoned(project, {stored.key for stored in names})

    def _change(self, project: str, change: Callable[[Pointer], Pointer]) -> None:
        """Write the changed pointer over exactly the one that was read; what somebody else wrote is read again."""
        turn = secrets.token_hex(6)
        for _ in range(_TRIES):
            now, tag = self._pointer(project)
            if now.turn == turn:
                # Our own write had arrived; only its answer was lost.
                return
            wanted = change(now)
            if wanted == now:
                return
            wanted = msgspec.structs.replace(wanted, turn=turn)
            if self._bucket.put_if(_pointer_key(project), msgspec.json.encode(wanted), tag, _JSON):
                return
        raise TryAgain(f"the pointer of {project} is being changed by others all the time")

    def _pointer(self, project: str) -> tuple[Pointer, str | None]:
        found = self._bucket.read(_pointer_key(project))
        if found is None:
            return Pointer(), None
        return msgspec.json.decode(found.content, type=Pointer), found.tag

    def _place(self, name: str) -> UploadRecord | None:
        found = self._bucket.read(name)
        return msgspec.json.decode(found.content, type=UploadRecord) if found else None

    def _point_preview(self, name: str, wanted: UploadRecord) -> UploadRecord | None:
        """Let the preview's name lead to what was uploaded, and return what it led to before."""
        for _ in range(_TRIES):
            found = self._bucket.read(name)
            old = msgspec.json.decode(found.content, type=UploadRecord) if found else None
            if old == wanted:
                return None
            if self._bucket.put_if(name, msgspec.json.encode(wanted), found.tag if found else None, _JSON):
                return old
        raise TryAgain(f"the preview {name} is being changed by others all the time")

    def _live_place(self, project: str) -> UploadRecord | None:
        """Return what most of a new release looks like."""
        live = self._pointer(project)[0].commit
        return None if live is None else self._place(_release(project, live))

    def _upload(
        self, place: str, built: Path, like: UploadRecord | None, *, is_preview: bool = False
    ) -> dict[str, str]:
        """Upload a whole site and return what its files hold; what is live already is copied inside the bucket."""

        def upload(file: SiteFile) -> tuple[str, str]:
            if is_preview and is_markable(file.path.suffix.lower(), file.path.stat().st_size):
                return self._upload_marked(place, file)
            return self._upload_file(place, file, like)

        with told_plainly(built), ThreadPoolExecutor(_UPLOADS, thread_name_prefix="upload") as uploads:
            return dict(uploads.map(upload, files_of(built)))

    def _upload_marked(self, place: str, file: SiteFile) -> tuple[str, str]:
        page = mark_preview(file.path.read_bytes())
        self._bucket.put(f"{place}{file.name}", io.BytesIO(page), file.content_type)
        return file.name, hashlib.sha256(page).hexdigest()

    def _upload_file(self, place: str, file: SiteFile, like: UploadRecord | None) -> tuple[str, str]:
        with file.path.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
            is_known = like is not None and like.files.get(file.name) == digest
            # A release that has been live may be removed at any moment; then the file travels after all.
            if not (like and is_known and self._bucket.copy(f"{like.place}{file.name}", f"{place}{file.name}")):
                content.seek(0)
                self._bucket.put(f"{place}{file.name}", content, file.content_type)
        return file.name, digest

    def _remove_abandoned(self, project: str, names: set[str]) -> None:
        """Remove uploads that never got a name; a commit that has one folder and one name needs no look."""
        found = self._bucket.folders(f"{project}/files/")
        folders = {folder: _release(project, _commit_of(folder)) for folder in found}
        uploads = Counter(folders.values())
        for folder, name in folders.items():
            suspicious = name not in names or uploads[name] > 1
            if suspicious and self._is_old(folder) and not self._is_named(name, folder):
                self._bucket.delete_folder(folder)

    def _is_old(self, folder: str) -> bool:
        newest = max((found.modified_at for found in self._bucket.stored(folder)), default=None)
        return newest is not None and newest < datetime.now(UTC) - _ABANDONED

    def _is_named(self, name: str, folder: str) -> bool:
        place = self._place(name)
        return place is not None and place.place == folder


def preview_key(project: str, thread: str) -> str:
    """Return the object that says where a thread's preview lies."""
    return f"{checked_name(project)}/previews/{checked_name(thread)}.json"


def _pointer_key(project: str) -> str:
    return f"{checked_name(project)}/live.json"


def _release(project: str, commit: str) -> str:
    return f"{checked_name(project)}/releases/{checked_name(commit)}.json"


def _name_of(key: str) -> str:
    return key.rpartition("/")[2].removesuffix(".json")


def _commit_of(folder: str) -> str:
    return folder.split("/")[-2].rpartition("-")[0]


def _raised(now: Pointer, lane: str, fence: int) -> Pointer:
    recorded = now.fences.get(lane, 0)
    if recorded > fence:
        raise LostOwnership(f"a newer owner of {lane} has published already")
    if recorded == fence:
        return now
    return msgspec.structs.replace(now, fences={**now.fences, lane: fence})


def _too_old(project: str, names: list[Stored], pointer: Pointer, keep: int) -> list[str]:
    """Return the names to remove; what is as new as the live release may be about to become live."""
    newest_first = sorted(names, key=lambda stored: stored.modified_at, reverse=True)
    live_name = _release(project, pointer.commit) if pointer.commit else None
    live = next((stored for stored in newest_first if stored.key == live_name), None)
    if live is None:
        return []
    kept = {stored.key for stored in newest_first[:keep]} | {live.key}
    if pointer.previous is not None:
        kept.add(_release(project, pointer.previous))
    return [stored.key for stored in newest_first if stored.key not in kept and stored.modified_at < live.modified_at]
