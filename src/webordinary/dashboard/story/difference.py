"""The change of a job, line by line: as it was kept with the job, or from the copy of its repository here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.dashboard.story.excerpt import plain
from webordinary.errors import WebOrdinaryError
from webordinary.workspace.difference import read_difference
from webordinary.workspace.git import Git

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job

_COMMIT = re.compile(r"[0-9a-f]{40,64}\Z")
_MOST_FILES, _MOST_LINES, _LONGEST_LINE = 50, 2_000, 1_000
_SIGNS = {"+": "added", "-": "removed", "@": "place", "\\": "note"}
KEPT, FROM_GIT = "kept with the job", "read from this machine's copy of the repository"


@dataclass(slots=True)
class DiffLine:
    """One line of a change, and whether it came, went or stays."""

    kind: str
    text: str


@dataclass(slots=True)
class ChangedFile:
    """One file of a change."""

    path: str
    lines: list[DiffLine] = field(default_factory=list)
    added: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class CommitDifference:
    """A change as far as a page shows it; `digest` names the kept file that has all of it."""

    files: tuple[ChangedFile, ...]
    source: str
    digest: str = ""
    is_cut: bool = False


def difference_of(here: Installation, job: Job) -> CommitDifference | None:
    """Return what a job changed; None when nothing is known of it on this machine."""
    if job.journal.diff:
        try:
            return read_diff(here.engine.inbox.read_file(job.journal.diff), KEPT, job.journal.diff)
        except WebOrdinaryError:
            pass  # no longer kept, but git may have it
    raw = _from_git(here, job)
    return read_diff(raw, FROM_GIT) if raw else None


def _from_git(here: Installation, job: Job) -> bytes | None:
    """Look into the mirror as it lies here; nothing is fetched for somebody who only looks."""
    mirror = here.config.data / "workspace" / "projects" / job.lane.project / "mirror.git"
    commit = job.commit or job.journal.commit_live or job.journal.git_released
    if not mirror.is_dir() or not _COMMIT.match(commit or ""):
        return None
    git = Git(mirror, repository=mirror)
    try:
        parent = git.commit_named(f"{commit}^")
        return read_difference(git, parent, commit) if parent else None
    except WebOrdinaryError:
        return None


def read_diff(raw: bytes, source: str, digest: str = "") -> CommitDifference:
    """Take a diff apart into its files and lines, as many as anybody reads."""
    files: list[ChangedFile] = []
    is_cut, shown = False, 0
    for line in plain(raw).split("\n"):
        if line.startswith("diff --git "):
            if len(files) == _MOST_FILES:
                is_cut = True
                break
            files.append(ChangedFile(line.rpartition(" b/")[2]))
        elif files and _counted(files[-1], line):
            shown += 1
            is_cut = is_cut or shown > _MOST_LINES
            if shown <= _MOST_LINES:
                files[-1].lines.append(DiffLine(_SIGNS.get(line[:1], "same"), line[:_LONGEST_LINE]))
    return CommitDifference(tuple(files), source, digest, is_cut)


def _counted(file: ChangedFile, line: str) -> bool:
    """Tell whether a line is one of the file itself, and count it."""
    if not file.lines and not line.startswith(("@@", "Binary ")):
        return False
    file.added += line.startswith("+")
    file.removed += line.startswith("-")
    return bool(line)
