"""Joins what a worker of an installation works with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webordinary.config import PicturesMode
from webordinary.serve.agents import hire, sandbox_of
from webordinary.site.release.dependencies import dependencies_in
from webordinary.site.screenshots.camera import Camera
from webordinary.site.screenshots.shot import NoBrowser, find_browser
from webordinary.worker.attempt import Attempt
from webordinary.worker.change.candidate import Candidates
from webordinary.worker.change.edit import Edit
from webordinary.worker.change.live_site import KnownSites
from webordinary.worker.change.pictures import Pictures
from webordinary.worker.change.publish import Publish
from webordinary.worker.change.scratch import open_scratch
from webordinary.workspace.checkout import Workspace
from webordinary.workspace.sandbox import choose_sandbox

if TYPE_CHECKING:
    from webordinary.config import Config
    from webordinary.engines.installation import Installation
    from webordinary.site.release.dependencies import Dependencies
    from webordinary.worker.chores.rounds import Chores
    from webordinary.workspace.sandbox import Sandbox


def attempt_of(here: Installation, chores: Chores) -> Attempt:
    """Return what a worker does with a job."""
    config, engine, clock, limits = here.config, here.engine, here.clock, here.limits
    sandbox, scratch = partial(sandbox_of, config), open_scratch(config.data / "scratch", clock.now().wall_at)
    packages = dependencies_of(config)
    candidates = Candidates(
        engine, limits, sandbox, scratch, packages, preview_of=here.preview_address, known=known_sites(config)
    )
    pictures = Pictures(_camera(config), sandbox)
    publish = Publish(engine, limits, candidates, pictures, here.live_address, config.agency.address)
    edit = Edit(
        engine,
        Workspace(config.data / "workspace"),
        partial(hire, config, engine.secrets),
        publish,
        clock,
        scratch,
        config.agency.address,
        shares_threads=config.traits.has_container_workers,
    )
    return Attempt(engine, edit, clock, limits, chores.hurry, config.agency.address, config.data)


def dependencies_of(config: Config) -> Dependencies:
    """Return what builds need from elsewhere, kept for all projects."""
    return dependencies_in(config.data, partial(_sandbox, config))


def known_sites(config: Config) -> KnownSites:
    """Return what is kept about builds, on this machine."""
    return KnownSites(config.data / "known")


def _camera(config: Config) -> Camera | NoBrowser | None:
    """Return what takes the pictures for answers, or why nothing does; None when nobody wants any."""
    wanted = config.pictures
    if wanted.mode is PicturesMode.OFF:
        return None
    found = find_browser(wanted.browser)
    if isinstance(found, NoBrowser):
        return found
    return Camera(found, partial(_sandbox, config), config.data / "scratch", wanted.limits())


def _sandbox(config: Config) -> Sandbox:
    return choose_sandbox(config.sandbox.mode, config.data)
