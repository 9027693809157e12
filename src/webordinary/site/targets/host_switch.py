"""Making a release live at a host: by a link, by renaming folders, or file by file with pages last.

Whatever is put into place, and whatever is taken away, goes through the folder of the turn: as soon as somebody else
has ended the turn there is no such folder any more, and the host itself refuses an owner that slept meanwhile.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.errors import PublishFailed, TryAgain
from webordinary.site.sites import Switched
from webordinary.site.targets.host_account import LIVE, MARKER, WAS
from webordinary.site.targets.host_files import (
    EntryKind,
    HostRefused,
    NotThere,
    joined,
    make_folders,
    move_file,
    tree_of,
)
from webordinary.site.targets.host_upload import folders_above, stamped
from webordinary.site.targets.host_way import SwitchWay

if TYPE_CHECKING:
    from webordinary.site.targets.host_account import HostAccount
    from webordinary.site.targets.host_files import HostEntry
    from webordinary.site.targets.host_manifest import Manifest


@dataclass(frozen=True, slots=True)
class Switching:
    """One release on its way to visitors."""

    account: HostAccount
    turn: str
    release: Manifest

    def carry_out(self, way: SwitchWay) -> Switched:
        """Make the release live; TryAgain when somebody else has ended our turn."""
        try:
            if way is SwitchWay.LINK:
                return self._by_link()
            ready = self._take_release()
            return self._by_renaming(ready) if way is SwitchWay.RENAME else self._by_files(ready)
        except HostRefused:
            self._see_that_it_is_our_turn()
            raise

    def _see_that_it_is_our_turn(self) -> None:
        if self.account.files.entry(self.turn) is None:
            raise TryAgain("somebody else is switching the site at this moment; it will be tried again")

    def _by_link(self) -> Switched:
        account, link = self.account, joined(self.turn, "link")
        before = account.live()
        # As it is read where it will lie, which is beside our folder.
        account.files.make_link(link, f"{account.own.rpartition('/')[2]}/{self.release.folder}")
        account.files.rename(link, account.to)
        if before is not None:
            # The old release is what the next one is made of.
            with suppress(HostRefused):
                account.keep_aside(joined(account.own, f"site-{before}"))
        return Switched.SWITCHED

    def _take_release(self) -> str:
        """Take the release into our turn; where no folder can be renamed it stays where it is."""
        here, ready = (joined(place, self.release.folder) for place in (self.account.own, self.turn))
        try:
            self.account.files.rename(here, ready)
        except NotThere:
            raise
        except HostRefused:
            return here
        return ready

    def _by_renaming(self, ready: str) -> Switched:
        account, was = self.account, joined(self.turn, WAS)
        is_there = account.files.entry(account.to) is not None
        try:
            if is_there:
                account.files.rename(account.to, was)
        except NotThere:
            raise
        except HostRefused:
            # Folders can be renamed there, and only this one cannot.
            return self._by_files(ready)
        try:
            account.files.rename(ready, account.to)
        except HostRefused:
            with suppress(HostRefused):
                account.files.rename(was, account.to)
            raise
        if is_there:
            account.keep_aside(was)
        self._take_away(joined(account.own, LIVE))
        return Switched.RENAMED

    def _by_files(self, ready: str) -> Switched:
        account, release = self.account, self.release
        old = account.site_manifest()
        # Recorded before anything is changed: the next attempt knows what may be there.
        self._note(replace(old, moves=tuple(sorted({*old.moves, *release.moves}))))
        self._take_away(joined(account.to, MARKER))
        make_folders(account.files, account.to)
        there = self._tree()
        self._clear_the_way(there)
        for path in release.moves:
            self._move(joined(ready, path), joined(account.to, path))
        self._remove_old(there)
        arrived = stamped(list(release.files), release.files, self._tree())
        if len(arrived) != len(release.files):
            lost = next(path for path in release.files if path not in arrived)
            raise PublishFailed(f"{lost} of the release {release.commit[:12]} is missing: ask for the change again")
        self._note(replace(release, files=arrived))
        return Switched.FILE_BY_FILE

    def _tree(self) -> dict[str, HostEntry]:
        return tree_of(self.account.files, self.account.to, leaves_out=self.account.inside)

    def _note(self, manifest: Manifest) -> None:
        """Write down what is known about the files that visitors see."""
        fresh = joined(self.turn, LIVE)
        self.account.files.write(fresh, manifest.encoded())
        move_file(self.account.files, fresh, joined(self.account.own, LIVE))

    def _move(self, staged: str, path: str) -> None:
        if not staged.startswith(self.turn):
            self._see_that_it_is_our_turn()
        try:
            move_file(self.account.files, staged, path)
        except NotThere:
            # It was moved before an interruption, unless our turn is over; all of it is looked at in the end.
            self._see_that_it_is_our_turn()

    def _take_away(self, path: str) -> None:
        """Remove a file or a link if it is there."""
        gone = joined(self.turn, f"gone-{secrets.token_hex(6)}")
        try:
            self.account.files.rename(path, gone)
        except NotThere:
            self._see_that_it_is_our_turn()
        except HostRefused:
            self._see_that_it_is_our_turn()
            with suppress(NotThere):
                self.account.files.remove(path)

    def _clear_the_way(self, there: dict[str, HostEntry]) -> None:
        """Make the folders that are needed; a link or a file in the place of one would lead elsewhere."""
        for folder in sorted({above for path in self.release.moves for above in folders_above(path)}):
            entry, place = there.get(folder), joined(self.account.to, folder)
            if entry is not None and entry.kind is not EntryKind.FOLDER:
                self._take_away(place)
            if entry is None or entry.kind is not EntryKind.FOLDER:
                self.account.files.make_folder(place)
        for path in self.release.moves:
            entry = there.get(path)
            if entry is not None and entry.kind is EntryKind.FOLDER:
                self._remove_folder_of_ours(path, there)
            elif entry is not None and entry.kind is EntryKind.LINK:
                self._take_away(joined(self.account.to, path))

    def _remove_folder_of_ours(self, folder: str, there: dict[str, HostEntry]) -> None:
        """Remove a folder that becomes a file; what somebody else has put into it is not ours to remove."""
        inner = {path: entry for path, entry in there.items() if path.startswith(f"{folder}/")}
        if any(
            entry.kind is not EntryKind.FOLDER and path not in self.release.deletes for path, entry in inner.items()
        ):
            raise PublishFailed(f"{folder} at the host is a folder with files of others, and the site has a file there")
        for path in sorted(inner, key=lambda path: path.count("/"), reverse=True):
            if inner[path].kind is EntryKind.FOLDER:
                self.account.files.remove_folder(joined(self.account.to, path))
            else:
                self._take_away(joined(self.account.to, path))
        self.account.files.remove_folder(joined(self.account.to, folder))

    def _remove_old(self, there: dict[str, HostEntry]) -> None:
        """Remove what the site has no longer, and then the folders that became empty; never through a link."""
        gone = [path for path in self.release.deletes if path in there and there[path].kind is not EntryKind.FOLDER]
        for path in gone:
            self._take_away(joined(self.account.to, path))
        emptied = {above for path in gone for above in folders_above(path)}
        for folder in sorted(emptied, key=lambda path: path.count("/"), reverse=True):
            with suppress(HostRefused):
                self.account.files.remove_folder(joined(self.account.to, folder))
