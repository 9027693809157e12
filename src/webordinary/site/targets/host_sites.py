"""Sites in the folder of a hosting account: a complete release beside the live one and a switch, else file by file.

Nobody at the host compares and switches for us, as a shell does for rsync. What takes the place of a lock is a *turn*:
a folder of its own name into which a publisher first moves what is to become live. A publisher that begins a turn takes
everything out of all others, so that a former owner finds nothing any more that it could put into place.
"""

from __future__ import annotations

import secrets
from abc import abstractmethod
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured, PublishFailed, TryAgain
from webordinary.site.release.release import check_whole, told_plainly
from webordinary.site.release.tree import files_of
from webordinary.site.sites import Release, Switched, checked_name, missing_release, needs_switch
from webordinary.site.targets.host_account import MARKER, HostAccount
from webordinary.site.targets.host_files import HostRefused, NotAllowed, joined, tree_of
from webordinary.site.targets.host_manifest import KnownFile, Manifest, knowledge_of
from webordinary.site.targets.host_switch import Switching
from webordinary.site.targets.host_upload import Upload, stamped
from webordinary.site.targets.host_way import SEEN, SwitchWay, choose_way
from webordinary.site.targets.target import PublishTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from webordinary.routing.project import Project, SiteTarget
    from webordinary.site.targets.host_files import HostFiles
    from webordinary.site.targets.target import EnginePlaces

    Connect = Callable[[], AbstractContextManager[HostFiles]]

_PAGES = (".html", ".htm", ".xhtml", ".php")


class HostedSites:
    """One project's site at a host; `connect` opens one connection for each thing that is done."""

    def __init__(self, connect: Connect, to: str, wanted: str, login: str) -> None:
        self._connect = connect
        self._to = to
        self._wanted = wanted
        self._login = login

    def add_release(self, project: str, commit: str, built: Path) -> None:  # noqa: ARG002 - as the port names it
        check_whole(built, PublishFailed)
        with told_plainly(built):
            local = {file.name: file.path for file in files_of(built) if not _is_ours(file.name)}
            wanted = {path: knowledge_of(place) for path, place in local.items()}
        with self._account(make=True) as account:
            account.files.refuse_names(local)
            if account.release(checked_name(commit)) is None:
                self._lay(account, commit, local, wanted)

    def switch_live(
        self,
        project: str,  # noqa: ARG002 - as the port names it
        commit: str,
        *,
        lane: str,
        fence: int,
        descends: Callable[[str, str], bool],
    ) -> Switched:
        with self._account(make=True) as account, account.turn() as turn, _fenced(account, lane, fence):
            live = account.live()
            if not needs_switch(commit, live, descends):
                return Switched.ALREADY_LIVE
            release = account.release(checked_name(commit))
            if release is None:
                raise missing_release(commit)
            return Switching(account, turn, release).carry_out(choose_way(account, self._wanted))

    def advance_fence(self, project: str, lane: str, fence: int) -> None:  # noqa: ARG002 - as the port names it
        with self._account(make=True) as account:
            account.raise_fence(lane, fence)
            # Nobody of yesterday may find what it was about to put into place.
            account.end_turns()

    def live(self, project: str) -> str | None:  # noqa: ARG002 - as the port names it
        with self._account(make=False) as account:
            return account.live()

    def releases(self, project: str) -> tuple[Release, ...]:  # noqa: ARG002 - as the port names it
        with self._account(make=False) as account:
            return tuple(Release(each.commit, datetime.fromisoformat(each.added_at)) for each in account.kept())

    def remove_old(self, project: str, *, keep: int) -> None:  # noqa: ARG002 - two are kept, whatever is wished
        with self._account(make=True) as account:
            account.remove_leftovers()

    def try_out(self) -> tuple[SwitchWay, str | None]:
        """See that a release could be laid, and return how it would be switched and what is live."""
        with self._account(make=True) as account:
            tried = joined(account.own, f".tried-{secrets.token_hex(6)}")
            account.files.write(tried, b"tried\n")
            account.files.remove(tried)
            return choose_way(account, self._wanted), account.live()

    def _lay(self, account: HostAccount, commit: str, local: dict[str, Path], wanted: dict[str, KnownFile]) -> None:
        way = choose_way(account, self._wanted)
        files, now = account.files, datetime.now(UTC).isoformat()
        old, there = account.site_manifest(), {}
        changed = wanted
        if way is SwitchWay.FILES:
            there = tree_of(files, account.to, leaves_out=account.inside)
            changed = {path: known for path, known in wanted.items() if not old.vouches(path, known, there.get(path))}
        folder, known = account.begin_upload()
        arrived = Upload(files, folder, f"{folder}.json").fill(local, changed, known)
        if way is not SwitchWay.FILES:
            files.write(joined(folder, MARKER), commit.encode())
        unchanged = stamped([path for path in wanted if path not in changed], wanted, there)
        release = Manifest(commit, now, "", {**unchanged, **arrived}, _in_order(changed))
        deletes = tuple(sorted({*old.files, *old.moves} - wanted.keys()))
        account.name_release(folder, replace(release, deletes=deletes))

    @contextmanager
    def _account(self, *, make: bool) -> Iterator[HostAccount]:
        with self._connect() as files:
            try:
                account = HostAccount.find(files, self._to, make=make)
            except HostRefused as problem:
                raise self._forbidden(problem) from problem
            try:
                yield account
            except NotAllowed as problem:
                raise self._forbidden(problem) from problem

    def _forbidden(self, problem: HostRefused) -> Misconfigured:
        return Misconfigured(
            f"{self._login} may not write there ({problem}); correct its rights at the host, or `site.to`."
        )


class HostedTarget(PublishTarget):
    """A target whose place is a hosting account; it has to say only how the account is opened."""

    @abstractmethod
    def sites(self, site: SiteTarget) -> HostedSites:
        """Return the account's folder."""

    def describe(self, site: SiteTarget) -> str:
        return site.to

    def doctor(self, project: Project) -> str:
        return seen_by_doctor(self.sites(project.site), self.describe(project.site))

    def publish(self, project: Project, engine: EnginePlaces) -> HostedSites:  # noqa: ARG002 - not the engine's
        return self.sites(project.site)


def seen_by_doctor(sites: HostedSites, place: str) -> str:
    """Try a place out, and return what was seen there and how visitors will see a switch."""
    way, live = sites.try_out()
    return f"{place}, {f'{live[:9]} is live' if live else 'nothing is live yet'}; {SEEN[way]}"


@contextmanager
def _fenced(account: HostAccount, lane: str, fence: int) -> Iterator[None]:
    """Show our fence, and once more when something goes wrong: a newer owner may be the reason."""
    account.raise_fence(lane, fence)
    try:
        yield
    except (TryAgain, PublishFailed):
        account.raise_fence(lane, fence)
        raise


def _is_ours(name: str) -> bool:
    return name.split("/", maxsplit=1)[0].startswith(".webordinary")


def _in_order(paths: dict[str, KnownFile]) -> tuple[str, ...]:
    """Return pages last: a visitor of a new page finds all that it needs."""
    return tuple(sorted(paths, key=lambda path: (path.lower().endswith(_PAGES), path)))
