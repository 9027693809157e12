"""How a person says yes: in a browser of this machine, in one elsewhere, or with a code."""

from __future__ import annotations

import http.client
import threading
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.doors.token_server import SCOPE
from tests.oauth.logins import login_at
from webordinary.errors import Misconfigured, Refused
from webordinary.oauth.browser import code_in, open_landing, plan_visit, redeem
from webordinary.oauth.device import ask_for_code, wait_for_yes

if TYPE_CHECKING:
    from tests.doors.token_server import TokenServer


def come(address: str, path: str | None = None) -> tuple[int, str, str]:
    """Open an address as a browser does; return the answer's code, where it leads and what it says."""
    place = urlsplit(address)
    line = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
    line.request("GET", path or f"{place.path or '/'}?{place.query}")
    answer = line.getresponse()
    said = answer.read().decode()
    line.close()
    return answer.status, answer.getheader("Location", ""), said


def test_a_yes_in_the_browser_brings_tokens(giver: TokenServer) -> None:
    login = login_at(giver)
    with open_landing() as landing:
        visit = plan_visit(login, landing.port, "website@example.com")
        _, back, _ = come(visit.address)
        assert come(f"http://127.0.0.1:{landing.port}/favicon.ico")[0] == 404
        status, _, said = come(back)
        code = landing.wait(visit, 30)
    assert (status, "close this window" in said) == (200, True)
    assert code not in said
    assert redeem(login, visit, code)["access_token"] in giver.access


def test_what_the_provider_is_asked_is_what_the_standards_want(giver: TokenServer) -> None:
    visit = plan_visit(login_at(giver, authorize_url="https://a.example/auth?prompt=consent"), 1234, "w@example.com")
    words = {name: values[0] for name, values in parse_qs(urlsplit(visit.address).query).items()}
    assert words["prompt"] == "consent"
    assert words["scope"] == SCOPE
    assert words["redirect_uri"] == "http://127.0.0.1:1234"
    assert words["code_challenge_method"] == "S256"
    assert words["login_hint"] == "w@example.com"
    assert visit.verifier not in visit.address
    assert 43 <= len(visit.verifier) <= 128


def test_only_this_machine_can_reach_the_landing() -> None:
    with open_landing() as landing, open_landing() as other:
        assert landing.port != other.port
    with (
        open_landing() as landing,
        pytest.raises(Misconfigured, match="choose another --port"),
        open_landing(landing.port),
    ):
        pass


def test_a_browser_that_opens_connections_ahead_keeps_nobody_waiting(giver: TokenServer) -> None:
    login = login_at(giver)
    with open_landing() as landing:
        visit = plan_visit(login, landing.port)
        silent = http.client.HTTPConnection("127.0.0.1", landing.port, timeout=30)
        silent.connect()
        come(come(visit.address)[1])
        assert landing.wait(visit, 30) in giver.codes
        silent.close()


def test_the_code_of_another_walk_is_left_aside(giver: TokenServer) -> None:
    login = login_at(giver)
    with open_landing() as landing:
        visit, strange = plan_visit(login, landing.port), plan_visit(login, landing.port)
        come(come(strange.address)[1])
        come(come(visit.address)[1])
        code = landing.wait(visit, 30)
    assert redeem(login, visit, code)["refresh_token"] in giver.refresh
    with pytest.raises(Refused, match="does not belong to this login"):
        code_in(visit, come(strange.address)[1])


def test_a_no_in_the_browser_is_a_sentence(giver: TokenServer) -> None:
    giver.says_no = True
    with open_landing() as landing:
        visit = plan_visit(login_at(giver), landing.port)
        come(come(visit.address)[1])
        with pytest.raises(Refused, match=r"told no \(access_denied\)"):
            landing.wait(visit, 30)


def test_a_person_who_never_comes_back_is_not_waited_for_for_ever(giver: TokenServer) -> None:
    with open_landing() as landing, pytest.raises(Refused, match="use --paste"):
        landing.wait(plan_visit(login_at(giver), landing.port), 0.05)


def test_whoever_knocks_at_the_landing_makes_nobody_wait_longer(giver: TokenServer) -> None:
    with open_landing() as landing:
        is_over = threading.Event()

        def knock() -> None:
            while not is_over.is_set():
                come(f"http://127.0.0.1:{landing.port}/?state=guessed")

        page = threading.Thread(target=knock)
        page.start()
        try:
            with pytest.raises(Refused, match="use --paste"):
                landing.wait(plan_visit(login_at(giver), landing.port), 0.2)
        finally:
            is_over.set()
            page.join()


def test_a_code_works_once_and_only_with_its_own_word(giver: TokenServer) -> None:
    login = login_at(giver)
    visit, other = plan_visit(login, 1234), plan_visit(login, 1234)
    code = code_in(visit, come(visit.address)[1])
    with pytest.raises(Refused, match="the verifier is another one's"):
        redeem(login, other, code)
    with pytest.raises(Refused, match="the code was used before") as caught:
        redeem(login, visit, code)
    assert code not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    ["", "nonsense", "http://127.0.0.1:1234/?code=abc", "http://127.0.0.1/?state=x", "http://[", "?state=\udcff"],
)
def test_an_address_that_is_not_ours_is_refused(giver: TokenServer, address: str) -> None:
    with pytest.raises(Refused, match="does not belong"):
        code_in(plan_visit(login_at(giver), 1234), address)


def test_an_address_without_a_code_is_refused(giver: TokenServer) -> None:
    visit = plan_visit(login_at(giver), 1234)
    with pytest.raises(Refused, match="holds no code"):
        code_in(visit, f"http://127.0.0.1/?state={visit.state}")


def test_a_yes_to_a_code_brings_tokens_and_is_asked_for_as_seldom_as_the_provider_wants(giver: TokenServer) -> None:
    login = login_at(giver)
    asked = ask_for_code(login)
    assert (asked.address, asked.user_code) == (f"{giver.address}/activate", "WORD-0000")
    giver.pending = 3
    rests: list[float] = []

    def rest(seconds: float) -> None:
        rests.append(seconds)
        if len(rests) == 5:
            giver.say_yes(asked.user_code)

    assert wait_for_yes(login, asked, rest)["access_token"] in giver.access
    assert rests == [1, 6, 11, 11, 11]


def test_a_provider_that_is_away_is_asked_half_as_often(giver: TokenServer) -> None:
    login = login_at(giver)
    asked = ask_for_code(login)
    giver.say_yes(asked.user_code)
    giver.trouble = (503, b"away")
    rests: list[float] = []

    def rest(seconds: float) -> None:
        rests.append(seconds)
        if len(rests) == 3:
            giver.trouble = None

    assert "access_token" in wait_for_yes(login, asked, rest)
    assert rests == [1, 2, 4]


def test_a_no_or_a_code_that_ran_out_is_a_sentence(giver: TokenServer) -> None:
    login = login_at(giver)
    asked = ask_for_code(login)
    total: list[float] = []
    with pytest.raises(Refused, match="ran out"):
        wait_for_yes(login, asked, total.append)
    assert sum(total) == asked.life
    giver.says_no = True
    with pytest.raises(Refused, match="told no"):
        wait_for_yes(login, asked, total.append)
    giver.devices.clear()
    with pytest.raises(Refused, match="ran out"):
        wait_for_yes(login, asked, total.append)


def test_a_provider_without_a_flow_is_a_sentence(giver: TokenServer) -> None:
    login = login_at(giver, device_url=None, authorize_url=None)
    with pytest.raises(Misconfigured, match="use --browser"):
        ask_for_code(login)
    with pytest.raises(Misconfigured, match=r"oauth\.authorize_url"):
        plan_visit(login, 1)


def test_a_device_flow_that_is_refused_is_a_sentence(giver: TokenServer) -> None:
    with pytest.raises(Refused, match="begins no device flow"):
        ask_for_code(login_at(giver, client_id="somebody"))


def test_two_people_walk_at_the_same_time(giver: TokenServer) -> None:
    login = login_at(giver)
    with open_landing() as one, open_landing() as two:
        visits = [plan_visit(login, landing.port) for landing in (one, two)]
        walks = [threading.Thread(target=lambda visit=visit: come(come(visit.address)[1])) for visit in visits]
        for walk in walks:
            walk.start()
        codes = [landing.wait(visit, 30) for landing, visit in zip((one, two), visits, strict=True)]
        for walk in walks:
            walk.join()
    assert codes[0] != codes[1]
