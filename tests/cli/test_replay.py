from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.cli.program import Program

FLORA = "flora@example.org"
MAIL = write_mail(sender=FLORA, to="amelia@edit.localhost", text="We open at nine now.")


def add_flora(program: Program) -> None:
    path = program.folder / "webordinary.toml"
    path.write_text(f'{path.read_text()}\n[[project.editor]]\nuser = "flora"\naddress = "{FLORA}"\n')


def test_after_an_editor_was_added_the_mail_is_taken_by_a_replay(bakery: Program) -> None:
    refused = bakery.run("deliver", "-", "--as", FLORA, stdin=MAIL)
    mail = refused.partition(":")[0]
    add_flora(bakery)

    assert "Outcome: queued" in bakery.run("replay", mail)
    assert bakery.read("replay", mail)["outcome"] == "queued"
    assert bakery.read("show", "jobs") == []

    done = bakery.read("replay", mail, "--act")
    (job,) = bakery.read("show", "jobs")
    assert (done["replays"], done["job"], job["user"]) == (mail, job["id"], "flora")
    assert "repeated" in bakery.run("replay", mail, "--act")
    assert f"lets {mail} be decided again" in bakery.run("show", "trail")


def test_a_mail_that_nobody_knows_is_a_sentence(bakery: Program) -> None:
    assert "There is no mail mail-1" in bakery.run("replay", "mail-1", code=1)
