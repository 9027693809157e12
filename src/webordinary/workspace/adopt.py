"""Repositories that are made here: from a folder's files, from a zip, or from somebody's working copy."""

from __future__ import annotations

import html
import lzma
import os
import shutil
import stat
import struct
import tempfile
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.routing.project import GitAccess, Project, is_local
from webordinary.workspace.access import Access
from webordinary.workspace.git import Git, GitFailed, branch_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.routing.secrets import Secrets

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
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, struct.error, ValueError):
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
    if not entry.filename or entry.header_offset < 0:
        raise zipfile.BadZipFile
    name = entry.filename.replace("\\", "/")
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or ":" in name.partition("/")[0] or not name.isprintable():
        raise Refused(f"{source} holds {entry.filename!r}, which would land outside of the site; it was not unpacked.")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise Refused(f"{source} holds the link {entry.filename!r}; pack what it leads to instead.")
    return path.parts


FIRST_BRANCH = "main"
_HEADS = "refs/heads/"

_FIRST_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title>
</head>
<body>
<h1>{name}</h1>
<p>This site has just begun.</p>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class Adopted:
    """Where the site's repository is, and which of its branches is live."""

    repository: str
    branch: str


def adopt(
    source: str | None, home: Path, *, branch: str | None, title: str, git: GitAccess, secrets: Secrets | None
) -> Adopted:
    """Find the repository that is meant, or make one at `home` from what the source holds."""
    if source is not None and not is_local(source):
        return Adopted(source, branch or head_of(source, git, secrets))
    place = Path(source).expanduser().absolute() if source is not None else None
    if place is not None and _is_bare(place):
        return Adopted(str(place), branch or head_of(str(place)))
    if home.exists():
        raise Refused(f"{home} exists already; remove it, or name that as the repository with --from.")
    if place is not None and (place / ".git").exists():
        chosen = branch or head_of(str(place))
        with _draft_of(home) as draft:
            copy_repository(str(place), draft, branch=chosen)
        return Adopted(str(home), chosen)
    chosen = branch or FIRST_BRANCH
    with tempfile.TemporaryDirectory() as folder, _draft_of(home) as draft:
        make_repository(_lay_out(place, Path(folder) / "site", title), draft, branch=chosen)
    return Adopted(str(home), chosen)


def _lay_out(place: Path | None, folder: Path, title: str) -> Path:
    """Return a folder with nothing but the site's files."""
    folder.mkdir()
    if place is None:
        (folder / "index.html").write_text(_FIRST_PAGE.format(name=html.escape(title)), encoding="utf-8")
        return folder
    if place.is_dir():
        copy_folder(place, folder)
        return folder
    if place.is_file():
        return unpack_zip(place, folder)
    raise Refused(f"There is nothing at {place}; name a folder, a zip or a git repository.")


def make_repository(files: Path, bare: Path, *, branch: str) -> None:
    """Make a bare repository whose one commit holds these files."""
    _begin(bare, branch)
    with tempfile.TemporaryDirectory() as aside:
        # A bare repository has no index of its own, and should not get one.
        index = {"GIT_INDEX_FILE": str(Path(aside) / "index")}
        git = Git(files, repository=bare)
        git.read("add", "--all", env=index)
        if not git.read("ls-files", env=index):
            raise Refused("There are no files in it that could be a site; name the folder of the site itself.")
        git.read("commit", "--quiet", "--message=The site as it came", env=index)


def copy_repository(source: str, bare: Path, *, branch: str) -> None:
    """Make a bare repository with all branches and tags of another one."""
    everything = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
    access = Access(source)
    _begin(bare, branch).reach(access, "fetch", "--quiet", "--no-tags", "--", access.address, *everything)


def check_out(project: Project, secrets: Secrets, repository: Path, folder: Path) -> str:
    """Lay the files of the live branch into a folder, and return the commit that they are."""
    access, branch = Access(project.repository, project.git, secrets), project.branch
    name = f"{_HEADS}{branch}"
    _begin(repository, branch).reach(access, "fetch", "--quiet", "--no-tags", "--", access.address, f"+{name}:{name}")
    git = Git(folder, repository=repository)
    git.read("checkout", "--quiet", "--force", branch, "--")
    return git.read("rev-parse", "HEAD")


def _begin(bare: Path, branch: str) -> Git:
    bare.mkdir()
    git = Git(bare, repository=bare)
    git.read("init", "--quiet", "--bare", f"--initial-branch={branch}")
    return git


@contextmanager
def _draft_of(home: Path) -> Iterator[Path]:
    """Make it beside its place and move it there when it is whole."""
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=".draft-") as folder:
        draft = Path(folder) / home.name
        yield draft
        draft.rename(home)


def head_of(repository: str, git: GitAccess | None = None, secrets: Secrets | None = None) -> str:
    """Return the branch that the repository itself calls its main one."""
    access = Access(repository, git, secrets)
    said = _ask(access, "ls-remote", "--quiet", "--symref", "--", access.address, "HEAD")
    for line in said.splitlines():
        if line.startswith(f"ref: {_HEADS}"):
            return line.removeprefix(f"ref: {_HEADS}").partition("\t")[0]
    raise Refused(f"{access.address} has no commit yet, or no main branch; name the branch with --branch.")


def commit_of(project: Project, secrets: Secrets) -> str | None:
    """Return the newest commit of the live branch, or None when there is no such branch."""
    with _told_plainly():
        return branch_at(Access(project.repository, project.git, secrets), project.branch)


def names_in(access: Access, branch: str, scratch: Path) -> list[str]:
    """Return the paths of all files of a branch, without its history."""
    name = f"{_HEADS}{branch}"
    git = _begin(scratch, branch)
    git.reach(access, "fetch", "--quiet", "--no-tags", "--depth=1", "--", access.address, f"+{name}:{name}")
    return [path for path in git.read("ls-tree", "-r", "-z", "--name-only", name).split("\0") if path]


def may_write(project: Project, secrets: Secrets) -> None:
    """Ask the remote whether it would take a push from us, and change nothing there; Misconfigured if not."""
    access = Access(project.repository, project.git, secrets)
    with tempfile.TemporaryDirectory() as folder:
        git = _begin(Path(folder) / "empty.git", project.branch)
        commit = git.read("commit-tree", git.read("mktree"), stdin=b"nothing\n")
        git.reach(access, "push", "--quiet", "--dry-run", access.address, f"{commit}:refs/webordinary/doctor")


def _ask(access: Access, *arguments: str) -> str:
    here = Path.cwd()
    with _told_plainly():
        return Git(here, repository=here).reach(access, *arguments).stdout.decode(errors="replace")


@contextmanager
def _told_plainly() -> Iterator[None]:
    try:
        yield
    except GitFailed as problem:
        raise Refused(f"{problem} {problem.details}".strip()) from None


def _is_bare(place: Path) -> bool:
    return (place / "HEAD").is_file() and (place / "objects").is_dir() and (place / "refs").is_dir()
