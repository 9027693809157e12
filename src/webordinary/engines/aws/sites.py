"""Sites in S3: a prefix for each release, and one object a project that says which is live.

The pointer is a single object, written with a condition on the version that was read: it holds the live
release and the lanes' fences together, so that a fence is checked in the very write that it guards.
"""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from webordinary.engines.aws.s3.places import (
    begins_commit,
    id_in_store,
    new_release_place,
    overflow_place,
    releases_place,
)
from webordinary.engines.aws.s3.previews import S3Previews
from webordinary.engines.aws.s3.uploads import UploadRecord, Uploads
from webordinary.engines.aws.s3.visitor_routes import Led, VisitorRoutes
from webordinary.engines.aws.s3.waiting import WaitingProjects
from webordinary.errors import LostOwnership, TryAgain
from webordinary.metrics.meter import NoMeter
from webordinary.site.sites import Release, Switched, checked_name, missing_release, needs_switch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mypy_boto3_cloudfront_keyvaluestore import CloudFrontKeyValueStoreClient

    from webordinary.engines.aws.s3.bucket import Bucket, Stored
    from webordinary.engines.aws.s3.hosts import Hosts
    from webordinary.metrics.meter import Meter
    from webordinary.routing.project import Project
    from webordinary.site.sites import PreviewShown

# What CloudFront shows for a page that no release has; its functions are not asked about answers of errors.
NOT_FOUND = "not-found.html"
_NOT_FOUND_PAGE = b"<!doctype html><meta charset=utf-8><title>Not found</title><p>There is no such page.\n"
_HTML = "text/html; charset=utf-8"
_JSON = "application/json"
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
    # Whether its key in CloudFront's store is the project alone.
    is_short: bool = False


@dataclass(frozen=True, slots=True)
class Visitors:
    """What leads visitors to a place: CloudFront's store, and the hosts that need it."""

    client: CloudFrontKeyValueStoreClient
    store: str
    hosts: Hosts
    find_project: Callable[[str], Project | None]


class S3Sites:
    """Every project's site in one bucket; what has a name is complete."""

    def __init__(self, bucket: Bucket, visitors: Visitors | None = None, meter: Meter | None = None) -> None:
        self._bucket = bucket
        self._uploads = Uploads(bucket)
        self._visitors = visitors
        self._routes: VisitorRoutes | None = None
        if visitors is not None:
            self._routes = VisitorRoutes(
                visitors.client, visitors.store, WaitingProjects(bucket), self._routes_of, meter or NoMeter()
            )
        self._previews = S3Previews(bucket, self._routes, visitors.hosts if visitors else None)
        self._told_what_is_missing = False
        # What was added last: the preview of the same build has most files in common with it.
        self._added: dict[str, UploadRecord] = {}

    def add_release(self, project: str, commit: str, built: Path) -> None:
        name = _release(project, commit)
        if (there := self._place(name)) is not None:
            self._added[project] = there
            return
        place = new_release_place(project, commit)
        files = self._uploads.fill(place, built, self._live_place(project))
        named = self._added[project] = UploadRecord(place, secrets.token_hex(6), files)
        if not self._bucket.put_if(name, msgspec.json.encode(named), None, _JSON) and self._place(name) != named:
            # Somebody else added the release of the same commit meanwhile; ours is thrown away.
            self._added.pop(project, None)
            self._bucket.delete_folder(place)

    def take_release(self, project: str, commit: str, built: Path) -> Path:
        self.add_release(project, commit, built)
        return built

    def switch_live(
        self, project: str, commit: str, *, lane: str, fence: int, descends: Callable[[str, str], bool]
    ) -> Switched:
        result, was_long = Switched.ALREADY_LIVE, False

        def switch(now: Pointer) -> Pointer:
            nonlocal result, was_long
            was_long = was_long or (now.commit is not None and not now.is_short)
            raised = _raised(now, lane, fence)
            if not needs_switch(commit, now.commit, descends):
                result = Switched.ALREADY_LIVE
                return raised
            release = self._place(_release(project, commit))
            if release is None:
                raise missing_release(commit)
            result = Switched.SWITCHED
            return Pointer(commit, release.place, now.commit, raised.fences, is_short=True)

        self._change(project, switch)
        # Also when it was live already: the worker that switched may have died before visitors were led there.
        self.lead_visitors(project)
        if was_long and self._routes is not None and self._visitors is not None:
            # Earlier versions kept the whole host as a key.
            self._routes.forget(self._visitors.hosts.live(project, None))
        return result

    def can_lead_visitors(self) -> bool:
        """Say whether there are visitor_routes at all; Misconfigured when they cannot be reached."""
        return self._routes is not None and bool(self._routes.version())

    def lead_visitors(self, project: str) -> None:
        """Let visitors find what the pointer says; again and again is harmless."""
        if self._routes is None:
            return
        if self._routes.lead(project) is Led.NO_ROOM and (place := self._pointer(project)[0].place):
            # Nobody's change waits for room: without a key CloudFront's function looks here.
            self._uploads.repeat(place, overflow_place(project))
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
        self._previews.show(project, thread, built, self._added.get(project) or self._live_place(project))

    def previews(self, project: str) -> Sequence[PreviewShown]:
        return self._previews.all(project)

    def remove_preview(self, project: str, thread: str) -> None:
        self._previews.remove(project, thread)

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

    def _live_place(self, project: str) -> UploadRecord | None:
        """Return what most of a new release looks like."""
        live = self._pointer(project)[0].commit
        return None if live is None else self._place(_release(project, live))

    def _routes_of(self, project: str) -> dict[str, str]:
        """Return the keys that lead to what the pointer says; none before anything is live."""
        place = self._pointer(project)[0].place
        if place is None or self._visitors is None:
            return {}
        known = self._visitors.find_project(project)
        return self._visitors.hosts.routes(project, known.site.url if known else None, id_in_store(place))

    def _remove_abandoned(self, project: str, names: set[str]) -> None:
        """Remove uploads that never got a name; a commit that has one folder and one name needs no look."""
        begun = {name: _name_of(name) for name in names}
        folders = {folder: begins_commit(folder) for folder in self._bucket.folders(releases_place(project))}
        uploads = Counter(folders.values())
        for folder, commit in folders.items():
            named = [name for name, known in begun.items() if known.startswith(commit)]
            suspicious = len(named) != 1 or uploads[commit] > 1
            if suspicious and self._is_old(folder) and not any(self._is_named(name, folder) for name in named):
                self._bucket.delete_folder(folder)

    def _is_old(self, folder: str) -> bool:
        newest = max((found.modified_at for found in self._bucket.stored(folder)), default=None)
        return newest is not None and newest < datetime.now(UTC) - _ABANDONED

    def _is_named(self, name: str, folder: str) -> bool:
        place = self._place(name)
        return place is not None and place.place == folder


def _pointer_key(project: str) -> str:
    return f"{checked_name(project)}/live.json"


def _release(project: str, commit: str) -> str:
    return f"{checked_name(project)}/releases/{checked_name(commit)}.json"


def _name_of(key: str) -> str:
    return key.rpartition("/")[2].removesuffix(".json")


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
