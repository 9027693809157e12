"""The measured process of `bench.sites`: a real worker that answers mails about one page of a large site."""

from __future__ import annotations

import json
import resource
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.agent.agent import Report, WhyStopped
from webordinary.cli.release import publish_first
from webordinary.config import load_config
from webordinary.doors.deliver import deliver
from webordinary.engines.installation import Installation
from webordinary.jobs.job import Outcome
from webordinary.serve.assemble import attempt_of
from webordinary.site.release import build
from webordinary.testing.mail import write_mail
from webordinary.worker.change.edit import Edit
from webordinary.worker.change.hired import Hired
from webordinary.worker.loop import Worker
from webordinary.worker.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from webordinary.agent.agent import Event, Task
    from webordinary.child import Child
    from webordinary.jobs.job import Job
    from webordinary.jobs.journal import Noted, Step

SCOTT, TO, PROJECT = "scott@example.org", "amelia@edit.example.com", "amelia"
# The page in the middle, and what stands on it.
PAGE, OPENING = "content/section-7/middle.html", "We open at {} o'clock on Sundays."
HOURS = ("eight", "nine", "ten", "eleven")
_PATIENCE_SECONDS, _LOOK_SECONDS = 900.0, 0.02
_IN_MEGABYTES = 1024


class NotPublished(AssertionError):
    """A mail whose change did not go live, so that its time means nothing."""


@dataclass
class Meter:
    """The CPU seconds of this process and its children, without the builds, by the step that they led to."""

    builds: int = 0
    built_s: float = 0.0
    # What the benchmark itself has used by looking whether the answer is there.
    looked_s: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)
    _last: float = 0.0

    def begin(self) -> None:
        self.builds, self.built_s, self.looked_s, self.steps = 0, 0.0, 0.0, {}
        self._last = self._now()

    def note(self, step: str) -> None:
        now = self._now()
        self.steps[step] = round(self.steps.get(step, 0.0) + now - self._last, 3)
        self._last = now

    def _now(self) -> float:
        return cpu_seconds() - self.built_s - self.looked_s

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count builds and note steps inside the block."""
        run_build, journal = build._run, Run.journal  # noqa: SLF001 - a benchmark looks inside

        def counted(*arguments: Any, **rest: Any) -> str:  # noqa: ANN401 - whatever it takes
            began = _of_children()
            try:
                return run_build(*arguments, **rest)
            finally:
                self.builds += 1
                self.built_s += _of_children() - began

        def noted(run: Run, step: Step, *facts: Noted, may_wait: bool = False) -> None:
            journal(run, step, *facts, may_wait=may_wait)
            self.note(step.value)

        build._run, Run.journal = counted, noted  # type: ignore[method-assign, assignment]  # noqa: SLF001 - the same
        try:
            yield
        finally:
            build._run, Run.journal = run_build, journal  # type: ignore[method-assign]  # noqa: SLF001 - the same


def cpu_seconds() -> float:
    """Return what this process and its ended children have used so far."""
    return _of(resource.RUSAGE_SELF) + _of_children()


def _of_children() -> float:
    return _of(resource.RUSAGE_CHILDREN)


def _of(whose: int) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


class OneEdit:
    """An agent that costs nothing: it writes the other hour into the page."""

    def run(self, task: Task, _watch: Callable[[Child], None], _tell: Callable[[Event], None]) -> Report:
        page = task.checkout / PAGE
        text = page.read_text(encoding="utf-8")
        was = next(hour for hour in HOURS if OPENING.format(hour) in text)
        now = next(hour for hour in HOURS if OPENING.format(hour) in task.request)
        page.write_text(text.replace(OPENING.format(was), OPENING.format(now)), encoding="utf-8")
        return Report(WhyStopped.DONE, "The hour is changed.")

    def transcript(self, _task: Task) -> bytes | None:
        return None


def answer_mails(here: Installation, hours: tuple[str, ...]) -> list[dict[str, object]]:
    """Answer one mail after the other and return what each has cost."""
    chores = here.chores("bench")
    attempt = attempt_of(here, chores)
    if not isinstance(attempt.edit, Edit):
        raise TypeError("only an edit has an agent")
    edit = replace(attempt.edit, agent_of=lambda _: Hired(OneEdit()))
    worker = Worker("bench", here.engine, replace(attempt, edit=edit), here.clock, here.limits)
    thread, meter = threading.Thread(target=worker.run), Meter()
    chores.start()
    thread.start()
    try:
        with meter.watching():
            return [_answer(here, meter, hour) for hour in hours]
    finally:
        worker.drain()
        thread.join()
        chores.close()


def _answer(here: Installation, meter: Meter, hour: str) -> dict[str, object]:
    text = f"Please write this on the page in the middle:\n{OPENING.format(hour)}"
    meter.begin()
    began = time.monotonic()
    mail, _ = deliver(here.intake, write_mail(sender=SCOTT, to=TO, text=text), as_address=SCOTT, recipients=(TO,))
    name = next(each.id for each in here.engine.overview.jobs(limit=1) if each.mail == mail)
    job = _wait_for(here, name, meter)
    meter.note("answered")
    if job.outcome is not Outcome.PUBLISHED:
        raise NotPublished(f"{job.state} {job.outcome}: {job.error} {job.summary} {job.journal.reasons}")
    took = round(time.monotonic() - began - meter.built_s, 2)
    own = round(sum(meter.steps.values()), 3)
    return {"own_cpu_s": own, "took_s": took, "builds": meter.builds, "steps": dict(meter.steps)}


def _wait_for(here: Installation, name: str, meter: Meter) -> Job:
    ends_at = time.monotonic() + _PATIENCE_SECONDS
    pause = threading.Event()
    began = time.thread_time()
    while time.monotonic() < ends_at:
        job = here.engine.overview.job(name)
        meter.looked_s = time.thread_time() - began
        if job is not None and not job.state.is_live:
            return job
        pause.wait(_LOOK_SECONDS)
    raise NotPublished(f"{name} never came to an end")


def main() -> int:
    """Run `python -m bench.site_worker CONFIG first|HOUR,HOUR`, and write what it cost as JSON."""
    here = Installation.open(load_config(Path(sys.argv[1]), {}))
    if sys.argv[2] == "first":
        publish_first(here, here.config.projects[0])
        return 0
    answered = answer_mails(here, tuple(sys.argv[2].split(",")))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // _IN_MEGABYTES
    sys.stdout.write(json.dumps({"mails": answered, "worker_mb": most}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
