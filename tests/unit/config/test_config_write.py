from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webordinary.config import Config, example_config, example_config_on_aws, project_block, read_config, with_project
from webordinary.config.write import quote
from webordinary.doors.smtp import Smtp
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Callable


def read(text: str) -> Config:
    return read_config(text, Path("/srv/webordinary.toml"), {})


@pytest.mark.parametrize("example", [example_config, example_config_on_aws])
def test_the_first_configuration_loads_as_it_is(example: Callable[[], str]) -> None:
    config = read(example())
    assert (config.domain, config.projects, config.demo) == ("edit.example.com", (), False)


@pytest.mark.parametrize("example", [example_config, example_config_on_aws])
def test_every_line_that_is_only_commented_out_would_load_too(example: Callable[[], str]) -> None:
    config = read(re.sub(r"^# (?=\[|\w+ = )", "", example(), flags=re.MULTILINE))
    assert config.agency.address == "agency@example.com"
    assert config.projects[0].editors[0].user == "scott"


def test_what_was_asked_for_stands_in_the_first_configuration() -> None:
    text = example_config(
        domain="demo.localhost",
        data="state",
        agency="agency@example.com",
        timezone="Europe/Berlin",
        language="de",
        smtp_listen="127.0.0.1:0",
        preview_listen="127.0.0.1:0",
        outgoing="maildir:mails",
        workers=3,
        demo=True,
    )
    config = read(text)
    assert (config.domain, config.data) == ("demo.localhost", Path("/srv/state"))
    assert config.agency.address == "agency@example.com"
    assert (config.timezone, config.language) == ("Europe/Berlin", "de")
    assert (config.find_doors(Smtp)[0].listen.port, config.preview.listen.port) == (0, 0)
    assert config.outgoing.path == Path("/srv/mails")
    assert config.workers.count == 3
    assert config.demo
    assert config.find_doors(Smtp)[0].trust_local


def test_a_project_is_appended_and_loads() -> None:
    block = project_block(
        id="amelia",
        name="Amelia's Bakery",
        repository="repositories/amelia.git",
        branch="live",
        build=["npm", "run", "build"],
        output="dist",
        site_to="public/amelia",
        site_url="https://www.example.com/",
        editors=[("scott", "scott@example.com"), ("amelia", "amelia@example.com")],
    )
    second = project_block(id="bob", repository="bob.git")
    amelia, bob = read(with_project(with_project(example_config(), block), second)).projects
    assert (amelia.name, amelia.branch, amelia.output) == ("Amelia's Bakery", "live", "dist")
    assert amelia.build == ("npm", "run", "build")
    assert (amelia.site.to, amelia.site.url) == ("/srv/public/amelia", "https://www.example.com/")
    assert [editor.user for editor in amelia.editors] == ["scott", "amelia"]
    assert (bob.id, bob.editors) == ("bob", ())


def test_appending_keeps_what_was_there() -> None:
    text = "# mine\ndomain = 'a.example'"
    assert with_project(text, "[[project]]\n") == "# mine\ndomain = 'a.example'\n\n[[project]]\n"
    assert with_project("", "[[project]]\n") == "[[project]]\n"


def test_a_file_that_writes_its_projects_differently_is_not_broken() -> None:
    with pytest.raises(Misconfigured, match="add it by hand"):
        with_project("project = []\n", project_block(id="amelia", repository="a"))


def test_a_project_of_an_impossible_name_is_not_written() -> None:
    with pytest.raises(Misconfigured, match="The id of a project must be lower-case"):
        project_block(id='a"\n[smtp]', repository="a")
    with pytest.raises(Misconfigured, match="The user of an editor must be lower-case"):
        project_block(id="a", repository="a", editors=[("a b", "a@b")])


@given(st.text())
def test_any_text_survives_being_written(text: str) -> None:
    assert tomllib.loads(f"key = {quote(text)}") == {"key": text}


@given(st.text(), st.text(), st.lists(st.text()))
def test_no_name_can_break_out_of_its_project(name: str, url: str, build: list[str]) -> None:
    block = project_block(id="a", name=name, repository=url, build=build, site_url=url, editors=[("b", name)])
    (project,) = tomllib.loads(with_project("", block))["project"]
    assert (project["name"], project["repository"], project.get("build", [])) == (name, url, build)
    assert set(project) <= {"id", "name", "repository", "branch", "build", "output", "site", "editor"}


def test_half_a_character_is_replaced_rather_than_written() -> None:
    assert quote("a\ud800") == '"a?"'
