"""Every contract runs on every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs import ON_ONE_MACHINE, PORTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports


@pytest.fixture(params=PORTS)
def ports(request: pytest.FixtureRequest, tmp_path: Path) -> Ports:
    """Return one engine's ports on a clock that stands still."""
    opened = PORTS[request.param](tmp_path)
    assert (opened.leases_follow == "boot") == (request.param in ON_ONE_MACHINE)
    return opened


@pytest.fixture(params=ON_ONE_MACHINE)
def ports_of_one_machine(request: pytest.FixtureRequest, tmp_path: Path) -> Ports:
    """Return the ports of an engine that knows the boot clock of the only machine it runs on."""
    return PORTS[request.param](tmp_path)


@pytest.fixture(params=[engine for engine in PORTS if engine not in ON_ONE_MACHINE])
def ports_of_many_machines(request: pytest.FixtureRequest, tmp_path: Path) -> Ports:
    """Return the ports of an engine whose machines share nothing but the time of day."""
    return PORTS[request.param](tmp_path)
