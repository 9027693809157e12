from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded import EmbeddedRig, make_repository
from webordinary.audit.entry import EventType
from webordinary.dashboard.viewer import Role
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from pathlib import Path

    from httpx2 import Response
    from starlette.testclient import TestClient

    from tests.dashboard.face import Face
    from webordinary.testing.story import Story

CHANGE = "/projects/amelia/change"


@pytest.fixture
def path(face: Face) -> Path:
    return face.house.here.config.path


def hidden_in(page: str) -> dict[str, str]:
    """Return what a page's forms send without anybody typing."""
    found = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page.partition("<main")[2])
    return {html.unescape(name): html.unescape(value) for name, value in found}


def filled_in(page: str) -> dict[str, str]:
    """Return what the form would send as it is shown."""
    typed = re.findall(r'<input id="([^"]+)" name="[^"]+" value="([^"]*)"', page)
    return hidden_in(page) | {html.unescape(name): html.unescape(value) for name, value in typed}


def goes(browser: TestClient, where: str, page: str, go: str, **typed: str) -> Response:
    return browser.post(where, data={**filled_in(page), "go": go, **typed})


def test_a_rule_is_shown_as_a_change_and_then_written(face: Face, story: Story, path: Path) -> None:
    before = path.read_text(encoding="utf-8")
    browser = face.signed_in()
    form = browser.get(CHANGE).text
    look = goes(browser, CHANGE, form, "look", **{"rule.group": "Food", "rule.publish": "approve"})
    assert look.status_code == 200
    assert "<ins>+group = &#34;Food&#34;</ins>" in look.text
    assert path.read_text(encoding="utf-8") == before

    written = goes(browser, CHANGE, look.text, "write")

    assert written.headers["location"] == "/projects/amelia"
    assert path.read_text(encoding="utf-8").startswith(before[:200])
    # The same process sees it without a new start, as serve does.
    found = face.house.here.engine.projects.find("amelia")
    assert found is not None
    assert (found.group, found.rules.publish.value) == ("Food", "approve")
    assert [entry.facts["by"] for entry in story.told(EventType.ACTED)] == ["amy"]
    assert "takes it over at once" in browser.get("/projects/amelia").text


def test_editors_come_and_go(face: Face) -> None:
    browser = face.signed_in()
    typed = {"editor.+.user": "paul", "editor.+.address": "paul@example.org", "editor.maria.gone": "true"}
    look = goes(browser, CHANGE, browser.get(CHANGE).text, "look", **typed)
    goes(browser, CHANGE, look.text, "write")
    found = face.house.here.engine.projects.find("amelia")
    assert found is not None
    assert [each.user for each in found.editors] == ["scott", "paul"]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"rule.max_files": "many"}, "is no number"),
        ({"rule.budget.usd": "nan"}, "no number that ends"),
        ({"rule.language": "klingon"}, "language"),
        ({"editor.+.user": "paul", "editor.+.address": "paul"}, "mail address"),
        ({"editor.+.user": "", "editor.+.address": "paul@example.org"}, "user"),
        ({"editor.scott.address": "maria@example.org"}, "maria@example.org"),
    ],
)
def test_what_is_wrong_is_told_and_what_was_typed_stays(
    face: Face, path: Path, typed: dict[str, str], words: str
) -> None:
    before = path.read_text(encoding="utf-8")
    browser = face.signed_in()
    answer = goes(browser, CHANGE, browser.get(CHANGE).text, "look", **{"rule.group": "Food"}, **typed)
    assert answer.status_code == 409
    assert words in html.unescape(answer.text)
    assert 'value="Food"' in answer.text
    assert path.read_text(encoding="utf-8") == before


def test_a_change_of_somebody_else_is_told_and_kept(face: Face, path: Path) -> None:
    browser = face.signed_in()
    look = goes(browser, CHANGE, browser.get(CHANGE).text, "look", **{"rule.group": "Food"})
    theirs = path.read_text(encoding="utf-8").replace('\nid = "amelia"', '\nid = "amelia"\nname = "Theirs"')
    path.write_text(theirs, encoding="utf-8")

    again = goes(browser, CHANGE, look.text, "write")

    assert again.status_code == 409
    assert "Somebody else has changed the file" in again.text
    assert path.read_text(encoding="utf-8") == theirs
    # The form was filled in when there was no name: theirs is not typed away by ours.
    goes(browser, CHANGE, again.text, "write")
    found = face.house.here.engine.projects.find("amelia")
    assert found is not None
    assert (found.name, found.group) == ("Theirs", "Food")


def test_secrets_around_a_change_are_not_shown(face: Face, path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("[[project]]", "# password hunter2\n[[project]]")
    path.write_text(text, encoding="utf-8")
    browser = face.signed_in()
    look = goes(browser, CHANGE, browser.get(CHANGE).text, "look", **{"rule.group": "Food"})
    assert "hunter2" not in look.text


def test_only_the_agency_changes_the_configuration(face: Face) -> None:
    for role in (Role.OPERATOR, Role.READER):
        browser = face.signed_in(role)
        assert browser.get(CHANGE).status_code == 403
        assert browser.get("/add-project").status_code == 403
        assert "Add a project" not in browser.get("/projects").text
        assert "Change rules" not in browser.get("/projects/amelia").text


class Newly:
    """Somebody who adds a project, step by step."""

    def __init__(self, browser: TestClient) -> None:
        self.browser = browser
        self.page = browser.get("/add-project").text
        self.status = 200

    def types(self, go: str = "next", **typed: str) -> str:
        answer = goes(self.browser, "/add-project", self.page, go, **typed)
        self.status = answer.status_code
        self.page = answer.text if answer.status_code != 303 else str(answer.headers["location"])
        return html.unescape(self.page)


@pytest.mark.thorough
def test_a_project_is_added_step_by_step(face: Face, story: Story, path: Path) -> None:
    assert isinstance(story.rig, EmbeddedRig)
    repository = make_repository(story.rig.folder, "harbour")
    before = path.read_text(encoding="utf-8")
    newly = Newly(face.signed_in())
    assert "its branch main is at" in newly.types(id="harbour", name="Harbour Café", repository=str(repository))
    assert "the files of the repository are the site" in newly.types()
    assert "harbour@edit.example.com, which is free" in newly.types(url="https://harbour.example/")
    look = newly.types(user="scott", address=SCOTT.address)
    assert "+[[project]]" in look
    assert '+name = "Harbour Café"' in look
    assert path.read_text(encoding="utf-8") == before
    assert newly.types("write") == "/projects/harbour"
    assert path.read_text(encoding="utf-8").startswith(before)
    found = face.house.here.engine.projects.find("harbour")
    assert found is not None
    assert (found.name, found.site.url, found.editors[0].address) == (
        "Harbour Café",
        "https://harbour.example/",
        SCOTT.address,
    )
    # Shown as it is, before any mail has come.
    story.waits_until(lambda: face.house.here.engine.sites.live("harbour") is not None)


@pytest.mark.thorough
def test_a_project_can_begin_with_one_page(face: Face, story: Story) -> None:
    newly = Newly(face.signed_in())
    for typed in ({"id": "fresh"}, {}, {}, {}):
        newly.types(**typed)
    assert newly.types("write") == "/projects/fresh"
    story.waits_until(lambda: face.house.here.engine.sites.live("fresh") is not None)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"id": ""}, "short name"),
        ({"id": "Über Uns"}, "short name"),
        ({"id": "amelia"}, "There is a project amelia already"),
        ({"id": "edit"}, "edit"),
        ({"id": "x", "repository": "/nowhere/at/all.git"}, "/nowhere/at/all.git"),
        ({"id": "x", "repository": "relative/path"}, "whole path"),
        ({"id": "x", "repository": "ext::sh -c true"}, "repository"),
        ({"id": "x", "repository": "--upload-pack=touch"}, "repository"),
    ],
)
def test_a_step_that_does_not_hold_leads_nowhere(face: Face, path: Path, typed: dict[str, str], words: str) -> None:
    before = path.read_text(encoding="utf-8")
    newly = Newly(face.signed_in())
    page = newly.types(**typed)
    assert newly.status == 409
    assert "✗ wrong" in page
    assert words.lower() in page.lower()
    assert 'name="step" value="repository"' in page
    assert path.read_text(encoding="utf-8") == before


def test_a_branch_that_is_not_there_is_found_at_once(face: Face, story: Story) -> None:
    assert isinstance(story.rig, EmbeddedRig)
    repository = make_repository(story.rig.folder, "harbour")
    newly = Newly(face.signed_in())
    assert "has no branch nowhere" in newly.types(id="harbour", repository=str(repository), branch="nowhere")


def test_a_file_that_changed_meanwhile_is_looked_at_once_more(face: Face, path: Path) -> None:
    newly = Newly(face.signed_in())
    for typed in ({"id": "fresh"}, {}, {}, {}):
        newly.types(**typed)
    theirs = path.read_text(encoding="utf-8") + "\n# their remark\n"
    path.write_text(theirs, encoding="utf-8")
    assert "Somebody else has changed the file" in newly.types("write")
    assert path.read_text(encoding="utf-8") == theirs
    assert not (face.house.here.config.data / "repositories" / "fresh.git").exists()
    assert newly.types("write") == "/projects/fresh"
    assert "# their remark" in path.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_a_build_is_tried_before_anything_is_written(face: Face, story: Story, path: Path) -> None:
    assert isinstance(story.rig, EmbeddedRig)
    repository = make_repository(story.rig.folder, "harbour")
    before = path.read_text(encoding="utf-8")
    newly = Newly(face.signed_in())
    newly.types(id="harbour", repository=str(repository))
    assert "it builds to" in newly.types("try")
    assert "correct `build`" in newly.types("try", build="false")
    assert path.read_text(encoding="utf-8") == before
    assert [each.name for each in path.parent.glob(".trial-*")] == []
