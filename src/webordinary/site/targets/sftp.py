"""Sites in a hosting account that is reached by SFTP: no shell is needed there, and nothing has to be installed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webordinary.site.targets.address import Remote, SshKeys, complaints_about_ssh
from webordinary.site.targets.host_sites import HostedSites, HostedTarget
from webordinary.site.targets.host_way import SwitchWay
from webordinary.site.targets.sftp_client import open_sftp
from webordinary.variants import read_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.routing.project import SiteTarget
    from webordinary.site.targets.target import SiteTable


class SftpKeys(SshKeys, frozen=True, kw_only=True):
    """What stands in `[project.site]` for this target."""

    switch: SwitchWay | None = None
    """For sftp and ftps: how a release becomes live; `auto` if it is left out, the best that the host can do."""


class SftpTarget(HostedTarget):
    """The folder that a web host shows, or a link in its place."""

    options = SftpKeys

    def check(self, site: SiteTable, *, own: str) -> Iterator[tuple[str, str]]:  # noqa: ARG002 - with every engine
        yield from complaints_about_ssh(site, "sftp")

    def sites(self, site: SiteTarget) -> HostedSites:
        remote, keys = Remote.read(site.to), read_options(SftpKeys, site.options)
        opening = partial(open_sftp, remote, keys.access)
        return HostedSites(opening, remote.path, keys.switch or SwitchWay.AUTO, remote.login)
