from __future__ import annotations

import pytest

from tests.infra.synthesis import Synthesized, synthesize


@pytest.fixture(scope="session")
def synthesized(tmp_path_factory: pytest.TempPathFactory) -> Synthesized:
    """The installation as it is usually deployed."""
    return synthesize(tmp_path_factory)


@pytest.fixture(scope="session")
def on_machines(tmp_path_factory: pytest.TempPathFactory) -> Synthesized:
    """The same with workers on machines of one's own."""
    return synthesize(tmp_path_factory, "ec2")
