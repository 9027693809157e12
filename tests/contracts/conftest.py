"""Every contract runs on every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs import ON_ONE_MACHINE, PORTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports


# What is decided about mails lies above the stores, and of each store a second opinion is asked about all it promises.
ABOVE_THE_STORES = {"ack", "admission", "bad_mails", "digest", "hearing", "intake", "one_word"}
SECOND_OPINION = "second-opinion"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let every contract run on every engine, and those of the stores also on stores that others wrote."""
    if "ports" in metafunc.fixturenames:
        is_above = metafunc.module.__name__.rpartition(".test_")[2] in ABOVE_THE_STORES
        engines = [engine for engine in PORTS if not (is_above and engine == SECOND_OPINION)]
        metafunc.parametrize("ports", engines, indirect=True)


@pytest.fixture
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
