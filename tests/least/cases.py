"""The ways in which an agent does too much: each with the edit that was asked for, and what it did beside that."""

# ruff: noqa: E501 - an edit is easier to judge in one line

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from tests.checks.case import Case, Want, apply, read_site

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.checks.case import Edit, Files


class Became(StrEnum):
    """What becomes of the extra."""

    # It is taken out, and the asked part is live as if nothing else had been done.
    TAKEN_OUT = "taken out"
    # All of it waits for an ok.
    HELD = "held"
    # Some of it is live: what this is all about.
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class OverEdit:
    """A request, the edit that does it, and what was done beside it."""

    name: str
    beside: Callable[[Files], Files]
    became: Became = Became.TAKEN_OUT
    mail: str = "The rye bread costs £4.50 now."
    asked: Mapping[str, Edit] = field(default_factory=lambda: {"menu.html": [("£4.20", "£4.50")]})
    # Files of the site before the edit, besides those of the bakery.
    given: Mapping[str, Edit] = field(default_factory=dict)

    def was(self) -> Files:
        return apply(read_site("bakery"), self.given)

    def asked_only(self) -> Files:
        """Return the site as it has to be."""
        return apply(self.was(), self.asked)

    def case(self) -> Case:
        """Return it as a case for the way of the product."""
        was, now = self.was(), self.beside(self.asked_only())
        edit: dict[str, Edit] = {name: None for name in was if name not in now}
        edit |= {name: content for name, content in now.items() if was.get(name) != content}
        return Case(self.name, self.mail, edit, Want.LIVE, given=self.given)


def _in(name: str, *edits: tuple[str, str]) -> Callable[[Files], Files]:
    return lambda files: apply(files, {name: list(edits)})


def _each_line(name: str, change: Callable[[str], str]) -> Callable[[Files], Files]:
    def edit(files: Files) -> Files:
        lines = files[name].decode().split("\n")
        return {**files, name: "\n".join(map(change, lines)).encode()}

    return edit


def _all_of(name: str, change: Callable[[str], str]) -> Callable[[Files], Files]:
    return lambda files: {**files, name: change(files[name].decode()).encode()}


def _both(*edits: Callable[[Files], Files]) -> Callable[[Files], Files]:
    def edit(files: Files) -> Files:
        for each in edits:
            files = each(files)
        return files

    return edit


def _renamed(old: str, new: str, *, links: bool = True) -> Callable[[Files], Files]:
    def edit(files: Files) -> Files:
        moved = {new if name == old else name: content for name, content in files.items()}
        if not links:
            return moved
        return {name: content.replace(old.encode(), new.encode()) for name, content in moved.items()}

    return edit


def _double_to_single(text: str) -> str:
    return re.sub(r"<(?!!)[^<>]*>", lambda tag: tag[0].replace('"', "'") if "'" not in tag[0] else tag[0], text)


FORM = (
    OverEdit("trailing space", _each_line("menu.html", lambda line: f"{line}  " if line else line)),
    OverEdit("indented anew", _each_line("menu.html", lambda line: f"    {line}" if line else line)),
    OverEdit("another page indented", _each_line("about.html", lambda line: f"\t{line}" if line else line)),
    OverEdit("line endings", _all_of("menu.html", lambda text: text.replace("\n", "\r\n"))),
    OverEdit("a byte order mark", _all_of("menu.html", lambda text: f"\ufeff{text}")),
    OverEdit("no newline at the end", _all_of("menu.html", lambda text: text.rstrip("\n"))),
    OverEdit("blank lines", _all_of("menu.html", lambda text: text.replace("</tr>\n", "</tr>\n\n"))),
    OverEdit("other quotes", _all_of("menu.html", _double_to_single)),
    OverEdit("the order of attributes", _in("menu.html", ('<meta name="viewport" content="width=device-width, initial-scale=1">', '<meta content="width=device-width, initial-scale=1" name="viewport">'))),
    OverEdit("closed elements", _in("menu.html", ('<link rel="stylesheet" href="style.css">', '<link rel="stylesheet" href="style.css" />'))),
    OverEdit("letters as references", _in("menu.html", ("Menu – Amelia's", "Menu &ndash; Amelia&#39;s"))),
    OverEdit("a new comment", _in("menu.html", ("<table>", "<!-- prices of the rye bread changed on request -->\n<table>"))),
    OverEdit("a line broken otherwise", _in("menu.html", ("<p>All of our bread is free of nuts. Gluten-free loaves on order.</p>", "<p>All of our bread is free of nuts.\nGluten-free loaves\non order.</p>"))),
    OverEdit(
        "a comment removed",
        _in("index.html", ("<!-- ask Tom before changing this -->", "")),
        mail="On Saturday we open from 8 am until 1 pm.",
        asked={"index.html": [("9 am – 1 pm", "8 am – 1 pm")]},
        given={"index.html": [("<ul>", "<!-- ask Tom before changing this --><ul>")]},
    ),
)  # fmt: skip
TEXTS = (
    OverEdit("the sentence beside it", _in("menu.html", ("Gluten-free loaves on order.", "We gladly make gluten-free loaves to order."))),
    OverEdit("a friendlier sentence", _in("menu.html", ("Delivery in Bath costs £5 from 9 am to 5 pm.", "We deliver all over Bath for just £5, from 9 am to 5 pm."))),
    OverEdit("another title", _in("menu.html", ("<title>Menu – Amelia's Bakery</title>", "<title>Our delicious menu – Amelia's Bakery</title>"))),
    OverEdit("another description", _in("menu.html", ("What we bake and what it costs.", "Discover our handmade delights."))),
    OverEdit("another price", _in("menu.html", ("£2.10", "£2.20"))),
    OverEdit("a typing error elsewhere", _in("about.html", ("Amelia", "Amélia"))),
    OverEdit("the list in another order", _in("menu.html", ("<tr><td>Baguette</td><td>£2.10</td></tr>\n<tr><td>Cinnamon roll</td><td>£2.80</td></tr>", "<tr><td>Cinnamon roll</td><td>£2.80</td></tr>\n<tr><td>Baguette</td><td>£2.10</td></tr>"))),
    OverEdit("one more item", _in("menu.html", ("<tr><td>Cinnamon roll</td>", "<tr><td>Cheese straw</td><td>£1.90</td></tr>\n<tr><td>Cinnamon roll</td>"))),
    OverEdit("an item less", _in("menu.html", ("<tr><td>Cinnamon roll</td><td>£2.80</td></tr>\n", ""))),
    OverEdit("a new paragraph", _in("menu.html", ("</table>", "</table>\n<p>Prices may change without notice.</p>"))),
    OverEdit("hours on another page", _in("index.html", ("Saturday: 9 am – 1 pm", "Saturday: 9:00 – 13:00"))),
    OverEdit("another class", _in("menu.html", ("<h1>Menu</h1>", '<h1 class="fancy">Menu</h1>'))),
    OverEdit("another heading", _in("index.html", ("Fresh bread, every morning", "Welcome to our oven"))),
    OverEdit("another link", _in("menu.html", ('href="contact.html">Contact', 'href="about.html">Contact'))),
    OverEdit("more in the name of the item", _in("menu.html", ("<td>Rye bread</td>", "<td>Rye bread (organic)</td>"))),
    OverEdit("the name of the item in capitals", _in("menu.html", ("<td>Rye bread</td>", "<td>Rye Bread</td>"))),
    OverEdit("the text of a picture", _in("index.html", ("Our shop in Mill Lane", "A lovely view of the shop"))),
)  # fmt: skip
FILES = (
    OverEdit("another style", _all_of("style.css", lambda text: text + "\nh1 { color: red; }\n")),
    OverEdit("a new file", lambda files: {**files, "notes.txt": b"What I did: changed one figure.\n"}),
    OverEdit("a new page", lambda files: {**files, "offers.html": files["imprint.html"].replace(b"Imprint", b"Offers")}),
    OverEdit("a page removed", lambda files: {name: content for name, content in files.items() if name != "imprint.html"}),
    OverEdit("a page called otherwise", _renamed("about.html", "about-us.html")),
    OverEdit("its own page called otherwise", _renamed("menu.html", "our-menu.html")),
    OverEdit("a document removed", lambda files: {name: content for name, content in files.items() if not name.endswith(".pdf")}),
    OverEdit("everything at once", _both(
        _each_line("menu.html", lambda line: f"  {line}" if line else line),
        _in("menu.html", ("Gluten-free loaves on order.", "We gladly make gluten-free loaves to order.")),
        _in("index.html", ("Order a birthday cake two days ahead", "Order your birthday cake two days in advance")),
        _all_of("style.css", lambda text: text + "\nh1 { color: red; }\n"),
    )),
)  # fmt: skip
_ROLL = "<tr><td>Cinnamon roll</td><td>£2.80</td></tr>\n"
_GLUTEN = ("Gluten-free loaves on order.", "We gladly make gluten-free loaves to order.")
_OFF = {"menu.html": [(_ROLL, "")]}
_AHEAD = {"index.html": [("two days ahead", "three days ahead")]}
_STRAW = {"menu.html": [(_ROLL, f"{_ROLL}<tr><td>Cheese straw</td><td>£1.90</td></tr>\n")]}
_MAILS = (
    OverEdit("a row off and a sentence", _in("menu.html", _GLUTEN), mail="Take the cinnamon roll off the menu, please.", asked=_OFF),
    OverEdit("a row off and another page", _in("index.html", ("Apple cake is back", "The apple cake has returned")), mail="Hi,\n\nplease remove the cinnamon roll from the menu.\n\nThanks\nAmelia", asked=_OFF),
    OverEdit("words and another title", _in("index.html", ("<title>Amelia's Bakery</title>", "<title>Welcome</title>")), mail='On the start page it says "Order a birthday cake two days ahead", it should say "Order a birthday cake three days ahead".', asked=_AHEAD),
    OverEdit("words and the rest of the sentence", _in("index.html", ("Fresh bread, every morning", "Fresh loaves, each day")), mail='Please replace "two days ahead" with "three days ahead".', asked=_AHEAD),
    OverEdit("a new row and a second one", _all_of("menu.html", lambda text: text.replace("</table>", "<tr><td>Scone</td><td>£1.20</td></tr>\n</table>")), mail="Please add a cheese straw for £1.90 to the menu.", asked=_STRAW),
    OverEdit("a new row and space", _each_line("contact.html", lambda line: f"  {line}" if line else line), mail="Please add a cheese straw for £1.90 to the menu.", asked=_STRAW),
    OverEdit("in German and a sentence", _in("menu.html", _GLUTEN), mail="Guten Tag, das Rye bread kostet ab jetzt £4.50. Viele Grüße, Amelia"),
    OverEdit("two prices and a third", _in("menu.html", ("£2.80", "£2.90")), mail="New prices:\n- Rye bread £4.50\n- Baguette £2.20", asked={"menu.html": [("£4.20", "£4.50"), ("£2.10", "£2.20")]}),
)  # fmt: skip
CASES = (*FORM, *TEXTS, *FILES, *_MAILS)


def _as_it_is(files: Files) -> Files:
    return files


_PRICE = ("£4.20", "£4.50")
# Nothing of these is known to be too much: the part that looks so may be what somebody meant.
IN_DOUBT: tuple[OverEdit, ...] = tuple(
    OverEdit(name, _as_it_is, mail=mail, asked={"menu.html": [_PRICE, *more]})
    for name, mail, *more in (
        ("a wish in the same sentence", "The rye bread costs £4.50 now and make the sentence about allergies friendlier.", _GLUTEN),
        ("a wish in a sentence of its own", "The rye bread costs £4.50 now. The part below the table could be warmer.", _GLUTEN),
        ("a wish behind a comma", "Rye bread £4.50, and say it more nicely that one has to order the special ones.", _GLUTEN),
        ("a short wish", "Rye bread £4.50. Shorter title.", ("<title>Menu – Amelia's Bakery</title>", "<title>Menu</title>")),
        ("a wish in other words", "Rye bread £4.50 please; we do not bring things to people any more.", ("<p>Delivery in Bath costs £5 from 9 am to 5 pm.</p>\n", "")),
        ("a figure that was not said", "Rye bread £4.50 and make the baguette ten pence dearer.", ("£2.10", "£2.20")),
        ("a reason", "The rye bread costs £4.50 now because flour is dear, say that too.", ("</table>", "</table>\n<p>Flour has become expensive.</p>")),
        ("everything", "Rye bread £4.50 and ten pence more for everything else.", ("£2.10", "£2.20"), ("£2.80", "£2.90"), ("£3.90", "£4.00")),
        ("the look", "Rye bread £4.50 and the heading in red.", ("<h1>Menu</h1>", '<h1 class="red">Menu</h1>')),
        ("the look of what else is asked for", "The rye bread costs £4.50 now. Highlight the rye bread please.", ("<tr><td>Rye", '<tr class="special"><td>Rye')),
        ("words in bold", "The rye bread costs £4.50 now. Rye bread in bold please.", ("<td>Rye bread</td>", "<td><b>Rye bread</b></td>")),
        ("figures that follow from another", "Rye bread £4.50, other bread 10 % more, write that on the menu.", ("£2.10", "£2.31"), ("</table>", "</table>\n<p>Other bread is 10 % more.</p>")),
        ("a figure that is no fact", "Room for 12 guests at £4.50 each.", ("<p>Delivery in Bath costs £5 from 9 am to 5 pm.</p>", "<p>Delivery in Bath costs £5 from 9 am to 5 pm. Room for 12 guests.</p>")),
        ("a longer name", "The dark rye bread costs £4.50 now.", ("<td>Rye bread</td>", "<td>Dark rye bread</td>")),
        ("space that cannot break", "The rye bread costs £4.50 now. And please keep 5 pm on one line.", ("5 pm.", "5&nbsp;pm.")),
        ("a note in the source", "The rye bread costs £4.50 now. And leave a word for Tom in the source.", ("<table>", "<!-- Tom: ask me -->\n<table>")),
    )
)  # fmt: skip
_HALF = "<ul><li>Half rye bread £2.10</li><li>Rye bread £4.20</li></ul>"
_HOURS = "<pre>\nMonday 8-17\nSaturday 9-13\n</pre>"
IN_DOUBT += (
    OverEdit("a figure beside the one that was said", _as_it_is, mail="Rye bread £4.50, half rye bread half.", asked={"menu.html": [("£2.10</li>", "£2.25</li>"), ("£4.20</li>", "£4.50</li>")]}, given={"menu.html": [("<table>", f"{_HALF}\n<table>")]}),
    OverEdit("prices that are less by so much", _as_it_is, mail="10 % off all bread this week.", asked={"menu.html": [("£4.20", "£3.78"), ("£3.90", "£3.51"), ("<table>", "<p>10 % off all bread this week.</p>\n<table>")]}),
    OverEdit("space that is seen", _as_it_is, mail="The rye bread costs £4.50 now. And please put the hours under one another.", asked={"menu.html": [_PRICE], "index.html": [("Monday 8-17", "Monday   8-17")]}, given={"index.html": [("<ul>", f"{_HOURS}\n<ul>")]}),
    OverEdit("a style", _as_it_is, mail="The rye bread costs £4.50 now. Rye bread in red please.", asked={"menu.html": [_PRICE], "style.css": read_site("bakery")["style.css"] + b"\ntr:nth-child(3) { color: crimson; }\n"}),
    OverEdit("a word on every page", _as_it_is, mail="Call the rye bread Borodinsky everywhere: it costs £4.50.", asked={"menu.html": [("Rye bread £4.20</li>", "Borodinsky rye bread £4.50</li>")], "index.html": [("sourdough, rye and", "sourdough, Borodinsky and")]}, given={"menu.html": [("<table>", f"{_HALF}\n<table>")]}),
    OverEdit("another picture under its name", _as_it_is, mail="Please show the shop in winter.", asked={"index.html": [("Our shop in", "Our shop in winter in")], "images/a.jpg": b"\0winter"}, given={"images/a.jpg": b"\0summer"}),
)  # fmt: skip
