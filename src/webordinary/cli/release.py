"""The first release: the live branch as it is, built and shown before any mail has come."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

from webordinary.child import Child
from webordinary.engines.installation import Installation
from webordinary.errors import Misconfigured
from webordinary.routing.lane import Lane
from webordinary.routing.project import Project
from webordinary.serve.agents import sandbox_of
from webordinary.serve.assemble import known_sites
from webordinary.site.checks.kept_index import IndexKeeper
from webordinary.site.read.index import index_site
from webordinary.site.release.build import build_site
from webordinary.site.release.dependencies import Installed, dependencies_in
from webordinary.site.targets.registry import TARGETS
from webordinary.worker.change.live_site import KnownSite
from webordinary.workspace.adopt import check_out, commit_of

_LONGEST_BUILD = timedelta(minutes=20)
# Gets each program that builds, to be able to stop it.
Watch = Callable[[Child], None]


@dataclass(frozen=True, slots=True)
class Built:
    """What the live branch builds to, for as long as it is looked at."""

    commit: str
    folder: Path


@contextmanager
def built(here: Installation, project: Project, watch: Watch = lambda _: None) -> Iterator[Built]:
    """Check out the live branch and build it as a job would."""
    if commit_of(project, here.engine.secrets) is None:
        raise Misconfigured(f"{project.id} has no branch {project.branch}; correct `branch` or create it.")
    scratch = here.config.data / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        checkout = Path(folder) / "checkout"
        checkout.mkdir()
        commit = check_out(project, here.engine.secrets, Path(folder) / "repository", checkout)
        yield Built(commit, build_folder(here, project, checkout, Path(folder) / "site", watch))


def build_folder(
    here: Installation, project: Project, checkout: Path, into: Path, watch: Watch = lambda _: None
) -> Path:
    """Build a folder with a project's files as a job would."""
    return build_site(
        checkout,
        project.build,
        project.output,
        deadline=_LONGEST_BUILD,
        sandbox=partial(sandbox_of, here.config, project),
        into=into,
        watch=watch,
        installed=_installed(here, project, checkout, watch),
    )


def _installed(here: Installation, project: Project, checkout: Path, watch: Watch) -> Installed | None:
    def read(name: str) -> bytes | None:
        path = checkout / name
        return path.read_bytes() if path.is_file() and not path.is_symlink() else None

    if not project.build:
        return None
    return dependencies_in(here.config.data, partial(sandbox_of, here.config, project)).installed(
        read, deadline=_LONGEST_BUILD, watch=watch
    )


def publish_first(here: Installation, project: Project, watch: Watch = lambda _: None) -> bool:
    """Show the site as it is, unless something is live already or its host shows what is pushed."""
    sites = here.engine.sites
    if TARGETS.find(project.site.target).is_push or sites.live(project.id) is not None:
        return False
    with built(here, project, watch) as release:
        sites.add_release(project.id, release.commit, release.folder)
        # The first mail is held against it.
        inbox = here.engine.inbox
        index = IndexKeeper(inbox.keep_file, inbox.read_file).keep(index_site(release.folder))
        known_sites(here.config).keep(project.id, release.commit, KnownSite(index))
        # Before any lane has a fence: the first edit comes after it.
        lane = Lane(project.id, "first-release")
        sites.switch_live(project.id, release.commit, lane=lane.key, fence=0, descends=lambda _new, _old: False)
    return True
