"""Figures: percentiles, and the table in which a person reads them."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NANOSECONDS_OF_A_MILLISECOND = 1_000_000


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that is not exceeded by this share of all values."""
    ordered = sorted(values)
    return ordered[max(math.ceil(len(ordered) * percent / 100) - 1, 0)]


def milliseconds(nanoseconds: Sequence[int], percent: float) -> float:
    return round(percentile(nanoseconds, percent) / NANOSECONDS_OF_A_MILLISECOND, 3)


def spread(name: str, nanoseconds: Sequence[int]) -> dict[str, float]:
    """Return the middle and the slow end of a measurement, under names that begin alike."""
    return {f"{name}_p50_ms": milliseconds(nanoseconds, 50), f"{name}_p99_ms": milliseconds(nanoseconds, 99)}


def print_table(figures: Mapping[str, object]) -> None:
    """Print one figure on each line; a figure of several parts is printed below its name."""
    for name, value in figures.items():
        if isinstance(value, list):
            sys.stdout.write(f"{name}\n")
            _print_rows(value)
        else:
            sys.stdout.write(f"{name:44} {value:>12}\n")


def _print_rows(rows: Sequence[Mapping[str, object]]) -> None:
    for row in rows:
        sys.stdout.write("  " + "  ".join(f"{name} {value}" for name, value in row.items()) + "\n")
