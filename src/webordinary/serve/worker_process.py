"""One worker process: what `webordinary serve` and `webordinary work` start, as many as are configured."""

from __future__ import annotations

import itertools
import os
import select
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.config import find_config
from webordinary.config.live import read_or_copy
from webordinary.engines.choose import container_name
from webordinary.engines.installation import Installation
from webordinary.errors import WebOrdinaryError
from webordinary.serve.assemble import attempt_of
from webordinary.worker.chores.git_watch import GitWatch
from webordinary.worker.life import STALLED_AFTER, SignOfLife, folder_of_lives, look_for_life
from webordinary.worker.loop import Worker, new_worker_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.config import Config


def namer(here: Installation) -> Callable[[], str]:
    """Return what names one worker after the other; those of a container carry its id."""
    container = container_name(here.config, os.environ, here.clock.now())
    if container is None:
        return new_worker_name
    numbers = itertools.count(1)

    def name() -> str:
        number = next(numbers)
        return container if number == 1 else f"{container}-{number}"

    return name


def run_worker(here: Installation, name: str, parent: int | None = None) -> None:
    """Work until SIGTERM, or until the parent with this number is gone."""
    chores = here.chores(name)
    life = SignOfLife(folder_of_lives(here.config.data), name, here.clock)
    worker = Worker(name, here.engine, attempt_of(here, chores), here.clock, here.limits, life.show, here.meter)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: worker.drain())
    here.engine.trail.record(Entry(EventType.WORKER_STARTED, here.clock.now().wall_at, worker=name))
    if parent is not None:
        _drain_with_parent(worker, parent)
    if here.does_chores:
        chores.start()
    housekeeping = here.housekeeping()
    housekeeping.start()
    watch = GitWatch(name, here.engine, here.clock, here.limits.git_look)
    watch.start()
    try:
        worker.run()
    finally:
        watch.close()
        life.end()
        housekeeping.close()
        if here.does_chores:
            chores.close()
        here.engine.trail.record(Entry(EventType.WORKER_GONE, here.clock.now().wall_at, worker=name, text="drained"))


def _drain_with_parent(worker: Worker, parent: int) -> None:
    """Drain when the parent process is gone: nobody would supervise this one any more."""
    try:
        pidfd = os.pidfd_open(parent)
    except ProcessLookupError:
        worker.drain()
        return
    # Asked behind the open handle: if it is still our parent, the handle cannot be of another one with its number.
    if os.getppid() != parent:
        os.close(pidfd)
        worker.drain()
        return

    def watch() -> None:
        select.select([pidfd], [], [])
        worker.drain()

    threading.Thread(target=watch, name="parent", daemon=True).start()


def main() -> int:
    """Run `python -m webordinary.serve.worker_process CONFIG NAME [PARENT [COPY]]`."""
    path, name, copy = Path(sys.argv[1]), sys.argv[2], Path(*sys.argv[4:5])
    # Told by the parent itself where possible: asked for here, it may already be gone and another in its place.
    parent = int(sys.argv[3]) if sys.argv[3:] else os.getppid()
    try:
        config = read_or_copy(path, copy, os.environ) if sys.argv[4:] else find_config(path, os.environ)
        run_worker(Installation.open_to_work(config), name, parent)
    except WebOrdinaryError as error:
        sys.stderr.write(f"{name}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())


def find_illness(config: Config) -> str | None:
    """Return what is wrong in one sentence, None when nothing is."""
    try:
        here = Installation.open(config)
        here.engine.overview.paused()
    except (WebOrdinaryError, OSError) as problem:
        return f"The store cannot be reached: {problem}"
    lives = look_for_life(folder_of_lives(config.data), here.clock.now())
    if not lives:
        return f"No worker runs on this machine with {config.path}; start `webordinary work`."
    stalled = [life for life in lives if life.has_stalled]
    if stalled:
        longest = max(stalled, key=lambda life: life.ago)
        return (
            f"{longest.worker} has not turned its loop for {longest.ago.total_seconds():.0f} s"
            f" (at most {STALLED_AFTER.total_seconds():.0f} s are healthy); restart it."
        )
    return None
