"""Bringing a folder of a host to what a built site holds: only what changed travels, and an interrupted one goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.errors import TryAgain
from webordinary.site.targets.host_files import EntryKind, joined, remove_inside, replace_file, tree_of
from webordinary.site.targets.host_manifest import KnownFile, Manifest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from webordinary.site.targets.host_files import HostEntry, HostFiles

# After so many files or bytes it is recorded what has arrived, for the next attempt.
_FILES, _BYTES = 100, 8 << 20


class Upload:
    """One folder, and the manifest beside it, which claims only what is surely there."""

    def __init__(self, files: HostFiles, folder: str, manifest: str) -> None:
        self._files = files
        self._folder = folder
        self._manifest = manifest

    def fill(self, local: Mapping[str, Path], wanted: Mapping[str, KnownFile], known: Manifest) -> dict[str, KnownFile]:
        """Make the folder hold exactly these files, and return them with the host's stamps."""
        there = tree_of(self._files, self._folder)
        kept = {path: known.files[path] for path in wanted if known.vouches(path, wanted[path], there.get(path))}
        # Before anything is changed: from here on nobody may trust what is about to change.
        self._note(kept)
        self._clear(there, kept, wanted)
        missing = [path for path in wanted if path not in kept]
        self._make_folders(missing, there, kept)
        self._send(missing, local, wanted, kept)
        return self._arrived(wanted)

    def _clear(self, there: dict[str, HostEntry], kept: dict[str, KnownFile], wanted: Mapping[str, KnownFile]) -> None:
        """Remove what is not known to be right: also what will come anew, which somebody may still be writing into."""
        needed = {above for path in wanted for above in folders_above(path)}
        gone = {
            path: entry
            for path, entry in there.items()
            if path not in kept and not (entry.kind is EntryKind.FOLDER and path in needed)
        }
        remove_inside(self._files, self._folder, gone)

    def _make_folders(self, missing: list[str], there: dict[str, HostEntry], kept: dict[str, KnownFile]) -> None:
        needed = {above for path in missing for above in folders_above(path)}
        known = {above for path in kept for above in folders_above(path)}
        is_there = {path for path, entry in there.items() if entry.kind is EntryKind.FOLDER}
        for folder in sorted(needed - known - is_there):
            self._files.make_folder(joined(self._folder, folder))

    def _send(
        self, missing: list[str], local: Mapping[str, Path], wanted: Mapping[str, KnownFile], kept: dict[str, KnownFile]
    ) -> None:
        sent: list[str] = []
        for path in missing:
            self._files.send(local[path], joined(self._folder, path))
            sent.append(path)
            if len(sent) >= _FILES or sum(wanted[each].size for each in sent) >= _BYTES:
                kept |= self._stamped(sent, wanted)
                self._note(kept)
                sent.clear()

    def _arrived(self, wanted: Mapping[str, KnownFile]) -> dict[str, KnownFile]:
        arrived = self._stamped(list(wanted), wanted)
        if len(arrived) != len(wanted):
            lost = next(path for path in wanted if path not in arrived)
            raise TryAgain(f"{lost} did not arrive as it was sent; it will be tried again")
        self._note(arrived)
        return arrived

    def _stamped(self, paths: list[str], wanted: Mapping[str, KnownFile]) -> dict[str, KnownFile]:
        there = tree_of(self._files, self._folder)
        return stamped(paths, wanted, there)

    def _note(self, files: Mapping[str, KnownFile]) -> None:
        replace_file(self._files, self._manifest, Manifest(files=files).encoded())


def stamped(paths: list[str], wanted: Mapping[str, KnownFile], there: Mapping[str, HostEntry]) -> dict[str, KnownFile]:
    """Return those of the files that the host shows with the size that was sent, with the stamp that it gives them."""
    return {
        path: replace(wanted[path], stamp=entry.stamp)
        for path in paths
        if (entry := there.get(path)) and (entry.kind, entry.size) == (EntryKind.FILE, wanted[path].size)
    }


def folders_above(path: str) -> list[str]:
    """Return the folders that a file lies in, the outermost first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]
