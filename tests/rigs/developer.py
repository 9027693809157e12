"""A developer with a working copy of a site's repository, who pushes as developers do: also with force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.rigs.embedded import GIT_AUTHOR, git
from webordinary.child import run

if TYPE_CHECKING:
    from pathlib import Path

_TRIES = 50


def _git_once_more(folder: Path, *words: str) -> None:
    """Run git again while somebody else holds the branch, as a developer would."""
    for _ in range(_TRIES):
        finished = run(["git", *words], cwd=folder, env=GIT_AUTHOR)
        if finished.succeeded:
            return
        said = finished.stderr.decode()
        assert "cannot lock ref" in said, said
    raise AssertionError(said)


class Developer:
    """Works beside the mails, on the live branch of one repository."""

    def __init__(self, folder: Path, project: str = "amelia") -> None:
        self._bare = folder / f"{project}.git"
        self._copy = folder / f"{project}-developer"
        git(folder, "clone", "--quiet", str(self._bare), str(self._copy))

    def sees(self) -> str:
        """Take over what the branch is at the repository, and return that commit."""
        git(self._copy, "fetch", "--quiet", "origin", "main")
        git(self._copy, "reset", "--quiet", "--hard", "FETCH_HEAD")
        return self.tip

    @property
    def tip(self) -> str:
        return git(self._copy, "rev-parse", "HEAD").strip()

    def goes_back(self, commits: int = 1) -> str:
        """Drop the newest commits in the working copy."""
        git(self._copy, "reset", "--quiet", "--hard", f"HEAD~{commits}")
        return self.tip

    def returns_to(self, commit: str) -> None:
        git(self._copy, "reset", "--quiet", "--hard", commit)

    def squashes_all(self) -> str:
        """Make one commit of all that was ever committed, with the same files."""
        self.begins_anew()
        return self.tip

    def removes(self, path: str) -> str:
        git(self._copy, "rm", "--quiet", path)
        git(self._copy, "commit", "--quiet", f"--message=Without {path}")
        return self.tip

    def begins_anew(self) -> None:
        """Make one commit of all files that has no history."""
        git(self._copy, "checkout", "--quiet", "--orphan", "fresh")
        git(self._copy, "commit", "--quiet", "--message=A fresh start")
        git(self._copy, "branch", "--quiet", "--force", "main", "fresh")
        git(self._copy, "checkout", "--quiet", "main")

    def commits(self, path: str, text: str, message: str = "By hand") -> str:
        """Write one file and commit it."""
        (self._copy / path).write_text(text, encoding="utf-8")
        git(self._copy, "add", "--all")
        git(self._copy, "commit", "--quiet", f"--message={message}")
        return self.tip

    def reads(self, path: str) -> str:
        return (self._copy / path).read_text(encoding="utf-8")

    def replaces(self, path: str, old: str, new: str, message: str = "By hand") -> str:
        """Change one passage of a file and commit it."""
        text = self.reads(path)
        assert old in text
        return self.commits(path, text.replace(old, new), message)

    def pushes(self, *, force: bool = False) -> str:
        _git_once_more(self._copy, "push", "--quiet", *(["--force"] if force else []), "origin", "HEAD:main")
        return self.tip

    def pushes_if_possible(self) -> None:
        """Push what was committed, unless somebody has pushed meanwhile."""
        run(["git", "push", "--quiet", "origin", "HEAD:main"], cwd=self._copy, env=GIT_AUTHOR)

    def goes_back_if_possible(self) -> None:
        """Drop the newest commit, unless it is the first one."""
        if int(git(self._copy, "rev-list", "--count", "HEAD")) > 1:
            self.goes_back()

    def pages(self) -> list[str]:
        return [path.name for path in self._copy.glob("*.html")]

    def deletes_branch(self) -> None:
        _git_once_more(self._bare, "update-ref", "-d", "refs/heads/main")

    def renames_branch(self, name: str) -> None:
        git(self._bare, "branch", "--move", "--force", "main", name)
