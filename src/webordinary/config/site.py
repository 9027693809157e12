"""The table of a project's site: the publish target, the place, and what lets us in there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import field

from webordinary.config.options import plain_options
from webordinary.routing.project import SiteTarget, SshAccess
from webordinary.site.targets.host_way import SwitchWay
from webordinary.site.targets.registry import TARGETS
from webordinary.values import HostKey, PublishPlace, Section, Variable, WebAddress, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config.lines import KeyPath

# Keys that every target has; each other key is read by those targets that name it.
_EVERYBODYS = frozenset({"target", "to", "url", "options"})


class TargetName(str):
    """The name of a publish target, built in or from outside."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> TargetName:
        return cls(TARGETS.checked(text_of(value)))


class SiteSection(Section, frozen=True, kw_only=True):
    """Where the site is published."""

    target: TargetName | None = None
    """The kind of place that the site is published to; `folder` if it is left out, `s3` on AWS."""
    to: PublishPlace | None = None
    """A folder (else `sites/ID` in the data folder), a bucket, `USER@HOST:FOLDER`, or `ftps://USER@HOST/FOLDER`."""
    url: WebAddress | None = None
    """The public address of the site, for links in answers; needed wherever others show it."""
    ssh_key_file: Path | None = None
    """For rsync and sftp: the private key, readable only by its owner and without a passphrase."""
    ssh_key_variable: Variable | None = None
    """The environment variable that holds that key; this or `ssh_key_file`."""
    known_hosts: Path | None = None
    """The servers that are believed to be who they say, in SSH's own format; else what this machine knows."""
    host_keys: tuple[HostKey, ...] = ()
    """The public keys of the server, such as `ssh-ed25519 AAAA…`; these or `known_hosts`."""
    password_file: Path | None = None
    """For ftps: a file that holds the password; this or `password_variable`."""
    password_variable: Variable | None = None
    """The environment variable that holds that password; this or `password_file`."""
    certificates: Path | None = None
    """For ftps: the authorities to believe, in PEM, for a server with a certificate of its own; else this machine's."""
    switch: SwitchWay | None = None
    """For sftp and ftps: how a release becomes live; `auto` if it is left out, the best that the host can do."""
    options: dict[str, Any] = field(default_factory=dict)
    """What a target from outside asks for, as its own documentation says."""

    def elsewhere(self, target: str, folder: Path) -> SiteTarget:
        """Return where the site is published; relative places begin at the folder of the configuration file."""
        return SiteTarget(
            target,
            str(self.to or ""),
            _text(self.url),
            SshAccess(
                _place(self.ssh_key_file, folder),
                _text(self.ssh_key_variable),
                _place(self.known_hosts, folder),
                tuple(map(str, self.host_keys)),
            ),
            password_file=_place(self.password_file, folder),
            password_variable=_text(self.password_variable),
            certificates=_place(self.certificates, folder),
            switch=(self.switch or SwitchWay.AUTO).value,
            options=plain_options(TARGETS.find(target).options, self.options, folder),
        )


def _place(path: Path | None, folder: Path) -> str | None:
    return None if path is None else str(folder / path)


def _text(value: str | None) -> str | None:
    # A store keeps projects, and knows none of our types.
    return None if value is None else str(value)


def complaints_about_site(site: SiteSection, path: KeyPath, *, own: str) -> Iterator[tuple[KeyPath, str]]:
    """Say what does not fit together; `own` is the target that the engine itself has."""
    name = str(site.target or own)
    yield from (((*path, key), why) for key, why in _not_for(site, name))
    with TARGETS.answering(name) as target:
        complaints = list(target.check(site, own=own))
    yield from (((*path, key), why) for key, why in complaints)
    if name != own and site.url is None:
        yield (*path, "target"), f'is "{name}", so `url` must say where visitors find the site'


def _not_for(site: SiteSection, name: str) -> Iterator[tuple[str, str]]:
    """Refuse keys that only other targets read."""
    readers = {other: TARGETS.find(other).keys for other in TARGETS.built_in}
    mine = readers.get(name) or TARGETS.find(name).keys
    for key in (key for key in site.__struct_fields__ if key not in mine | _EVERYBODYS and getattr(site, key)):
        others = " or ".join(f'`target = "{other}"`' for other, keys in readers.items() if key in keys)
        yield key, f"is only for {others}; remove it"
    if site.options and TARGETS.find(name).options is None:
        yield "options", f'is not asked for with `target = "{name}"`; remove it'
