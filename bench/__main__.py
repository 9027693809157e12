"""`make bench`: measures everything, prints one table and writes build/bench.json."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from bench.agent import measure_agent
from bench.dashboard import measure_dashboard
from bench.figures import print_table
from bench.idle import measure_idle
from bench.interrupting import measure_interrupts
from bench.lists import Size, measure_lists
from bench.live import measure_live
from bench.mail import measure_mails
from bench.overhead import measure_overhead
from bench.publishing import measure_publishing
from bench.sites import measure_sites
from bench.smtp import measure_smtp
from bench.starts import measure_starts
from bench.takeover import measure_takeovers
from bench.throughput import measure_throughput
from webordinary.serve.plan import plan_workers
from webordinary.serve.pool import Traffic

if TYPE_CHECKING:
    from collections.abc import Callable

# The place is on the disk of the repository: a temporary folder is often only memory.
_PLACE = Path("build")
_WITHIN = timedelta(minutes=1)
# Of an old installation after every page, and with all viewers: the larger one is what a dashboard needs.
_MEMORY = ("dashboard_mb_at_1m", "dashboard_mb_of_viewers")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything."""

    starts: int = 400
    lanes: int = 100
    jobs: int = 50
    old: Size = field(default_factory=Size)
    interrupts: int = 300
    kills: int = 30
    kills_alone: int = 6
    idle_seconds: float = 20
    mails_each: int = 100
    readings: int = 20
    edits: int = 10
    answers: int = 10
    site_files: int = 2000
    publishes: int = 5
    site_pages: tuple[int, int] = (2_000, 20_000)
    site_mails: int = 3
    viewers: int = 500
    news: int = 20
    traffic: Traffic = field(default_factory=Traffic)
    pool: range = range(1, 6)


QUICK = Sizes(
    starts=3,
    lanes=4,
    jobs=5,
    old=Size(jobs=2000, lanes=200),
    interrupts=2,
    kills=1,
    kills_alone=0,
    idle_seconds=0.1,
    mails_each=1,
    readings=1,
    edits=2,
    answers=1,
    site_files=20,
    publishes=1,
    site_pages=(5, 8),
    site_mails=1,
    viewers=10,
    news=2,
    traffic=Traffic(projects=2, users=2, mails=3),
    pool=range(1, 3),
)


def measure(place: Path, sizes: Sizes) -> dict[str, object]:
    """Measure everything in a folder on the disk that counts."""
    place.mkdir(parents=True, exist_ok=True)
    steps: dict[str, Callable[[], dict[str, object]]] = {
        "starts": lambda: measure_starts(place, sizes.starts),
        "throughput": lambda: measure_throughput(place, sizes.lanes, sizes.jobs),
        "lists and chores of an old installation": lambda: measure_lists(place, sizes.old),
        "the dashboard of an old installation": lambda: measure_dashboard(place, sizes.old),
        "interrupts": lambda: measure_interrupts(place, sizes.interrupts),
        "takeovers": lambda: measure_takeovers(place, sizes.kills, sizes.kills_alone),
        "an idle worker": lambda: measure_idle(place, sizes.idle_seconds),
        "reading mails": lambda: measure_mails(sizes.readings),
        "mails by SMTP": lambda: measure_smtp(place, sizes.mails_each),
        "a mail and its answer": lambda: measure_overhead(place, sizes.answers),
        "publishing three files": lambda: measure_publishing(place, sizes.site_files, sizes.publishes),
        "a mail about a large site": lambda: measure_sites(place, sizes.site_pages, sizes.site_mails),
        "live pages": lambda: measure_live(place, sizes.viewers, sizes.news),
        "a real agent": lambda: measure_agent(place, sizes.edits),
        "the pool": lambda: {"pool": plan_workers(sizes.traffic, sizes.pool, _WITHIN).facts()},
    }
    figures = _machine()
    for number, (name, step) in enumerate(steps.items(), start=1):
        sys.stderr.write(f"[{number}/{len(steps)}] {name}\n")
        figures.update(step())
    figures["dashboard_mb"] = max(int(str(figures[name])) for name in _MEMORY)
    return figures


def _machine() -> dict[str, object]:
    return {
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
    }


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument("--quick", action="store_true", help="only see that it works")
    options.add_argument("--out", type=Path, default=_PLACE / "bench.json", help="where the figures are written")
    chosen = options.parse_args()
    figures = measure(_PLACE, QUICK if chosen.quick else Sizes())
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print_table(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
