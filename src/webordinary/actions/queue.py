"""What is done to the queue: stop, repeat, set aside, pause and go on; each is written to the trail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.actions.done import Done
from webordinary.actions.known import require_lane, require_traces
from webordinary.errors import Refused
from webordinary.jobs.lanes import Stopped

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation

_NO_REASON = "by hand"


def stop(here: Installation, job: str, by: str) -> Done:
    """End a job for good, whether it waits or runs."""
    match here.engine.lanes.stop(job, by, here.clock.now()):
        case Stopped.ENDED:
            return Done(f"{job} is stopped; it will not run.", job)
        case Stopped.ASKED:
            hint = f"; `webordinary show job {job}` tells when it has."
            return Done(f"{job} runs and was asked to stop.", job, hint)
        case Stopped.TOO_LATE:
            raise Refused(f"{job} is being published at this moment, which is too late to stop it.")
        case Stopped.OVER:
            raise Refused(f"{job} is over already; `webordinary show job {job}` tells how it ended.")


def redrive(here: Installation, job: str, by: str) -> Done:
    """Try a job again that ended badly, as a new one."""
    again = here.engine.lanes.redrive(job, by, here.clock.now())
    return Done(f"{job} is tried again as {again}.", again)


def interrupt(here: Installation, lane: str, by: str) -> Done:
    """Set aside what runs in a lane."""
    found = here.engine.lanes.interrupt(require_lane(here, lane), by, here.clock.now())
    if found is None:
        raise Refused(f"Nothing runs in {lane} that could be set aside; `webordinary show lanes` shows what does.")
    return Done(f"{found} was asked to make way.", found)


def release(here: Installation, lane: str, by: str) -> Done:
    """Take a lane from its owner."""
    owner = here.engine.lanes.release(require_lane(here, lane), by, here.clock.now())
    if owner is None:
        raise Refused(f"Nobody owns {lane}; `webordinary show lanes` shows who owns what.")
    return Done(f"{lane} was taken from {owner}.")


def pause(here: Installation, project: str, by: str, reason: str = "") -> Done:
    """Let no job of a project start any more."""
    require_traces(here, project)
    if not here.engine.lanes.pause(project, f"{reason.strip() or _NO_REASON} ({by})", here.clock.now()):
        raise Refused(f"{project} is paused already; `webordinary resume {project}` ends that.")
    return Done(f"{project} is paused.", hint=f"; `webordinary resume {project}` ends that.")


def resume(here: Installation, project: str, by: str) -> Done:
    """Let the jobs of a paused project start again."""
    require_traces(here, project)
    if not here.engine.lanes.resume(project, by, here.clock.now()):
        raise Refused(f"{project} is not paused.")
    return Done(f"{project} goes on.")
