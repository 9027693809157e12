"""What the doctor looks at on other machines: whether sites can be published there."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from webordinary.cli.checks import Check, fail, ok
from webordinary.errors import WebOrdinaryError
from webordinary.routing.project import Target
from webordinary.site.targets.address import Remote
from webordinary.site.targets.remote import Shell
from webordinary.site.targets.rsync import RsyncSites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config import Config
    from webordinary.routing.project import Project


def check_sites(config: Config) -> Iterator[Check]:
    """Reach each machine that a site is published to, and see that its folder may be written."""
    elsewhere = [project for project in config.projects if project.site.target is Target.RSYNC]
    if elsewhere and shutil.which("rsync") is None:
        yield fail("rsync", "there is no program rsync: install it (on Debian and Ubuntu: apt install rsync)")
        return
    for project in elsewhere:
        yield _check(project)


def _check(project: Project) -> Check:
    name = f"site of {project.id}"
    sites = RsyncSites(Shell(Remote.read(project.site.to), project.site.ssh))
    try:
        sites.try_out()
        live = sites.live(project.id)
    except WebOrdinaryError as problem:
        return fail(name, str(problem))
    return ok(name, f"{project.site.to}, {f'{live[:9]} is live' if live else 'nothing is live yet'}")
