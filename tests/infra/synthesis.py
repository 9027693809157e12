"""The templates, written once for all tests of a run and for all its processes: it takes seconds and a gigabyte."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tests.node import ROOT, node_path

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

Template = dict[str, Any]
DOMAIN = "example.com"
PREFIX = "webordinary"
REGION = "eu-central-1"


@dataclass(frozen=True)
class Synthesized:
    """What the CDK app wrote."""

    folder: Path

    @cached_property
    def templates(self) -> dict[str, Template]:
        """Each stack's template by its name."""
        files = sorted(self.folder.glob("*.template.json"))
        return {file.name.removesuffix(".template.json"): json.loads(file.read_text()) for file in files}

    def resources(self, kind: str) -> dict[str, dict[str, Any]]:
        """Return the properties of every resource of a kind, in whichever stack, by logical id."""
        return {
            name: made.get("Properties", {})
            for template in self.templates.values()
            for name, made in template["Resources"].items()
            if made["Type"] == kind
        }


def synthesize(tmp_path_factory: pytest.TempPathFactory, variant: str = "fargate") -> Synthesized:
    """Return what was written, writing it first if nobody has; whoever comes second waits for the first."""
    path = node_path()
    here = tmp_path_factory.getbasetemp()
    # Beside the folders of the processes of xdist, so that they share it.
    shared = here.parent if "PYTEST_XDIST_WORKER" in os.environ else here
    with (shared / "synthesis.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        out = shared / "cdk.out"
        if not (out / "done").exists():
            _write(out, path)
    return Synthesized(out / variant)


def _write(out: Path, path: str) -> None:
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.infra.write", str(out)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"the templates could not be written:\n{done.stdout}\n{done.stderr}")
    (out / "done").touch()
