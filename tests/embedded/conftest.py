"""One installation of the embedded engine for a test, ended with everything it started."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.rigs.embedded import EmbeddedRig
from webordinary.testing.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[EmbeddedRig]:
    """Programs of a test that wait for its gate may go when it is over."""
    rig = EmbeddedRig(tmp_path)
    yield rig
    (tmp_path / "gate").touch()
    rig.close()


@pytest.fixture
def story(sandbox: None, rig: EmbeddedRig) -> Story:  # noqa: ARG001 - without one, programs of others do not run
    return Story(rig)


@pytest.fixture
def sandbox() -> None:
    """Leave a test out where no sandbox works."""
    need_sandbox()
