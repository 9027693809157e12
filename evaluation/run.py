"""Sends each request as a mail to a site of its own and judges what is live when it was answered."""

from __future__ import annotations

import base64
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import make_msgid
from typing import TYPE_CHECKING

from evaluation.sites import SAMPLES, visible_pages
from webordinary.cli.follow import entries_as_they_come
from webordinary.cli.release import publish_first
from webordinary.config import example_config, load_config, project_block, with_project
from webordinary.doors.deliver import deliver
from webordinary.engines.installation import Installation
from webordinary.serve.assemble import attempt_of
from webordinary.testing.mail import write_mail
from webordinary.worker.loop import Worker
from webordinary.workspace.adopt import make_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from evaluation.request import Verdict, Wish
    from webordinary.jobs.job import Job

_OWNER = "owner@example.org"
_LOOK_EVERY_SECONDS = 0.05
# The smallest photo that is one: 8 by 8 pixels, grey.
_PHOTO = base64.b64decode(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
    "AQEBAQH/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z"
)


@dataclass(frozen=True, slots=True)
class Score:
    """What came of one request."""

    site: str
    name: str
    verdict: Verdict
    problems: tuple[str, ...]
    usd: float
    seconds: float


def run_requests(
    wishes: Sequence[Wish], folder: Path, environment: Mapping[str, str], tell: Callable[[Score], None]
) -> list[Score]:
    """Ask one after the other; the agent is the one that the environment configures."""
    scores = []
    with _working(folder, wishes, environment) as here:
        for number, wish in enumerate(wishes):
            scores.append(_ask(here, folder, number, wish))
            tell(scores[-1])
    return scores


def _ask(here: Installation, folder: Path, number: int, wish: Wish) -> Score:
    project = _project(number)
    live = folder / "live" / project / "live"
    publish_first(here, next(each for each in here.config.projects if each.id == project))
    before = visible_pages(live)
    began = time.monotonic()
    job = _mail(here, project, wish)
    verdict, problems = wish.judge(_outcome(job), before, visible_pages(live))
    usd = (job.journal.spent or 0.0) if job else 0.0
    return Score(wish.site, wish.name, verdict, tuple(problems), float(usd), time.monotonic() - began)


def _outcome(job: Job | None) -> str:
    if job is None:
        return "answered"
    return str(job.outcome or job.error or job.state)


def _mail(here: Installation, project: str, wish: Wish) -> Job | None:
    """Send the mail and wait until its job has ended; a courtesy becomes none."""
    to = f"{project}@{here.config.domain}"
    files = (("counter.jpg", "image/jpeg", _PHOTO),) if wish.photo else ()
    raw = write_mail(sender=_OWNER, to=to, text=wish.words, subject="Our website", message_id=make_msgid(), files=files)
    after = here.engine.trail.last_number()
    _, decision = deliver(here.intake, raw, as_address=_OWNER, recipients=(to,))
    name = decision.job if decision else None
    if name is None:
        return None

    def is_over() -> bool:
        time.sleep(_LOOK_EVERY_SECONDS)
        job = here.engine.overview.job(name)
        return job is None or not job.state.is_live

    for _ in entries_as_they_come(here.engine.trail, after=after, is_over=is_over):
        pass
    return here.engine.overview.job(name)


@contextmanager
def _working(folder: Path, wishes: Sequence[Wish], environment: Mapping[str, str]) -> Iterator[Installation]:
    here = Installation.open(load_config(_set_up(folder, wishes), environment))
    chores = here.chores("evaluation")
    worker = Worker("evaluation", here.engine, attempt_of(here, chores), here.clock, here.limits)
    thread = threading.Thread(target=worker.run)
    chores.start()
    thread.start()
    try:
        yield here
    finally:
        worker.drain()
        thread.join()
        chores.close()


def _set_up(folder: Path, wishes: Sequence[Wish]) -> Path:
    for sample in {SAMPLES[wish.site] for wish in wishes}:
        sample.copy_to(folder / "sites" / sample.name)
    text = example_config(outgoing="maildir:mailbox")
    text = text.replace("[agency]", '[pictures]\nmode = "off"\n\n[agency]\nwelcome = false')
    for number, wish in enumerate(wishes):
        sample = SAMPLES[wish.site]
        project = _project(number)
        make_repository(folder / "sites" / sample.name, folder / f"{project}.git", branch="main")
        block = project_block(
            id=project,
            repository=f"{project}.git",
            build=sample.build,
            output=sample.output,
            templates=sample.templates,
            site_to=f"live/{project}",
            editors=(("owner", _OWNER),),
        )
        text = with_project(text, block)
    path = folder / "webordinary.toml"
    path.write_text(text, encoding="utf-8")
    return path


def _project(number: int) -> str:
    return f"site-{number:02}"
