from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.cli.program import Program


def fail_a_mail(program: Program) -> None:
    raw = write_mail(sender="scott@example.org", to="amelia@edit.localhost", text="We open at nine now.")
    (program.folder / "mail.eml").write_bytes(raw)
    job = program.read("deliver", "mail.eml", "--as", "scott@example.org")["job"]
    program.run("pause", "amelia", "--reason", "the server moves")
    assert job


def test_a_quiet_day_is_said_to_be_one(any_bakery: Program) -> None:
    assert "nothing to tell" in any_bakery.run("digest")
    assert any_bakery.read("digest") == {}


def test_the_digest_tells_what_waits_at_this_moment(any_bakery: Program) -> None:
    fail_a_mail(any_bakery)
    said = any_bakery.run("digest")
    assert "Paused projects" in said
    assert [line for line in said.splitlines() if line.startswith("- amelia: the server moves")], said
    assert [line for line in any_bakery.read("digest")["paused"] if "the server moves" in line]


def test_a_digest_without_an_agency_is_refused(any_bakery: Program) -> None:
    fail_a_mail(any_bakery)
    assert "agency.address" in any_bakery.run("digest", "--send", code=2)
