"""A key of its own for one repository: made here, and only its public half ever leaves."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.child import run
from webordinary.errors import Refused

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.setup.desk import Desk

_LONGEST = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class DeployKey:
    """A private key, with its public half beside it."""

    path: Path

    @property
    def exists(self) -> bool:
        return self.path.is_file()

    @property
    def public(self) -> str:
        """The line that the repository's host is given."""
        return self.path.with_suffix(".pub").read_text(encoding="utf-8").strip()

    @property
    def is_whole(self) -> bool:
        """Whether both halves are there; whoever was interrupted may have only one."""
        return self.exists and self.path.with_suffix(".pub").is_file()

    def make(self) -> None:
        """Make it, or the half that is missing; a key that is there stays."""
        if self.exists:
            self._make_public()
            return
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._ask("-q", "-t", "ed25519", "-N", "", "-C", "webordinary", "-f", str(self.path))

    def _make_public(self) -> None:
        if not self.is_whole:
            self.path.with_suffix(".pub").write_bytes(self._ask("-y", "-P", "", "-f", str(self.path)))

    def _ask(self, *words: str) -> bytes:
        done = run(["ssh-keygen", *words], cwd=self.path.parent, env=os.environ, deadline=_LONGEST)
        if done.code or not self.exists:
            said = done.stderr.decode(errors="replace").strip()
            raise Refused(f"ssh-keygen could not make a key ({said[:200]}); install OpenSSH's client.")
        return done.stdout


@dataclass(frozen=True, slots=True)
class MakeKey:
    """Makes the key and shows what the host is to be given."""

    key: DeployKey

    @property
    def says(self) -> str:
        return f"makes a key: {self.key.path}, which only its owner may read, and {self.key.path.name}.pub"

    def carry_out(self, desk: Desk) -> str:  # noqa: ARG002 - it knows its place
        self.key.make()
        return f"Put this line there as a deploy key that may write:\n  {self.key.public}"
