"""What a repository tells agents is put away while one works, and comes back as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.agent.manners import put_away, with_manners

if TYPE_CHECKING:
    from pathlib import Path


class Desk:
    def __init__(self, folder: Path) -> None:
        self.checkout, self.home = folder / "site", folder / "home"
        for place in (self.checkout, self.home, self.checkout / "menu"):
            place.mkdir()
        self.write("index.html", "page")
        self.write("AGENTS.md", "ours")
        self.write("menu/AGENTS.md", "ours too")

    def write(self, name: str, content: str) -> None:
        (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (self.checkout / name).write_text(content)

    def names(self) -> list[str]:
        found = (path for path in self.checkout.rglob("*") if path.is_file() or path.is_symlink())
        return sorted(str(path.relative_to(self.checkout)) for path in found)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_what_is_told_to_agents_is_away_while_one_works_and_comes_back(desk: Desk) -> None:
    desk.write(".opencode/plugin/x.js", "code")
    (desk.checkout / "CLAUDE.md").symlink_to("AGENTS.md")
    with put_away(desk.checkout, desk.home):
        assert desk.names() == ["index.html"]
        assert sorted(path.name for path in desk.home.rglob("*")) == []
    assert desk.names() == [".opencode/plugin/x.js", "AGENTS.md", "CLAUDE.md", "index.html", "menu/AGENTS.md"]
    assert (desk.checkout / "CLAUDE.md").readlink().name == "AGENTS.md"
    assert sorted(path.name for path in desk.home.parent.iterdir()) == ["home", "site"]


def test_it_comes_back_also_when_the_work_breaks_off(desk: Desk) -> None:
    with pytest.raises(KeyboardInterrupt), put_away(desk.checkout, desk.home):
        raise KeyboardInterrupt
    assert desk.names() == ["AGENTS.md", "index.html", "menu/AGENTS.md"]


def test_what_an_agent_has_put_in_its_place_does_not_stay(desk: Desk) -> None:
    with put_away(desk.checkout, desk.home):
        desk.write("AGENTS.md/evil", "theirs")
        (desk.checkout / "menu" / "AGENTS.md").symlink_to("/etc/hostname")
    assert (desk.checkout / "AGENTS.md").read_text() == "ours"
    assert (desk.checkout / "menu" / "AGENTS.md").read_text() == "ours too"


def test_a_folder_that_became_a_link_leads_nowhere(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    with put_away(desk.checkout, desk.home):
        (desk.checkout / "menu").rmdir()
        (desk.checkout / "menu").symlink_to(tmp_path / "elsewhere")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert (desk.checkout / "AGENTS.md").read_text() == "ours"


def test_a_folder_that_was_removed_stays_so(desk: Desk) -> None:
    with put_away(desk.checkout, desk.home):
        (desk.checkout / "menu").rmdir()
    assert desk.names() == ["AGENTS.md", "index.html"]


def test_an_agent_that_is_known_gets_its_words_and_those_of_others_stay_as_they_are() -> None:
    assert with_manners(("/opt/opencode", "acp")) == ("/opt/opencode", "acp", "--pure", "--port", "{port}")
    assert with_manners(("opencode", "acp", "--port=4000")) == ("opencode", "acp", "--port=4000", "--pure")
    assert with_manners(("gemini", "--acp")) == ("gemini", "--acp")
