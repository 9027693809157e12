"""Sites by rsync over SSH, with Debian's own sshd and rsync on loopback."""

from __future__ import annotations

import getpass
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.inside import InsideProgram
from tests.programs import need
from tests.remotes.ssh_server import SshServer, make_key, ssh_server
from tests.rigs.embedded import with_place
from tests.unit.workspace.remote_repository import Remote as Repository
from webordinary.errors import LostOwnership, Misconfigured, Outage, PublishFailed, TryAgain
from webordinary.routing.project import SshAccess
from webordinary.site.sites import Switched
from webordinary.site.targets.address import Remote
from webordinary.site.targets.remote import Shell
from webordinary.site.targets.rsync import RsyncSites

if TYPE_CHECKING:
    from collections.abc import Iterator

LANE = "amelia#scott"


class Host:
    """A freelancer's host: an account on another machine with a folder for one site."""

    def __init__(self, folder: Path, server: SshServer) -> None:
        self.folder = folder
        self.server = server
        self.target = folder / "host" / "sites of amelia"
        self.access = SshAccess(ssh_key_file=str(server.key), known_hosts=str(server.known_hosts))
        self.built = folder / "built"
        self.write("style.css", "h1 {}" * 100)
        (folder / "host").mkdir()

    def write(self, name: str, text: str) -> None:
        (self.built / name).parent.mkdir(parents=True, exist_ok=True)
        (self.built / name).write_text(text)

    def sites(self, access: SshAccess | None = None, path: Path | None = None) -> RsyncSites:
        address = f"ssh://{getpass.getuser()}@127.0.0.1:{self.server.port}{path or self.target}"
        return RsyncSites(Shell(Remote.read(address), access or self.access))

    def publish(self, commit: str, *, fence: int = 1) -> Switched:
        self.write("index.html", commit)
        self.sites().add_release("amelia", commit, self.built)
        return self.switch(commit, fence=fence)

    def switch(self, commit: str, *, fence: int = 1, lane: str = LANE) -> Switched:
        return self.sites().switch_live("amelia", commit, lane=lane, fence=fence, descends=later)

    def seen(self) -> str:
        return (self.target / "live" / "index.html").read_text()

    def releases(self) -> set[str]:
        return {path.name for path in (self.target / "releases").iterdir()}


def later(new: str, old: str) -> bool:
    return "x" not in new + old and new >= old


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    need("rsync")
    with ssh_server(tmp_path_factory.mktemp("ssh") / "sshd") as server:
        yield server


@pytest.fixture
def host(tmp_path: Path, server: SshServer) -> Host:
    return Host(tmp_path, server)


def test_a_release_is_seen_after_the_switch_and_shares_what_did_not_change(host: Host) -> None:
    assert host.sites().live("amelia") is None
    assert host.publish("c1") == Switched.SWITCHED
    assert host.publish("c2") == Switched.SWITCHED
    assert (host.sites().live("amelia"), host.seen()) == ("c2", "c2")
    assert (host.target / "live").readlink().parts == ("releases", "c2")
    assert (host.target / ".webordinary" / "previous" / "index.html").read_text() == "c1"
    kept, changed = (host.target / "releases" / "c1" / name for name in ("style.css", "index.html"))
    assert (kept.stat().st_nlink, changed.stat().st_nlink, changed.read_text()) == (2, 1, "c1")
    assert kept.stat().st_mode & 0o777 == 0o444
    assert host.publish("c2") == Switched.ALREADY_LIVE


@pytest.mark.thorough
def test_live_moves_only_forward_and_only_for_the_newest_owner(host: Host) -> None:
    host.publish("c2", fence=1 << 40)
    for commit in ("c1", "c3", "x9"):
        (host.target / "releases" / commit).mkdir()
    assert host.switch("c1", fence=1 << 40) == Switched.ALREADY_LIVE
    with pytest.raises(PublishFailed, match="does not build on what is live"):
        host.switch("x9", fence=1 << 40)
    with pytest.raises(LostOwnership):
        host.switch("c3", fence=(1 << 40) - 1)
    with pytest.raises(LostOwnership):
        host.sites().advance_fence("amelia", LANE, 3)
    with pytest.raises(PublishFailed, match="is missing"):
        host.switch("c8", fence=1 << 40)
    assert host.seen() == "c2"
    assert host.switch("c3", lane="amelia#mary") == Switched.SWITCHED


@pytest.mark.thorough
def test_who_switches_from_what_is_live_no_more_decides_again(host: Host) -> None:
    for commit in ("c1", "c2", "c3"):
        (host.target / "releases" / commit).mkdir(parents=True)
    (host.target / "live").symlink_to("releases/c1")

    def overtaken(new: str, old: str) -> bool:
        if (new, old) == ("c2", "c1"):
            (host.target / "live").unlink()
            (host.target / "live").symlink_to("releases/c3")
        return later(new, old)

    switched = host.sites().switch_live("amelia", "c2", lane=LANE, fence=1, descends=overtaken)
    assert (switched, host.sites().live("amelia")) == (Switched.ALREADY_LIVE, "c3")


def test_old_releases_go_and_neither_the_live_one_nor_the_one_before_it(host: Host) -> None:
    for number in range(1, 6):
        (host.target / "releases" / f"c{number}").mkdir(parents=True)
        os.utime(host.target / "releases" / f"c{number}", (number, number))
    (host.target / "live").symlink_to("releases/c4")
    (host.target / ".webordinary").mkdir()
    (host.target / ".webordinary" / "previous").symlink_to("../releases/c2")
    host.sites().remove_old("amelia", keep=1)
    assert host.releases() == {"c2", "c4", "c5"}


def test_what_leads_out_of_the_site_is_not_sent(host: Host) -> None:
    (host.built / "passwords.txt").symlink_to("/etc/passwd")
    with pytest.raises(PublishFailed, match=r"passwords\.txt .* leads out"):
        host.publish("c2")
    assert not host.target.exists()


@pytest.mark.parametrize("name", ["..", "a b", "$(id)", ".x", ""])
def test_no_name_reaches_the_shell_that_could_mean_something_there(tmp_path: Path, name: str) -> None:
    nowhere = RsyncSites(Shell(Remote.read("scott@127.0.0.1:x"), SshAccess()))
    with pytest.raises(PublishFailed):
        nowhere.add_release("amelia", name, tmp_path)
    with pytest.raises(PublishFailed):
        nowhere.advance_fence("amelia", f"amelia#{name}", 1)


def test_a_server_that_is_not_the_known_one_gets_nothing(host: Host, tmp_path: Path) -> None:
    make_key(tmp_path / "other")
    stranger = SshAccess(str(host.server.key), host_keys=((tmp_path / "other.pub").read_text(encoding="ascii"),))
    with pytest.raises(Misconfigured, match=r"not known to us by its key; correct `site\.known_hosts`"):
        host.sites(stranger).add_release("amelia", "c1", host.built)
    wrong_key = replace(host.access, ssh_key_file=str(tmp_path / "other"))
    with pytest.raises(Misconfigured, match=r"does not let us in; correct `site\.ssh_key_file`"):
        host.sites(wrong_key).add_release("amelia", "c1", host.built)
    assert not host.target.exists()


@pytest.mark.thorough
def test_the_doctor_finds_a_place_that_can_be_used_and_one_that_cannot(host: Host, tmp_path: Path) -> None:
    program = InsideProgram(tmp_path)
    program.run("init", "--domain", "edit.localhost")
    repository = Repository(tmp_path / "far").path
    program.run("project", "add", "amelia", "--from", str(repository), "--editor", "scott=scott@example.org")
    config = tmp_path / "webordinary.toml"
    address = f"ssh://{getpass.getuser()}@127.0.0.1:{host.server.port}"
    elsewhere = f"""target = "rsync"
to = "{address}{host.target}"
url = "https://www.bakery.example/"
ssh_key_file = "{host.server.key}"
known_hosts = "{host.server.known_hosts}"
"""
    config.write_text(with_place(config.read_text(), elsewhere))
    assert f"{host.target}, nothing is live yet" in program.run("doctor")
    assert list((host.target / "releases").iterdir()) == []
    config.write_text(config.read_text().replace(str(host.target), "/proc/version"))
    assert "may not write into /proc/version" in program.run("doctor", code=1)


def test_a_server_that_is_away_is_tried_again(host: Host, tmp_path: Path) -> None:
    away = RsyncSites(Shell(Remote.read("ssh://scott@127.0.0.1:1/srv"), host.access))
    with pytest.raises(Outage, match="cannot be reached now"):
        away.add_release("amelia", "c1", tmp_path / "built")


def test_a_folder_that_we_may_not_write_into_is_named(host: Host) -> None:
    # Nobody may write there, not even root.
    with pytest.raises(Misconfigured, match=r"may not write into /proc/version/x; correct its rights"):
        host.sites(path=Path("/proc/version/x")).add_release("amelia", "c1", host.built)


@pytest.mark.thorough
def test_a_full_disk_there_switches_nothing_and_leaves_no_release(host: Host) -> None:
    host.publish("c1")
    host.write("photo.jpg", "x" * 400_000)
    small = f"bwrap --bind / / --dev-bind /dev /dev --size 300000 --tmpfs '{host.target}/releases'"
    with host.server.lets_run(f'{small} sh -c \\"$SSH_ORIGINAL_COMMAND\\"'):
        with pytest.raises(TryAgain, match=r"127\.0\.0\.1 .*\bfull"):
            host.publish("c2")
        assert host.sites().live("amelia") == "c1"
    assert (host.releases(), host.seen()) == ({"c1"}, "c1")


def test_an_account_without_a_shell_is_named(host: Host) -> None:
    only_rsync = host.server.lets_run("echo only rsync is allowed >&2; exit 1")
    with only_rsync, pytest.raises(Misconfigured, match="runs no shell"):
        host.sites().add_release("amelia", "c1", host.built)
