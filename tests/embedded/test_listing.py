"""A page of a long list in SQLite: it stops after so many rows, says so, and the next one goes on behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.embedded import listing
from webordinary.overview.filters import JobsAsked

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports


@pytest.fixture
def ports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ports:
    monkeypatch.setattr(listing, "LOOKED_AT", 4)
    return open_embedded_ports(tmp_path)


@pytest.mark.parametrize(
    "asked", [JobsAsked(sender="jane"), JobsAsked(projects=("shop", "bakery"), sender="jane"), JobsAsked(sender="anna")]
)
def test_nothing_is_left_out_where_a_page_stops_early(ports: Ports, asked: JobsAsked) -> None:
    queued = [queue(ports, number) for number in range(30)]
    wanted = queued[::7] if asked.sender == "jane" else []
    seen: list[str] = []
    after, pages = None, 0
    while True:
        page = ports.engine.overview.find_jobs(asked, after=after, limit=3)
        seen += [job.id for job in page.items]
        pages += 1
        if page.after is None:
            break
        after = page.after
    assert seen == wanted[::-1]
    assert pages > 5


def queue(ports: Ports, number: int) -> str:
    lane = "shop#jane" if number % 3 else "bakery#scott"
    sender = "jane@example.org" if number % 7 == 0 else "scott@example.org"
    return ports.queue(lane=lane, thread=f"t{number}", reply_to=sender)
