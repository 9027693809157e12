"""Sites in a hosting account that is reached by FTP over TLS, which nearly every web host offers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webordinary.site.targets.address import FtpsPlace
from webordinary.site.targets.ftps_client import FtpsLogin, open_ftps
from webordinary.site.targets.host_sites import HostedSites, seen_by_doctor
from webordinary.site.targets.target import PublishTarget
from webordinary.workspace.ssh import read_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.routing.project import Project, SiteTarget
    from webordinary.site.targets.target import EnginePlaces, SiteTable


class FtpsTarget(PublishTarget):
    """The folder that a web host shows; FTP without TLS is not offered."""

    keys = frozenset({"password_file", "password_variable", "certificates", "switch"})

    def check(self, site: SiteTable, *, own: str) -> Iterator[tuple[str, str]]:  # noqa: ARG002 - with every engine
        if site.to is None:
            yield "target", 'is "ftps", so `to` must name a folder such as "ftps://amelia@ftp.example.com/public_html"'
            return
        try:
            FtpsPlace.read(site.to)
        except ValueError as wrong:
            yield "to", str(wrong)
        given = [name for name in ("password_file", "password_variable") if getattr(site, name)]
        if len(given) != 1:
            yield "target", 'is "ftps", so exactly one of `password_file` and `password_variable` is needed'
        if getattr(site, "switch", None) == "link":
            yield "switch", 'cannot be "link", because FTP makes no links; remove it'

    def describe(self, site: SiteTarget) -> str:
        return site.to

    def doctor(self, project: Project) -> str:
        return seen_by_doctor(self._sites(project), project.site.to)

    def publish(self, project: Project, engine: EnginePlaces) -> HostedSites:  # noqa: ARG002 - not the engine's
        return self._sites(project)

    def _sites(self, project: Project) -> HostedSites:
        site = project.site
        place = FtpsPlace.read(site.to)
        password = partial(read_secret, site.password_file, site.password_variable, "project.site.password")
        login = FtpsLogin(place, password, site.certificates)
        return HostedSites(partial(open_ftps, login), place.path, site.switch, place.user)
