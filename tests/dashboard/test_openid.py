"""Sign-in at a real provider on loopback, and everything that somebody could bend about it."""

from __future__ import annotations

import http.client
import time
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.dashboard.face import Face, csrf_in
from tests.doors.token_server import CLIENT, SECRET, token_server
from tests.oauth.openid import WHO, OpenidServer
from tests.rigs.embedded import EmbeddedRig
from webordinary.testing.story import BAKERY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.testclient import TestClient

    from tests.doors.token_server import TokenServer


@pytest.fixture(scope="module")
def giver() -> Iterator[TokenServer]:
    with token_server() as server:
        yield server


@pytest.fixture(scope="module")
def rig(giver: TokenServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRig]:
    folder = tmp_path_factory.mktemp("openid")
    (folder / "secret").write_text(SECRET)
    openid = f"""issuer = "{giver.address}"
client_id = "{CLIENT}"
client_secret_file = "secret"
algorithms = ["ES256"]
allow = [
    {{ group = "web-team", role = "agency" }},
    {{ address = "scott@example.org", role = "client", projects = ["amelia"] }},
    {{ domain = "readers.example", role = "reader" }},
]"""
    made = EmbeddedRig(folder)
    made.set_up((BAKERY,), {"dashboard": 'url = "http://127.0.0.1"', "dashboard.openid": openid})
    yield made
    made.close()


@pytest.fixture
def provider(giver: TokenServer) -> OpenidServer:
    giver.says_no, giver.trouble = False, None
    return OpenidServer(giver)


@pytest.fixture
def face(rig: EmbeddedRig, provider: OpenidServer) -> Face:
    assert provider.giver.say_who is not None
    return Face(rig.here)


def walk(browser: TestClient, after: str = "/jobs?state=dead") -> str:
    """Go to the provider as a browser does, and return where it sends the browser back to."""
    answer = browser.get("/sign-in/provider", params={"next": after})
    assert answer.status_code == 303, answer.text
    place = urlsplit(answer.headers["location"])
    line = http.client.HTTPConnection(place.netloc, timeout=30)
    line.request("GET", f"{place.path}?{place.query}")
    back = line.getresponse().headers["Location"]
    line.close()
    return back.removeprefix("http://127.0.0.1")


def comes_back(face: Face) -> tuple[int, str]:
    browser = face.visitor()
    answer = browser.get(walk(browser))
    return answer.status_code, answer.headers.get("location", "") or answer.text


def test_who_is_of_the_group_gets_in_where_they_wanted_to_go(face: Face) -> None:
    browser = face.visitor()
    assert "/sign-in/provider" in browser.get("/sign-in").text
    answer = browser.get(walk(browser))
    assert answer.headers["location"] == "/jobs?state=dead"
    assert "amy@example.com" in browser.get("/").text


def test_what_the_provider_is_asked_is_what_the_standards_want(face: Face) -> None:
    address = face.visitor().get("/sign-in/provider").headers["location"]
    words = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert (words["response_type"], words["code_challenge_method"]) == ("code", "S256")
    assert words["redirect_uri"] == "http://127.0.0.1/sign-in/back"
    assert "openid" in words["scope"].split()
    assert len({words["state"], words["nonce"], words["code_challenge"]}) == 3


@pytest.mark.parametrize(
    ("claims", "page"),
    [
        ({"email": "scott@example.org", "groups": []}, "/jobs"),
        ({"email": "tom@readers.example", "groups": None}, "/trail"),
    ],
)
def test_an_address_or_a_domain_gives_a_role(
    face: Face, provider: OpenidServer, claims: dict[str, object], page: str
) -> None:
    provider.claims = WHO | claims
    browser = face.visitor()
    assert browser.get(walk(browser)).status_code == 303
    assert browser.get(page).status_code == 200
    assert browser.get("/do/allow").status_code == 403


@pytest.mark.parametrize(
    "claims",
    [
        {"groups": []},
        {"groups": "web-team"},
        {"groups": [["web-team"]]},
        {"groups": [], "email": "scott@example.org", "email_verified": False},
        {"groups": [], "email": "scott@example.org", "email_verified": "true"},
        {"groups": [], "email": "eve@evil-readers.example"},
        {"groups": [], "email": "@readers.example@evil.example"},
        {"groups": [], "email": None},
    ],
)
def test_whom_no_rule_fits_stays_outside(face: Face, provider: OpenidServer, claims: dict[str, object]) -> None:
    provider.claims = WHO | claims
    status, said = comes_back(face)
    assert status == 409
    assert "may not sign in here" in said


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "boss@example.org", "email_verified": False, "preferred_username": "boss@example.org"},
        {"email": None, "preferred_username": "boss@example.org\r\nBcc: eve@example.org"},
    ],
)
def test_nobody_gives_themselves_the_name_of_somebody_else(
    face: Face, provider: OpenidServer, claims: dict[str, object]
) -> None:
    boss = face.signed_in(name="boss@example.org")
    provider.claims = WHO | claims
    browser = face.visitor()
    assert browser.get(walk(browser)).status_code == 303
    browser.post("/sign-out-everywhere", data={"csrf": csrf_in(browser.get("/").text)})
    assert browser.get("/").status_code == 303
    assert boss.get("/").status_code == 200


def test_a_changed_rule_counts_at_the_next_click(face: Face, rig: EmbeddedRig) -> None:
    browser, path = face.visitor(), rig.here.config.path
    before = path.read_text()
    assert browser.get(walk(browser)).status_code == 303
    assert browser.get("/add-project").status_code == 200
    try:
        path.write_text(before.replace('group = "web-team", role = "agency"', 'group = "web-team", role = "reader"'))
        assert browser.get("/add-project").status_code == 403
        assert browser.get("/trail").status_code == 200
        path.write_text("this is broken, and what was last read goes on")
        assert browser.get("/add-project").status_code == 403
        path.write_text(before.replace('{ group = "web-team", role = "agency" },', ""))
        assert browser.get("/trail").status_code == 303
    finally:
        path.write_text(before)
    assert browser.get("/add-project").status_code == 200


NOW = int(time.time())


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"aud": "another-app"},
        {"aud": ["another-app"]},
        {"aud": [CLIENT, "another-app"], "azp": "another-app"},
        {"exp": NOW - 3600},
        {"exp": None},
        {"iat": NOW + 3600},
        {"nbf": NOW + 3600},
        {"nonce": "of another walk"},
        {"nonce": None},
        {"sub": None},
    ],
)
def test_a_word_that_is_not_for_us_here_and_now_is_not_believed(
    face: Face, provider: OpenidServer, claims: dict[str, object]
) -> None:
    provider.claims = WHO | claims
    assert comes_back(face)[0] == 409


def test_a_clock_that_is_a_little_off_is_forgiven(face: Face, provider: OpenidServer) -> None:
    provider.claims = WHO | {"exp": int(time.time()) - 30, "iat": int(time.time()) + 30}
    assert comes_back(face)[0] == 303


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_only_signatures_of_the_list_are_believed(face: Face, provider: OpenidServer, algorithm: str) -> None:
    provider.algorithm = algorithm
    assert comes_back(face)[0] == 409


def test_a_key_that_is_not_the_providers_signs_nothing(face: Face, provider: OpenidServer) -> None:
    assert comes_back(face)[0] == 303
    provider.change_key("key-1")
    assert comes_back(face)[0] == 409


def test_a_key_that_the_provider_has_renewed_is_fetched(
    face: Face, provider: OpenidServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert comes_back(face)[0] == 303
    provider.change_key("key-2")
    provider.show_key()
    # Not at once: whoever makes up names of keys must not make us ask all the time.
    assert comes_back(face)[0] == 409
    monkeypatch.setattr("webordinary.oauth.openid._SOONEST_SECONDS", 0.0)
    assert comes_back(face)[0] == 303


def test_the_code_of_somebody_else_lets_nobody_in(face: Face) -> None:
    eve, amy = face.visitor(), face.visitor()
    brought = walk(eve)
    walk(amy)
    assert amy.get(brought).status_code == 409
    assert face.visitor().get(brought).status_code == 409
    assert amy.get("/").status_code == 303


def test_a_code_lets_in_once(face: Face) -> None:
    browser = face.visitor()
    back = walk(browser)
    kept = dict(browser.cookies)
    assert browser.get(back).status_code == 303
    again = face.visitor()
    for name, value in kept.items():
        again.cookies.set(name, value)
    assert again.get(back).status_code == 409


def test_a_provider_that_says_no_or_is_away_is_told_in_words(face: Face, provider: OpenidServer) -> None:
    provider.giver.says_no = True
    assert comes_back(face)[0] == 409
    provider.giver.says_no = False
    browser = face.visitor()
    back = walk(browser)
    provider.giver.trouble = (503, b"away")
    answer = browser.get(back)
    assert answer.status_code == 409
    assert SECRET not in answer.text


def test_another_providers_answer_is_not_taken_for_this_ones(face: Face, provider: OpenidServer) -> None:
    browser = face.visitor()
    assert browser.get(walk(browser) + "&iss=https%3A%2F%2Fevil.example").status_code == 409
    provider.giver.pages["/.well-known/openid-configuration"] = {"issuer": "https://evil.example"}
    assert Face(face.house.here).visitor().get("/sign-in/provider").status_code == 409


def test_who_signs_out_is_told_how_to_leave_the_provider_too(face: Face, provider: OpenidServer) -> None:
    browser = face.visitor()
    browser.get(walk(browser))
    answer = browser.post("/sign-out", data={"csrf": csrf_in(browser.get("/").text)})
    assert answer.headers["location"] == "/signed-out"
    assert f"{provider.giver.address}/leave?" in browser.get("/signed-out").text
    assert browser.get("/").status_code == 303


def test_whoever_comes_back_does_not_go_elsewhere(face: Face) -> None:
    browser = face.visitor()
    assert browser.get(walk(browser, "//evil.example/")).headers["location"] == "/"
