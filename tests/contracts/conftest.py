"""Every contract runs on every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs import PORTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports


@pytest.fixture(params=PORTS)
def ports(request: pytest.FixtureRequest, tmp_path: Path) -> Ports:
    """Return one engine's ports on a clock that stands still."""
    return PORTS[request.param](tmp_path)
