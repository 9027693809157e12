"""A worker of the AWS benchmark: the real one, with every request that it makes counted."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bench.aws_counting import Counter, MarkedBeats
from webordinary.clock import SystemClock
from webordinary.config import load_config
from webordinary.engines.aws.clients import AwsSettings, open_clients
from webordinary.engines.aws.open import open_engine
from webordinary.engines.aws.s3.buckets import buckets
from webordinary.engines.installation import Installation
from webordinary.serve.worker_process import run_worker

if TYPE_CHECKING:
    from webordinary.ownership.claims import Claims


def main() -> int:
    """Run `python -m bench.aws_worker CONFIG NOTES NAME`."""
    config, notes, name = load_config(Path(sys.argv[1]), {}), Path(sys.argv[2]), sys.argv[3]
    settings = AwsSettings.of(config.aws)
    clients = open_clients(settings)
    counter = Counter(notes, "worker", buckets(clients.s3, settings.prefix, clients.account).sites.name)
    counter.watch(clients)
    engine = open_engine(settings, config.limits, clients)
    engine = replace(engine, claims=cast("Claims", MarkedBeats(engine.claims, counter)))
    run_worker(Installation(config, engine, SystemClock()), name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
