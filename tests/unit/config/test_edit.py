from __future__ import annotations

import stat
import tomllib
from typing import TYPE_CHECKING

import pytest

from webordinary.config import example_config, project_block, with_project
from webordinary.config.edit import ProjectText
from webordinary.config.file import ChangedMeanwhile, ConfigText
from webordinary.errors import Misconfigured, Refused

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = """\
# our own remark
domain = "edit.example.com"

[[project]]
id = "amelia"   # the bakery
repository = "/srv/amelia.git"
allowed_paths = [
  "content/*",  # texts
  "img/*",
]
publish = "auto"  # they asked for "#auto"

# money
[project.budget]
usd = 2.5

[[project.editor]]
user = "scott"
address = "scott@example.org"

# the flowers come next
[[project]]
id = "flora"
repository = "/srv/flora.git"
budget.usd = 1.0
"""


def test_one_value_changes_and_every_remark_stays() -> None:
    new = ProjectText(WRITTEN, "amelia").with_key(("publish",), "approve").text
    assert new == WRITTEN.replace('publish = "auto"  #', 'publish = "approve"  #')


def test_a_list_over_several_lines_becomes_one_line() -> None:
    new = ProjectText(WRITTEN, "amelia").with_key(("allowed_paths",), ["pages/*"]).text
    assert 'allowed_paths = ["pages/*"]\npublish' in new


def test_a_new_key_stands_at_the_end_of_its_table() -> None:
    made = ProjectText(WRITTEN, "amelia").with_key(("group",), "Food").with_key(("budget", "usd_a_month"), 30.0)
    assert '"#auto"\ngroup = "Food"\n\n# money\n[project.budget]\nusd = 2.5\nusd_a_month = 30.0\n' in made.text
    assert made.said["budget"] == {"usd": 2.5, "usd_a_month": 30.0}


def test_a_new_table_stands_with_its_project() -> None:
    made = ProjectText(WRITTEN, "flora").with_key(("size", "files"), 10)
    assert made.text.endswith("budget.usd = 1.0\n\n[project.size]\nfiles = 10\n")
    assert tomllib.loads(made.text)["project"][0] == tomllib.loads(WRITTEN)["project"][0]


def test_a_dotted_key_stays_one() -> None:
    made = ProjectText(WRITTEN, "flora").with_key(("budget", "usd"), 3.0).with_key(("budget", "turns"), 9)
    assert made.text.endswith("budget.usd = 3.0\nbudget.turns = 9\n")


def test_a_key_can_go() -> None:
    made = ProjectText(WRITTEN, "amelia").with_key(("publish",), None)
    assert made.text == WRITTEN.replace('publish = "auto"  # they asked for "#auto"\n', "")


def test_editors_come_change_and_go() -> None:
    made = ProjectText(WRITTEN, "amelia").with_editor("maria", {"address": "maria@example.org", "language": None})
    assert 'user = "maria"\naddress = "maria@example.org"\n\n# the flowers' in made.text
    changed = made.with_editor("scott", {"address": "s@example.org"})
    assert [each["address"] for each in changed.said["editor"]] == ["s@example.org", "maria@example.org"]
    assert made.without_editor("maria").text == WRITTEN
    assert "editor" not in ProjectText(WRITTEN, "amelia").without_editor("scott").said


def test_what_is_the_same_changes_nothing() -> None:
    made = ProjectText(WRITTEN, "amelia").with_key(("publish",), "auto").with_key(("group",), None)
    assert made.text == WRITTEN


def test_line_ends_of_another_system_stay() -> None:
    foreign = WRITTEN.replace("\n", "\r\n")
    assert ProjectText(foreign, "amelia").with_key(("publish",), "approve").text == foreign.replace(
        'publish = "auto"', 'publish = "approve"'
    )


@pytest.mark.parametrize(
    "text",
    [
        'project = [{ id = "amelia", repository = "x" }]\n',
        '[[project]]\nid = "amelia"\nbudget = { usd = 1.0 }\n',
    ],
)
def test_what_cannot_be_changed_alone_is_left_to_a_person(text: str) -> None:
    with pytest.raises(Misconfigured, match="by hand"):
        ProjectText(text, "amelia").with_key(("budget", "usd"), 2.0)


def test_any_text_is_a_value_and_nothing_more() -> None:
    nasty = '"\n[[project]]\nid = "evil"\\'
    made = ProjectText(WRITTEN, "amelia").with_key(("name",), nasty)
    assert made.said["name"] == nasty
    assert len(tomllib.loads(made.text)["project"]) == 2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "webordinary.toml"
    block = project_block(id="amelia", repository="amelia.git", editors=[("scott", "scott@example.org")])
    made.write_text(with_project(example_config(), block), encoding="utf-8")
    made.chmod(0o640)
    return made


def test_a_change_is_shown_and_written_whole(path: Path) -> None:
    before = ConfigText.read(path)
    new = ProjectText(before.plain, "amelia").with_key(("group",), "Food").text
    assert '+group = "Food"' in before.differs_by(new)
    before.replace(new, {})
    assert path.read_text(encoding="utf-8") == new
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_what_somebody_else_wrote_meanwhile_is_not_lost(path: Path) -> None:
    before = ConfigText.read(path)
    new = ProjectText(before.plain, "amelia").with_key(("group",), "Food").text
    theirs = before.text + "# their remark\n"
    path.write_text(theirs, encoding="utf-8")
    with pytest.raises(ChangedMeanwhile):
        before.replace(new, {})
    assert path.read_text(encoding="utf-8") == theirs


def test_what_the_installation_could_not_read_is_never_written(path: Path) -> None:
    before = ConfigText.read(path)
    new = ProjectText(before.plain, "amelia").with_key(("publish",), "perhaps").text
    with pytest.raises(Misconfigured, match="publish"):
        before.replace(new, {})
    assert path.read_text(encoding="utf-8") == before.text


def test_a_file_that_may_not_be_written_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ConfigText.read(path)
    # Whoever runs the tests may be allowed everything.
    monkeypatch.setattr("os.access", lambda *_: False)
    new = ProjectText(before.plain, "amelia").with_key(("group",), "Food").text
    with pytest.raises(Refused, match=r"cannot be written by the user.*Nothing was changed"):
        before.replace(new, {})
    assert path.read_text(encoding="utf-8") == before.text
