"""Sites on other machines by rsync over SSH: a folder for each release there, and a link to the one that is live."""

from __future__ import annotations

import secrets
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webordinary.errors import LostOwnership, Misconfigured, PublishFailed, TryAgain
from webordinary.site.release.release import check_whole
from webordinary.site.sites import Release, Switched, checked_lane, checked_name, missing_release, needs_switch
from webordinary.site.targets.address import Remote, SshKeys, complaints_about_ssh
from webordinary.site.targets.keeping import too_old
from webordinary.site.targets.remote import Shell
from webordinary.site.targets.target import PublishTarget
from webordinary.variants import read_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webordinary.routing.project import Project, SiteTarget
    from webordinary.site.targets.target import EnginePlaces, SiteTable

_TRIES = 8
_STALE, _MOVED, _MISSING = 40, 41, 42

_TRY = """\
command -v rsync > /dev/null || { echo "rsync: not found" >&2; exit 1; }
mkdir -p "$1/releases"
: > "$1/releases/.tried"
rm "$1/releases/.tried"
"""
_LIVE = 'basename "$(readlink "$1/live" || true)"\n'
# What is a day old and has no name was left behind by a crash.
_PREPARE = """\
mkdir -p "$1/releases" "$1/.webordinary/fences"
cd "$1"
find releases -maxdepth 1 -name ".unfinished-*" -mmin +1440 -exec rm -rf {} +
if [ -d "releases/$2" ]; then echo there; else echo new; fi
basename "$(readlink live || true)"
"""
_NAME_IT = """\
cd "$1/releases"
touch "$2"
if [ -d "$3" ] || ! mv -T "$2" "$3"; then rm -rf "$2"; fi
[ -d "$3" ]
"""
# The lock keeps two of us apart while they look and change; where there is no flock the project's publish slot does.
_RAISE = f"""\
mkdir -p "$1/.webordinary/fences"
cd "$1"
if command -v flock > /dev/null; then exec 9> .webordinary/lock; flock -w 30 9; fi
fence=$(cat ".webordinary/fences/$2" 2> /dev/null || echo 0)
if [ "$fence" -gt "$3" ]; then exit {_STALE}; fi
if [ "$fence" -lt "$3" ]; then
    echo "$3" > ".webordinary/fences/.$2.new"
    mv -T ".webordinary/fences/.$2.new" ".webordinary/fences/$2"
fi
"""
# The link to the release before first: after a crash in between both name the live one, which is harmless.
_SWITCH = f"""\
{_RAISE}
live=$(basename "$(readlink live || true)")
if [ "$live" != "$5" ]; then exit {_MOVED}; fi
if [ ! -d "releases/$4" ]; then exit {_MISSING}; fi
if [ -n "$live" ]; then
    ln -sfn "../releases/$live" .webordinary/.previous.new
    mv -T .webordinary/.previous.new .webordinary/previous
fi
ln -sfn "releases/$4" .live.new
mv -T .live.new live
"""
_LIST = """\
mkdir -p "$1/releases"
cd "$1"
basename "$(readlink live || true)"
basename "$(readlink .webordinary/previous || true)"
for name in $(ls -1t releases); do stat -c "%Y %n" "releases/$name"; done
"""
# Renamed first: after a crash half a release must not carry the name of a whole one.
_REMOVE = """\
cd "$1/releases"
shift
for name in "$@"; do if [ -d "$name" ]; then mv -T "$name" ".removed-$name"; fi; done
rm -rf .removed-*
"""


class RsyncTarget(PublishTarget):
    """A folder of another machine, whose account has a plain shell."""

    options = SshKeys

    def check(self, site: SiteTable, *, own: str) -> Iterator[tuple[str, str]]:  # noqa: ARG002 - with every engine
        yield from complaints_about_ssh(site, "rsync")

    def describe(self, site: SiteTarget) -> str:
        return site.to

    def doctor(self, project: Project) -> str:
        if shutil.which("rsync") is None:
            raise Misconfigured("there is no program rsync: install it (on Debian and Ubuntu: apt install rsync)")
        sites = self._sites(project)
        sites.try_out()
        live = sites.live(project.id)
        return f"{project.site.to}, {f'{live[:9]} is live' if live else 'nothing is live yet'}"

    def publish(self, project: Project, engine: EnginePlaces) -> RsyncSites:  # noqa: ARG002 - not in the engine's hands
        return self._sites(project)

    def _sites(self, project: Project) -> RsyncSites:
        access = read_options(SshKeys, project.site.options).access
        return RsyncSites(Shell(Remote.read(project.site.to), access))


class RsyncSites:
    """One project's releases in a folder of another machine; what has a name there is complete."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def add_release(self, project: str, commit: str, built: Path) -> None:  # noqa: ARG002 - as the port names it
        check_whole(built, PublishFailed)
        _, (known, live) = self._shell.ask(_PREPARE, checked_name(commit))
        if known == "there":
            return
        unfinished = f".unfinished-{secrets.token_hex(6)}"
        self._shell.send(built, f"{self._shell.remote.path}/releases/{unfinished}", live or None)
        self._shell.ask(_NAME_IT, unfinished, commit)

    def switch_live(
        self, project: str, commit: str, *, lane: str, fence: int, descends: Callable[[str, str], bool]
    ) -> Switched:
        for _ in range(_TRIES):
            live = self.live(project)
            if not needs_switch(commit, live, descends):
                self.advance_fence(project, lane, fence)
                return Switched.ALREADY_LIVE
            if self._switch(commit, live or "", lane, fence):
                return Switched.SWITCHED
        raise TryAgain(f"what is live at {self._shell.remote.login} is being changed by others all the time")

    def advance_fence(self, project: str, lane: str, fence: int) -> None:  # noqa: ARG002 - as the port names it
        code, _ = self._shell.ask(_RAISE, checked_lane(lane), str(fence), may_say=frozenset({_STALE}))
        if code == _STALE:
            raise LostOwnership(f"a newer owner of {lane} has published already")

    def live(self, project: str) -> str | None:  # noqa: ARG002 - as the port names it
        _, lines = self._shell.ask(_LIVE)
        return lines[0] if lines and lines[0] else None

    def remove_old(self, project: str, *, keep: int) -> None:  # noqa: ARG002 - as the port names it
        live, previous, newest_first = self._list()
        names = [release.commit for release in newest_first]
        removed = too_old(names, live=live or None, previous=previous or None, keep=keep)
        if removed:
            self._shell.ask(_REMOVE, *map(checked_name, removed))

    def releases(self, project: str) -> tuple[Release, ...]:  # noqa: ARG002 - as the port names it
        return self._list()[2]

    def try_out(self) -> None:
        """Do nothing there but see that a release could be laid."""
        self._shell.ask(_TRY)

    def _list(self) -> tuple[str, str, tuple[Release, ...]]:
        _, (live, previous, *lines) = self._shell.ask(_LIST)
        found = (line.split(" releases/", 1) for line in lines)
        return live, previous, tuple(Release(name, datetime.fromtimestamp(int(at), UTC)) for at, name in found)

    def _switch(self, commit: str, live: str, lane: str, fence: int) -> bool:
        """Switch from exactly what we saw; False when somebody else was faster."""
        words = (checked_lane(lane), str(fence), checked_name(commit), live)
        code, _ = self._shell.ask(_SWITCH, *words, may_say=frozenset({_STALE, _MOVED, _MISSING}))
        if code == _STALE:
            raise LostOwnership(f"a newer owner of {lane} has published already")
        if code == _MISSING:
            raise missing_release(commit)
        return code == 0
