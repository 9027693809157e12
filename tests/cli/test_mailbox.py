"""`webordinary mailbox login` as a person sees it, at a provider on loopback."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import COMMAND
from tests.cli.test_doctor import findings
from tests.doors.dovecot import USER
from tests.oauth.provider import provider
from tests.oauth.test_flows import come
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.program import Program
    from tests.oauth.provider import Provider

KEPT = "kept as the secret oauth-bakery"
MAIL = write_mail(sender="scott@example.org", to="amelia@edit.localhost", text="We open at nine now.")


@pytest.fixture(scope="module")
def house_of_the_module() -> Iterator[Provider]:
    with provider() as one, pytest.MonkeyPatch.context() as here:
        here.setenv("SSL_CERT_FILE", str(one.dovecot.certificate))
        yield one


@pytest.fixture
def house(house_of_the_module: Provider) -> Provider:
    """The provider, where nobody has said anything yet."""
    house_of_the_module.giver.person = USER
    house_of_the_module.giver.says_no = False
    house_of_the_module.giver.trouble = None
    return house_of_the_module


def secret_in(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "data" / "secrets" / "oauth-bakery").read_text())
    return found


def address_in(line: str) -> str:
    found = re.search(r"http\S+/authorize\S+", line)
    assert found is not None, line
    return found[0]


def log_in(program: Program, house: Provider) -> None:
    """Log in as a person does, with a code."""
    with program.start("mailbox", "login") as walk:
        line = walk.line_with("enter the code")
        assert USER in line
        house.giver.say_yes(line.rpartition(" code ")[2].split()[0])
        walk.line_with(KEPT)
        assert walk.process.wait() == 0
    assert not any(secret in walk.said for secret in house.giver.all_secrets())


@pytest.mark.thorough
def test_a_code_that_was_said_yes_to_lets_us_in_and_doctor_sees_it(bakery: Program, house: Provider) -> None:
    house.configure(bakery.folder)
    before = findings(bakery, code=1)
    assert "run `webordinary mailbox login bakery`" in before["login"][1]
    assert before["mailbox"][0] == "fail"
    assert before["outgoing mail"][1].endswith("run `webordinary mailbox login bakery`")

    log_in(bakery, house)

    said = bakery.run("doctor")
    assert "bakery has a token" in said
    assert re.search(rf"ok +login +{USER} at localhost:\d+ lets us in", said)
    assert re.search(rf"ok +mailbox +{USER}@127.0.0.1/INBOX says when mail comes", said)
    assert not any(secret in said for secret in house.giver.all_secrets())


def test_a_yes_in_a_browser_lets_us_in(bakery: Program, house: Provider) -> None:
    house.configure(bakery.folder)
    with bakery.start("mailbox", "login", "bakery", "--browser") as walk:
        _, back, _ = come(address_in(walk.line_with("Open this address")))
        assert come(back)[0] == 200
        walk.line_with(f"{USER}@127.0.0.1/INBOX: lets us in")
        walk.line_with("localhost:")
        walk.line_with(KEPT)
    assert secret_in(bakery.folder)["refresh_token"] in house.giver.refresh


@pytest.mark.thorough
def test_an_address_from_a_browser_elsewhere_can_be_pasted(bakery: Program, house: Provider) -> None:
    house.configure(bakery.folder)
    command = [*COMMAND, "mailbox", "login", "--paste"]
    with subprocess.Popen(command, cwd=bakery.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as walk:
        assert walk.stdin is not None
        assert walk.stdout is not None
        back = come(address_in(walk.stdout.readline()))[1]
        said, _ = walk.communicate(f"{back}\n")
    assert (walk.returncode, KEPT in said) == (0, True)


@pytest.mark.thorough
def test_a_login_of_the_wrong_person_changes_nothing(bakery: Program, house: Provider) -> None:
    house.configure(bakery.folder)
    log_in(bakery, house)
    before = secret_in(bakery.folder)
    house.giver.person = "private@example.com"
    with bakery.start("mailbox", "login", "--browser") as walk:
        come(come(address_in(walk.line_with("Open this address")))[1])
        walk.line_with("nothing was kept: log in as the mailbox's own user")
    assert secret_in(bakery.folder) == before
    assert not any(secret in walk.said for secret in house.giver.all_secrets())


def test_a_no_in_the_browser_is_a_sentence_and_a_code(bakery: Program, house: Provider) -> None:
    house.configure(bakery.folder)
    house.giver.says_no = True
    with bakery.start("mailbox", "login", "--browser") as walk:
        come(come(address_in(walk.line_with("Open this address")))[1])
        walk.line_with("The provider was told no (access_denied); nothing was changed.")
        assert walk.process.wait() == 1
    assert not (bakery.folder / "data" / "secrets" / "oauth-bakery").exists()


@pytest.mark.thorough
def test_mails_are_read_and_answered_with_tokens(bakery: Program, house: Provider) -> None:
    house.configure(bakery.folder)
    log_in(bakery, house)
    house.dovecot.put(MAIL)
    with bakery.start("serve") as serving:
        serving.line_with("is held, nothing will be done")
        answer = house.post.mails.get(timeout=60)
        serving.end()
    assert b"To: scott@example.org" in answer
    assert not any(secret in serving.said for secret in house.giver.all_secrets())


@pytest.mark.thorough
def test_an_application_that_comes_in_by_itself_needs_nobody(bakery: Program, house: Provider) -> None:
    house.configure(bakery.folder, grant="client_credentials")
    assert "comes in by itself" in bakery.run("mailbox", "login", code=2)
    assert "bakery has a token" in bakery.run("doctor")
    house.dovecot.put(MAIL)
    assert "new mail" in bakery.run("imap", "--once")


@pytest.mark.thorough
def test_on_aws_the_login_is_kept_by_secrets_manager(aws_bakery: Program, house: Provider) -> None:
    house.configure(aws_bakery.folder, sends=False)
    assert "run `webordinary mailbox login bakery`" in aws_bakery.run("imap", "--once", code=1)
    log_in(aws_bakery, house)
    house.dovecot.put(MAIL)
    assert "new mail" in aws_bakery.run("imap", "--once")
    assert not (aws_bakery.folder / "data" / "secrets").exists()


def test_what_is_typed_wrong_is_a_sentence(bakery: Program, house: Provider) -> None:
    assert "add an [[oauth]] table" in bakery.run("mailbox", "login", code=2)
    house.configure(bakery.folder)
    assert "There is no login 'flora'; there is bakery." in bakery.run("mailbox", "login", "flora", code=2)
