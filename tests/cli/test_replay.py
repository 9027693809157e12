from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.config import EngineKind, load_config
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.cli.program import Program

FLORA = "flora@example.org"
MAIL = write_mail(sender=FLORA, to="amelia@edit.localhost", text="We open at nine now.")


def add_flora(program: Program) -> None:
    path = program.folder / "webordinary.toml"
    path.write_text(f'{path.read_text()}\n[[project.editor]]\nuser = "flora"\naddress = "{FLORA}"\n')


@pytest.mark.one_engine
def test_after_an_editor_was_added_the_mail_is_taken_by_a_replay(any_bakery: Program) -> None:
    refused = any_bakery.run("deliver", "-", "--as", FLORA, stdin=MAIL)
    mail = refused.partition(":")[0]
    add_flora(any_bakery)
    make_known(any_bakery)

    assert "Outcome: queued" in any_bakery.run("replay", mail)
    assert any_bakery.read("replay", mail)["outcome"] == "queued"
    assert any_bakery.read("show", "jobs") == []

    done = any_bakery.read("replay", mail, "--act")
    (job,) = any_bakery.read("show", "jobs")
    assert (done["replays"], done["job"], job["user"]) == (mail, job["id"], "flora")
    assert "repeated" in any_bakery.run("replay", mail, "--act")
    assert f"lets {mail} be decided again" in any_bakery.run("show", "trail")


def test_a_mail_that_nobody_knows_is_a_sentence(bakery: Program) -> None:
    assert "There is no mail mail-1" in bakery.run("replay", "mail-1", code=1)


def make_known(program: Program) -> None:
    """On AWS a change of the projects reaches the account by onboarding."""
    if load_config(program.folder / "webordinary.toml", {}).engine is EngineKind.AWS:
        program.run("aws", "onboard", "amelia")
