from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from tests.doors.office import ANYWHERE, Office, open_office
from webordinary.doors.smtp import Smtp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import timedelta
    from pathlib import Path

    from webordinary.doors.smtp_door import Before


class OpenOffice(Protocol):
    """Opens a listener with keys of `[smtp]`; it is closed when the test ends."""

    def __call__(
        self, before: Before | None = None, grace: timedelta | None = None, reserve: int = 0, **keys: object
    ) -> Office: ...


@pytest.fixture
def open_an_office(tmp_path: Path) -> Iterator[OpenOffice]:
    opened: list[Office] = []

    def open_it(
        before: Before | None = None, grace: timedelta | None = None, reserve: int = 0, **keys: object
    ) -> Office:
        smtp = Smtp(**{"listen": ANYWHERE, **keys})  # type: ignore[arg-type]  # each test knows its keys
        more = {} if grace is None else {"grace": grace}
        opened.append(open_office(tmp_path / str(len(opened)), smtp, before, reserve=reserve, **more))
        return opened[-1]

    yield open_it
    for office in opened:
        office.listener.close()
        # Whatever a client did, its place and its memory are given back.
        assert (office.listener.door.room.inside, office.listener.door.room.taken) == (0, 0)


@pytest.fixture
def office(open_an_office: OpenOffice) -> Office:
    return open_an_office()
