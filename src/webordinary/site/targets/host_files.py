"""Files of a hosting account as SFTP and FTPS show them: one at a time, and without anybody there to ask."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from webordinary.errors import PublishFailed

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path


class EntryKind(Enum):
    """What a name in a folder stands for; a link is never followed."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class HostEntry:
    """One name in a folder; `stamp` is when it was changed, in whatever words the host has for that."""

    kind: EntryKind
    size: int = 0
    stamp: str = ""


class HostRefused(PublishFailed):
    """The host does not do what it was asked for."""


class NotThere(HostRefused):
    """The host has no such file or folder."""


class NotAllowed(HostRefused):
    """The account may not do that there."""


class HostFiles(Protocol):
    """One connection to the account; every path begins where the account does, or with a slash."""

    has_links: bool

    def entry(self, path: str) -> HostEntry | None:
        """Return what a path stands for, without following a link at its end."""

    def listing(self, folder: str) -> dict[str, HostEntry]:
        """Return what a folder holds; NotThere when there is none."""

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, or None when there is none."""

    def write(self, path: str, content: bytes) -> None:
        """Write a file in place of the one that is there."""

    def send(self, local: Path, path: str) -> None:
        """Upload a new file."""

    def rename(self, old: str, new: str) -> None:
        """Rename; a file or a link of the new name is replaced, a folder is not."""

    def remove(self, path: str) -> None:
        """Remove a file or a link."""

    def make_folder(self, path: str) -> None:
        """Make one folder; HostRefused when the name is taken."""

    def remove_folder(self, path: str) -> None:
        """Remove an empty folder."""

    def make_link(self, path: str, leads_to: str) -> None:
        """Make a link."""

    def read_link(self, path: str) -> str | None:
        """Return where a link leads; None when that cannot be said."""

    def refuse_names(self, names: Collection[str]) -> None:
        """Raise PublishFailed when a name cannot travel."""


def joined(folder: str, name: str) -> str:
    """Return the path of a name in a folder; the account's own beginning is an empty text or a dot."""
    if folder in {"", "."}:
        return name
    return f"{folder.rstrip('/')}/{name}"


def tree_of(files: HostFiles, folder: str, leaves_out: Collection[str] = ()) -> dict[str, HostEntry]:
    """Return everything below a folder by its path inside it; nothing when there is no such folder."""
    found: dict[str, HostEntry] = {}
    waiting = [""]
    while waiting:
        inner = waiting.pop()
        try:
            names = files.listing(joined(folder, inner) if inner else folder)
        except NotThere:
            continue
        for name, entry in names.items():
            path = f"{inner}/{name}" if inner else name
            if path in leaves_out:
                continue
            found[path] = entry
            if entry.kind is EntryKind.FOLDER:
                waiting.append(path)
    return found


def remove_tree(files: HostFiles, folder: str) -> None:
    """Remove a folder with all that is in it; links are removed and not followed."""
    remove_inside(files, folder, tree_of(files, folder))
    try:
        files.remove_folder(folder)
    except NotThere:
        return


def remove_inside(files: HostFiles, folder: str, entries: dict[str, HostEntry]) -> None:
    """Remove these entries of a folder, the deepest first."""
    for path in sorted(entries, key=lambda path: path.count("/"), reverse=True):
        place = joined(folder, path)
        if entries[path].kind is EntryKind.FOLDER:
            files.remove_folder(place)
        else:
            files.remove(place)


def make_folders(files: HostFiles, folder: str) -> None:
    """Make a folder and those above it."""
    found = files.entry(folder) if folder not in {"", ".", "/"} else HostEntry(EntryKind.FOLDER)
    if found is None:
        above, slash, _ = folder.rstrip("/").rpartition("/")
        make_folders(files, above or ("/" if slash else ""))
        files.make_folder(folder)


def replace_file(files: HostFiles, path: str, content: bytes) -> None:
    """Write a file so that nobody reads half of it, where the host can rename."""
    fresh = f"{path}.new"
    files.write(fresh, content)
    try:
        files.rename(fresh, path)
    except HostRefused:
        files.write(path, content)
        files.remove(fresh)


def move_file(files: HostFiles, old: str, new: str) -> None:
    """Move a file over another one; where the host renames nothing its bytes travel again."""
    try:
        files.rename(old, new)
    except NotThere:
        raise
    except HostRefused:
        content = files.read(old)
        if content is None:
            raise NotThere(f"{old} is not there") from None
        files.write(new, content)
        files.remove(old)
