"""What lies in a checkout and is not committed: measured before git reads any of it, then staged, or removed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from webordinary.errors import JobFailed
from webordinary.routing.project import Size
from webordinary.workspace.extent import DEEPEST, Bound, Excess, Overgrown, sum_up
from webordinary.workspace.git import GitFailed
from webordinary.workspace.leaving import date_honestly, remove_tree, take_powers

if TYPE_CHECKING:
    from webordinary.workspace.git import Git

# What one change may add, whatever a site may have: more than any mail brings, and no more than git takes in its time.
AT_ONCE = Size(files=5_000, megabytes=500, largest=200)
_NOT_STAGED = ("ls-files", "-z", "--others", "--modified", "--exclude-standard")
# Of a path that is too long it says no reason, because its words do not fit either.
_CANNOT_ENTER, _MAY_NOT_ENTER = b"could not open directory", b"Permission denied"


def stage(git: Git, *, is_rest: bool = False) -> None:
    """Put everything into the index, or of a rest what can be; a repository in the site would only be a name.

    A rest that is too large is not kept at all.
    """
    date_honestly(git.folder)
    new, excess = _look(git)
    take_powers(git.folder)
    if excess is not None:
        if not is_rest:
            raise Overgrown(excess)
        discard(git)
        return
    nested = [path for path in new if path.endswith("/")]
    if nested and not is_rest:
        raise JobFailed(f"The change would put another git repository into the site, in {nested[0]}.")
    left_out = (f":(exclude,literal){path}" for path in nested)
    added = git.attempt("add", "--all", *(("--ignore-errors",) if is_rest else ()), "--", ".", *left_out)
    if not added.succeeded and not is_rest:
        failed = GitFailed(f"git add failed in {git.folder}.", added.stderr.decode(errors="replace"))
        # Else it is the change's own fault: a pipe in place of a page, or an encoding that nobody knows.
        raise failed if failed.hints_at_damage else JobFailed(f"The change cannot be kept: {failed.details[:200]}")


def discard(git: Git) -> None:
    """Go back to the last commit, leaving nothing else in the folder."""
    date_honestly(git.folder)
    git.read("reset", "--quiet", "--hard", "HEAD")
    clean(git)


def clean(git: Git) -> None:
    """Remove what git does not know, also folders that are too deep for it."""
    if git.succeeds("clean", "-ffdxq"):
        return
    for path in git.read("ls-files", "-z", "--others", "--directory").split("\0"):
        # Only the first step can be said without asking how long the whole is.
        if path.endswith("/"):
            remove_tree(git.folder / path.rstrip("/"))
    git.read("clean", "-ffdxq")


def _look(git: Git) -> tuple[list[str], Excess | None]:
    """Return the names of what is not staged yet, and why that is too much."""
    found = git.attempt(*_NOT_STAGED)
    if found.truncated:
        return [], Excess(Bound.FILES, (str(AT_ONCE.files),))
    if not found.succeeded:
        raise GitFailed(f"git ls-files failed in {git.folder}.", found.stderr.decode(errors="replace"))
    if _CANNOT_ENTER in found.stderr and _MAY_NOT_ENTER not in found.stderr:
        return [], Excess(Bound.DEPTH, ("…", str(DEEPEST)))
    names = [name for name in os.fsdecode(found.stdout).split("\0") if name]
    return names, sum_up(git.folder, (name.rstrip("/") for name in names), AT_ONCE)
