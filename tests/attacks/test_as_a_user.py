"""The same attacks once more, as somebody who is not root: that is how most installations run."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from tests.attacks.rungs import as_a_user
from tests.node import node_path
from tests.tree import ROOT


@pytest.mark.thorough
def test_every_attack_that_a_user_can_make_fails_for_a_user_too() -> None:
    # Made by us: a user may not write beside the tests.
    node_path()
    with tempfile.TemporaryDirectory(prefix="walls-") as folder:
        options = (
            "-n",
            "0",
            "-q",
            "-rs",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            str(ROOT),
            "--basetemp",
            f"{folder}/temp",
        )
        finished = as_a_user(Path(folder), sys.executable, "-m", "pytest", *options, str(ROOT / "tests" / "attacks"))
    said = finished.stdout.decode(errors="replace")
    sys.stdout.write(said)
    assert finished.succeeded, said[-6000:] + finished.stderr.decode(errors="replace")[-3000:]
