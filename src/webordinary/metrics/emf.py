"""Figures as lines of a log in CloudWatch's embedded metric format: no request is made for them."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.metrics.meter import Metric

NAMESPACE = "WebOrdinary"
INSTALLATION = "installation"


class EmfMeter:
    """Writes one line of JSON for each figure; CloudWatch makes metrics of them, and people can read them too."""

    def __init__(self, stream: IO[str], clock: Clock, installation: str) -> None:
        self._stream = stream
        self._clock = clock
        self._installation = installation

    def record(self, metric: Metric, value: float = 1, **dimensions: str) -> None:
        told = {
            "_aws": {
                "Timestamp": int(self._clock.now().seconds * 1000),
                "CloudWatchMetrics": [
                    {
                        "Namespace": NAMESPACE,
                        # Alone and with what tells it apart: a sum of sums has to be asked for by hand.
                        "Dimensions": [[INSTALLATION], *([[INSTALLATION, *dimensions]] if dimensions else [])],
                        "Metrics": [{"Name": metric.value, "Unit": metric.unit.value}],
                    }
                ],
            },
            INSTALLATION: self._installation,
            **dimensions,
            metric.value: round(value, 6),
        }
        # A closed or full stream is no reason to stop working.
        with suppress(OSError, ValueError):
            # One write for the whole line, so that those of several threads do not mix.
            self._stream.write(json.dumps(told, separators=(",", ":")) + "\n")
            self._stream.flush()
