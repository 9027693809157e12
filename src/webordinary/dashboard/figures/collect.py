"""Gives Prometheus what was counted and what is so at this moment."""

from __future__ import annotations

import shutil
import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from importlib.metadata import version
from itertools import accumulate
from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, InfoMetricFamily
from prometheus_client.registry import Collector

from webordinary.child import is_alive
from webordinary.dashboard.figures.follow import Following
from webordinary.dashboard.figures.names import COUNTERS, PREFIX, SPREADS
from webordinary.metrics.totals import LIMITS, Spread, labels_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from prometheus_client.metrics_core import Metric

    from webordinary.clock import Moment
    from webordinary.engines.installation import Installation
    from webordinary.metrics.totals import Totals
    from webordinary.overview import WorkerView

# Where each look is a paid request, what was seen is shown for a minute.
_SHOWN_FOR = timedelta(seconds=60)
_STATES = ("idle", "busy", "holding back", "gone")


@dataclass(slots=True, eq=False)
class InstallationFigures(Collector):
    """Looks once for each scrape; where looks are paid, once a minute."""

    here: Installation
    _seen: tuple[Metric, ...] = ()
    _seen_at: float = float("-inf")
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def collect(self) -> Iterator[Metric]:
        with self._lock:
            now = self.here.clock.now()
            has_free_looks = self.here.config.traits.has_free_looks
            if has_free_looks or now.boot - self._seen_at >= _SHOWN_FOR.total_seconds():
                self._seen, self._seen_at = tuple(self._look(now)), now.boot
            yield from self._seen

    def describe(self) -> Iterator[Metric]:
        """Say nothing, so that nobody looks at the store only because this is registered."""
        return iter(())

    def _look(self, now: Moment) -> Iterator[Metric]:
        here = self.here
        totals = Following(here.engine, here.trail_lag).catch_up(now)
        info = {"version": version("webordinary"), "engine": here.config.engine.value}
        yield InfoMetricFamily(f"{PREFIX}installation", "Which installation this is.", info)
        is_whole = "Whether everything that happened is counted; before that there are no counters."
        yield GaugeMetricFamily(f"{PREFIX}counted", is_whole, totals.is_whole)
        # Half of a past that is still being read would look as if all of it had happened just now.
        if totals.is_whole:
            projects = [project.id for project in here.engine.projects.all()]
            yield from _counters(totals, projects)
            yield from _spreads(totals, projects)
        yield from _load(here, now)
        yield from _workers(here.engine.overview.workers(), now)
        yield from _rest(here)


def _counters(totals: Totals, projects: Sequence[str]) -> Iterator[Metric]:
    for name, counted in COUNTERS.items():
        family = CounterMetricFamily(f"{PREFIX}{name}", counted.means, labels=counted.labels)
        begins = dict.fromkeys(counted.beginnings(projects), 0.0)
        for key, value in (begins | totals.counts.get(name, {})).items():
            family.add_metric(labels_in(key) if counted.labels else (), value)
        yield family


def _spreads(totals: Totals, projects: Sequence[str]) -> Iterator[Metric]:
    for name, counted in SPREADS.items():
        family = HistogramMetricFamily(f"{PREFIX}{name}", counted.means, labels=counted.labels)
        begins = {key: Spread() for key in counted.beginnings(projects)}
        for key, spread in (begins | totals.spreads.get(name, {})).items():
            family.add_metric(labels_in(key) if counted.labels else (), _buckets(spread), spread.seconds)
        yield family


def _buckets(spread: Spread) -> list[tuple[str, float]]:
    limits = [*(f"{limit:g}" for limit in LIMITS), "+Inf"]
    return list(zip(limits, accumulate(map(float, spread.counts)), strict=True))


def _load(here: Installation, now: Moment) -> Iterator[Metric]:
    load = here.engine.overview.load(now)
    yield _gauge("lanes_waiting", "Lanes with work that no worker has.", load.lanes_waiting)
    longest = "How long the lane has waited that has waited longest."
    yield _gauge("lanes_waiting_longest_seconds", longest, load.longest_lane.total_seconds())
    yield _gauge("jobs_waiting", "Jobs that wait for their turn.", load.jobs_waiting)
    yield _gauge("jobs_running", "Jobs that a worker has.", load.jobs_running)
    oldest = "How old the oldest job is that is not over."
    yield _gauge("jobs_oldest_seconds", oldest, load.longest_job.total_seconds())


def _workers(views: Iterable[WorkerView], now: Moment) -> Iterator[Metric]:
    family = GaugeMetricFamily(f"{PREFIX}workers", "Workers by what they do.", labels=["state"])
    found = Counter(_state(view, now) for view in views)
    for state in _STATES:
        family.add_metric([state], found[state])
    yield family


def _state(worker: WorkerView, now: Moment) -> str:
    if worker.process and not is_alive(worker.process):
        return "gone"
    if worker.holds_back_until is not None and worker.holds_back_until > now.wall_at:
        return "holding back"
    return "idle" if worker.idle else "busy"


def _rest(here: Installation) -> Iterator[Metric]:
    paused = "Projects in which nothing starts."
    yield _gauge("projects_paused", paused, len(here.engine.overview.paused()))
    yield _gauge("proposals_open", "Changes that wait for somebody's ok.", len(here.engine.proposals.all_open()))
    disk = shutil.disk_usage(here.config.data)
    yield _gauge("data_free_bytes", "What is free on the disk of the data folder.", disk.free)
    yield _gauge("data_size_bytes", "How large the disk of the data folder is.", disk.total)


def _gauge(name: str, means: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"{PREFIX}{name}", means, value)
