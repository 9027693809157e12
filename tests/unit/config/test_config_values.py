from __future__ import annotations

import sys
import zoneinfo
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webordinary.config import Duration, Listen, Outgoing, OutgoingRoute, read_config
from webordinary.config.outgoing import OutgoingUrl
from webordinary.config.shape import Preview
from webordinary.values import (
    Address,
    Branch,
    Command,
    Domain,
    PreviewAddress,
    Repository,
    Timezone,
    WebAddress,
    read_path,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("30 s", 30),
        ("30s", 30),
        ("1.5 min", 90),
        ("24 h", 86400),
        ("1 Day", 86400),
        ("30 days", 2592000),
        ("250 ms", 0.25),
        ("45", 45),
        (0, 0),
        (2.5, 2.5),
    ],
)
def test_a_duration_is_read_with_or_without_its_unit(value: object, seconds: float) -> None:
    assert Duration.read(value) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "value",
    ["", "s", "-1 s", -1, "5 m", "1 fortnight", "\N{ARABIC-INDIC DIGIT ONE} s", True, None, [], float("nan")],
)
def test_what_is_no_duration_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="must be a duration such as"):
        Duration.read(value)


@pytest.mark.parametrize("value", ["999999999 days", 10**400, float("inf"), "1" + "0" * 14])
def test_a_duration_beyond_a_lifetime_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="longer than a hundred years"):
        Duration.read(value)


def test_a_number_far_below_zero_is_no_duration_either() -> None:
    with pytest.raises(ValueError, match="must be a duration"):
        Duration.read(-(10**400))


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("127.0.0.1:2525", ("127.0.0.1", 2525)),
        ("[::1]:0", ("::1", 0)),
        ("localhost:65535", ("localhost", 65535)),
    ],
)
def test_a_listener_is_a_host_and_a_port(text: str, pair: tuple[str, int]) -> None:
    listen = Listen.read(text)
    assert (listen, str(listen), listen.is_loopback) == (pair, text, True)


@pytest.mark.parametrize("text", ["2525", ":2525", "::1:2525", "a:", "a:65536", "a:-1", "a:٣", "[]:1", "a:1e3"])
def test_half_a_listener_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be a host and a port"):
        Listen.read(text)


@pytest.mark.parametrize("text", ["0.0.0.0:25", "[::]:25", "mail.example.com:25", "127.evil.example:25"])
def test_a_listener_that_others_can_reach_is_not_on_loopback(text: str) -> None:
    assert not Listen.read(text).is_loopback


@pytest.mark.parametrize(
    ("url", "outgoing"),
    [
        ("smtp://mail.example.com", Outgoing(OutgoingRoute.SMTP, "mail.example.com", 25)),
        ("smtp://localhost:1025/", Outgoing(OutgoingRoute.SMTP, "localhost", 1025)),
        ("smtp://a:b@[::1]", Outgoing(OutgoingRoute.SMTP, "::1", 587, "a", "b")),
        (
            "smtps://a%40b:p%2F%3A@mail.example.com",
            Outgoing(OutgoingRoute.SMTPS, "mail.example.com", 465, "a@b", "p/:"),
        ),
        ("maildir:out", Outgoing(OutgoingRoute.MAILDIR, path=Path("/srv/out"))),
        ("maildir:/var/out", Outgoing(OutgoingRoute.MAILDIR, path=Path("/var/out"))),
    ],
)
def test_mail_goes_out_to_a_server_or_a_folder(url: str, outgoing: Outgoing) -> None:
    assert OutgoingUrl.read(url).parse(Path("/srv")) == outgoing


@pytest.mark.parametrize(
    "url",
    [
        "",
        "maildir:",
        "http://secret:secret@host",
        "smtp:secret",
        "smtp://user:secret#1@host",
        "smtp://user:secret@host:port",
        "smtp://user:secret@host/path",
        "smtp://user:secret@",
        "smtp://:secret@host",
        "smtp://user:sec ret@host",
        "smtp://user:secret@[host",
    ],
)
def test_a_wrong_address_for_mail_is_refused_without_repeating_its_password(url: str) -> None:
    with pytest.raises(ValueError, match=r"^(must|has)") as caught:
        OutgoingUrl.read(url)
    assert "secret" not in str(caught.value)


def test_a_password_is_in_no_representation() -> None:
    text = 'domain = "a.example"\n[outgoing]\nurl = "smtps://user:hunter2@mail.example.com"'
    config = read_config(text, Path("/srv/webordinary.toml"), {})
    assert config.outgoing.password == "hunter2"
    assert "hunter2" not in repr(config) + repr(OutgoingUrl("smtp://a:hunter2@b"))


def test_a_domain_is_written_in_lower_case() -> None:
    assert Domain.read("Edit.Example.COM") == "edit.example.com"


@pytest.mark.parametrize("text", ["", "a b", "-a.example", "a..b", "münchen.example", "a/b", "x" * 64, "a@b"])
def test_what_is_no_domain_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be a domain"):
        Domain.read(text)


@pytest.mark.parametrize("text", ["", "scott", "a@b@c", "Scott <a@b>", "a@b, c@d", "a@b\n", "@b", "a@"])
def test_what_is_not_one_bare_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be one mail address"):
        Address.read(text)


@pytest.mark.parametrize("text", ["", "-b", "a..b", "a//b", "a/", "a.lock", "a b", "a~1", "x" * 300])
def test_what_git_would_not_take_for_a_branch_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be the name of a git branch"):
        Branch.read(text)


@pytest.mark.parametrize("text", ["", " ", "--upload-pack=x", "ext::sh -c x", "a\nb"])
def test_a_repository_that_would_be_an_option_or_a_program_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be a folder or a git address"):
        Repository.read(text)


@pytest.mark.parametrize("value", [3, [1], ["a", None], [""], ["a\0"], "'open"])
def test_what_cannot_be_run_is_no_command(value: object) -> None:
    with pytest.raises(ValueError, match=r"^(must|has)"):
        Command.read(value)


@pytest.mark.parametrize("text", ["", "www.example.com", "ftp://a", "https://", "https://a b", 'https://a"'])
def test_what_a_browser_would_not_open_is_no_web_address(text: str) -> None:
    with pytest.raises(ValueError, match="must be an address such as"):
        WebAddress.read(text)


def test_a_preview_has_a_public_address_or_one_on_this_machine() -> None:
    public = Preview(url=PreviewAddress.read("https://{thread}.{project}.p.example/"))
    assert public.address("t1", "amelia", 8080) == "https://t1.amelia.p.example/"
    assert Preview().address("t1", "amelia", 9999) == "http://t1.amelia.localhost:9999/"


@pytest.mark.parametrize("text", ["", "Berlin", "Europe", "../etc/passwd", "/etc/passwd", "a\0", "x" * 5000])
def test_a_time_zone_that_nobody_knows_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be the name of a time zone"):
        Timezone.read(text)


@pytest.fixture
def _no_time_zones(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "tzdata", None)
    zoneinfo.reset_tzpath(to=())
    zoneinfo.ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath()


@pytest.mark.usefixtures("_no_time_zones")
def test_a_machine_without_time_zones_says_what_to_install() -> None:
    with pytest.raises(ValueError, match="no time zone data; install tzdata"):
        Timezone.read("Europe/Berlin")


def test_the_home_of_somebody_unknown_is_refused() -> None:
    assert read_path("~/data").is_absolute()
    with pytest.raises(ValueError, match="does not know"):
        read_path("~nobody-of-this-name/data")
