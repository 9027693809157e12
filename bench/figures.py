"""Figures: percentiles, what we aim at, and the table in which a person reads them."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NANOSECONDS_OF_A_MILLISECOND = 1_000_000

# At most; on an idle machine with two cores. The ratios are to one durable commit of the same run.
AT_MOST = {
    "cold_start_p50_ms": 2,
    "cold_start_p99_ms": 20,
    "cold_start_ratio": 3,
    "warm_start_p50_ms": 2,
    "warm_start_p99_ms": 20,
    "warm_start_ratio": 5,
    "interrupt_p99_ms": 20,
    "takeover_p99_ms": 500,
    "takeover_by_lease_over_lease_p99_ms": 1000,
    "mail_of_5_kb_p50_ms": 5,
    "mail_of_10_mb_p50_ms": 1000,
    "agent_before_s": 0.3,
    "agent_after_s": 0.3,
    "sandbox_overhead_s": 0.15,
    "warm_followup_overhead_s": 1.0,
    "overhead_ratio": 3,
    "own_time_s": 0.7,
    "incremental_publish_ratio": 0.5,
    "site_2000_own_cpu_s": 1.5,
    "site_20000_own_cpu_s": 4,
    "site_20000_worker_mb": 300,
    "builds_per_mail": 1,
    "slowest_list_ms_at_1m": 50,
    "slowest_chore_ms_at_1m": 50,
    "slowest_page_ms_at_1m": 200,
    "dashboard_mb": 150,
    "live_500_viewers_p95_ms": 300,
    "live_stop_s": 3,
    "idle_cpu_percent": 0.5,
    "idle_rss_mb": 60,
}
AT_LEAST = {"ordered_jobs_per_s": 1650, "ordered_jobs_per_s_with_acceptance": 1500}


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that is not exceeded by this share of all values."""
    ordered = sorted(values)
    return ordered[max(math.ceil(len(ordered) * percent / 100) - 1, 0)]


def milliseconds(nanoseconds: Sequence[int], percent: float) -> float:
    return round(percentile(nanoseconds, percent) / NANOSECONDS_OF_A_MILLISECOND, 3)


def spread(name: str, nanoseconds: Sequence[int]) -> dict[str, float]:
    """Return the middle and the slow end of a measurement, under names that begin alike."""
    return {f"{name}_p50_ms": milliseconds(nanoseconds, 50), f"{name}_p99_ms": milliseconds(nanoseconds, 99)}


def ratio(nanoseconds: Sequence[int], commits: Sequence[int]) -> float:
    """Return how many durable commits the middle of a measurement is worth."""
    return round(percentile(nanoseconds, 50) / percentile(commits, 50), 2)


def print_table(figures: Mapping[str, object]) -> None:
    """Print one figure on each line beside its aim; the pool is printed below as a table of its own."""
    for name, value in figures.items():
        if not isinstance(value, Mapping):
            sys.stdout.write(f"{name:44} {value!s:>12}   {_aim(name, value)}".rstrip() + "\n")
    for name, value in figures.items():
        if isinstance(value, Mapping):
            sys.stdout.write(f"\n{name}\n")
            _print_nested(value)


def _aim(name: str, value: object) -> str:
    if not isinstance(value, int | float):
        return ""
    if name in AT_MOST:
        return f"at most {AT_MOST[name]:<7g} {'' if value <= AT_MOST[name] else 'missed'}"
    if name in AT_LEAST:
        return f"at least {AT_LEAST[name]:<6g} {'' if value >= AT_LEAST[name] else 'missed'}"
    return ""


def _print_nested(facts: Mapping[str, object]) -> None:
    for name, value in facts.items():
        if isinstance(value, list):
            _print_rows(value)
        elif not isinstance(value, Mapping):
            sys.stdout.write(f"  {name:42} {value!s:>12}\n")


def _print_rows(rows: Sequence[Mapping[str, object]]) -> None:
    names = list(rows[0]) if rows else []
    sys.stdout.write("  " + "  ".join(names) + "\n")
    for row in rows:
        sys.stdout.write("  " + "  ".join(f"{row[name]!s:>{len(name)}}" for name in names) + "\n")
