"""The manifest of a release on a host: what each file holds, so that only what changed travels."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.site.targets.host_files import EntryKind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from webordinary.site.targets.host_files import HostEntry


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What a file of the host holds: its digest, its size, and the host's own word for when it was changed."""

    digest: str
    size: int
    stamp: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """One release: its commit, its files, where it lies, and what is left to do to make it live file by file."""

    commit: str = ""
    added_at: str = ""
    folder: str = ""
    files: Mapping[str, KnownFile] = field(default_factory=dict)
    # What travels from the folder to the site, assets first and pages last, and what is removed at the end.
    moves: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()

    def vouches(self, path: str, wanted: KnownFile, there: HostEntry | None) -> bool:
        """Say whether the host has this file already: by its digest, if the host shows the file that was recorded."""
        known = self.files.get(path)
        if known is None or there is None or there.kind is not EntryKind.FILE:
            return False
        is_same = (known.digest, known.size) == (wanted.digest, wanted.size)
        return is_same and (there.size, there.stamp) == (known.size, known.stamp)

    def encoded(self) -> bytes:
        """Return the bytes, sealed by their own digest: half a manifest vouches for nothing."""
        body = json.dumps(
            {
                "commit": self.commit,
                "added_at": self.added_at,
                "folder": self.folder,
                "files": {path: [known.digest, known.size, known.stamp] for path, known in self.files.items()},
                "moves": self.moves,
                "deletes": self.deletes,
            }
        )
        return f"{_seal(body)}\n{body}\n".encode("ascii")

    @classmethod
    def read(cls, content: bytes | None) -> Manifest | None:
        """Read what was written; None when it is not there, not whole, or from somebody else."""
        seal, _, body = (content or b"").decode("ascii", errors="replace").partition("\n")
        body = body.rstrip("\n")
        if seal != _seal(body):
            return None
        try:
            found = json.loads(body)
            files = {
                str(path): KnownFile(str(one), int(size), str(at)) for path, (one, size, at) in found["files"].items()
            }
            commit, added_at, folder = (str(found[name]) for name in ("commit", "added_at", "folder"))
            moves, deletes = (tuple(map(str, found[name])) for name in ("moves", "deletes"))
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        inside = all(is_inside(path) for path in (*files, *moves, *deletes))
        return cls(commit, added_at, folder, files, moves, deletes) if inside else None


def is_inside(path: str) -> bool:
    """Say whether a path stays in its folder: who can write at the host could have written a manifest too."""
    return bool(path) and not path.startswith("/") and not {"", ".", ".."}.intersection(path.split("/"))


def knowledge_of(path: Path) -> KnownFile:
    """Return what a file of the built site holds."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return KnownFile(digest, file.tell())


def _seal(body: str) -> str:
    return hashlib.sha256(b"webordinary " + body.encode(errors="replace")).hexdigest()
