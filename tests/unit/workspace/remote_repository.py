"""A real repository that plays the remote, and what a person with a clone of it could see and do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from webordinary import child

if TYPE_CHECKING:
    from pathlib import Path

WHO = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Amelia",
    "GIT_AUTHOR_EMAIL": "amelia@example.org",
    "GIT_COMMITTER_NAME": "Amelia",
    "GIT_COMMITTER_EMAIL": "amelia@example.org",
}
PAGE = "<h1>Bakery</h1>\n<p>We open at eight.</p>\n<p>We close at six.</p>\n<p>On Sundays we sleep.</p>\n"


class Remote:
    """A bare repository with a branch `main`, and somebody else who works on it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "remote.git"
        self._clone = folder / "somebody"
        folder.mkdir(parents=True, exist_ok=True)
        self.run(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(self.path))
        self.run(folder, "init", "--quiet", "--initial-branch=main", str(self._clone))
        self.push({"index.html": PAGE, "about.html": "<h1>About us</h1>\n"})

    @property
    def url(self) -> str:
        return str(self.path)

    def git(self, *arguments: str) -> str:
        return self.run(self.path, *arguments)

    def push(self, files: dict[str, str], *, force: bool = False) -> str:
        """Let somebody else change the live branch."""
        if self.git("for-each-ref", "refs/heads/main"):
            self.run(self._clone, "fetch", "--quiet", self.url, "main")
            self.run(self._clone, "reset", "--quiet", "--hard", "FETCH_HEAD")
        for name, text in files.items():
            (self._clone / name).write_text(text, encoding="utf-8")
        self.run(self._clone, "add", "--all")
        self.run(self._clone, "commit", "--quiet", "-m", "By hand")
        self.run(self._clone, "push", "--quiet", *(["--force"] if force else []), self.url, "HEAD:refs/heads/main")
        return self.commit("main")

    def commit(self, ref: str) -> str:
        return self.git("rev-parse", ref)

    def read(self, path: str, ref: str = "main") -> str:
        return self.git("show", f"{ref}:{path}")

    def refs(self) -> dict[str, str]:
        lines = self.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        return {name: commit for name, commit in (line.split(" ") for line in lines)}  # noqa: C416 - typed pairs

    @staticmethod
    def run(folder: Path, *arguments: str, env: dict[str, str] | None = None, stdin: bytes = b"") -> str:
        finished = child.run(["git", *arguments], cwd=folder, env=WHO | (env or {}), stdin=stdin)
        assert finished.succeeded, finished.stderr.decode()
        return finished.stdout.decode().rstrip("\n")
