"""A site that is brought in as a folder or a zip: copied without anything that could reach outside of it."""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from webordinary.errors import Refused

LARGEST_SITE = 1024 * 1024 * 1024
MOST_FILES = 50_000

# Nothing of a site: another repository's insides, what a build fetches again, what systems leave behind.
_LEFT_OUT = frozenset({".git", "node_modules", "__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"})
_PIECE = 1024 * 1024


class _Measure:
    """Counts what was copied and refuses what no website is."""

    def __init__(self, source: Path) -> None:
        self._source = source
        self._bytes = 0
        self._files = 0

    def add_file(self) -> None:
        self._files += 1
        if self._files > MOST_FILES:
            raise Refused(f"{self._source} has more than {MOST_FILES:,} files; name the folder of the site itself.")

    def add_bytes(self, count: int) -> None:
        self._bytes += count
        if self._bytes > LARGEST_SITE:
            limit = LARGEST_SITE // 1024 // 1024
            raise Refused(f"{self._source} unpacks to more than {limit:,} MB; leave out what is not the site.")


def copy_folder(source: Path, target: Path) -> None:
    """Copy a site's files; a link that leads out of the site is refused, because it would publish its goal."""
    measure = _Measure(source)
    root = source.resolve()
    for file in _files_of(root):
        if file.is_symlink() and not file.resolve().is_relative_to(root):
            raise Refused(f"{file} is a link that leads out of {source}; replace it by what it leads to.")
        if not file.is_file():
            raise Refused(f"{file} is neither a file nor a folder; remove it.")
        measure.add_file()
        measure.add_bytes(file.stat().st_size)
        place = target / file.relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)


def _files_of(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        for name in sorted(files):
            if name not in _LEFT_OUT:
                yield Path(folder, name)
        for name in folders:
            if Path(folder, name).is_symlink():
                raise Refused(f"{Path(folder, name)} is a link to a folder; replace it by what it leads to.")


def unpack_zip(source: Path, target: Path) -> Path:
    """Unpack a zip and return the folder of the site in it: the only one at its top, if all is inside that."""
    try:
        with zipfile.ZipFile(source) as archive:
            _unpack(archive, source, target)
    except zipfile.BadZipFile:
        raise Refused(f"{source} is not a zip file, or is damaged; make it anew.") from None
    except (RuntimeError, NotImplementedError) as error:
        raise Refused(f"{source} cannot be unpacked ({error}); make it anew without a password.") from None
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise Refused(f"{source} holds a file and a folder of the same name; make it anew.") from None
    top = list(target.iterdir())
    return top[0] if len(top) == 1 and top[0].is_dir() else target


def _unpack(archive: zipfile.ZipFile, source: Path, target: Path) -> None:
    measure = _Measure(source)
    for entry in archive.infolist():
        parts = _safe_parts(entry, source)
        if entry.is_dir() or not _LEFT_OUT.isdisjoint(parts):
            continue
        measure.add_file()
        place = target.joinpath(*parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        # Counted while it is written: what an archive says of its own sizes may be a lie.
        with archive.open(entry) as packed, place.open("wb") as file:
            while piece := packed.read(_PIECE):
                measure.add_bytes(len(piece))
                file.write(piece)


def _safe_parts(entry: zipfile.ZipInfo, source: Path) -> tuple[str, ...]:
    name = entry.filename.replace("\\", "/")
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or ":" in name.partition("/")[0] or not name.isprintable():
        raise Refused(f"{source} holds {entry.filename!r}, which would land outside of the site; it was not unpacked.")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise Refused(f"{source} holds the link {entry.filename!r}; pack what it leads to instead.")
    return path.parts
