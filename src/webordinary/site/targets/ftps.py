"""Sites in a hosting account that is reached by FTP over TLS, which nearly every web host offers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.site.targets.address import FtpsPlace
from webordinary.site.targets.ftps_client import FtpsLogin, open_ftps
from webordinary.site.targets.host_sites import HostedSites, HostedTarget
from webordinary.site.targets.host_way import SwitchWay
from webordinary.values import Section, Variable
from webordinary.variants import read_options
from webordinary.workspace.ssh import read_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.routing.project import SiteTarget
    from webordinary.site.targets.target import SiteTable


class FtpsKeys(Section, frozen=True, kw_only=True):
    """What stands in `[project.site]` for this target."""

    password_file: Path | None = None
    """For ftps: a file that holds the password; this or `password_variable`."""
    password_variable: Variable | None = None
    """The environment variable that holds that password; this or `password_file`."""
    certificates: Path | None = None
    """For ftps: the authorities to believe, in PEM, for a server with a certificate of its own; else this machine's."""
    switch: SwitchWay | None = None
    """As for sftp, without `link`."""


class FtpsTarget(HostedTarget):
    """The folder that a web host shows; FTP without TLS is not offered."""

    options = FtpsKeys

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

    def sites(self, site: SiteTarget) -> HostedSites:
        place, keys = FtpsPlace.read(site.to), read_options(FtpsKeys, site.options)
        password = partial(read_secret, keys.password_file, keys.password_variable, "project.site.password")
        login = FtpsLogin(place, password, keys.certificates)
        return HostedSites(partial(open_ftps, login), place.path, keys.switch or SwitchWay.AUTO, place.user)
