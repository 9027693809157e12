"""Sites by SFTP, with Debian's own server: a link, renamed folders or single files, and hosts that do not help."""

from __future__ import annotations

import getpass
import os
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.cli.inside import InsideProgram
from tests.remotes.hosting import Hosting, by_ssh, sftp_server
from tests.remotes.relay import cut_line
from tests.remotes.ssh_server import SshServer, make_key, ssh_server
from tests.rigs.embedded import with_place
from tests.unit.workspace.remote_repository import Remote as Repository
from webordinary.errors import Misconfigured, Outage, PublishFailed, TryAgain
from webordinary.routing.project import SshAccess
from webordinary.site.sites import Switched
from webordinary.site.targets.address import Remote
from webordinary.site.targets.sftp_client import open_sftp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    with ssh_server(tmp_path_factory.mktemp("ssh") / "sshd") as server:
        yield server


@pytest.mark.parametrize(
    ("denied", "way"),
    [
        ("posix-rename", Switched.SWITCHED),
        ("symlink", Switched.RENAMED),
        ("symlink,posix-rename", Switched.RENAMED),
        ("symlink,rename,posix-rename", Switched.FILE_BY_FILE),
    ],
)
def test_a_host_that_cannot_do_everything_gets_the_best_that_it_can(tmp_path: Path, denied: str, way: Switched) -> None:
    host = Hosting(tmp_path, sftp_server("-P", denied))
    for commit in ("c1", "c2", "c3"):
        host.write(f"{commit}.css", commit)
        assert host.publish(commit) == way
        assert host.shown() == host.wanted()
    assert host.sites().live("amelia") == "c3"


def test_an_account_that_is_nothing_but_the_site_keeps_our_files_from_visitors(tmp_path: Path) -> None:
    host = Hosting(tmp_path, sftp_server())
    host.docroot.mkdir()
    host.home.chmod(0o555)
    sites = host.sites()
    if os.geteuid() == 0:
        # Nothing keeps root from writing beside the site, except that there is nothing beside it.
        host.home.chmod(0o755)
        host.docroot = host.home
        sites = type(sites)(sftp_server("-d", str(host.home)), ".", "auto", "amelia@host")
    for commit in ("c1", "c2"):
        assert host.publish(commit, sites=sites) == Switched.FILE_BY_FILE
        assert host.shown() == host.wanted()
    assert "denied" in (host.docroot / ".webordinary" / ".htaccess").read_text()
    host.home.chmod(0o755)


def test_a_folder_of_others_in_the_place_of_a_page_is_told_and_kept(tmp_path: Path) -> None:
    host = Hosting(tmp_path, sftp_server(), "files")
    host.publish("c1")
    (host.docroot / "blog").mkdir()
    (host.docroot / "blog" / "wordpress.php").write_text("theirs")
    host.write("blog", "a page")
    with pytest.raises(PublishFailed, match="blog at the host is a folder with files of others"):
        host.publish("c2")
    assert (host.docroot / "blog" / "wordpress.php").read_text() == "theirs"


def test_by_ssh_with_a_known_server_a_site_goes_live(tmp_path: Path, server: SshServer) -> None:
    host = Hosting(tmp_path, by_ssh(server))
    host.write("photo.jpg", "x" * 3_000_000)
    assert host.publish("c1") == Switched.SWITCHED
    assert host.shown() == host.wanted()


def test_a_server_that_is_not_the_known_one_gets_nothing(tmp_path: Path, server: SshServer) -> None:
    make_key(tmp_path / "other")
    remote = Remote.read(server.address(tmp_path))
    stranger = SshAccess(str(server.key), host_keys=((tmp_path / "other.pub").read_text(encoding="ascii"),))
    with pytest.raises(Misconfigured, match=r"not known to us by its key; correct `site\.known_hosts`"):
        Hosting(tmp_path, lambda: open_sftp(remote, stranger)).publish("c1")
    known = SshAccess(str(server.key), known_hosts=str(server.known_hosts))
    wrong_key = replace(known, ssh_key_file=str(tmp_path / "other"))
    with pytest.raises(Misconfigured, match=r"does not let us in; correct `site\.ssh_key_file`"):
        Hosting(tmp_path, lambda: open_sftp(remote, wrong_key)).publish("c1")
    away = Remote.read("ssh://scott@127.0.0.1:1/srv")
    with pytest.raises(Outage, match="cannot be reached now"):
        Hosting(tmp_path, lambda: open_sftp(away, known)).publish("c1")


def test_a_line_that_is_cut_in_a_file_is_tried_again_and_goes_on(tmp_path: Path, server: SshServer) -> None:
    host = Hosting(tmp_path, by_ssh(server))
    host.write("photo.jpg", "x" * 3_000_000)
    access = SshAccess(ssh_key_file=str(server.key), host_keys=(server.host_key,))
    with cut_line(server.port, 1_000_000) as port:
        remote = Remote.read(f"ssh://{getpass.getuser()}@127.0.0.1:{port}/unused")
        with pytest.raises(Outage, match="cannot be reached now"):
            host.publish("c1", sites=host.sites(partial(open_sftp, remote, access)))
    assert not host.docroot.exists()
    assert host.publish("c1") == Switched.SWITCHED
    assert host.shown() == host.wanted()


def test_a_server_that_says_nothing_is_away(tmp_path: Path, server: SshServer) -> None:
    host = Hosting(tmp_path, by_ssh(server, timedelta(milliseconds=500)))
    with server.lets_run("cat > /dev/null"), pytest.raises(Outage, match="does not answer in time"):
        host.publish("c1")
    host = Hosting(tmp_path, by_ssh(server))
    with server.lets_run("echo Welcome to our host; cat > /dev/null"), pytest.raises(Misconfigured, match="greeting"):
        host.publish("c1")


@pytest.mark.thorough
def test_a_full_disk_there_switches_nothing(tmp_path: Path, server: SshServer) -> None:
    host = Hosting(tmp_path, by_ssh(server))
    host.publish("c1")
    host.write("photo.jpg", "x" * 3_000_000)
    small = f"bwrap --bind / / --dev-bind /dev /dev --size 300000 --tmpfs '{host.home}'"
    with (
        server.lets_run(f"{small} /usr/lib/openssh/sftp-server"),
        pytest.raises(TryAgain, match="look whether its disk is full"),
    ):
        host.publish("c2")
    assert host.shown()["index.html"] == "c1"


@pytest.mark.thorough
def test_the_doctor_says_how_visitors_will_see_a_switch(tmp_path: Path, server: SshServer) -> None:
    program = InsideProgram(tmp_path)
    program.run("init", "--domain", "edit.localhost")
    repository = Repository(tmp_path / "far").path
    program.run("project", "add", "amelia", "--from", str(repository), "--editor", "scott=scott@example.org")
    config = tmp_path / "webordinary.toml"
    elsewhere = f"""target = "sftp"
to = "{server.address(tmp_path / "public_html")}"
url = "https://www.bakery.example/"
ssh_key_file = "{server.key}"
host_keys = ["{server.host_key}"]
"""
    config.write_text(with_place(config.read_text(), elsewhere))
    assert "public_html, nothing is live yet; a link is switched" in program.run("doctor")
    (tmp_path / "public_html").mkdir()
    assert "folders are renamed: between two renames, for a moment, visitors find no site" in program.run("doctor")
    config.write_text(config.read_text().replace('target = "sftp"', 'target = "sftp"\nswitch = "files"'))
    assert "visitors may see old and new ones" in program.run("doctor")
    config.write_text(config.read_text().replace(str(tmp_path / "public_html"), "/proc/version/x"))
    assert "may not write there" in program.run("doctor", code=1)
    assert "/proc/version/x" in program.run("project", "list")


def test_a_line_break_in_a_name_travels_too(tmp_path: Path) -> None:
    host = Hosting(tmp_path, sftp_server())
    host.write("line\nbreak.html", "two lines")
    host.publish("c1")
    assert host.shown() == host.wanted()
