"""What every attack begins with."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.attacks.rungs import IS_ROOT, RUNGS, Walls, build_walls

if TYPE_CHECKING:
    from collections.abc import Iterator

# What is made of powers that only root has.
collect_ignore = [] if IS_ROOT else ["test_only_root.py", "test_as_a_user.py"]


def pytest_report_header() -> str:
    return (
        "attacks: made as root, and once more as a user"
        if IS_ROOT
        else "attacks: those that only root can make are left out"
    )


@pytest.fixture
def open_folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder that others may enter: pytest's own are closed, as a home folder is."""
    if not IS_ROOT:
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="walls-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(params=RUNGS, ids=[kind.value for kind in RUNGS])
def rung(request: pytest.FixtureRequest, tmp_path: Path) -> Walls:
    return build_walls(tmp_path, request.param)
