"""A running `serve` follows its configuration: new projects and editors at once, and nothing of a broken file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_serve import SCOTT, listener_of
from tests.programs import need_sandbox
from webordinary.doors.submit import submit
from webordinary.testing.mail import write_mail
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Program

TOM = "tom@example.net"
AGENCY = "agency@example.com"


def trust_local_mail(bakery: Program) -> Path:
    """Let the listener believe whom it hears, and let the agency be told; return the file."""
    path = bakery.folder / "webordinary.toml"
    text = path.read_text().replace("[smtp]", "[smtp]\ntrust_local = true", 1)
    path.write_text("demo = true\n" + text.replace("[agency]", f'[agency]\naddress = "{AGENCY}"', 1))
    return path


def write(listener: tuple[str, int], sender: str, to: str) -> None:
    host, port = listener
    submit(write_mail(sender=sender, to=to, text="We open at nine now."), host, port, sender, [to])


@pytest.mark.thorough
def test_a_project_that_is_added_is_served_without_a_restart(bakery: Program) -> None:
    trust_local_mail(bakery)
    copy_sample_site(bakery.folder / "flowers")
    with bakery.start("serve") as server:
        listener = listener_of(server)
        said = bakery.run("project", "add", "flora", "--from", "flowers", "--editor", f"tom={TOM}")
        assert "serves it at once" in said
        assert "flora" in server.line_with("the configuration was read again")
        write(listener, TOM, "flora@edit.localhost")
        assert "is done (published)" in server.line_with("is done")
        server.end()
    assert "9:00 – 18:00" in (bakery.folder / "data/sites/flora/live/contact.html").read_text()


@pytest.mark.thorough
def test_an_editor_who_is_added_is_heard_and_one_who_is_removed_is_not(bakery: Program) -> None:
    path = trust_local_mail(bakery)
    text = path.read_text()
    with bakery.start("serve") as server:
        listener = listener_of(server)
        path.write_text(text.replace(f'address = "{SCOTT}"', f'address = "{TOM}"'))
        server.line_with("the configuration was read again")
        write(listener, TOM, "amelia@edit.localhost")
        server.line_with("is done (published)")
        write(listener, SCOTT, "amelia@edit.localhost")
        server.line_with("not_an_editor")
        server.end()


@pytest.mark.thorough
def test_a_site_that_gets_an_agent_of_its_own_has_it_with_the_next_mail(bakery: Program) -> None:
    need_sandbox()
    path = trust_local_mail(bakery)
    path.write_text(path.read_text().replace("count = 2", "count = 1"))
    script = "sed -i 's/8:00 – 18/7:15 – 18/' contact.html; echo Done by another one."
    with bakery.start("serve") as server:
        listener = listener_of(server)
        server.line_with("is ready")
        own = f'[project.agent]\nkind = "command"\ncommand = ["sh", "-c", {json.dumps(script)}]\n'
        path.write_text(f"{path.read_text()}\n{own}")
        assert "amelia has changed" in server.line_with("the configuration was read again")
        write(listener, SCOTT, "amelia@edit.localhost")
        server.line_with("Done by another one.")
        server.line_with("is done (")
        server.end()


@pytest.mark.thorough
def test_a_broken_file_changes_nothing_and_is_told_to_the_log_the_agency_and_the_doctor(bakery: Program) -> None:
    path = trust_local_mail(bakery)
    text = path.read_text().replace("count = 2", "count = 1")
    path.write_text(text)
    with bakery.start("serve") as server:
        listener = listener_of(server)
        server.line_with("is ready")
        path.write_text(text.replace("\n[[project]]", "\n[[project]", 1))
        problem = server.line_with("cannot be read, and everything goes on as before")
        assert "this is not TOML" in problem
        server.line_with("configuration_broken")
        write(listener, SCOTT, "amelia@edit.localhost")
        server.line_with("is done (published)")
        assert "this is not TOML" in bakery.run("doctor", code=2)
        bakery.kill("serve.worker_process")
        server.line_with("is ready")
        path.write_text(text)
        server.line_with("the configuration was read again")
        server.end()
    letters = [each.read_text() for each in (bakery.folder / "outgoing/new").iterdir()]
    assert [letter for letter in letters if AGENCY in letter and "this is not TOML" in letter] != []


@pytest.mark.thorough
def test_what_takes_effect_only_with_a_restart_is_said(bakery: Program) -> None:
    path = bakery.folder / "webordinary.toml"
    with bakery.start("serve") as server:
        listener_of(server)
        path.write_text(path.read_text().replace("[smtp]", "[smtp]\nconnections = 7", 1))
        assert "smtp" in server.line_with("takes effect with the next start")
        server.end()
