"""`make bench-aws`: counts what one mail and one idle hour ask of AWS, and writes build/bench-aws.json."""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.aws_counting import ANSWER, calls, read_requests
from bench.aws_place import open_aws_place
from bench.aws_prices import PRICES, Calls, usd_by_service, usd_of
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
_COLD_MAILS = 1
# A warm call of a small function in Python with its driver loaded, about; what is measured here is another machine.
_CALL_SECONDS, _CALL_GB, _SWEEP_GB = 0.2, 0.5, 1.0
AT_MOST = {"requests_per_mail_cold": 40, "transitions_per_mail_cold": 11, "idle_requests_per_worker_hour": 480}
ORIGIN = {"transitions_per_mail": 11, "idle_requests_per_worker_hour": 1080}


def measure(folder: Path, idle_seconds: float = _IDLE_SECONDS) -> dict[str, object]:
    """Count on the local AWS server; counts are exact, prices are those of the table."""
    with open_aws_place(folder) as place:
        sweep = _requests_of_a_sweep(place)
        place.start_worker()
        # The first mail of all pays for what is only made once.
        place.end_of(place.write("We open at ten now."))
        cold = _cold_mail(place)
        warm = _one_mail(place, "We close at five now.")
        interrupting = _interrupting_mail(place)
        idle = _idle_seconds(place, idle_seconds)
        stop_ms = _time_to_stop(place)
    sweeps = Calls(_SWEEPS_A_MONTH, _SWEEPS_A_MONTH * _CALL_SECONDS, _SWEEP_GB)
    usd_of_a_mail, usd_of_a_month = sum(cold.usd.values()), _SWEEPS_A_MONTH * usd_of(sweep) + sweeps.usd
    hours = _HOUR / idle_seconds
    return {
        "requests_per_mail_cold": len(cold.calls),
        "requests_per_mail_warm": len(warm.calls),
        "requests_per_mail_interrupting": len(interrupting),
        "transitions_per_mail_cold": cold.transitions,
        "idle_requests_per_worker_hour": round(len([each for each in idle if each.purpose != ANSWER]) * hours),
        "usd_per_1000_mails": round(1000 * usd_of_a_mail, 4),
        "usd_per_1000_mails_by": {name: round(1000 * usd, 4) for name, usd in sorted(cold.usd.items())},
        "read_units_per_mail_cold": sum(each.reads for each in cold.requests),
        "write_units_per_mail_cold": sum(each.writes for each in cold.requests),
        "usd_per_idle_worker_hour": round(usd_of(idle) * hours, 5),
        "usd_per_idle_month": round(usd_of_a_month, 4),
        # Without the machines of the workers, which cost by the hour, and without the model.
        "usd_per_month_of_1000_mails": round(usd_of_a_month + 1000 * usd_of_a_mail, 2),
        "stop_to_stopped_ms": stop_ms,
        "requests_per_sweep": len([each for each in sweep if each.purpose != ANSWER]),
        "origin": ORIGIN,
        "cold_by": dict(Counter(request.by for request in cold.calls)),
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


@dataclass(frozen=True, slots=True)
class _Mail:
    """All that one mail asked of AWS, from its coming in to the end of its flow."""

    requests: list[Request]
    functions: int
    transitions: int

    @property
    def calls(self) -> list[Request]:
        return calls(self.requests)

    @property
    def usd(self) -> dict[str, float]:
        """What it costs at each service; the objects of the site and the beats of its owner are in it."""
        lambdas = Calls(self.functions, self.functions * _CALL_SECONDS, _CALL_GB)
        flow = {"lambda": lambdas.usd, "states": self.transitions * PRICES["states_transition"]}
        return usd_by_service(self.requests) | flow


def _one_mail(place: AwsPlace, text: str) -> _Mail:
    mark, called = place.mark(), len(place.flow.calls)
    place.end_of(place.write(text))
    requests = place.requests_since(mark)
    transitions = len(place.flow.states_of(place.flow.executions()[-1]))
    return _Mail(requests, len(place.flow.calls) - called, transitions)


def _cold_mail(place: AwsPlace) -> _Mail:
    """Count the cheapest of a few: whenever the flow and a worker write a lane at once, two more are made.

    On a busy machine they do so often, and more mails are counted until one is within its aim.
    """
    counted: list[_Mail] = []
    for hour in ("nine", "eleven", "seven", "ten", "six", "nine", "eleven", "seven"):
        if len(counted) >= _COLD_MAILS and len(_cheapest(counted).calls) <= AT_MOST["requests_per_mail_cold"]:
            break
        _free_the_lane(place)
        counted.append(_one_mail(place, f"We open at {hour} now."))
    return _cheapest(counted)


def _cheapest(mails: list[_Mail]) -> _Mail:
    return min(mails, key=lambda each: len(each.calls))


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


def _idle_seconds(place: AwsPlace, seconds: float) -> list[Request]:
    """Return what the owner of a quiet lane asks in so many seconds, polls and beats included."""
    mark = place.mark()
    threading.Event().wait(seconds)
    return [request for request in read_requests(place.notes, mark) if request.by == "worker"]


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
