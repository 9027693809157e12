"""Joins the parts of an installation: the one place where everything is known."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.audit.log import write_logs_to
from webordinary.clock import SystemClock
from webordinary.config import EngineKind, LogFormat, PicturesMode
from webordinary.engines.choose import open_engine
from webordinary.engines.desk import Desk
from webordinary.metrics.emf import EmfMeter
from webordinary.metrics.meter import NoMeter
from webordinary.oauth.tokens import Tokens
from webordinary.serve.agents import choose_agent
from webordinary.site.dependencies import dependencies_in
from webordinary.site.screenshots.browser import Missing, find_browser
from webordinary.site.screenshots.camera import Camera
from webordinary.worker.attempt import Attempt
from webordinary.worker.change.candidate import Candidates
from webordinary.worker.change.edit import Edit
from webordinary.worker.change.pictures import Pictures
from webordinary.worker.change.publish import Publish
from webordinary.worker.change.scratch import open_scratch
from webordinary.workspace.checkout import Workspace
from webordinary.workspace.privacy import close_to_others
from webordinary.workspace.sandbox import choose_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.clock import Clock
    from webordinary.config import Config
    from webordinary.engine import Engine
    from webordinary.intake import Intake
    from webordinary.jobs.limits import Limits
    from webordinary.metrics.meter import Meter
    from webordinary.routing.project import Project
    from webordinary.site.dependencies import Dependencies
    from webordinary.worker.chores.rounds import Chores
    from webordinary.workspace.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class Installation:
    """Everything that one configuration file describes, joined."""

    config: Config
    limits: Limits
    clock: Clock
    engine: Engine
    meter: Meter = field(default_factory=NoMeter)

    @classmethod
    def open(cls, config: Config, meter: Meter | None = None) -> Installation:
        meter = meter or NoMeter()
        close_to_others(config.data, _meant_for_others(config))
        return cls(config, config.limits, SystemClock(), open_engine(config, config.limits, meter), meter)

    @classmethod
    def open_to_work(cls, config: Config) -> Installation:
        """Open it for a worker process: what happens is logged and measured as the configuration says."""
        if config.logs.format is LogFormat.JSON:
            write_logs_to(sys.stdout)
        on_aws = config.engine is EngineKind.AWS
        return cls.open(config, EmfMeter(sys.stdout, SystemClock(), str(config.aws.prefix)) if on_aws else None)

    @property
    def intake(self) -> Intake:
        return self._desk.intake

    def tokens(self, login: str | None) -> Tokens | None:
        """Return the tokens of a login at a mail provider; None where a password is used."""
        found = self.config.find_login(login) if login else None
        return Tokens(found, self.engine.secrets, self.clock) if found else None

    def live_address(self, project: Project) -> str:
        """Return where the public sees the site."""
        if self.config.engine is EngineKind.AWS:
            return project.site.url or f"https://{project.id}.{self.config.domain}/"
        return project.site.url or f"http://{project.id}.localhost:{self.config.preview.listen.port}/"

    def preview_address(self, project: Project, thread: str) -> str:
        return self.config.preview.address(thread, project.id, self.config.preview.listen.port)

    @property
    def does_chores(self) -> bool:
        """Whether each worker sweeps and sends answers; on AWS a function of its own does, also when there is none."""
        return self.config.engine is EngineKind.EMBEDDED

    def chores(self, name: str) -> Chores:
        return self._desk.chores(name)

    def attempt(self, chores: Chores) -> Attempt:
        """Return what a worker does with a job."""
        scratch = open_scratch(self.config.data / "scratch", self.clock.now().wall_at)
        candidates = Candidates(
            self.engine,
            self.clock,
            self.limits,
            self._sandbox,
            scratch,
            self.dependencies,
            preview_of=self.preview_address,
        )
        pictures = Pictures(self.engine, self.clock, self.camera)
        publish = Publish(self.engine, self.clock, self.limits, candidates, pictures, address_of=self.live_address)
        workspace = Workspace(self.config.data / "workspace")
        agent = choose_agent(self.config, self._sandbox)
        on_aws = self.config.engine is EngineKind.AWS
        edit = Edit(
            self.engine,
            workspace,
            agent,
            publish,
            self.clock,
            scratch,
            self.config.agency.address,
            shares_threads=on_aws,
        )
        return Attempt(self.engine, edit, self.clock, self.limits, chores.hurry, self.config.agency.address)

    @property
    def camera(self) -> Camera | Missing | None:
        """What takes the pictures for answers, or why nothing does; None when nobody wants any."""
        wanted = self.config.pictures
        if wanted.mode is PicturesMode.OFF:
            return None
        found = find_browser(wanted.browser)
        if isinstance(found, Missing):
            return found
        return Camera(found, self._sandbox, self.config.data / "scratch", wanted.limits())

    @property
    def dependencies(self) -> Dependencies:
        """What builds need from elsewhere, kept for all projects."""
        return dependencies_in(self.config.data, self._sandbox)

    @property
    def _desk(self) -> Desk:
        return Desk(self.config, self.engine, self.clock)

    def _sandbox(self) -> Sandbox:
        return choose_sandbox(self.config.sandbox.mode, self.config.data)


def _meant_for_others(config: Config) -> Iterator[Path]:
    """Return what other programs of the machine are to reach: where a mail server delivers, and sites with a place."""
    if config.smtp.socket is not None:
        yield config.smtp.socket
    yield from (folder for name, folder in config.site_folders.items() if folder != config.data / "sites" / name)
