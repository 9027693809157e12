"""What an operator sees of held mails, and does with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.cli.program import Program

SCOTT = "scott@example.org"
MAIL = write_mail(sender=SCOTT, to="amelia@edit.localhost", text="We open at nine.")


def held(bakery: Program) -> str:
    bakery.run("deliver", "-", stdin=MAIL)
    (mail,) = bakery.read("show", "held")
    return str(mail["id"])


def test_held_mails_are_shown_with_what_was_found_out(any_bakery: Program) -> None:
    mail = held(any_bakery)
    shown = any_bakery.read("show", "mail", mail)

    assert (shown["outcome"], shown["verdict"], shown["method"]) == ("held", "unverified", "none")
    assert any("Nothing proves" in reason for reason in shown["reasons"])
    assert "Nothing proves" in any_bakery.run("show", "mail", mail)


@pytest.mark.one_engine
def test_an_operator_lets_a_held_mail_through_once(any_bakery: Program) -> None:
    mail = held(any_bakery)
    said = any_bakery.run("release-mail", mail)

    (job,) = any_bakery.read("show", "jobs")
    assert (job["mail"], job["user"]) == (mail, "scott")
    assert job["id"] in said
    assert any_bakery.read("show", "held") == []
    assert "not held" in any_bakery.run("release-mail", mail, code=1)
    assert "not held" in any_bakery.run("refuse-mail", mail, code=1)


def test_an_operator_turns_a_held_mail_away_for_good(any_bakery: Program) -> None:
    mail = held(any_bakery)
    any_bakery.run("refuse-mail", mail, "--reason", "he says he never wrote it")

    shown = any_bakery.read("show", "mail", mail)
    assert shown["outcome"] == "refused"
    assert "never wrote it" in shown["reason"]
    assert "not held" in any_bakery.run("release-mail", mail, code=1)
    assert any_bakery.read("show", "jobs") == []


def test_a_mail_that_does_not_exist_is_not_released(bakery: Program) -> None:
    assert "no mail mail-x" in bakery.run("release-mail", "mail-x", code=1)
