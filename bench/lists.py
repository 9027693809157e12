"""Every list and every chore with a million jobs: a database that is made by bulk inserts, and the slowest of each."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bench.figures import NANOSECONDS_OF_A_MILLISECOND, percentile
from bench.pages import measure_pages
from bench.place import open_place
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.open import DATABASE
from webordinary.jobs.job import State
from webordinary.jobs.limits import Limits
from webordinary.jobs.retention import Lifetimes
from webordinary.jobs.spending import Concluded
from webordinary.mail.outcomes import MailOutcome
from webordinary.worker.chores.ack import Ack

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bench.place import Place
    from webordinary.clock import Moment

_REPEATS = 15
_LANE = "project-7#user-7"
_JOB = "job-100007"
_SCRIPT = Path(__file__).parent / "old_installation.sql"


@dataclass(frozen=True, slots=True)
class Size:
    """How old the installation is."""

    jobs: int = 1_000_000
    lanes: int = 100_000


def measure_lists(parent: Path, size: Size) -> dict[str, object]:
    """Make the database, ask each question several times, and name the slowest of each kind."""
    with open_place(parent, Limits()) as place:
        began = time.monotonic()
        fill(place.folder / DATABASE, size, place.clock.now())
        made = time.monotonic() - began
        lists = {name: _measure(ask) for name, ask in _lists(place).items()}
        chores = {name: _measure(ask) for name, ask in _chores(place).items()}
        pages = measure_pages(place, size.jobs)
    return {
        "lists_database_made_s": round(made, 1),
        **_slowest("list", lists),
        **_slowest("chore", chores),
        **pages,
        "questions_at_1m": {"ms": [_row(name, took) for name, took in sorted({**lists, **chores}.items())]},
    }


@dataclass(frozen=True, slots=True)
class Took:
    """The middle of what a question took, by the clock on the wall and by that of its own thread."""

    wall_ms: float
    cpu_ms: float


def _slowest(kind: str, measured: Mapping[str, Took]) -> dict[str, object]:
    name = max(measured, key=lambda each: measured[each].wall_ms)
    return {
        f"slowest_{kind}_ms_at_1m": measured[name].wall_ms,
        f"slowest_{kind}_cpu_ms_at_1m": max(each.cpu_ms for each in measured.values()),
        f"slowest_{kind}_at_1m": name,
    }


def _row(name: str, took: Took) -> dict[str, object]:
    return {"question": name, "ms": took.wall_ms, "cpu_ms": took.cpu_ms}


def _measure(ask: Callable[[], object]) -> Took:
    """Return the middle of several; the first of them finds nothing in memory."""
    wall, cpu = [], []
    for _ in range(_REPEATS):
        began, used = time.perf_counter_ns(), time.thread_time_ns()
        ask()
        wall.append(time.perf_counter_ns() - began)
        cpu.append(time.thread_time_ns() - used)
    return Took(_middle(wall), _middle(cpu))


def _middle(nanoseconds: list[int]) -> float:
    return round(percentile(nanoseconds, 50) / NANOSECONDS_OF_A_MILLISECOND, 2)


def fill(path: Path, size: Size, now: Moment) -> None:
    """Insert the rows first: an index that is made of them afterwards takes a tenth of the time.

    Triggers would write each row a second time; the script itself writes what they keep.
    """
    values = {"jobs": size.jobs, "lanes": size.lanes, "now": now.seconds}
    sql = "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
    database = Database(path)
    with database.write() as cursor:
        made = cursor.execute(sql).fetchall()
        for kind, name, _ in made:
            cursor.execute(f"DROP {kind} {name}")
        cursor.execute(_SCRIPT.read_text(encoding="utf-8"), values)
        for _, _, made_by in made:
            cursor.execute(str(made_by))
    database.close()


def _lists(place: Place) -> dict[str, Callable[[], object]]:
    """Return what the command line and the dashboard ask."""
    overview, engine, now = place.engine.overview, place.engine, place.clock.now()
    questions: dict[str, Callable[[], object]] = {
        "lanes": lambda: overview.lanes(now),
        "lanes behind one": lambda: overview.lanes(now, after=_LANE),
        "active lanes": lambda: overview.active(now),
        "one lane": lambda: overview.lane(_LANE, now),
        "whether a project has lanes": lambda: overview.has_lane("nobody"),
        "jobs": overview.jobs,
        "jobs of a lane": lambda: overview.jobs(lane=_LANE),
        "failed jobs of a lane": lambda: overview.jobs(lane=_LANE, state=State.FAILED.value),
        "jobs behind one": lambda: overview.jobs(after=_JOB),
        "live jobs of a lane": lambda: overview.live(_LANE),
        "mails": overview.mails,
        "one job with its trail": lambda: (overview.job(_JOB), engine.trail.read(job=_JOB)),
        "trail": lambda: engine.trail.newest(limit=100),
        "trail of a lane": lambda: engine.trail.newest(limit=100, lane=_LANE),
        "trail of a lane from its beginning": lambda: engine.trail.read(lane=_LANE),
        "a day's failures": lambda: overview.jobs(state=State.FAILED.value, limit=1000),
        "a day's mails": lambda: overview.mails(limit=1000),
        "bounces": engine.bounces.all,
        "schedules": engine.schedules.all,
        "proposals": engine.proposals.all_open,
        "workers": overview.workers,
        "paused projects": overview.paused,
        "what a project has spent this month": lambda: engine.spending.month("project-7", now.wall_at.date()),
    }
    for state in State:
        questions[f"jobs that are {state.value}"] = lambda state=state: overview.jobs(state=state.value)  # type: ignore[misc]  # the types of a lambda's defaults are not inferred
    for outcome in MailOutcome:
        questions[f"mails that are {outcome.value}"] = lambda outcome=outcome: overview.mails(outcome=outcome)  # type: ignore[misc]  # the same
    return questions


def _chores(place: Place) -> dict[str, Callable[[], object]]:
    """Return what workers and the supervisor do by themselves, as often as each second.

    Not the look for damage of the daily digest, which reads the whole file on purpose and stops after its time.
    """
    engine, clock = place.engine, place.clock
    now = clock.now()
    day = timedelta(days=1)
    return {
        "sweep": lambda: engine.lanes.sweep(clock.now()),
        "look for a lane": lambda: engine.claims.claim("nobody", clock.now()),
        "ack": lambda: Ack(engine, clock).look(),
        "dead jobs without an alarm": engine.overview.dead_without_alarm,
        "paused projects": engine.overview.paused,
        "dead workers": engine.overview.workers,
        "lanes of a worker": lambda: engine.overview.lanes_of("nobody", now),
        "letters that are due": lambda: engine.outbox.take_due("nobody", clock.now()),
        "undecided mails": lambda: engine.inbox.undecided(now.wall_at),
        "schedules that are due": lambda: engine.schedules.due(clock.now()),
        "forget old entries": lambda: engine.trail.forget_before(now.wall_at - 1000 * day),
        "forget old tallies": lambda: engine.tallies.forget_before(now),
        "count what a job has cost": lambda: engine.spending.conclude(
            Concluded(_JOB, "project-7", now.wall_at.date(), "published", 0.02), clock.now()
        ),
        "retention": lambda: engine.retention.prune(Lifetimes(), clock.now()),
    }
