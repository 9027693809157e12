"""Every scenario runs on every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs import RIGS
from webordinary.testing.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=RIGS)
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    """Return a story on one engine; everything it started is ended."""
    rig = RIGS[request.param](tmp_path)
    yield Story(rig)
    rig.close()
