"""Whether the workers of this machine are well: their loops turn, and the store can be reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.installation import Installation
from webordinary.errors import WebOrdinaryError
from webordinary.serve.worker_process import life_folder
from webordinary.worker.life import STALLED_AFTER, look_for_life

if TYPE_CHECKING:
    from webordinary.config import Config


def find_illness(config: Config) -> str | None:
    """Return what is wrong in one sentence, None when nothing is."""
    try:
        here = Installation.open(config)
        here.engine.overview.paused()
    except (WebOrdinaryError, OSError) as problem:
        return f"The store cannot be reached: {problem}"
    lives = look_for_life(life_folder(config), here.clock.now())
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
