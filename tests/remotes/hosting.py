"""A hosting account: the folder that visitors see, one site that is built again and again, and lines that are cut."""

from __future__ import annotations

import getpass
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tests.programs import need
from tests.remotes.ftp_server import PASSWORD
from webordinary.errors import TryAgain
from webordinary.routing.project import SshAccess
from webordinary.site.targets.address import FtpsPlace, Remote
from webordinary.site.targets.ftps_client import FtpsLogin, open_ftps
from webordinary.site.targets.host_sites import HostedSites
from webordinary.site.targets.sftp_client import open_sftp, talk_sftp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from tests.remotes.ftp_server import FtpServer
    from tests.remotes.ssh_server import SshServer
    from webordinary.site.sites import Switched

Connect: TypeAlias = "Callable[[], AbstractContextManager[Any]]"
LANE = "amelia#scott"
STALLED = timedelta(seconds=20)


def later(new: str, old: str) -> bool:
    """Say whether a commit builds on another: in these tests commits are c1, c2 and so on, and x is of nobody."""
    return "x" not in new + old and new >= old


@dataclass
class Hosting:
    """What the agency has rented, and what it publishes there."""

    folder: Path
    connect: Connect
    switch: str = "auto"
    built: Path = field(init=False)
    docroot: Path = field(init=False)

    def __post_init__(self) -> None:
        self.home = self.folder / "home"
        self.docroot = self.home / "public_html"
        self.built = self.folder / "built"
        self.home.mkdir(exist_ok=True)
        self.write("style.css", "h1 {}" * 100)
        self.write("über uns/-rf & more.html", "about")

    @property
    def own(self) -> Path:
        beside, inside = self.home / ".webordinary-public_html", self.docroot / ".webordinary"
        return inside if inside.exists() else beside

    def write(self, name: str, text: str) -> None:
        (self.built / name).parent.mkdir(parents=True, exist_ok=True)
        (self.built / name).write_text(text)

    def sites(self, connect: Connect | None = None) -> HostedSites:
        return HostedSites(connect or self.connect, str(self.docroot), self.switch, "amelia@host")

    def publish(self, commit: str, *, fence: int = 1, sites: HostedSites | None = None) -> Switched:
        self.write("index.html", commit)
        used = sites or self.sites()
        used.add_release("amelia", commit, self.built)
        switched = used.switch_live("amelia", commit, lane=LANE, fence=fence, descends=later)
        used.remove_old("amelia", keep=2)
        return switched

    def shown(self) -> dict[str, str]:
        """What visitors can see, without what is ours."""
        files = [path for path in self.docroot.rglob("*") if path.is_file()]
        inside = {str(path.relative_to(self.docroot)): path.read_text() for path in files}
        return {name: text for name, text in inside.items() if not name.startswith(".webordinary")}

    def wanted(self) -> dict[str, str]:
        files = [path for path in self.built.rglob("*") if path.is_file()]
        return {str(path.relative_to(self.built)): path.read_text() for path in files}


def by_ssh(server: SshServer, stalled: timedelta = STALLED) -> Connect:
    """Connect as the product does."""
    access = SshAccess(ssh_key_file=str(server.key), known_hosts=str(server.known_hosts))
    remote = Remote.read(f"ssh://{getpass.getuser()}@127.0.0.1:{server.port}/unused")
    return partial(open_sftp, remote, access, stalled)


def by_ftps(server: FtpServer, stalled: timedelta = STALLED) -> Connect:
    """Connect as the product does."""
    place = FtpsPlace.read(server.address(Path("/unused")))
    login = FtpsLogin(place, lambda: PASSWORD, server.certificates)
    return partial(open_ftps, login, stalled)


def sftp_server(*options: str) -> Connect:
    """Talk to Debian's server without SSH between us, which takes milliseconds."""
    return partial(talk_sftp, [need("sftp-server"), *options], "amelia@host", STALLED)


class Dying:
    """A connection that is cut after so many questions: whoever dies there does nothing more, and cleans nothing up."""

    def __init__(self, connect: Connect, left: int) -> None:
        self._connect = connect
        self.left = left
        self.sent: list[str] = []

    def meanwhile(self) -> None:
        raise TryAgain("the connection is cut")

    @contextmanager
    def __call__(self) -> Iterator[Any]:
        with self._connect() as files:
            yield _Counting(files, self)


class Sleeping(Dying):
    """A connection whose owner sleeps once, for as long as something else takes, and then goes on."""

    def __init__(self, connect: Connect, left: int, dream: Callable[[], object]) -> None:
        super().__init__(connect, left)
        self._dream = dream
        self.slept = False

    def meanwhile(self) -> None:
        self.left, self.slept = 100_000, True
        self._dream()


class _Counting:
    def __init__(self, files: Any, dying: Dying) -> None:  # noqa: ANN401 - any connection
        self._files = files
        self._dying = dying

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the connection has
        found = getattr(self._files, name)
        if not callable(found):
            return found

        def ask(*words: object) -> object:
            if self._dying.left <= 0:
                self._dying.meanwhile()
            self._dying.left -= 1
            if name == "send":
                self._dying.sent.append(Path(str(words[0])).name)
            return found(*words)

        return ask
