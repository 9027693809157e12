"""The files that belong to a job, by their content's hash: which of them a browser may have, and as what."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.responses import Response

from webordinary.audit.entry import EventType
from webordinary.dashboard.story.excerpt import hide_tokens_in
from webordinary.errors import NoSuchThing
from webordinary.jobs.job import FileKind
from webordinary.jobs.lines import PictureLine, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from webordinary.audit.entry import Entry
    from webordinary.engine import Engine
    from webordinary.jobs.job import Attached, Job

# Whatever is opened by its own address can do nothing.
HARMLESS = "sandbox; default-src 'none'; frame-ancestors 'none'"
_PICTURES = frozenset({"image/avif", "image/jpeg", "image/png", "image/webp", "image/gif", "image/svg+xml"})
_BYTES, _TEXT = "application/octet-stream", "text/plain; charset=utf-8"
_LEFT_BEHIND = {"build_log": "build.log", "diff": "change.diff", "transcript": "transcript.jsonl"}
_FORMATS = frozenset({"png", "jpeg", "webp", "avif"})
_MOST_ENTRIES = 1000


@dataclass(frozen=True, slots=True)
class KeptFile:
    """What a browser is told of a file; `for_agency` when a client does not get it."""

    name: str
    content_type: str
    for_agency: bool = False

    @property
    def is_text(self) -> bool:
        """Whether it is what a build or an agent left behind, who may have quoted a mail."""
        return self.content_type == _TEXT


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file of the request, with the smallest of our own versions of a picture."""

    file: Attached
    thumbnail: str = ""

    @property
    def download(self) -> str:
        """Return the digest of what can be had of it; nothing of what was refused."""
        if self.file.fate is FileKind.PHOTO:
            return max(self.file.versions, key=lambda each: each.width).digest if self.file.versions else ""
        return self.file.digest if self.file.is_usable else ""


@dataclass(frozen=True, slots=True)
class Scenery:
    """One page on one kind of screen, before and after; one side is missing if the page came or went."""

    title: str
    path: str
    screen: str
    before: PictureLine | None
    after: PictureLine | None

    @property
    def sides(self) -> list[PictureLine]:
        return [each for each in (self.before, self.after) if each is not None]


def shown_files(job: Job) -> list[ShownFile]:
    """Return what came with the request."""
    return [ShownFile(each, _thumbnail(each)) for each in job.request.attachments]


def scenes_of(job: Job) -> list[Scenery]:
    """Return the pictures of the changed pages."""
    lines = [line for line in read_lines(PictureLine, job.journal.pictures) if line.is_whole]
    scenes = []
    for (path, screen), group in groupby(lines, key=lambda line: (line.path, line.screen)):
        sides = {line.side: line for line in group}
        title = next(iter(sides.values())).title
        scenes.append(Scenery(title, path, screen, sides.get("before"), sides.get("after")))
    return scenes


def files_of(job: Job, entries: Iterable[Entry] = ()) -> dict[str, KeptFile]:
    """Return every file that a page of this job names, by digest; nothing else is given out under its address."""
    known = dict(_attached(job))
    facts = [job.journal.stored, *(entry.facts for entry in entries if entry.what is EventType.STEP)]
    for each in facts:
        for line in read_lines(PictureLine, each.get("pictures", "")):
            if line.subtype in _FORMATS:
                known[line.digest] = KeptFile(f"{line.side}-{line.screen}.{line.subtype}", f"image/{line.subtype}")
        for fact, name in _LEFT_BEHIND.items():
            if digest := each.get(fact):
                known[digest] = KeptFile(f"{job.id}-{name}", _TEXT, for_agency=True)
    return known


def all_files(engine: Engine, job: Job, *, to_agency: bool) -> dict[str, KeptFile]:
    """Return every file of this job that somebody may have, also those that only its steps name."""
    known = files_of(job, engine.trail.newest(limit=_MOST_ENTRIES, job=job.id))
    return {digest: file for digest, file in known.items() if to_agency or not file.for_agency}


def hand_out_file(engine: Engine, job: Job, digest: str, *, to_agency: bool) -> Response:
    """Answer with a file of this job; never one of another, and never as a page."""
    known = files_of(job).get(digest) or all_files(engine, job, to_agency=to_agency).get(digest)
    if known is None or (known.for_agency and not to_agency):
        raise NoSuchThing(f"{job.id} has no such file.")
    content = engine.inbox.read_file(digest)
    return hand_out(hide_tokens_in(content) if known.is_text else content, known.name, known.content_type)


def hand_out_mail(engine: Engine, mail: str) -> Response:
    """Answer with a mail as it came."""
    return hand_out(engine.inbox.read(mail), f"{mail}.eml", _BYTES)


def hand_out(content: bytes, name: str, content_type: str) -> Response:
    """Answer with a file that no browser opens as a page of ours."""
    headers = {
        "content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "content-security-policy": HARMLESS,
    }
    return Response(content, media_type=content_type, headers=headers)


def _attached(job: Job) -> Iterator[tuple[str, KeptFile]]:
    for each in job.request.attachments:
        if each.fate is FileKind.DOCUMENT and each.digest:
            yield each.digest, KeptFile(each.name, _BYTES)
        for version in each.versions:
            if version.content_type in _PICTURES:
                yield version.digest, KeptFile(each.name, version.content_type)


def _thumbnail(each: Attached) -> str:
    pictures = [version for version in each.versions if version.content_type in _PICTURES]
    return min(pictures, key=lambda version: version.size).digest if pictures else ""
