"""The files of a request around an attempt: laid out for the agent, found again in the site, told in the answer."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.agent.agent import Provided
from webordinary.jobs.job import FileKind, Outcome, PictureVersion
from webordinary.jobs.journal import Journal
from webordinary.mail.message import picture_mark
from webordinary.mail.mime.file_names import safe_names, stem_of
from webordinary.reply.attached import files_fact
from webordinary.worker.change.carried import with_words
from webordinary.workspace.change import ChangeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from webordinary.jobs.job import Attached, Ending, Job, Request
    from webordinary.workspace.checkout import Checkout

MANIFEST = "manifest.json"
_FOLDER = "attached"
_ENDINGS = {
    "image/avif": "avif",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/webp": "webp",
    "image/svg+xml": "svg",
}
_LARGEST_LOOKED_AT = 50_000_000


def lay_out(request: Request, read_file: Callable[[str], bytes], home: Path) -> tuple[Provided, ...]:
    """Write what can be used into a folder beside the checkout, with a manifest of everything that came."""
    if not request.attachments:
        return ()
    folder = home / _FOLDER
    folder.mkdir()
    attachments = with_words(request)
    usable = [each for each in attachments if each.is_usable]
    safe = safe_names([each.name for each in usable])
    stems = {stem_of(name).casefold() for name in safe}
    provided = {
        each.name: [_write(each, piece, read_file, folder) for piece in _pieces(each, name, stems)]
        for each, name in zip(usable, safe, strict=True)
    }
    manifest = {"files": [_described(each, provided.get(each.name, [])) for each in attachments]}
    text = json.dumps(manifest, ensure_ascii=False, indent=2)
    (folder / MANIFEST).write_text(f"{text}\n", encoding="utf-8")
    return tuple(one for each in provided.values() for one in each)


def refused_names(request: Request) -> tuple[str, ...]:
    return tuple(each.name for each in request.attachments if each.fate is FileKind.REFUSED)


def text_for_agent(request: Request) -> str:
    """Return the request without the places of pictures that nobody meant."""
    text = request.text
    for each in request.attachments:
        if each.fate is FileKind.SKIPPED:
            text = text.replace(picture_mark(each.name), "")
    return text


def brought_paths(request: Request, checkout: Checkout) -> dict[str, str]:
    """Return which changed files of the site are files of the request, byte for byte, and their names there.

    The agent is not asked; one that cuts a picture or writes it anew has made another file.
    """
    names = {digest: each.name for each in request.attachments if each.is_usable for digest in _digests(each)}
    if not names:
        return {}
    changed = (change.path for change in checkout.changes_for_live() if change.kind is not ChangeKind.REMOVED)
    digests = {path: _digest_of(checkout.path / path) for path in changed}
    return {path: names[digest] for path, digest in digests.items() if digest in names}


def with_files(ending: Ending, job: Job) -> dict[str, str]:
    """Return the facts of an ending, and what became of each file: used only if what went live contains it."""
    shown = ending.outcome in {Outcome.PUBLISHED, Outcome.PROPOSED}
    used = job.journal.used or () if shown else ()
    told = {"files": files_fact(job.request.attachments, used)}
    if shown:
        told |= job.journal.told(Journal.undescribed)
    return {**ending.facts, **{name: fact for name, fact in told.items() if fact}}


@dataclass(frozen=True, slots=True)
class _Piece:
    """One file that an attachment is laid out as."""

    name: str
    version: PictureVersion


def _pieces(each: Attached, safe: str, stems: Collection[str]) -> list[_Piece]:
    if not each.versions:
        return [_Piece(safe, PictureVersion(each.content_type, each.digest, each.size))]
    widest = max(version.width for version in each.versions)
    return [
        _Piece(f"{_stem(safe, version, widest, stems)}.{_ENDINGS[version.content_type]}", version)
        for version in each.versions
    ]


def _stem(safe: str, version: PictureVersion, widest: int, stems: Collection[str]) -> str:
    """Tell a smaller version from the others by its width, and from every other file of the mail."""
    stem = stem_of(safe)
    if version.width == widest:
        return stem
    stem = f"{stem}-{version.width}"
    while stem.casefold() in stems:
        stem += "-small"
    return stem


def _write(each: Attached, piece: _Piece, read_file: Callable[[str], bytes], folder: Path) -> Provided:
    version, path = piece.version, folder / piece.name
    path.write_bytes(read_file(version.digest))
    return Provided(each.name, version.content_type, path, about=each.about, width=version.width, height=version.height)


def _described(each: Attached, provided: list[Provided]) -> dict[str, Any]:
    described: dict[str, Any] = {"name": each.name, "content_type": each.content_type, "fate": each.fate.value}
    if each.problem:
        described["problem"] = each.problem.value
    if each.about:
        described["about"] = each.about
    if provided:
        described["files"] = [_file(one) for one in provided]
    return described


def _file(one: Provided) -> dict[str, Any]:
    size = {"width": one.width, "height": one.height} if one.width else {}
    length = one.path.stat().st_size
    return {"path": str(one.path), "content_type": one.content_type, "bytes": length, **size}


def _digests(each: Attached) -> tuple[str, ...]:
    return (each.digest, *(version.digest for version in each.versions))


def _digest_of(path: Path) -> str:
    if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST_LOOKED_AT:
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
