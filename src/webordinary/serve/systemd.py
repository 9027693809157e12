"""Files for systemd: a service with a user of its own, as closed as the sandbox of the agents lets it be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.mail.door import DOORS
from webordinary.values import CONTROL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from webordinary.config import Config

USER = "webordinary"
# Longer than draining and the last publish together; systemd's own patience is longer than that.
_MARGIN_SECONDS = 20

_SERVICE = """\
# Written by `webordinary init --systemd` for {path}; write it again after a project with a new folder.
[Unit]
Description=WebOrdinary for {domain}
Wants=network-online.target
After=network-online.target

[Service]
User={user}
Group={user}
UMask=0027
ExecStart={program} --config {file} serve
Restart=on-failure
RestartSec=5
# Only the supervisor gets the signal; it drains its workers itself.
KillMode=mixed
TimeoutStopSec={stop}

# The whole machine is read-only, but for these.
ProtectSystem=strict
ProtectHome=read-only
{writable}
PrivateTmp=yes
PrivateDevices=yes
ProtectControlGroups=yes
ProtectKernelModules=yes
ProtectClock=yes
CapabilityBoundingSet=
NoNewPrivileges=yes
RestrictSUIDSGID=yes
RestrictRealtime=yes
LockPersonality=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=~@clock @cpu-emulation @module @obsolete @raw-io @reboot @swap
SystemCallErrorNumber=EPERM
# Left out on purpose, because the sandbox makes namespaces of its own, with a /proc and a host name in them:
# RestrictNamespaces, ProtectKernelTunables, ProtectKernelLogs, ProtectProc, ProcSubset, ProtectHostname, PrivateUsers.
# Site generators translate code while they run: MemoryDenyWriteExecute. bubblewrap refuses AmbientCapabilities.

[Install]
WantedBy=multi-user.target
"""


def service_unit(config: Config, program: Sequence[str], user: str = USER) -> str:
    """Return the unit of the service; `program` is how the command line is started."""
    drain = config.limits.drain + config.limits.drain_committing
    return _SERVICE.format(
        path=_word(config.path),
        file=_command_word(config.path),
        domain=config.domain,
        user=user,
        program=" ".join(map(_command_word, program)),
        stop=round(drain.total_seconds()) + _MARGIN_SECONDS,
        # The dash: a folder that is not there yet is no reason not to start.
        writable="\n".join(f"ReadWritePaths=-{_word(place)}" for place in writable_places(config)),
    )


def sysusers(config: Config, user: str = USER) -> str:
    """Return the line that makes the user, for systemd-sysusers."""
    return f'u {user} - "WebOrdinary" {_word(config.data)} /usr/sbin/nologin\n'


def writable_places(config: Config) -> list[Path]:
    """Return the folders that the service writes to: its data, sites, a maildir, and where a socket is made."""
    found = [place for place in _places(config) if not place.is_relative_to(config.data)]
    return [config.data, *dict.fromkeys(found)]


def _places(config: Config) -> Iterator[Path]:
    yield from config.site_folders.values()
    if config.outgoing.path is not None:
        yield config.outgoing.path
    for door in config.doors:
        yield from (place.parent for place in DOORS.find(door.kind).meeting_places(door.options))


def low_ports(config: Config) -> list[int]:
    """Return the ports that only root may listen at."""
    doors = [door.options for door in config.doors if getattr(door.options, "socket", None) is None]
    listens = [
        config.preview.listen,
        config.dashboard.listen,
        *(each.listen for each in doors if hasattr(each, "listen")),
    ]
    return sorted({each[1] for each in listens if 0 < each[1] < _FIRST_OF_EVERYBODY})


_FIRST_OF_EVERYBODY = 1024
# What means nothing else to systemd.
_PLAIN = re.compile(r"[A-Za-z0-9/._:=@+,-]+", re.ASCII)


def _word(text: object) -> str:
    """Write a word so that systemd reads it as it is."""
    plain = str(text)
    if CONTROL.search(plain):
        # It would be a line of its own.
        raise Misconfigured(f"systemd cannot name {plain!r}: it has a control character; give the folder another name.")
    escaped = plain.replace("\\", "\\\\").replace("%", "%%").replace('"', '\\"')
    return escaped if _PLAIN.fullmatch(plain) else f'"{escaped}"'


def _command_word(text: object) -> str:
    """Write a word of a command, in which systemd would put variables."""
    return _word(text).replace("$", "$$")
