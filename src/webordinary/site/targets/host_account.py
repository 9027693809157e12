"""The folder of ours in a hosting account: releases, their manifests, the lanes' fences and whose turn it is."""

from __future__ import annotations

import re
import secrets
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.errors import LostOwnership, WebOrdinaryError
from webordinary.site.sites import checked_lane, is_name
from webordinary.site.targets.host_files import (
    EntryKind,
    HostEntry,
    HostRefused,
    NotThere,
    joined,
    make_folders,
    remove_tree,
    replace_file,
)
from webordinary.site.targets.host_manifest import Manifest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.site.targets.host_files import HostFiles

# The commit of a release that lies in the site's own folder; in a link's name it stands anyway.
MARKER = ".webordinary-release"
WAS = "was"
LIVE = "live.json"
_OURS = ".webordinary"
_FENCE = re.compile(r"(?P<lane>[^@]+)@(?P<fence>\d{1,20})", re.ASCII)
# Where our folder has to lie inside the site: Apache gives nothing of it to visitors.
_CLOSED = b"<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n"


@dataclass(frozen=True, slots=True)
class HostAccount:
    """What visitors see (`to`), and what is ours (`own`): beside it, else inside it."""

    files: HostFiles
    to: str
    own: str
    is_beside: bool

    @classmethod
    def find(cls, files: HostFiles, to: str, *, make: bool) -> HostAccount:
        """Find our folder; with `make` it is made, beside the site if the account may do that."""
        inside = cls(files, to, joined(to, _OURS), is_beside=False)
        above, slash, name = to.rstrip("/").rpartition("/")
        if name in {"", "."}:
            return inside._made() if make else inside
        beside = cls(files, to, joined(above or slash, f"{_OURS}-{name}"), is_beside=True)
        if files.entry(beside.own) is not None:
            return beside
        if files.entry(inside.own) is not None:
            return inside
        try:
            return beside._made() if make else beside
        except HostRefused:
            return inside._made()

    def _made(self) -> HostAccount:
        if self.files.entry(self.own) is None:
            make_folders(self.files, self.own)
            if not self.is_beside:
                self.files.write(joined(self.own, ".htaccess"), _CLOSED)
        return self

    @property
    def inside(self) -> tuple[str, ...]:
        """What in the site's folder is ours and not the site's."""
        return (MARKER,) if self.is_beside else (MARKER, _OURS)

    @property
    def is_link(self) -> bool:
        """Whether visitors come to a release of ours by a link."""
        return self._linked() is not None

    def live(self) -> str | None:
        """Return the commit that visitors see."""
        live = self._linked() or self._marked(self.to)
        if live is None and (recorded := self._manifest(LIVE)) is not None:
            live = recorded.commit or None
        return live

    def site_manifest(self) -> Manifest:
        """Return what is known about the files that visitors see."""
        live = self._linked() or self._marked(self.to)
        return self._manifest(f"{live}.json" if live else LIVE) or Manifest()

    def release(self, commit: str) -> Manifest | None:
        """Return a release that is complete."""
        found = self._manifest(f"{commit}.json")
        if found is None or found.commit != commit or not found.folder:
            return None
        entry = self.files.entry(joined(self.own, found.folder))
        return found if entry is not None and entry.kind is EntryKind.FOLDER else None

    def begin_upload(self) -> tuple[str, Manifest]:
        """Return a folder to fill, and what is known of its files: what was interrupted, or a release of earlier."""
        folder = joined(self.own, f"next-{secrets.token_hex(6)}")
        names = [name for name, entry in self._listing().items() if entry.kind is EntryKind.FOLDER]
        for name in sorted(names):
            prefix, _, rest = name.partition("-")
            if prefix in {"next", "old"}:
                known = self._manifest(f"{name if prefix == 'next' else rest}.json") or Manifest()
                replace_file(self.files, f"{folder}.json", replace(known, folder="").encoded())
                try:
                    # A process that was writing into it finds it no more.
                    self.files.rename(joined(self.own, name), folder)
                except HostRefused:
                    self.files.remove(f"{folder}.json")
                    if prefix == "old":
                        continue
                    return joined(self.own, name), known
                if prefix == "next":
                    self._forget(name)
                return folder, known
        self.files.make_folder(folder)
        return folder, Manifest()

    def name_release(self, folder: str, release: Manifest) -> None:
        """Give a complete release its name; the manifest first, which says where it will be."""
        name = f"site-{release.commit}"
        final, manifest = joined(self.own, name), joined(self.own, f"{release.commit}.json")
        if self.files.entry(final) is not None:
            remove_tree(self.files, final)
        replace_file(self.files, manifest, replace(release, folder=name).encoded())
        unfinished = folder.rpartition("/")[2]
        try:
            self.files.rename(folder, final)
        except HostRefused:
            replace_file(self.files, manifest, replace(release, folder=unfinished).encoded())
        self._forget(unfinished)

    def raise_fence(self, lane: str, fence: int) -> None:
        """Record the lane's fence; as a folder, because making one cannot undo what somebody else has recorded."""
        folder, lane = joined(self.own, "fences"), checked_lane(lane)
        make_folders(self.files, folder)
        found = map(_FENCE.fullmatch, self.files.listing(folder))
        fences = [int(each["fence"]) for each in found if each and each["lane"] == lane]
        if max(fences, default=0) > fence:
            raise LostOwnership(f"a newer owner of {lane} has published already")
        if fence and fence not in fences:
            self.files.make_folder(joined(folder, f"{lane}@{fence}"))
        for old in fences:
            if old < fence:
                with suppress(HostRefused):
                    self.files.remove_folder(joined(folder, f"{lane}@{old}"))

    @contextmanager
    def turn(self) -> Iterator[str]:
        """Take the turn to switch, until somebody else begins; give a folder for what is to become live."""
        self.end_turns()
        turn = joined(self.own, f"turn-{secrets.token_hex(6)}")
        self.files.make_folder(turn)
        try:
            yield turn
        finally:
            # What cannot be put in order now is left to the next turn.
            with suppress(WebOrdinaryError):
                self._end_turn(turn)

    def end_turns(self) -> None:
        """Take everything out of the turns of others, and put right what they left half done."""
        for name in self._listing():
            if name.startswith("turn-"):
                self._end_turn(joined(self.own, name))

    def keep_aside(self, folder: str) -> None:
        """Keep a site that is no longer live: the release before, or what was there before us, for ever."""
        commit = self._marked(folder)
        name = f"old-{commit}" if commit else f"found-{secrets.token_hex(6)}"
        if self.files.entry(joined(self.own, name)) is not None:
            remove_tree(self.files, joined(self.own, name))
        self.files.rename(folder, joined(self.own, name))

    def kept(self) -> list[Manifest]:
        """Return the release that is live and those before it, the newest first."""
        names = self._listing()
        wanted = {self.live() or "", *(name.removeprefix("old-") for name in names if name.startswith("old-"))}
        found = [self._manifest(f"{commit}.json") for commit in wanted if commit]
        return sorted((each for each in found if each is not None), key=lambda each: each.added_at, reverse=True)

    def remove_leftovers(self) -> None:
        """Remove releases that are older than the live one, but the last of them, whose files the next is made of."""
        live = self.site_manifest()
        found = (self._manifest(name) for name in self._listing() if name.endswith(".json") and name != LIVE)
        older = [each for each in found if each is not None and each.commit and each.added_at < live.added_at]
        last = max((each for each in older if self._is_kept(each)), key=lambda each: each.added_at, default=None)
        for each in older:
            if each != last:
                # The name first: after a crash half a release must not carry the name of a whole one.
                self._forget(each.commit)
                for prefix in ("site", "old"):
                    remove_tree(self.files, joined(self.own, f"{prefix}-{each.commit}"))

    def _is_kept(self, release: Manifest) -> bool:
        return self.files.entry(joined(self.own, f"old-{release.commit}")) is not None

    def _end_turn(self, turn: str) -> None:
        try:
            names = self.files.listing(turn)
        except NotThere:
            return
        for name, entry in names.items():
            place = joined(turn, name)
            if name == WAS:
                self._put_back(place)
            elif entry.kind is not EntryKind.FOLDER:
                self.files.remove(place)
            elif self.files.entry(joined(self.own, name)) is None:
                self.files.rename(place, joined(self.own, name))
            else:
                remove_tree(self.files, place)
        self.files.remove_folder(turn)

    def _put_back(self, was: str) -> None:
        """Put the site back where visitors look for it, if nothing else has come there."""
        if self.files.entry(self.to) is None:
            self.files.rename(was, self.to)
        else:
            self.keep_aside(was)

    def _linked(self) -> str | None:
        """Return the commit of the release that the site's link leads to; None when it is no link of ours."""
        entry = self.files.entry(self.to) if self.is_beside else None
        if entry is None or entry.kind is not EntryKind.LINK:
            return None
        above, _, name = (self.files.read_link(self.to) or "").rpartition("/")
        ours = above.rpartition("/")[2] == self.own.rpartition("/")[2]
        return name.removeprefix("site-") if ours and name.startswith("site-") else None

    def _marked(self, folder: str) -> str | None:
        found = (self.files.read(joined(folder, MARKER)) or b"").decode("ascii", errors="replace").strip()
        return found if is_name(found) else None

    def _manifest(self, name: str) -> Manifest | None:
        return Manifest.read(self.files.read(joined(self.own, name)))

    def _listing(self) -> dict[str, HostEntry]:
        try:
            return self.files.listing(self.own)
        except NotThere:
            return {}

    def _forget(self, unfinished: str) -> None:
        with suppress(NotThere):
            self.files.remove(joined(self.own, f"{unfinished}.json"))
