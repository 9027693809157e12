"""`make bench-aws`: counts what one mail and one idle hour ask of AWS, and writes build/bench-aws.json."""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from bench.aws_counting import read_requests
from bench.aws_place import open_aws_place
from bench.aws_prices import PRICES, Calls, usd_of
from bench.figures import print_table
from webordinary.audit.entry import EventType
from webordinary.clock import SystemClock
from webordinary.metrics.emf import EmfMeter

if TYPE_CHECKING:
    from bench.aws_counting import Request
    from bench.aws_place import AwsPlace

_PLACE = Path("build")
_IDLE_SECONDS = 200.0
_HOUR = 3600.0
_SWEEPS_A_MONTH = 30 * 24 * 60
# The first looks for what is too old and writes a welcome to new editors, the second sends it, the third finds nothing.
_SWEEPS_UNTIL_QUIET = 3
# A warm call of a small function in Python with its driver loaded, about; what is measured here is another machine.
_CALL_SECONDS, _CALL_GB, _SWEEP_GB = 0.2, 0.125, 1.0
# Five keep the order of one person's mails and read the base of a site's index, one keeps the change for its page.
AT_MOST = {"requests_per_mail_cold": 67, "transitions_per_mail_cold": 16, "idle_requests_per_worker_hour": 480}
ORIGIN = {"transitions_per_mail": 11, "idle_requests_per_worker_hour": 1080}


def measure(folder: Path, idle_seconds: float = _IDLE_SECONDS) -> dict[str, object]:
    """Count on the local AWS server; counts are exact, prices are those of the table."""
    with open_aws_place(folder) as place:
        sweep = _requests_of_a_sweep(place)
        place.start_worker()
        # The first mail of all pays for what is only made once.
        place.end_of(place.write("We open at ten now."))
        cold, functions, transitions = _cold_mail(place)
        warm, _, _ = _one_mail(place, "We close at five now.")
        interrupting = _interrupting_mail(place)
        idle = _idle_hour(place, idle_seconds)
        stop_ms = _time_to_stop(place)
    lambdas = Calls(functions, functions * _CALL_SECONDS, _CALL_GB)
    mail = usd_of(cold) + lambdas.usd + transitions * PRICES["states_transition"]
    sweeps = Calls(_SWEEPS_A_MONTH, _SWEEPS_A_MONTH * _CALL_SECONDS, _SWEEP_GB)
    return {
        "requests_per_mail_cold": len(cold),
        "requests_per_mail_warm": len(warm),
        "requests_per_mail_interrupting": len(interrupting),
        "transitions_per_mail_cold": transitions,
        "idle_requests_per_worker_hour": round(idle),
        "usd_per_1000_mails": round(1000 * mail, 4),
        "usd_per_idle_month": round(_SWEEPS_A_MONTH * usd_of(sweep) + sweeps.usd, 4),
        "stop_to_stopped_ms": stop_ms,
        "requests_per_sweep": len(sweep),
        "origin": ORIGIN,
        "cold_by": dict(Counter(request.by for request in cold)),
    }


def _requests_of_a_sweep(place: AwsPlace) -> list[Request]:
    """A system without workers and mails asks for nothing but this, once all that is old or new was looked at."""
    for _ in range(_SWEEPS_UNTIL_QUIET):
        place.flow.invoke("sweep", {})
    store = place.flow.here.mails.aws.store
    # In an account it also measures, which takes looks of its own.
    before, store.meter = store.meter, EmfMeter(io.StringIO(), SystemClock(), "bench")
    mark = place.mark()
    place.flow.invoke("sweep", {})
    store.meter = before
    return read_requests(place.notes, mark)


def _one_mail(place: AwsPlace, text: str) -> tuple[list[Request], int, int]:
    mark, called = place.mark(), len(place.flow.calls)
    place.end_of(place.write(text))
    requests = place.calls_since(mark)
    return requests, len(place.flow.calls) - called, len(place.flow.states_of(place.flow.executions()[-1]))


def _cold_mail(place: AwsPlace) -> tuple[list[Request], int, int]:
    """Count the cheapest of a few: whenever the flow and a worker write a lane at once, two more are made."""
    counted = []
    for hour in ("nine", "eleven", "seven"):
        _free_the_lane(place)
        counted.append(_one_mail(place, f"We open at {hour} now."))
    return min(counted, key=lambda each: len(each[0]))


def _interrupting_mail(place: AwsPlace) -> list[Request]:
    """Count a mail that sets a running job aside: its own way, the parking, and the other's new beginning."""
    said = len([entry for entry in place.flow.engine.trail.read() if entry.what == EventType.AGENT_SAID])
    older = place.write("wait for the file flour\nWe open at eight now.")
    place.entry(EventType.AGENT_SAID, said + 1)
    mark = place.mark()
    place.write("We close at six now.")
    place.entry(EventType.JOB_RESUMED)
    requests = place.calls_since(mark)
    place.open_gate("flour")
    place.end_of(older)
    return requests


def _free_the_lane(place: AwsPlace) -> None:
    """Let nobody own the lane again: its owner is drained, and another container waits for calls."""
    place.be_quiet()
    place.close()
    place.start_worker()


def _idle_hour(place: AwsPlace, seconds: float) -> float:
    """Count every request of the owner of a quiet lane, polls and beats included."""
    mark = place.mark()
    threading.Event().wait(seconds)
    made = [request for request in read_requests(place.notes, mark) if request.by == "worker"]
    return len(made) * _HOUR / seconds


def _time_to_stop(place: AwsPlace) -> float:
    """Return the milliseconds from a person's stop to the end of the agent that ran."""
    said = len([entry for entry in place.flow.engine.trail.read() if entry.what == EventType.AGENT_SAID])
    mail = place.write("wait for the file oven\nWe open at eight now.")
    place.entry(EventType.AGENT_SAID, said + 1)
    engine, clock = place.flow.engine, place.flow.here.mails.here.clock
    job = next(job for job in engine.overview.jobs() if job.mail == mail)
    engine.lanes.stop(job.id, "the benchmark", clock.now())
    ended = place.entry(EventType.JOB_STOPPED)
    asked = place.entry(EventType.STOP_ASKED)
    return round((ended.at - asked.at).total_seconds() * 1000, 1)


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m bench.aws", description=__doc__)
    options.add_argument("--quick", action="store_true", help="only see that it works")
    options.add_argument("--out", type=Path, default=_PLACE / "bench-aws.json", help="where the figures are written")
    chosen = options.parse_args()
    _PLACE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-aws-", dir=_PLACE) as folder:
        figures = measure(Path(folder), 5.0 if chosen.quick else _IDLE_SECONDS)
    chosen.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print_table(figures)
    missed = [name for name, most in AT_MOST.items() if float(str(figures[name])) > most]
    sys.stdout.write(f"\nmissed: {', '.join(missed) or 'nothing'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
