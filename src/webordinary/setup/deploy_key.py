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

    def make(self) -> None:
        """Make it; one that is there stays."""
        if self.exists:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "webordinary", "-f", str(self.path)]
        done = run(words, cwd=self.path.parent, env=os.environ, deadline=_LONGEST)
        if done.code or not self.exists:
            said = done.stderr.decode(errors="replace").strip()
            raise Refused(f"ssh-keygen could not make a key ({said[:200]}); install OpenSSH's client.")


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
