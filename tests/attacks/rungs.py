"""The rungs of the ladder as an attacker finds them: a checkout with a sandbox around it, and a secret beside it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.programs import need_sandbox
from tests.tree import ROOT
from webordinary.child import run
from webordinary.workspace.installation import find_installation
from webordinary.workspace.own_uid import uid_of
from webordinary.workspace.sandbox import LADDER, SandboxKind

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.child import Finished
    from webordinary.workspace.sandbox import Sandbox

LONG = timedelta(minutes=1)
PYTHON = shutil.which("python3", path=os.defpath) or sys.executable
IS_ROOT = os.geteuid() == 0
# The last rung is made of what only root can do.
RUNGS = LADDER if IS_ROOT else tuple(kind for kind in LADDER if kind is not SandboxKind.OWN_UID)


class Walls:
    """A checkout with a sandbox around it, and a secret beside it."""

    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.folder = folder
        self.checkout = folder / "checkout"
        self.home = folder / "home"
        self.secret = folder / "secret.txt"
        self.env = {"PATH": os.defpath, "HOME": str(self.home)}
        self.checkout.mkdir()
        self.home.mkdir()
        self.secret.write_text("hunter2")
        self.neighbour = folder / "neighbour"
        self.neighbour.mkdir()
        (self.neighbour / "index.html").write_text("of somebody else")

    def wrap(self, *argv: str, port: int | None = None, network: bool = False) -> tuple[str, ...]:
        return self.sandbox.wrap(argv, checkout=self.checkout, writable=(self.home,), port=port, network=network)

    def python(self, code: str, *, port: int | None = None, network: bool = False) -> Finished:
        argv = self.wrap(PYTHON, "-I", "-c", code, port=port, network=network)
        return run(argv, cwd=self.checkout, env=self.env, deadline=LONG)

    def shell(self, script: str) -> Finished:
        return run(self.wrap("sh", "-c", script), cwd=self.checkout, env=self.env, deadline=LONG)


def build_walls(folder: Path, kind: SandboxKind) -> Walls:
    return Walls(folder, need_sandbox(kind.value, folder))


def as_a_user(folder: Path, *argv: str) -> Finished:
    """Run one of our own programs as somebody who is not root, with a folder that it can use; only root can do that."""
    rules = {
        "uid": uid_of(folder),
        "stage": [],
        "walls": False,
        "readable": [str(ROOT), *map(str, find_installation(sys.executable))],
        "writable": [str(folder)],
        "limits": {},
    }
    os.chown(folder, uid_of(folder), uid_of(folder))
    launcher = (sys.executable, "-I", "-m", "webordinary.workspace.confined", json.dumps(rules))
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        # What only root can do is left out, and that is no failure.
        "WEBORDINARY_STRICT": "0",
    }
    return run((*launcher, *argv), cwd=folder, env=env, deadline=timedelta(minutes=10))
