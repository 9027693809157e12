"""Uploads of built sites: to a new place, or to the same place again; what the bucket has does not travel."""

from __future__ import annotations

import hashlib
import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

import msgspec

from webordinary.site.release.content_types import TYPES
from webordinary.site.release.release import told_plainly
from webordinary.site.release.tree import SiteFile, files_of
from webordinary.site.web.preview import is_markable, mark_preview

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from webordinary.engines.aws.s3.bucket import Bucket, Stored

T = TypeVar("T")
_AT_ONCE = 8
# An object of a preview that is older is written again, so that no rule of the bucket removes it while it is shown.
REFRESHED_AFTER = timedelta(days=30)


class UploadRecord(msgspec.Struct, frozen=True):
    """The prefix under which a whole upload lies, and what each of its files holds, by its hash."""

    place: str
    turn: str = ""
    files: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Uploads:
    """Writes sites into one bucket; what lies there already is copied inside it, or left alone."""

    bucket: Bucket

    def fill(self, place: str, built: Path, like: UploadRecord | None) -> dict[str, str]:
        """Upload a whole site to a new place and return what its files hold."""

        def upload(file: SiteFile) -> tuple[str, str]:
            digest = _digest(file.path)
            if not (like and self._copied(like, file.name, digest, f"{place}{file.name}")):
                with file.path.open("rb") as content:
                    self.bucket.put(f"{place}{file.name}", content, file.content_type)
            return file.name, digest

        with told_plainly(built), _many() as many:
            return dict(many.map(upload, files_of(built)))

    def show(self, place: str, built: Path, like: UploadRecord | None) -> None:
        """Let a place hold this site's preview and nothing else: only what differs is written, pages last."""
        there = {found.key: found for found in self.bucket.stored(place)}

        def show(file: SiteFile) -> str:
            key = f"{place}{file.name}"
            if is_markable(file.path.suffix.lower(), file.path.stat().st_size):
                page = mark_preview(file.path.read_bytes())
                if not _is_there(there.get(key), _md5(io.BytesIO(page))):
                    self.bucket.put(key, page, file.content_type, lasting=False)
                return key
            with file.path.open("rb") as content:
                if _is_there(there.get(key), _md5(content)):
                    return key
                if not (like and self._copied(like, file.name, _digest(file.path), key, file.content_type)):
                    content.seek(0)
                    self.bucket.put(key, content, file.content_type, lasting=False)
            return key

        with told_plainly(built):
            kept = _pages_last(files_of(built), lambda file: file.name, show)
        self.bucket.delete(set(there) - kept)

    def repeat(self, source: str, place: str) -> None:
        """Let a place hold what another one holds, by copies inside the bucket."""
        there = {found.key: found for found in self.bucket.stored(place)}

        def copy(found: Stored) -> str:
            key = f"{place}{found.key.removeprefix(source)}"
            if key not in there or there[key].tag != found.tag:
                self.bucket.copy(found.key, key, _type_of(found.key))
            return key

        kept = _pages_last(list(self.bucket.stored(source)), lambda found: found.key, copy)
        self.bucket.delete(set(there) - kept)

    def _copied(self, like: UploadRecord, name: str, digest: str, key: str, content_type: str | None = None) -> bool:
        """Copy what a release holds already; if it was removed meanwhile, the file travels after all."""
        return like.files.get(name) == digest and self.bucket.copy(f"{like.place}{name}", key, content_type)


def _many() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="upload")


def _pages_last(files: Iterable[T], name: Callable[[T], str], write: Callable[[T], str]) -> set[str]:
    """Write the files, pages after all that they show; return the keys."""
    pages = [each for each in files if name(each).lower().endswith((".html", ".htm"))]
    others = [each for each in files if each not in pages]
    with _many() as many:
        return {*many.map(write, others)} | {*many.map(write, pages)}


def _is_there(found: Stored | None, tag: str) -> bool:
    return found is not None and found.tag == tag and found.modified_at > datetime.now(UTC) - REFRESHED_AFTER


def _digest(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _md5(content: io.BufferedIOBase) -> str:
    return hashlib.file_digest(content, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _type_of(key: str) -> str:
    return TYPES.get(f".{key.rpartition('.')[2].lower()}", "application/octet-stream")
