"""The table of a project's site: the kind of place that it is published to, the place, and what lets us in there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.config.git import HostKey
from webordinary.config.network import Variable
from webordinary.config.section import Section
from webordinary.config.values import Place, WebAddress
from webordinary.routing.project import SshAccess, Target
from webordinary.site.targets.address import Remote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config.lines import KeyPath

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", re.ASCII)
_SSH = ("ssh_key_file", "ssh_key_variable", "known_hosts", "host_keys")
_EITHER = (_SSH[:2], _SSH[2:])


class SiteSection(Section, frozen=True, kw_only=True):
    """Where the site is published."""

    target: Target | None = None
    """The kind of place that the site is published to; `folder` if it is left out, `s3` on AWS."""
    to: Place | None = None
    """A folder's path (else `sites/ID` in the data folder), for rsync `USER@HOST:FOLDER`, for `s3` a bucket's name."""
    url: WebAddress | None = None
    """The public address of the site, for links in answers; needed wherever others show it."""
    ssh_key_file: Path | None = None
    """For rsync: the private key, readable only by its owner and without a passphrase."""
    ssh_key_variable: Variable | None = None
    """The environment variable that holds that key; this or `ssh_key_file`."""
    known_hosts: Path | None = None
    """The servers that are believed to be who they say, in SSH's own format; else what this machine knows."""
    host_keys: tuple[HostKey, ...] = ()
    """The public keys of the server, such as `ssh-ed25519 AAAA…`; these or `known_hosts`."""

    def access(self, folder: Path) -> SshAccess:
        """Return what lets us in; relative places begin at the folder of the configuration file."""
        return SshAccess(
            str(folder / self.ssh_key_file) if self.ssh_key_file else None,
            str(self.ssh_key_variable) if self.ssh_key_variable else None,
            str(folder / self.known_hosts) if self.known_hosts else None,
            tuple(map(str, self.host_keys)),
        )


def complaints_about_site(site: SiteSection, path: KeyPath, *, own: Target) -> Iterator[tuple[KeyPath, str]]:
    """Say what does not fit together; `own` is what the engine itself has."""
    target = site.target or own
    if target is Target.FOLDER and own is not Target.FOLDER:
        yield (*path, "target"), f'must be "{own.value}", "rsync" or "git" with this `engine`'
    if target is Target.RSYNC:
        yield from _rsync(site, path)
    else:
        used = [name for name in _SSH if getattr(site, name)]
        yield from (((*path, name), 'is only for `target = "rsync"`; remove it') for name in used)
    if target is Target.S3 and own is Target.FOLDER and not _BUCKET.fullmatch(site.to or ""):
        yield (*path, "target"), 'is "s3", so `to` must be the name of a bucket such as "sites-of-amelia"'
    if target in {own, Target.GIT} - {Target.FOLDER} and site.to is not None:
        yield (*path, "to"), f'is not asked for with `target = "{target.value}"`; remove it'
    if target is not own and site.url is None:
        yield (*path, "target"), f'is "{target.value}", so `url` must say where visitors find the site'


def _rsync(site: SiteSection, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    for one, other in _EITHER:
        if getattr(site, one) and getattr(site, other):
            yield (*path, other), f"cannot stand beside `{one}`; remove one of them"
    if site.to is None:
        yield (*path, "target"), 'is "rsync", so `to` must name a folder such as "scott@www.example.com:sites/amelia"'
        return
    try:
        Remote.read(site.to)
    except ValueError as wrong:
        yield (*path, "to"), str(wrong)
