"""Pictures for the answer: the pages that changed, before and after; whatever goes wrong costs pictures only."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from webordinary.errors import LostOwnership, WebOrdinaryError
from webordinary.jobs.journal import Journal, Noted, Step
from webordinary.jobs.lines import PictureLine, write_line
from webordinary.site.read.page_reader import read_title
from webordinary.site.screenshots.camera import Camera, PicturesTaken
from webordinary.site.screenshots.shot import Shot, Side, View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from webordinary.mail.inbox import Inbox
    from webordinary.routing.project import Project
    from webordinary.site.receipt.changes import Receipt
    from webordinary.site.screenshots.shot import NoBrowser
    from webordinary.worker.change.candidate import Candidate
    from webordinary.worker.run import Run
    from webordinary.workspace.sandbox import Sandbox

_log = logging.getLogger(__name__)

# What decides how other files look.
_STYLES = (".css", ".js", ".mjs", ".svg", ".woff", ".woff2", ".ttf", ".otf")
_LONGEST_TITLE = 80
_LOOKED_AT = 1_000_000


@dataclass(frozen=True, slots=True)
class Pictures:
    """Takes the pictures of a change; with no camera it says why there are none, and with None nothing at all."""

    camera: Camera | NoBrowser | None = None
    # The sandbox of a project, if it is another one than the camera has.
    sandbox: Callable[[Project], Sandbox] | None = None

    def take(self, run: Run, candidate: Candidate) -> None:
        """Journal the pictures of a change; a job that is no longer ours, or is to stop, is told by what is raised."""
        if self.camera is None or run.job.request.reply_to is None:
            # Nobody wants any, or nobody gets a mail: a terminal shows none.
            return
        if isinstance(self.camera, Camera):
            # Nothing of this job goes live from here on; others of its project must not wait for a browser.
            run.engine.attempts.leave_publish_slot(run.claim, run.job, run.now)
        noted = self._noted(candidate, run)
        run.pulse.check()
        run.journal(Step.PICTURED, *noted)

    def camera_of(self, project: Project, camera: Camera) -> Camera:
        """Return the camera in the sandbox of a project."""
        return replace(camera, sandbox=partial(self.sandbox, project)) if self.sandbox else camera

    def _noted(self, candidate: Candidate, run: Run) -> list[Noted]:
        inbox = run.engine.inbox
        of = Journal.pictures_of(candidate.prepared.commit)
        if not isinstance(self.camera, Camera):
            return [Journal.pictures(""), of, Journal.no_pictures(self.camera.why if self.camera else "")]
        try:
            taken = _take(self.camera_of(run.project, self.camera), candidate)
            lines = [_kept(shot, candidate.built, inbox) for shot in taken.shots]
        except LostOwnership:
            raise
        except (WebOrdinaryError, OSError) as problem:
            _log.warning("no pictures: %s", problem)
            return [Journal.pictures(""), of, Journal.no_pictures(str(problem) or type(problem).__name__)]
        why = [Journal.no_pictures(taken.problem)] if taken.problem else []
        return [Journal.pictures("\n".join(lines)), of, *why]


def _kept(shot: Shot, built: Path, inbox: Inbox) -> str:
    """Keep a picture where every sender finds it, and return the line by which the answer knows it."""
    digest = inbox.keep_file(shot.content)
    size = (str(shot.width), str(shot.height))
    title = _title(built, shot.path)
    return write_line(PictureLine(digest, shot.subtype, shot.side, shot.screen, *size, shot.path, title))


def pictures_of(journal: Journal) -> dict[str, str]:
    """Return the fact for the answer: only if the pictures are of the very change that is told about."""
    return journal.told(Journal.pictures) if journal.pictures_of == journal.commit_live else {}


def choose_views(receipt: Receipt, built: Path, most: int, told: Sequence[str] = ()) -> list[View]:
    """Return the pages to show: changed ones as they are told, and the home page alone for a new style.

    Where nobody asked for one of them, the home page comes before others.
    """
    rest = sorted((page.path for page in receipt.pages), key=_order)
    views = [View(path) for path in dict.fromkeys((*told, *rest))]
    views += [View(path, (Side.AFTER,)) for path in sorted(receipt.pages_added, key=_order)]
    views += [View(path, (Side.BEFORE,)) for path in sorted(receipt.pages_gone, key=_order)]
    is_styled = any(path.endswith(_STYLES) for path in _files(receipt))
    if is_styled and (built / "index.html").is_file() and "index.html" not in receipt.pages_added:
        views.append(View("index.html"))
    return list({view.path: view for view in reversed(views)}.values())[::-1][:most]


def _order(path: str) -> tuple[bool, int, str]:
    return path != "index.html", path.count("/"), path


def _files(receipt: Receipt) -> Iterator[str]:
    yield from (*receipt.files_changed, *receipt.files_added, *receipt.files_gone)


def _take(camera: Camera, candidate: Candidate) -> PicturesTaken:
    """Look at what was live and at what is now."""
    found = candidate.found
    views = choose_views(found.receipt, candidate.built, camera.limits.pages, found.telling.asked)
    if not views:
        return PicturesTaken()
    sides = {Side.BEFORE: candidate.before(), Side.AFTER: candidate.built}
    return camera.take(sides, views, candidate.watch, camera.limits.deadline)


def _title(built: Path, path: str) -> str:
    """Return what a page calls itself, without what belongs into no mail."""
    page = built / path
    content = b""
    if page.is_file() and not page.is_symlink():
        with page.open("rb") as file:
            content = file.read(_LOOKED_AT)
    title = read_title(content) or path
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"
