"""The stage of a demo that can be tried out: what somebody may do to it besides writing mails."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import timedelta
from email.utils import make_msgid
from typing import TYPE_CHECKING, cast
from zoneinfo import ZoneInfo

from webordinary.cli.demo.folder import OWNER_ADDRESS, PROJECT
from webordinary.cli.demo.phone import ADDRESS, SentMail
from webordinary.doors.submit import submit
from webordinary.errors import Refused
from webordinary.jobs.job import State
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from datetime import date, datetime
    from pathlib import Path

    from webordinary.cli.demo.phone import OwnersPhone
    from webordinary.clock import TurnedClock
    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job
    from webordinary.routing.project import Project
    from webordinary.serve.supervisor import Supervisor

PUBLISH = "publish"
AT_ONCE, AFTER_OK = "auto", "approve"
_WORKING = frozenset({State.RUNNING, State.COMMITTING})


@dataclass(frozen=True, slots=True)
class DemoStage:
    """One running demo; `street` is where mail comes in that nobody vouches for."""

    here: Installation
    supervisor: Supervisor
    phone: OwnersPhone
    street: tuple[str, int]
    gates: Path

    @property
    def clock(self) -> TurnedClock:
        return cast("TurnedClock", self.here.clock)

    @property
    def project(self) -> Project:
        found = self.here.engine.projects.find(PROJECT)
        if found is None:
            raise Refused("The demo has lost its site; `webordinary demo --fresh` begins anew.")
        return found

    @property
    def today(self) -> date:
        """The day in the project's own time zone."""
        return self.here.clock.now().wall_at.astimezone(ZoneInfo(self.project.rules.timezone)).date()

    def job_at_work(self) -> Job | None:
        """Return the job that a worker is busy with."""
        jobs = self.here.engine.overview.jobs(limit=20)
        return next((job for job in jobs if job.state in _WORKING), None)

    def kill_worker(self) -> str:
        """Kill the worker that is busy, as a power cut would, and return its name."""
        overview, now = self.here.engine.overview, self.here.clock.now()
        owners = [lane.owner for lane in overview.active(now) if lane.running and lane.owner]
        for owner in owners:
            if self.supervisor.kill(owner):
                self._forget_waiting()
                return owner
        raise Refused("No worker is busy now: write a mail, and kill the worker while it works.")

    def take_time(self) -> None:
        """Let the built-in agent wait in the middle of the next request."""
        from webordinary.agent.scripted.carry_out import SLOWLY  # noqa: PLC0415 - heavy, and --help should be quick

        self.gates.mkdir(parents=True, exist_ok=True)
        (self.gates / SLOWLY).touch()

    def is_waiting(self) -> bool:
        """Tell whether an agent waits because it was asked to."""
        return self.job_at_work() is not None and any(self.gates.glob("slowly.*"))

    def go_on(self) -> None:
        """Let an agent that takes its time go on."""
        self._forget_waiting()

    def _forget_waiting(self) -> None:
        for waiting in self.gates.glob("slowly*"):
            waiting.unlink(missing_ok=True)

    def forge(self, words: str, subject: str) -> SentMail:
        """Send a mail in the owner's name from the street, as anybody in the world could."""
        message_id = make_msgid(domain="elsewhere.example")
        raw = write_mail(
            sender=OWNER_ADDRESS,
            to=ADDRESS,
            text=words,
            subject=subject,
            message_id=message_id,
            written_at=self.here.clock.now().wall_at,
        )
        said = submit(raw, *self.street, OWNER_ADDRESS, [ADDRESS])
        return SentMail(message_id, said.rpartition(" ")[2])

    @property
    def rule(self) -> str:
        """When changes of the site go live."""
        return str(self.project.rules.publish)

    def set_rule(self, publish: str) -> None:
        """Write another rule of the site into the configuration; every process reads it there by itself."""
        from webordinary.config.edit import ProjectText  # noqa: PLC0415 - heavy, and --help should be quick
        from webordinary.config.file import ConfigText  # noqa: PLC0415 - the same

        if publish not in {AT_ONCE, AFTER_OK}:
            raise Refused("There is no such rule.")
        file = ConfigText.read(self.here.config.path)
        text = ProjectText(file.plain, PROJECT).with_key((PUBLISH,), publish).text
        if text != file.plain:
            file.replace(text, os.environ)

    def next_moment(self) -> datetime | None:
        """Return when something that is planned happens next."""
        return min((plan.at for plan in self.here.engine.schedules.all(project=PROJECT)), default=None)

    def turn_clock(self) -> datetime:
        """Turn the clock forward to what is planned next, and see to it; what was spent stays spent."""
        from webordinary.worker.chores.punctual import Punctual  # noqa: PLC0415 - heavy, and --help should be quick

        at = self.next_moment()
        if at is None:
            raise Refused("Nothing is planned: write first that you are closed over Christmas.")
        if at > self.here.clock.now().wall_at:
            spent = self.spent
            self.clock.turn_to(at)
            self._carry_over(spent)
        Punctual(self.here.engine, self.here.clock).look()
        return at

    @property
    def limit(self) -> float:
        """What may be spent, in dollars."""
        return float(self.project.rules.budget.usd_a_day)

    @property
    def spent(self) -> float:
        """What the models have cost since the demo began; today's account has what was carried over to it."""
        return self.here.engine.spending.spent(PROJECT, self.today)

    def _carry_over(self, spent: float) -> None:
        """Let a new day begin with what was spent before it: the limit is one for the whole demo."""
        from webordinary.jobs.spending import DayLimit, Payer  # noqa: PLC0415 - only here
        from webordinary.routing.lane import Lane  # noqa: PLC0415 - only here

        missing = spent - self.spent
        if missing > 0:
            payer = Payer(Lane(PROJECT, "demo"), self.today, "carried over")
            much = DayLimit(self.limit + spent)
            self.here.engine.spending.reserve(payer, missing, missing, much, self.here.clock.now())


def christmas_after(day: date) -> int:
    """Return the year of the next Christmas that is still to come."""
    return day.year if day < day.replace(month=12, day=23) - timedelta(days=1) else day.year + 1
