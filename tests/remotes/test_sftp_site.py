"""Sites by SFTP, with Debian's own server: a link, renamed folders or single files, and hosts that do not help."""

from __future__ import annotations

import getpass
import json
import os
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.cli.inside import InsideProgram
from tests.remotes.hosting import LANE, Dying, Hosting, Sleeping, by_ssh, later, sftp_server
from tests.remotes.relay import cut_line
from tests.remotes.ssh_server import SshServer, make_key, ssh_server
from tests.rigs.embedded import with_place
from tests.unit.workspace.remote_repository import Remote as Repository
from webordinary.errors import LostOwnership, Misconfigured, PublishFailed, TryAgain
from webordinary.routing.project import SshAccess
from webordinary.site.sites import Switched
from webordinary.site.targets.address import Remote
from webordinary.site.targets.sftp_client import open_sftp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BY_WAY = {"link": Switched.SWITCHED, "rename": Switched.RENAMED, "files": Switched.FILE_BY_FILE}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    with ssh_server(tmp_path_factory.mktemp("ssh") / "sshd") as server:
        yield server


@pytest.fixture(params=BY_WAY)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Hosting:
    host = Hosting(tmp_path, sftp_server(), request.param)
    if request.param != "link":
        host.docroot.mkdir()
        (host.docroot / "of-the-host.txt").write_text("stays")
    return host


def without_strangers(shown: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in shown.items() if name != "of-the-host.txt"}


def test_a_site_is_seen_after_the_switch_and_again_after_a_change(host: Hosting) -> None:
    assert host.sites().live("amelia") is None
    assert host.publish("c1") == BY_WAY[host.switch]
    assert without_strangers(host.shown()) == host.wanted()
    (host.built / "style.css").unlink()
    host.write("news/today.html", "new")
    assert host.publish("c2") == BY_WAY[host.switch]
    assert without_strangers(host.shown()) == host.wanted()
    assert host.sites().live("amelia") == "c2"
    assert next(release.commit for release in host.sites().releases("amelia")) == "c2"
    assert host.publish("c2") == Switched.ALREADY_LIVE


def test_live_moves_only_forward_and_only_for_the_newest_owner(host: Hosting) -> None:
    host.publish("c2", fence=1 << 40)
    assert host.publish("c1", fence=1 << 40) == Switched.ALREADY_LIVE
    with pytest.raises(PublishFailed, match="does not build on what is live"):
        host.publish("x9", fence=1 << 40)
    with pytest.raises(LostOwnership):
        host.publish("c3", fence=(1 << 40) - 1)
    with pytest.raises(LostOwnership):
        host.sites().advance_fence("amelia", LANE, 3)
    with pytest.raises(PublishFailed, match="is missing"):
        host.sites().switch_live("amelia", "c8", lane="amelia#mary", fence=1, descends=later)
    assert host.shown()["index.html"] == "c2"
    assert host.sites().switch_live("amelia", "c3", lane="amelia#mary", fence=1, descends=later) == BY_WAY[host.switch]


def test_what_the_host_had_before_us_is_never_lost(host: Hosting) -> None:
    for commit in ("c1", "c2", "c3", "c4"):
        host.publish(commit)
    if host.switch != "link":
        (kept,) = host.home.rglob("of-the-host.txt")
        assert kept.read_text() == "stays"


def test_only_what_changed_travels(host: Hosting) -> None:
    host.publish("c1")
    host.publish("c2")
    counting = Dying(host.connect, 100_000)
    host.publish("c3", sites=host.sites(counting))
    assert counting.sent == ["index.html"]


@pytest.mark.thorough
def test_wherever_a_worker_dies_the_next_one_ends_right(host: Hosting) -> None:
    host.publish("c1001")
    host.publish("c1002")
    host.write("news/today.html", "new")
    (host.built / "style.css").unlink()
    points = 0
    for number in range(3, 400):
        host.write(f"asset-{number % 3}.css", str(number))
        dying, commit = Dying(host.connect, points), f"c{1000 + number}"
        try:
            host.publish(commit, sites=host.sites(dying), fence=number)
        except TryAgain:
            points += 1
            if number % 2:
                # The owner of the next attempt goes on with the same commit, or with another one.
                host.publish(commit, fence=number)
                assert without_strangers(host.shown()) == host.wanted()
            continue
        break
    assert points > 20
    assert without_strangers(host.shown()) == host.wanted()
    left = {path.name.partition("-")[0] for path in host.own.iterdir() if path.is_dir()}
    assert left <= {"site", "old", "found", "fences", ".old", ".new"}


@pytest.mark.thorough
def test_wherever_an_owner_sleeps_a_newer_one_stays_live(host: Hosting) -> None:
    host.publish("c100")
    for asleep_at in range(100):
        older, newer, fence = f"c{200 + 2 * asleep_at}", f"c{201 + 2 * asleep_at}", 2 * asleep_at + 2
        host.write("index.html", older)
        host.sites().add_release("amelia", older, host.built)
        sleeping = Sleeping(host.connect, asleep_at, partial(host.publish, newer, fence=fence + 1))
        with suppress(TryAgain, LostOwnership):
            host.sites(sleeping).switch_live("amelia", older, lane=LANE, fence=fence, descends=later)
        if not sleeping.slept:
            break
        assert (host.sites().live("amelia"), without_strangers(host.shown())) == (newer, host.wanted())
    assert 10 < asleep_at < 99
    assert host.sites().live("amelia") == older


def test_a_manifest_that_lies_is_found_out_by_what_the_host_shows(host: Hosting) -> None:
    host.publish("c1")
    host.publish("c2")
    for folder in (host.docroot, *host.own.glob("old-*")):
        (folder / "style.css").write_text("spoilt")
    host.publish("c3")
    assert without_strangers(host.shown()) == host.wanted()


def test_a_manifest_of_somebody_else_leads_nowhere(host: Hosting) -> None:
    host.publish("c1")
    precious = host.home / "precious.txt"
    precious.write_text("mine")
    for path in host.own.glob("*.json"):
        seal, body = path.read_text().splitlines()
        lie = json.loads(body)
        lie["files"]["../precious.txt"] = ["0", 4, ""]
        path.write_text(f"{seal}\n{json.dumps(lie)}\n")
    host.publish("c2")
    assert without_strangers(host.shown()) == host.wanted()
    assert precious.read_text() == "mine"


def test_a_link_at_the_host_is_replaced_and_never_followed(host: Hosting, tmp_path: Path) -> None:
    host.write("media/photo.txt", "1")
    host.publish("c1")
    host.publish("c2")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "photo.txt").write_text("of somebody else")
    for folder in (host.docroot, *host.own.glob("old-*")):
        (folder / "media" / "photo.txt").unlink()
        (folder / "media").rmdir()
        (folder / "media").symlink_to(elsewhere)
        (folder / "style.css").unlink()
        (folder / "style.css").symlink_to(elsewhere / "photo.txt")
    host.publish("c3")
    assert (elsewhere / "photo.txt").read_text() == "of somebody else"
    assert without_strangers(host.shown()) == host.wanted()
    (host.built / "media" / "photo.txt").unlink()
    (host.built / "media").rmdir()
    host.publish("c4")
    assert (elsewhere / "photo.txt").read_text() == "of somebody else"


def test_every_name_that_a_disk_can_hold_travels(host: Hosting) -> None:
    for name in (
        "with space.html",
        "-rf",
        "line\nbreak.html",
        '"quoted" $(id).html',
        "glob*?[x].html",
        "ümlaut/é.html",
    ):
        host.write(name, name)
    host.publish("c1")
    host.publish("c2")
    assert without_strangers(host.shown()) == host.wanted()


def test_what_leads_out_of_the_site_is_not_sent(host: Hosting) -> None:
    (host.built / "passwords.txt").symlink_to("/etc/passwd")
    with pytest.raises(PublishFailed, match=r"passwords\.txt .* leads out"):
        host.publish("c2")


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
    with pytest.raises(TryAgain, match="cannot be reached now"):
        Hosting(tmp_path, lambda: open_sftp(away, known)).publish("c1")


def test_a_line_that_is_cut_in_a_file_is_tried_again_and_goes_on(tmp_path: Path, server: SshServer) -> None:
    host = Hosting(tmp_path, by_ssh(server))
    host.write("photo.jpg", "x" * 3_000_000)
    access = SshAccess(ssh_key_file=str(server.key), host_keys=(server.host_key,))
    with cut_line(server.port, 1_000_000) as port:
        remote = Remote.read(f"ssh://{getpass.getuser()}@127.0.0.1:{port}/unused")
        with pytest.raises(TryAgain, match="cannot be reached now"):
            host.publish("c1", sites=host.sites(partial(open_sftp, remote, access)))
    assert not host.docroot.exists()
    assert host.publish("c1") == Switched.SWITCHED
    assert host.shown() == host.wanted()


def test_a_server_that_says_nothing_is_away(tmp_path: Path, server: SshServer) -> None:
    host = Hosting(tmp_path, by_ssh(server, timedelta(milliseconds=500)))
    with server.lets_run("cat > /dev/null"), pytest.raises(TryAgain, match="does not answer in time"):
        host.publish("c1")
    with server.lets_run("echo Welcome to our host; cat > /dev/null"), pytest.raises(TryAgain):
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
    assert "old and new ones together" in program.run("doctor")
    config.write_text(config.read_text().replace(str(tmp_path / "public_html"), "/proc/version/x"))
    assert "may not write there" in program.run("doctor", code=1)
    assert "/proc/version/x" in program.run("project", "list")
