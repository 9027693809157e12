"""What holds for sites at every web host: by SFTP and by FTPS, by a link, by renamed folders and by single files."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.remotes.ftp_server import FtpServer, ftp_server
from tests.remotes.hosting import LANE, Dying, Hosting, Sleeping, by_ftps, later, sftp_server
from webordinary.errors import LostOwnership, PublishFailed, TryAgain
from webordinary.site.sites import Switched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BY_WAY = {"link": Switched.SWITCHED, "rename": Switched.RENAMED, "files": Switched.FILE_BY_FILE}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FtpServer]:
    with ftp_server(tmp_path_factory.mktemp("ftp") / "proftpd") as server:
        yield server


BY_FTPS = [pytest.param(f"ftps {way}", marks=pytest.mark.thorough) for way in ("rename", "files")]


@pytest.fixture(params=["sftp link", "sftp rename", "sftp files", *BY_FTPS])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Hosting:
    protocol, way = request.param.split()
    connect = sftp_server() if protocol == "sftp" else by_ftps(request.getfixturevalue("server"))
    host = Hosting(tmp_path, connect, way)
    if way != "link":
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
def test_wherever_a_worker_dies_the_next_one_ends_right(host: Hosting, request: pytest.FixtureRequest) -> None:
    host.publish("c1001")
    host.publish("c1002")
    host.write("news/today.html", "new")
    (host.built / "style.css").unlink()
    # With TLS for each listing it takes a second: there every seventh place has to be enough.
    points, step = 0, 7 if "ftps" in request.node.name else 1
    for number in range(3, 400):
        host.write(f"asset-{number % 3}.css", str(number))
        dying, commit = Dying(host.connect, points), f"c{1000 + number}"
        try:
            host.publish(commit, sites=host.sites(dying), fence=number)
        except TryAgain:
            points += step
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
def test_wherever_an_owner_sleeps_a_newer_one_stays_live(host: Hosting, request: pytest.FixtureRequest) -> None:
    host.publish("c100")
    for asleep_at in range(0, 100, 7 if "ftps" in request.node.name else 1):
        older, newer, fence = f"c{200 + 2 * asleep_at}", f"c{201 + 2 * asleep_at}", 2 * asleep_at + 2
        host.write("index.html", older)
        host.sites().add_release("amelia", older, host.built)
        sleeping = Sleeping(host.connect, asleep_at, partial(host.publish, newer, fence=fence + 1))
        with suppress(TryAgain, LostOwnership):
            host.sites(sleeping).switch_live("amelia", older, lane=LANE, fence=fence, descends=later)
        if not sleeping.slept:
            break
        assert (host.sites().live("amelia"), without_strangers(host.shown())) == (newer, host.wanted())
    assert 10 < asleep_at < 95
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
    for name in ("with space.html", "-rf", '"q" $(id).html', "glob*?[x].html", "ü/é.html", " led.html", "a -> b.html"):
        host.write(name, name)
    host.publish("c1")
    host.publish("c2")
    assert without_strangers(host.shown()) == host.wanted()


def test_what_leads_out_of_the_site_is_not_sent(host: Hosting) -> None:
    (host.built / "passwords.txt").symlink_to("/etc/passwd")
    with pytest.raises(PublishFailed, match=r"passwords\.txt .* leads out"):
        host.publish("c2")
