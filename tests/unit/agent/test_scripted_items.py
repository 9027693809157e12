"""What people type first: an item off the menu, one more with its price, and "it says this, it should say that"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.agent.scripted.carry_out import Result, ScriptedRequest, carry_out
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = "# Menu\n\n- Plum cake 4.80\n- Rye loaf 3.90\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    copy_sample_site(tmp_path / "site")
    return tmp_path / "site"


def ask(root: Path, request: str) -> Result:
    return carry_out(ScriptedRequest(request), root, lambda _: None)


@pytest.mark.parametrize(
    "request_",
    [
        "Take the almond croissant off the menu.",
        "Please remove the almond croissant from the menu.",
        "Could you delete the almond croissant?",
        "Please take almond croissants off the menu page, thanks!",
    ],
)
def test_an_item_is_taken_off_the_menu_with_its_price_and_note(site: Path, request_: str) -> None:
    before = (site / "menu.html").read_text(encoding="utf-8")
    result = ask(site, request_)
    assert result.stopped == "done", result.summary
    after = (site / "menu.html").read_text(encoding="utf-8")
    assert "Almond croissant" not in after
    assert "made better" not in after
    assert after.count("<li>") == before.count("<li>") - 1
    assert "Butter croissant" in after


def test_an_item_that_is_two_is_asked_about_and_one_that_is_none_is_not_understood(site: Path) -> None:
    before = (site / "menu.html").read_text(encoding="utf-8")
    several = ask(site, "Take the croissant off the menu.")
    assert several.stopped == "question"
    assert "Butter croissant" in (several.question or "")
    assert ask(site, "Take the fish off the menu.").stopped == "not_understood"
    assert ask(site, "Please remove the footer.").stopped == "not_understood"
    assert (site / "menu.html").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    "request_",
    [
        "Add apple pie for 4.20 to the menu.",
        'Please add "Apple pie" for €4.20 to the menu.',
        "Please add apple pie to the menu for 4.20 euros.",
        "New on the menu: apple pie, 4.20",
    ],
)
def test_an_item_is_added_as_its_neighbours_are_written(site: Path, request_: str) -> None:
    result = ask(site, request_)
    assert result.stopped == "done", result.summary
    after = (site / "menu.html").read_text(encoding="utf-8")
    lines = [line.strip() for line in after.splitlines()]
    at = lines.index('<span class="name">Apple pie</span>')
    assert lines[at - 1 : at + 3] == ["<li>", lines[at], '<span class="price">€4.20</span>', "</li>"]


def test_an_item_is_added_to_the_list_that_is_named(site: Path) -> None:
    assert ask(site, "Add walnut loaf for 5.10 to the bread on the menu.").stopped == "done"
    after = (site / "menu.html").read_text(encoding="utf-8")
    assert after.index("Baguette") < after.index("Walnut loaf") < after.index("Pastry")


def test_lists_of_markdown_pages_lose_and_gain_items_too(tmp_path: Path) -> None:
    (tmp_path / "menu.md").write_text(PLAIN)
    assert ask(tmp_path, "Take the plum cake off the menu. Add apple pie for 4.20 to the menu.").stopped == "done"
    assert (tmp_path / "menu.md").read_text() == "# Menu\n\n- Rye loaf 3.90\n- Apple pie 4.20\n"


@pytest.mark.parametrize(
    "request_",
    [
        'It says "Butter croissant", it should be "Buttery croissant".',
        "It says “Butter croissant” but should say “Buttery croissant”.",
        'On the menu page it says "Butter croissant", should be "Buttery croissant"',
        "It says Butter croissant, should be Buttery croissant",
        "The menu page still says Butter croissant, but it should say Buttery croissant.",
    ],
)
def test_what_it_says_becomes_what_it_should_say(site: Path, request_: str) -> None:
    result = ask(site, request_)
    assert result.stopped == "done", result.summary
    after = (site / "menu.html").read_text(encoding="utf-8")
    assert "Buttery croissant" in after
    assert ">Butter croissant" not in after


@pytest.mark.parametrize(
    "request_",
    ["We are closed on Saturdays.", "From now on we are closed on Saturdays.", "We are now closed every Saturday."],
)
def test_a_day_with_its_own_line_is_closed_wherever_hours_stand(site: Path, request_: str) -> None:
    result = ask(site, request_)
    assert result.stopped == "done", result.summary
    assert "<tr><td>Saturday</td><td>Closed</td></tr>" in (site / "contact.html").read_text(encoding="utf-8")
    assert "8:00 – 18:00, Saturday closed</p>" in (site / "index.html").read_text(encoding="utf-8")


def test_a_day_that_shares_its_line_is_asked_about_and_a_single_day_is_no_rule(site: Path) -> None:
    asked = ask(site, "We are closed on Mondays.")
    assert asked.stopped == "question"
    assert "is one line for several days" in (asked.question or "")
    assert ask(site, "We are closed on Saturday.").stopped == "not_understood"
    assert ask(site, "We are closed on 24 December.").stopped == "not_understood"
