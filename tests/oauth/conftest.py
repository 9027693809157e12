from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.doors.token_server import token_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.doors.token_server import TokenServer


@pytest.fixture
def giver() -> Iterator[TokenServer]:
    """The provider's token server."""
    with token_server() as server:
        yield server
