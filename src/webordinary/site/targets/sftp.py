"""Sites in a hosting account that is reached by SFTP: no shell is needed there, and nothing has to be installed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webordinary.site.targets.address import SSH_KEYS, Remote, complaints_about_ssh
from webordinary.site.targets.host_sites import HostedSites, seen_by_doctor
from webordinary.site.targets.sftp_client import open_sftp
from webordinary.site.targets.target import PublishTarget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.routing.project import Project, SiteTarget
    from webordinary.site.targets.target import EnginePlaces, SiteTable


class SftpTarget(PublishTarget):
    """The folder that a web host shows, or a link in its place."""

    keys = SSH_KEYS | {"switch"}

    def check(self, site: SiteTable, *, own: str) -> Iterator[tuple[str, str]]:  # noqa: ARG002 - with every engine
        yield from complaints_about_ssh(site, "sftp")

    def describe(self, site: SiteTarget) -> str:
        return site.to

    def doctor(self, project: Project) -> str:
        return seen_by_doctor(self._sites(project), project.site.to)

    def publish(self, project: Project, engine: EnginePlaces) -> HostedSites:  # noqa: ARG002 - not the engine's
        return self._sites(project)

    def _sites(self, project: Project) -> HostedSites:
        remote = Remote.read(project.site.to)
        return HostedSites(partial(open_sftp, remote, project.site.ssh), remote.path, project.site.switch, remote.login)
