"""The walk at a real terminal: Ctrl+C loses nothing, and what takes time is looked for until it is there."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tests.doors.dovecot import USER
from tests.doors.token_server import CLIENT, SCOPE, SECRET
from tests.oauth.provider import provider
from tests.oauth.test_flows import come
from tests.setup.ground import AGENCY, DOMAIN, SCOTT, name_server, post, program_in, states, zone_of
from tests.setup.typist import at_a_terminal
from webordinary.testing.dns import Zone
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.inside import InsideProgram
    from tests.oauth.provider import Provider
    from tests.setup.typist import Typist

PASSWORD = "hunter2-hunter2"
POSTFIX = ("postfix", DOMAIN, AGENCY, "mx.provider.example", "127.0.0.1:2599", "")


def test_ctrl_c_in_the_middle_loses_nothing_and_a_secret_is_on_no_screen(tmp_path: Path) -> None:
    program = program_in(tmp_path)
    with at_a_terminal(program, "setup") as person:
        person.types("imap", DOMAIN, AGENCY, "127.0.0.1", "1", "none", "me", PASSWORD)
        person.hears("authserv_id")
        assert person.interrupts() == 1
        assert "Nothing is lost: `webordinary setup` goes on from here." in person.screen
        assert PASSWORD not in person.screen
    assert [each.name for each in tmp_path.iterdir()] == [".webordinary-setup.json"]
    assert PASSWORD not in (tmp_path / ".webordinary-setup.json").read_text()
    assert states(program)["mail"] == "begun"

    # The next one goes on there; Enter takes what was answered, and only the secret is asked for again.
    with at_a_terminal(program, "setup") as person:
        person.types("", "", "", "", "", "", "", PASSWORD, "", "yes")
        assert '+user = "me"' in person.screen
        # Nobody is at that port; the walk stays at this step, and closing the terminal is as good as Ctrl+C.
        person.hears("It does not work yet.")
    assert (tmp_path / "data" / "secrets" / "imap-password").read_text() == PASSWORD
    assert states(program) | {"mail": "begun", "dns": "open"} == states(program)


def test_records_that_appear_later_are_looked_for_until_they_are_there(tmp_path: Path) -> None:
    zone = Zone()
    with name_server(zone) as dns:
        program = program_in(tmp_path, dns)
        with at_a_terminal(program, "setup") as person:
            person.types(*POSTFIX, "yes", "", "-")
            person.hears(f"{DOMAIN} has no MX record yet")
            person.types("yes")
            person.hears("Ctrl+C ends the waiting.")
            # It ends the waiting and not the walk.
            person.sends("\x03")
            person.waits()
            before = len(zone.asked)
            person.types("yes")
            person.hears("Ctrl+C ends the waiting.")
            zone.put(DOMAIN, "MX", "10 mx.provider.example.")
            zone.put(f"setup-looks-here.{DOMAIN}", "MX", "10 mx.provider.example.")
            # Nobody is asked again.
            person.hears("3 of 11: Outgoing mail")
            person.waits()
            assert person.interrupts() == 1
    assert len(zone.asked) > before
    assert states(program) | {"mail": "done", "dns": "done", "outgoing": "open"} == states(program)


STEPS = {
    "mail": (*POSTFIX, "yes"),
    "dns": ("mx.provider.example", "-"),
    "outgoing": ("127.0.0.1:{port}", "starttls", "-", "-", "-", "yes"),
    "site": ("folder", "bakery"),
    "project": ("amelia", "", "", ".", "", "", "yes"),
    "agent": ("scripted", "yes"),
    "sandbox": ("auto", "yes"),
    "budget": ("1", "2", "", "yes"),
    "editor": ("scott", SCOTT, "", "yes"),
    "service": ("yes", "yes"),
}


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_every_step_is_left_in_its_middle_and_taken_up_again(tmp_path: Path) -> None:
    copy_sample_site(tmp_path / "bakery")
    zone = zone_of()
    zone.put(f"setup-looks-here.{DOMAIN}", "MX", "10 mx.provider.example.")
    with name_server(zone) as dns, post() as outgoing:
        program = program_in(tmp_path, dns)
        steps = [[line.format(port=outgoing.port) for line in typed] for typed in STEPS.values()]
        with at_a_terminal(program, "setup") as person:
            person.types(steps[0][0])
            person.waits()
            assert person.interrupts() == 1
        for number, (typed, following) in enumerate(pairwise([*steps, []]), start=1):
            assert list(states(program).values())[number - 1 :][:2] == ["begun", "open"]
            # It begins where the last one ended, goes to the next step, and ends in the middle of that one.
            with at_a_terminal(program, "setup") as person:
                person.types("", *typed[1:])
                person.hears(f"{number + 1} of 11: ")
                person.types(*following[:1])
                person.waits()
                assert person.interrupts() == 1
            assert list(states(program).values())[:number] == ["done"] * number
        assert states(program)["first-mail"] == "waiting"
    assert (tmp_path / "systemd" / "webordinary.service").is_file()


@pytest.fixture(scope="module")
def house() -> Iterator[Provider]:
    with provider() as one:
        yield one


def at_home(folder: Path, house: Provider) -> InsideProgram:
    program = program_in(folder)
    program.environment.update(
        AT_HOME_GIVER=house.giver.address,
        AT_HOME_IMAP=str(house.dovecot.port),
        SSL_CERT_FILE=str(house.dovecot.certificate),
    )
    return program


def says_yes_by_code(house: Provider, person: Typist) -> None:
    person.hears("enter the code ")
    house.giver.say_yes(person.hears(" there.").removesuffix(" there."))


def says_yes_in_a_browser(_: Provider, person: Typist) -> None:
    person.hears("and say yes: ")
    address = person.hears("\n").strip()
    person.hears("press Enter.")
    person.sends(f"{come(address)[1]}\r")


@pytest.mark.thorough
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("way", "asked", "yes"), [("gmail", (), says_yes_in_a_browser), ("microsoft", ("",), says_yes_by_code)]
)
def test_a_login_with_tokens_is_part_of_the_walk(
    tmp_path: Path, house: Provider, way: str, asked: tuple[str, ...], yes: Callable[[Provider, Typist], None]
) -> None:
    program = at_home(tmp_path, house)
    with at_a_terminal(program, "setup", module="tests.setup.at_home") as person:
        person.types(way, DOMAIN, AGENCY, USER, CLIENT, SECRET, *asked, "yes")
        yes(house, person)
        person.hears("lets us in")
        # DNS is for later; the same login lets letters out.
        person.types("later", f"localhost:{house.dovecot.submission}", "", "", "", "", "yes")
        person.hears("takes mail for strangers")
        person.waits()
        assert person.interrupts() == 1
        hidden = [each for each in house.giver.all_secrets() if each not in house.giver.codes]
        assert not any(secret in person.screen for secret in hidden)
    assert b"test letter" in house.post.mails.get(timeout=60)
    assert states(program) | {"mail": "done", "dns": "left", "outgoing": "done"} == states(program)
    known = "".join(each.read_text() for each in tmp_path.iterdir() if each.is_file())
    assert not any(secret in known for secret in house.giver.all_secrets())


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_another_provider_without_codes_is_answered_by_pasting(tmp_path: Path, house: Provider) -> None:
    program = at_home(tmp_path, house)
    giver = house.giver.address
    server = ("127.0.0.1", str(house.dovecot.port), "none", USER, CLIENT, SECRET)
    with at_a_terminal(program, "setup") as person:
        person.types("oauth", DOMAIN, AGENCY, *server, f"{giver}/token", "", f"{giver}/authorize", SCOPE, "", "yes")
        says_yes_in_a_browser(house, person)
        person.hears("lets us in")
        person.waits()
        assert person.interrupts() == 1
    assert states(program)["mail"] == "done"
