"""A program adds a project step by step and changes rules; the change to the file is shown before it is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.rigs.embedded import EmbeddedRig, make_repository
from webordinary.audit.entry import EventType
from webordinary.client import ApiClient, ApiRefused
from webordinary.dashboard.api.config_shapes import EditorChanged
from webordinary.dashboard.viewer import Role
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.dashboard.face import Face
    from webordinary.routing.project import Project
    from webordinary.testing.story import Story


@pytest.fixture
def program(face: Face) -> Iterator[ApiClient]:
    with face.served() as address:
        yield ApiClient(address, face.token(Role.AGENCY))


@pytest.fixture
def path(face: Face) -> Path:
    return face.house.here.config.path


def project(face: Face, name: str) -> Project:
    found = face.house.here.engine.projects.find(name)
    assert found is not None
    return found


def test_a_rule_is_shown_as_a_change_and_then_written(face: Face, story: Story, program: ApiClient, path: Path) -> None:
    before, rules = (
        path.read_text(encoding="utf-8"),
        {"group": "Food", "publish": "approve", "budget.usd": 2.5, "max_files": 7},
    )
    assert "group" not in program.rules("amelia").rules
    look = program.look_at_rules("amelia", rules)
    assert {'+group = "Food"', "+max_files = 7"} <= set(look.change)
    assert path.read_text(encoding="utf-8") == before

    written = program.change_rules("amelia", look.mark, rules, key="once")

    assert written.change == look.change
    assert "takes it over at once" in written.after
    found = project(face, "amelia")
    assert (found.group, found.rules.publish.value) == ("Food", "approve")
    told = program.rules("amelia").rules
    assert (told["group"], told["publish"], told["budget.usd"]) == ("Food", "approve", 2.5)
    assert [entry.facts["by"] for entry in story.told(EventType.ACTED)] == ["agency"]
    # The same key has the same answer and writes nothing twice; what is null is as if nobody had said it.
    after = path.read_text(encoding="utf-8")
    assert program.change_rules("amelia", look.mark, rules, key="once") == written
    assert path.read_text(encoding="utf-8") == after
    less = {"group": None, "publish": None, "budget.usd": None}
    program.change_rules("amelia", program.look_at_rules("amelia", less).mark, less)
    assert project(face, "amelia").group is None
    assert not {"group", "publish"} & program.rules("amelia").rules.keys()


def test_editors_come_change_and_go(face: Face, program: ApiClient) -> None:
    editors = [
        EditorChanged(user="paul", address="paul@example.org"),
        EditorChanged(user="anna", address="anna@example.org", language="de"),
        EditorChanged(user="scott", language="de"),
        EditorChanged(user="maria", gone=True),
    ]
    look = program.look_at_rules("amelia", editors=editors)
    program.change_rules("amelia", look.mark, editors=editors)
    found = {each.user: (each.address, each.language) for each in project(face, "amelia").editors}
    assert found == {
        "scott": (SCOTT.address, "de"),
        "paul": ("paul@example.org", found["paul"][1]),
        "anna": ("anna@example.org", "de"),
    }
    assert [each.user for each in program.rules("amelia").editors] == ["scott", "paul", "anna"]


@pytest.mark.parametrize(
    ("rules", "editors", "status", "words"),
    [
        ({"max_files": "many"}, [], 400, "max_files"),
        ({"max_files": 1.5}, [], 400, "max_files"),
        ({"publish": "perhaps"}, [], 400, "publish"),
        ({"colour": "red"}, [], 400, "colour"),
        ({"repository": "/elsewhere"}, [], 400, "repository"),
        ({"language": "klingon"}, [], 409, "language"),
        ({"allowed_paths": ["a\nb"]}, [], 409, "one line"),
        ({}, [EditorChanged(user="paul", address="paul")], 409, "mail address"),
        ({}, [EditorChanged(user="nobody", gone=True)], 409, "is no editor"),
        ({}, [EditorChanged(user="scott"), EditorChanged(user="scott", gone=True)], 409, "twice"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(
    program: ApiClient, path: Path, rules: dict[str, object], editors: list[EditorChanged], status: int, words: str
) -> None:
    before = path.read_text(encoding="utf-8")
    for call in (
        lambda: program.look_at_rules("amelia", rules, editors),
        lambda: program.change_rules("amelia", "x", rules, editors),
    ):
        with pytest.raises(ApiRefused, match=words) as refused:
            call()
        assert refused.value.status == status
    assert path.read_text(encoding="utf-8") == before


def test_a_change_of_somebody_else_is_told_and_kept(face: Face, program: ApiClient, path: Path) -> None:
    look = program.look_at_rules("amelia", {"group": "Food"})
    theirs = path.read_text(encoding="utf-8").replace('\nid = "amelia"', '\nid = "amelia"\nname = "Theirs"')
    path.write_text(theirs, encoding="utf-8")
    with pytest.raises(ApiRefused, match="Somebody else has changed the file") as refused:
        program.change_rules("amelia", look.mark, {"group": "Food"})
    assert refused.value.status == 409
    assert path.read_text(encoding="utf-8") == theirs
    program.change_rules("amelia", program.look_at_rules("amelia", {"group": "Food"}).mark, {"group": "Food"})
    found = project(face, "amelia")
    assert (found.name, found.group) == ("Theirs", "Food")


@pytest.mark.thorough
def test_a_project_is_added_step_by_step(face: Face, story: Story, program: ApiClient, path: Path) -> None:
    assert isinstance(story.rig, EmbeddedRig)
    new: dict[str, Any] = {"name": "Harbour Café", "repository": str(make_repository(story.rig.folder, "harbour"))}
    before = path.read_text(encoding="utf-8")
    first = program.look_at_project("harbour", step="repository", **new)
    assert first.holds
    assert "its branch main is at" in first.checks[0].says
    assert first.look is None
    tried = program.look_at_project("harbour", step="build", try_build=True, **new)
    assert any("it builds to" in each.says for each in tried.checks)
    new |= {"url": "https://harbour.example/", "user": "scott", "address": SCOTT.address}
    last = program.look_at_project("harbour", **new)
    assert [each.step for each in last.checks] == ["repository", "build", "address", "editor"]
    assert last.look is not None
    assert '+name = "Harbour Café"' in last.look.change
    assert path.read_text(encoding="utf-8") == before

    written = program.add_project("harbour", last.look.mark, key="once", **new)

    assert (written.project, written.change) == ("harbour", last.look.change)
    assert program.add_project("harbour", last.look.mark, key="once", **new) == written
    assert path.read_text(encoding="utf-8").startswith(before)
    found = project(face, "harbour")
    assert (found.name, found.site.url) == ("Harbour Café", "https://harbour.example/")
    assert [entry.facts["action"] for entry in story.told(EventType.ACTED)] == ["add"]
    story.waits_until(lambda: face.house.here.engine.sites.live("harbour") is not None)


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ({"id": "Über Uns"}, "short name"),
        ({"id": "amelia"}, "There is a project amelia already"),
        ({"id": "x", "repository": "/nowhere/at/all.git"}, "/nowhere/at/all.git"),
        ({"id": "x", "repository": "relative/path"}, "whole path"),
        ({"id": "x", "repository": "ext::sh -c true"}, "repository"),
        ({"id": "x", "user": "paul", "address": "paul"}, "mail address"),
    ],
)
def test_what_does_not_hold_is_found_and_never_written(
    program: ApiClient, path: Path, new: dict[str, str], words: str
) -> None:
    before, name = path.read_text(encoding="utf-8"), new["id"]
    typed: dict[str, Any] = {key: text for key, text in new.items() if key != "id"}
    look = program.look_at_project(name, **typed)
    assert not look.holds
    assert look.look is None
    wrong = next(each for each in look.checks if each.level == "fail")
    assert words.lower() in wrong.says.lower()
    with pytest.raises(ApiRefused, match=re.escape(wrong.says)) as refused:
        program.add_project(name, "x", **typed)
    assert refused.value.status == 409
    assert path.read_text(encoding="utf-8") == before


def test_a_file_that_changed_meanwhile_is_looked_at_once_more(face: Face, program: ApiClient, path: Path) -> None:
    look = program.look_at_project("fresh").look
    assert look is not None
    theirs = path.read_text(encoding="utf-8") + "\n# their remark\n"
    path.write_text(theirs, encoding="utf-8")
    with pytest.raises(ApiRefused, match="Somebody else has changed the file") as refused:
        program.add_project("fresh", look.mark)
    assert refused.value.status == 409
    assert path.read_text(encoding="utf-8") == theirs
    assert not (face.house.here.config.data / "repositories" / "fresh.git").exists()


def test_only_the_agency_reads_and_writes_the_configuration(face: Face, program: ApiClient) -> None:
    operator = ApiClient(program.address, face.token(Role.OPERATOR))
    for call in (
        lambda: operator.rules("amelia"),
        lambda: operator.look_at_rules("amelia", {"group": "Food"}),
        lambda: operator.change_rules("amelia", "x", {"group": "Food"}),
        lambda: operator.look_at_project("fresh"),
        lambda: operator.add_project("fresh", "x"),
    ):
        with pytest.raises(ApiRefused) as refused:
            call()
        assert refused.value.status == 403
    with pytest.raises(ApiRefused) as missing:
        program.look_at_rules("nobody", {"group": "Food"})
    assert missing.value.status == 404
