"""What people type first: an item off the menu, one more with its price, and "it says this, it should say that"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.agent.scripted.carry_out import Result, ScriptedRequest, carry_out
from webordinary.agent.scripted.instruction import PlacePicture
from webordinary.agent.scripted.understand import understand
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
        "Add apple pie for 4.20 to the cakes.",
        'Please add "Apple pie" for €4.20 to the cakes on the menu.',
        "Please add apple pie to the cakes for 4.20 euros.",
        "Please add a new cake: apple pie, €4.20",
        "Add apple pie, 4.20, to the cakes",
    ],
)
def test_an_item_is_added_as_its_neighbours_are_written(site: Path, request_: str) -> None:
    result = ask(site, request_)
    assert result.stopped == "done", result.summary
    after = (site / "menu.html").read_text(encoding="utf-8")
    lines = [line.strip() for line in after.splitlines()]
    at = lines.index('<span class="name">Apple pie</span>')
    assert lines[at - 1 : at + 3] == ["<li>", lines[at], '<span class="price">€4.20</span>', "</li>"]
    assert after.index("Cherry layer cake") < after.index("Apple pie") < after.index("To drink")


@pytest.mark.parametrize(
    "request_", ["New on the menu: apple pie, 4.20", "Add apple pie 4.20", "We now also have apple pie for €4.20."]
)
def test_an_item_that_could_go_to_several_lists_is_asked_about(site: Path, request_: str) -> None:
    result = ask(site, request_)
    assert (result.stopped, result.question) == (
        "question",
        "To which list should it go: Bread, Pastry, Cake or To drink?",
    )


@pytest.mark.parametrize(
    "request_", ["Please take the plum cake off.", "Plum cake is off the menu", "no more plum cakes please"]
)
def test_an_item_goes_in_short_words_too(site: Path, request_: str) -> None:
    assert ask(site, request_).stopped == "done"
    assert "Plum cake" not in (site / "menu.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("request_", "page", "old", "new"),
    [
        ("Plum cake should cost €3.90.", "menu.html", "€3.60", "€3.90"),
        ("Plum cake costs €3.90 instead of €3.60", "menu.html", "€3.60", "€3.90"),
        ("Der Pflaumenkuchen (plum cake) kostet jetzt 3,90 €.", "menu.html", "€3.60", "€3.90"),
        ("The menu says caraway, it should say cumin.", "menu.html", "caraway", "cumin"),
        ("There is a mistake on the menu: it is cumin, not caraway.", "menu.html", "caraway", "cumin"),
        ("On Saturdays we're closed.", "contact.html", "8:00 – 14:00", "Closed"),
        ("We're open on Sundays now, 9:00 to 12:00.", "contact.html", "Closed", "9:00 – 12:00"),
        (
            "We've moved next door: our address is Amelia Street 6 now.",
            "contact.html",
            "Amelia Street 4",
            "Amelia Street 6",
        ),
        ("Change bad roof to leaking roof everywhere", "about.html", "bad roof", "leaking roof."),
    ],
)
def test_what_people_type_first_is_done(site: Path, request_: str, page: str, old: str, new: str) -> None:
    before = (site / page).read_text(encoding="utf-8")
    result = ask(site, request_)
    assert result.stopped == "done", result.summary
    assert (site / page).read_text(encoding="utf-8") == before.replace(old, new.rstrip("."))


@pytest.mark.parametrize(
    "request_",
    [
        "It should be 9:00, not 8:00.",
        "The menu says 3.80, it should say 3.90.",
        "Our address is Elm Street 6 now.",
        "The plum cake is sold out.",
    ],
)
def test_what_could_mean_several_things_is_not_done(site: Path, request_: str) -> None:
    before = {path.name: path.read_bytes() for path in site.glob("*.html")}
    assert ask(site, request_).stopped != "done"
    assert {path.name: path.read_bytes() for path in site.glob("*.html")} == before


def test_an_event_is_put_on_another_day_and_the_others_stay(tmp_path: Path) -> None:
    events = "# Events\n\n- Quiz night on 3 December\n- Market on 3 December\n"
    (tmp_path / "events.md").write_text(events)
    assert ask(tmp_path, "The quiz night is on 4 December, not on the 3rd.").stopped == "done"
    assert (tmp_path / "events.md").read_text() == events.replace("night on 3", "night on 4")
    assert ask(tmp_path, "The concert is on 4 December, not on the 3rd.").stopped != "done"


LISTS = {
    "menu.json": '{"cakes": [{"name": "Plum cake", "price": "4.80"}, {"name": "Rye loaf", "price": "3.90"}]}\n',
    "menu.toml": '[[cakes]]\nname = "Plum cake"\nprice = "4.80"\n\n[[cakes]]\nname = "Rye loaf"\nprice = "3.90"\n',
    "menu.yaml": "cakes:\n  - name: Plum cake\n    price: 4.80\n  - name: Rye loaf\n    price: 3.90\n",
}


def listed(root: Path, name: str, *requests: str) -> str:
    (root / name).write_text(LISTS[name])
    for words in requests:
        result = carry_out(ScriptedRequest(words, texts=(name,)), root, lambda _: None)
        assert result.stopped == "done", result.summary
    return (root / name).read_text()


OFF, ON = "Take the plum cake off the menu.", "Add a cheese cake for 4.20."


@pytest.mark.parametrize("name", LISTS)
def test_files_of_figures_lose_and_gain_items_too(tmp_path: Path, name: str) -> None:
    last = {
        "menu.json": '{"cakes": [{"name": "Rye loaf", "price": "3.90"}, {"name": "Cheese cake", "price": "4.20"}]}\n',
        "menu.toml": (
            '[[cakes]]\nname = "Rye loaf"\nprice = "3.90"\n\n[[cakes]]\nname = "Cheese cake"\nprice = "4.20"\n'
        ),
        "menu.yaml": "cakes:\n  - name: Rye loaf\n    price: 3.90\n  - name: Cheese cake\n    price: 4.20\n",
    }
    assert listed(tmp_path, name, OFF, ON) == last[name]


@pytest.mark.parametrize("name", LISTS)
def test_the_last_item_of_a_file_of_figures_goes_and_the_rest_stays_whole(tmp_path: Path, name: str) -> None:
    assert (
        listed(tmp_path, name, "Take the rye loaf off the menu.").strip()
        == {
            "menu.json": '{"cakes": [{"name": "Plum cake", "price": "4.80"}]}',
            "menu.toml": '[[cakes]]\nname = "Plum cake"\nprice = "4.80"',
            "menu.yaml": "cakes:\n  - name: Plum cake\n    price: 4.80",
        }[name]
    )


def test_an_item_with_more_to_say_than_a_price_is_not_made_up(tmp_path: Path) -> None:
    (tmp_path / "menu.json").write_text('[{"name": "Plum cake", "price": "4.80", "slug": "plum"}]')
    result = carry_out(ScriptedRequest(ON, texts=("menu.json",)), tmp_path, lambda _: None)
    assert result.stopped == "not_understood"


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


@pytest.mark.parametrize(
    "request_",
    [
        "We no longer have apple juice.",
        "We don't sell apple juice any more.",
        "Apple juice is sold out, please take it off.",
        "The apple juice is gone, please remove it from the menu.",
    ],
)
def test_what_is_no_longer_there_goes_from_the_menu(site: Path, request_: str) -> None:
    result = ask(site, request_)
    assert result.stopped == "done", result.summary
    menu = (site / "menu.html").read_text(encoding="utf-8")
    assert "Apple juice" not in menu
    assert "Flat white" in menu


def test_a_word_is_never_put_where_a_price_was_meant(site: Path) -> None:
    before = (site / "menu.html").read_text(encoding="utf-8")
    several = ask(site, "Please change the croissant to €2.30.")
    assert several.stopped == "question"
    assert "Butter croissant" in (several.question or "")
    assert (site / "menu.html").read_text(encoding="utf-8") == before
    assert ask(site, "Please change the raspberry tart to €2.30.").stopped == "question"


@pytest.mark.parametrize(
    ("request_", "shown"),
    [
        ("Coffee is €2.80 now and the flat white €3.60.", ("€2.80", "€3.60")),
        ("New prices please:\n- Seeded rye €5.00\n- White tin loaf €4.10", ("€5.00", "€4.10")),
        ("The cinnamon roll goes up from €2.80 to €3.00.", ("€3.00",)),
        ("Please set the baguette to 2.60.", ("€2.60",)),
        ("The price of the baguette goes down to €2.20", ("€2.20",)),
    ],
)
def test_prices_are_said_in_many_ways(site: Path, request_: str, shown: tuple[str, ...]) -> None:
    before = (site / "menu.html").read_text(encoding="utf-8")
    result = ask(site, request_)
    assert result.stopped == "done", result.summary
    after = (site / "menu.html").read_text(encoding="utf-8")
    for price in shown:
        assert after.count(price) > before.count(price)
    assert "not understand" not in result.summary


def test_an_item_gets_another_name(site: Path) -> None:
    result = ask(site, "The almond croissant is now called almond crescent.")
    assert result.stopped == "done", result.summary
    menu = (site / "menu.html").read_text(encoding="utf-8")
    assert "Almond crescent" in menu
    assert "Almond croissant" not in menu


@pytest.mark.parametrize(
    "request_",
    ["Our new mail address is bread@amelia.example.", "Our email is now bread@amelia.example"],
)
def test_a_new_mail_address_replaces_the_only_one_everywhere(site: Path, request_: str) -> None:
    result = ask(site, request_)
    assert result.stopped == "done", result.summary
    for page in site.glob("*.html"):
        assert "hello@amelia.example" not in page.read_text(encoding="utf-8"), page.name
    assert "mailto:bread@amelia.example" in (site / "contact.html").read_text(encoding="utf-8")


def test_of_several_mail_addresses_one_has_to_be_named(site: Path) -> None:
    page = site / "about.html"
    page.write_text(page.read_text(encoding="utf-8").replace("hello@", "scott@"), encoding="utf-8")
    several = ask(site, "Our new mail address is bread@amelia.example.")
    assert several.stopped == "question"
    assert "scott@amelia.example" in (several.question or "")


def test_one_photo_goes_to_the_one_page_that_is_named() -> None:
    words = "Here is a photo of our new counter, please put it on the about page."
    found = [wish for said in understand(words.replace("put it", "put these photos")) for wish in said.instructions]
    assert found == [PlacePicture("new counter", "the about page")]


@pytest.mark.parametrize(
    ("request_", "shown"),
    [
        ("We open at eight now.", "We open from 8:00 to 17:00, on Sundays from 9:00 to 13:00."),
        ("On Sundays we close at 14:00 now.", "We open from 7:00 to 17:00, on Sundays from 9:00 to 14:00."),
        ("We open at ten on Sundays.", "We open from 7:00 to 17:00, on Sundays from 10:00 to 13:00."),
    ],
)
def test_times_before_the_first_day_are_not_those_of_that_day(tmp_path: Path, request_: str, shown: str) -> None:
    page = tmp_path / "index.md"
    page.write_text("# Hours\n\nWe open from 7:00 to 17:00, on Sundays from 9:00 to 13:00.\n", encoding="utf-8")
    result = ask(tmp_path, request_)
    assert result.stopped == "done", result.summary
    assert shown in page.read_text(encoding="utf-8")


def test_one_figure_that_should_be_another_is_not_put_in_place_of_its_sentence(tmp_path: Path) -> None:
    page = tmp_path / "index.md"
    page.write_text("# About\n\nOur grandmother began in 1950.\n", encoding="utf-8")
    result = ask(tmp_path, "It says that our grandmother began in 1950, it should be 1952.")
    assert result.stopped == "done", result.summary
    assert "Our grandmother began in 1952." in page.read_text(encoding="utf-8")
    assert ask(tmp_path, "It says that our grandmother began in 1952, it should be aunt.").stopped == "not_understood"
