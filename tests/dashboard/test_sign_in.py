"""Passwords, sessions and names: who gets in, how often somebody may guess, and when it is over."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from tests.dashboard.face import HOST, Face, csrf_in
from tests.doors.certificates import write_certificate
from tests.rigs.embedded import EmbeddedRig
from webordinary.cli.doctor.dashboard import check_dashboard
from webordinary.config import load_config
from webordinary.dashboard.patience import Patience
from webordinary.dashboard.people import DashboardUser, DashboardUsers
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.doors.passwords import Hashed
from webordinary.errors import Misconfigured
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webordinary.testing.story import Story

AMY, SECRET = "amy@example.com", "correct horse battery"
HASHED = Hashed.of(SECRET)
Opened = tuple[Face, ManualClock]


def line(name: str, role: Role, *projects: str, hashed: Hashed = HASHED) -> str:
    return f"{name}:{DashboardUser(hashed, role, projects)}\n"


@pytest.fixture
def opened(story: Story, tmp_path: Path) -> Callable[..., Opened]:
    """Return what opens a dashboard with such lines in its table, and a clock that the test moves."""

    def open_with(lines: str = 'users = "people"', who: str = line(AMY, Role.AGENCY)) -> Opened:
        (tmp_path / "people").write_text(who)
        story.begin(settings={"dashboard": lines}, workers=0)
        assert isinstance(story.rig, EmbeddedRig)
        clock = ManualClock()
        return Face(replace(story.rig.here, clock=clock)), clock

    return open_with


def sign_in(browser: TestClient, name: str = AMY, password: str = SECRET, **more: str) -> int:
    return browser.post("/sign-in", data={"name": name, "password": password, **more}).status_code


def test_a_password_lets_somebody_in_whatever_the_letters_of_the_address(opened: Callable[..., Opened]) -> None:
    face, _ = opened()
    browser = face.visitor()
    assert 'name="password"' in browser.get("/sign-in").text
    assert sign_in(browser, " Amy@EXAMPLE.com") == 303
    assert "amy@example.com" in browser.get("/").text


def test_a_wrong_password_and_an_unknown_name_are_told_apart_by_nobody(opened: Callable[..., Opened]) -> None:
    face, _ = opened()
    said = [
        face.visitor().post("/sign-in", data={"name": name, "password": password})
        for name, password in ((AMY, "wrong"), ("eve@example.com", SECRET), ("", ""), (AMY, "x" * 5000))
    ]
    assert {answer.status_code for answer in said} == {403}
    assert len({answer.text for answer in said}) == 1


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare passwords without the long work, where only the number of tries matters."""
    monkeypatch.setattr(Hashed, "matches", lambda _, password: password == SECRET)


@pytest.mark.usefixtures("quick")
def test_guesses_are_counted_by_name_and_end(opened: Callable[..., Opened]) -> None:
    face, clock = opened()
    assert [sign_in(face.visitor(), password="guess") for _ in range(11)] == [403] * 10 + [429]
    assert sign_in(face.visitor()) == 429
    clock.advance(timedelta(minutes=16))
    assert sign_in(face.visitor()) == 303


def test_an_address_that_guesses_too_often_locks_nobody_else_out() -> None:
    patience = Patience(ManualClock())
    assert sum(patience.allows(f"name-{number}", "192.0.2.1") for number in range(100)) == 20
    assert not patience.allows(AMY, "192.0.2.1")
    assert patience.allows(AMY, "192.0.2.2")


def test_a_network_of_ipv6_is_one_guesser() -> None:
    patience = Patience(ManualClock())
    allowed = [patience.allows(f"name-{number}", f"2001:db8::{number:x}") for number in range(30)]
    assert allowed.count(True) == 20
    assert patience.allows("somebody", "2001:db8:0:1::1")


def test_addresses_of_ipv4_that_are_written_as_ipv6_are_told_apart() -> None:
    patience = Patience(ManualClock())
    assert sum(patience.allows(f"name-{number}", "::ffff:192.0.2.1") for number in range(30)) == 20
    assert not patience.allows("somebody", "192.0.2.1")
    assert patience.allows("somebody", "::ffff:192.0.2.2")


def test_an_office_behind_one_address_is_not_locked_out_by_those_who_know_their_password() -> None:
    patience = Patience(ManualClock())
    for number in range(50):
        name = f"name-{number}"
        assert patience.allows(name, "192.0.2.1")
        patience.was_right(name, "192.0.2.1")
    allowed = []
    for number in range(30):
        allowed.append(patience.allows(f"guess-{number}", "192.0.2.1"))
        if patience.allows(AMY, "192.0.2.1"):
            patience.was_right(AMY, "192.0.2.1")
    assert allowed.count(True) == 20


def test_memory_does_not_grow_with_the_number_of_guessers() -> None:
    patience = Patience(ManualClock())
    for number in range(30_000):
        patience.allows(f"name-{number}", f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert patience.remembered <= 20_000


def test_only_a_few_passwords_are_hashed_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people"
    path.write_text(line(AMY, Role.AGENCY))
    people, running, most, lock = DashboardUsers(path), [0], [0], threading.Lock()
    gate = threading.Barrier(2)

    def counted(_self: Hashed, _password: str) -> bool:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        gate.wait(10)
        with lock:
            running[0] -= 1
        return False

    monkeypatch.setattr(Hashed, "matches", counted)
    threads = [threading.Thread(target=people.check, args=(AMY, "x")) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [2]


def test_a_session_that_somebody_else_chose_is_not_taken_over(opened: Callable[..., Opened]) -> None:
    face, _ = opened()
    browser = face.visitor()
    browser.cookies.set(face.house.cookie, "chosen-by-eve")
    sign_in(browser)
    assert browser.cookies.get(face.house.cookie, domain="127.0.0.1") != "chosen-by-eve"
    assert face.house.sessions.find("chosen-by-eve") is None


def test_who_signs_in_again_leaves_the_session_before(opened: Callable[..., Opened]) -> None:
    face, _ = opened()
    browser = face.visitor()
    sign_in(browser)
    before = browser.cookies[face.house.cookie]
    sign_in(browser)
    assert browser.cookies[face.house.cookie] != before
    assert face.house.sessions.find(before) is None


@pytest.mark.usefixtures("quick")
def test_a_session_ends_by_time_and_by_idle_time(opened: Callable[..., Opened]) -> None:
    face, clock = opened('users = "people"\nsession = "5 h"\nidle = "1 h"')
    busy, quiet = face.visitor(), face.visitor()
    sign_in(busy)
    sign_in(quiet)
    for _ in range(5):
        assert busy.get("/").status_code == 200
        clock.advance(timedelta(minutes=55))
    assert quiet.get("/").status_code == 303
    assert busy.get("/").status_code == 200
    clock.advance(timedelta(minutes=30))
    assert busy.get("/").status_code == 303


def test_who_is_removed_or_gets_another_role_or_password_notices_at_once(
    opened: Callable[..., Opened], tmp_path: Path
) -> None:
    face, _ = opened()
    browser = face.visitor()
    sign_in(browser)
    assert browser.get("/").status_code == 200
    assert browser.get("/trail").status_code == 200
    (tmp_path / "people").write_text(line(AMY, Role.CLIENT, "amelia"))
    assert browser.get("/trail").status_code == 403
    (tmp_path / "people").write_text(line(AMY, Role.READER, hashed=Hashed.of("another one")))
    assert browser.get("/").status_code == 303
    (tmp_path / "people").write_text(line(AMY, Role.READER))
    assert browser.get("/").status_code == 200
    (tmp_path / "people").write_text("")
    assert browser.get("/").status_code == 303


@pytest.mark.usefixtures("quick")
def test_a_file_of_users_that_cannot_be_read_lets_nobody_in_and_breaks_nothing_for_others(
    opened: Callable[..., Opened], tmp_path: Path
) -> None:
    face, _ = opened()
    browser, other = face.visitor(), face.signed_in(name="link")
    sign_in(browser)
    known = (tmp_path / "people").read_text()
    for broken in (f"{known}half a li", None):
        (tmp_path / "people").unlink() if broken is None else (tmp_path / "people").write_text(broken)
        for path in ("/", "/trail", "/no-such-page"):
            assert browser.get(path).status_code in {303, 404}
        assert browser.get("/events").status_code == 401
        assert face.house.sessions.find(browser.cookies.get(face.house.cookie), is_visit=False) is None
        assert other.get("/").status_code == 200
        assert sign_in(face.visitor()) == 409
    (tmp_path / "people").write_text(known)
    assert browser.get("/").status_code == 200


def test_signing_out_everywhere_ends_every_session_of_that_person_only(opened: Callable[..., Opened]) -> None:
    face, _ = opened(who=line(AMY, Role.AGENCY) + line("tom@example.com", Role.READER))
    here, there, other = face.visitor(), face.visitor(), face.visitor()
    sign_in(here)
    sign_in(there)
    sign_in(other, "tom@example.com")
    here.post("/sign-out-everywhere", data={"csrf": csrf_in(here.get("/").text)})
    assert [each.get("/").status_code for each in (here, there, other)] == [303, 303, 200]


def test_after_signing_in_one_is_where_one_wanted_to_go(opened: Callable[..., Opened]) -> None:
    face, _ = opened()
    wanted = face.visitor().get("/jobs/1?steps=all&x=%3Cb%3E").headers["location"]
    assert wanted.startswith("/sign-in?next=/jobs/1%3Fsteps%3Dall")
    answer = face.visitor().post("/sign-in", data={"name": AMY, "password": SECRET, "next": "/jobs/1?steps=all"})
    assert answer.headers["location"] == "/jobs/1?steps=all"


ELSEWHERE = (
    *("//evil.example", "///evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example"),
    *("javascript:alert(1)", "http:evil.example", "/\t/evil.example", "/\r\nset-cookie: a=b", "http://["),
    *("evil.example", "/%0d%0aset-cookie:a=b", "\x00/", "@evil.example", "/\u2028/evil.example"),
)


def test_no_word_leads_to_another_site_or_into_a_header(face: Face) -> None:
    for elsewhere in ELSEWHERE:
        link = face.house.sessions.new_link(Viewer("amy", Role.AGENCY))
        answer = face.visitor().post("/sign-in", data={"link": link, "next": elsewhere})
        where = answer.headers["location"]
        assert where.startswith("/"), elsewhere
        assert not where.startswith(("//", "/\\")), elsewhere
        assert [value for value in answer.headers.get_list("set-cookie") if "a=b" in value] == []


def test_another_name_than_ours_is_a_trick(face: Face) -> None:
    for name in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8090", "", "[::1", "a@localhost:x"):
        answer = face.visitor().get("/sign-in", headers={"host": name})
        assert answer.status_code == 421, name
    for name in ("localhost:8090", "127.0.0.1:1", "[::1]:8090", "LOCALHOST"):
        assert face.visitor().get("/sign-in", headers={"host": name}).status_code == 200, name


BEHIND = 'url = "https://d.example.com"\nproxies = ["10.0.0.0/8"]\nusers = "people"\nlisten = "10.0.0.9:8090"'


def from_(face: Face, address: str) -> TestClient:
    return TestClient(
        face.app, base_url="https://d.example.com", client=(address, 1), follow_redirects=False,
        headers={"sec-fetch-site": "same-origin"},
    )  # fmt: skip


def test_only_a_named_proxy_is_believed_and_only_it_may_come(opened: Callable[..., Opened]) -> None:
    face, _ = opened(BEHIND)
    assert from_(face, "192.0.2.1").get("/sign-in", headers={"x-forwarded-for": "10.0.0.1"}).status_code == 403
    assert from_(face, "10.0.0.1").get("/sign-in").status_code == 200


@pytest.mark.usefixtures("quick")
def test_guessers_behind_a_proxy_are_told_apart_and_cannot_say_who_they_are(opened: Callable[..., Opened]) -> None:
    face, _ = opened(BEHIND)

    def guess(number: int, forwarded: str) -> int:
        browser = from_(face, "10.0.0.1")
        said = {"name": f"n{number}@example.com", "password": "x"}
        return browser.post("/sign-in", data=said, headers={"x-forwarded-for": forwarded}).status_code

    # What stands before the proxy's own word may be made up.
    assert [guess(number, f"198.51.100.{number}, 192.0.2.1, 10.0.0.2") for number in range(21)][-1] == 429
    assert guess(99, "192.0.2.2") == 403


@pytest.mark.usefixtures("quick")
def test_a_proxy_that_writes_a_line_of_its_own_is_believed_before_what_the_guesser_wrote(
    opened: Callable[..., Opened],
) -> None:
    face, _ = opened(BEHIND)

    def guess(number: int, sender: str) -> int:
        said = {"name": f"n{number}@example.com", "password": "x"}
        lines = [("x-forwarded-for", f"198.51.100.{number}"), ("x-forwarded-for", sender)]
        sent = [("sec-fetch-site", "same-origin"), *lines]
        return from_(face, "10.0.0.1").post("/sign-in", data=said, headers=sent).status_code

    assert [guess(number, "192.0.2.1") for number in range(21)] == [403] * 20 + [429]
    assert guess(99, "192.0.2.2") == 403


def test_by_tls_the_cookie_is_bound_to_this_host(opened: Callable[..., Opened]) -> None:
    face, _ = opened(BEHIND)
    answer = from_(face, "10.0.0.1").post("/sign-in", data={"name": AMY, "password": SECRET})
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("__host-webordinary-")
    assert {"secure", "httponly", "samesite=lax", "path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "domain" not in cookie
    assert answer.headers["strict-transport-security"]


def test_who_comes_without_encryption_is_led_to_it(opened: Callable[..., Opened]) -> None:
    face, _ = opened(BEHIND)
    plain = {"x-forwarded-proto": "http"}
    browser = from_(face, "10.0.0.1")
    assert browser.get("/sign-in", headers=plain).headers["location"] == "https://d.example.com/sign-in"
    assert browser.post("/sign-in", data={"name": AMY, "password": SECRET}, headers=plain).status_code == 403


def test_two_installations_on_one_machine_do_not_share_their_cookies(face: Face, tmp_path: Path) -> None:
    neighbour = replace(face.house.here.config, data=tmp_path / "elsewhere")
    other = Face(replace(face.house.here, config=neighbour))
    browser = face.signed_in()
    visitor = TestClient(other.app, base_url=HOST, cookies=dict(browser.cookies), follow_redirects=False)
    assert visitor.get("/").status_code == 303
    assert other.house.cookie != face.house.cookie


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('listen = "0.0.0.0:1"', "set `dashboard.certificate` and `dashboard.key`, or name"),
        ('listen = "0.0.0.0:1"\nproxies = ["10.0.0.1"]', "set `dashboard.url`"),
        ('listen = "0.0.0.0:1"\nproxies = ["10.0.0.1"]\nurl = "https://d.example"', "say who may sign in"),
        ('certificate = "a.pem"', "needs `dashboard.key` beside it"),
        ('url = "http://d.example"\nusers = "u"', "must begin with https://"),
        ('url = "https://d.example"\nusers = "u"', "name the web server that has the certificate"),
        ('url = "https://d.example/folder"', "must end after the host"),
        ("idle = 0", "must be longer than 0"),
        ('[dashboard.openid]\nclient_id = "x"', "without it nobody signs in there"),
    ],
)
def test_what_would_let_strangers_in_is_refused_with_what_to_do(tmp_path: Path, lines: str, said: str) -> None:
    path = tmp_path / "webordinary.toml"
    path.write_text(f'domain = "e.example"\n[outgoing]\nurl = "maildir:out"\n[dashboard]\n{lines}\n')
    with pytest.raises(Misconfigured, match=said):
        load_config(path, {})


def test_a_line_that_is_no_user_is_named_and_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "people"
    for wrong in ("hunter2", f"{HASHED}", f"{HASHED}:king", f"{HASHED}:client", f"{HASHED}:agency:x"):
        path.write_text(f"# people\n{AMY}:{wrong}\n")
        with pytest.raises(Misconfigured, match=r"line 2: this is no user.*--role ROLE") as caught:
            DashboardUsers(path).look()
        assert "hunter2" not in str(caught.value)


def test_doctor_says_how_people_get_in_and_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "webordinary.toml"
    certificate, key = write_certificate(tmp_path)
    table = f'users = "people"\ncertificate = "{certificate}"\nkey = "{key}"'
    path.write_text(f'domain = "e.example"\n[outgoing]\nurl = "maildir:out"\n[dashboard]\n{table}\n')
    config = load_config(path, {})
    assert "cannot be read" in " ".join(each.says for each in check_dashboard(config))
    (tmp_path / "people").write_text(line(AMY, Role.AGENCY))
    said = [each.says for each in check_dashboard(config)]
    assert said[1].startswith("1 people in")
    assert "renew it" in said[2]
