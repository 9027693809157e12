"""Every small edit of a bakery's site under several requests, and what the checks say of each.

`python -m tests.unit.site.every_edit` writes it down anew in stored_findings.json, for somebody to read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path

from webordinary.site.checks.alarms import find_alarms
from webordinary.site.checks.explained import find_unexplained
from webordinary.site.checks.run import OthersWords, Problem, check_change
from webordinary.site.read.index import SiteIndex
from webordinary.site.read.page_reader import read_page
from webordinary.site.receipt.changes import take_receipt

STORED = Path(__file__).with_name("stored_findings.json")
FOOTER = (
    "<footer><p>Mill Lane 4, 72070 Tübingen</p><a href='tel:+4970711234567'>07071 1234567</a>"
    "<a href='mailto:hello@amelia.example'>hello@amelia.example</a></footer>"
)
HEAD = (
    "<title>{} - Amelia</title><meta name=description content='Amelia bakes since 1923'>"
    "<meta name=robots content=index><link rel=canonical href=https://amelia.example/{}>"
    "<link rel=stylesheet href=/main.css><script src=/app.js></script>"
)
DATA = (
    '<script type="application/ld+json">'
    '{"@type":"Bakery","telephone":"+4970711234567","openingHours":"Mo-Fr 08:00-18:00",'
    '"url":"https://amelia.example/","priceRange":"4.20 EUR"}</script>'
)
PAGES = {
    "index.html": f"{HEAD.format('Home', '')}{DATA}<h1>Welcome</h1><p>Open 8:00 – 18:00, Sunday 9:00 – 12:00</p>"
    "<p>Apple cake 4.20 €, rye bread 3.80 €</p><p>Our summer party is on 24 July 2026.</p>"
    "<img src=/cake.jpg alt='Apple cake 4.20 €'><a href=menu.html>Menu</a><a href=team/index.html>Our team</a>",
    "menu.html": f"{HEAD.format('Menu', 'menu.html')}<h2>Cakes</h2><table><tr><td>Apple cake<td>4.20 €</tr>"
    "<tr><td>Cheese cake<td>5.20 €</tr></table><h2>Winter offer</h2><p>20 % on all breads</p>"
    "<p>IBAN DE89 3704 0044 0532 0130 00</p><a href=https://shop.example/cakes>Order here</a>",
    "team/index.html": f"{HEAD.format('Team', 'team/')}<h2>Scott</h2><p>Bakes since 1998, call 07071 7654321</p>"
    "<iframe src=https://maps.example/mill-lane></iframe><form action=/send><input type=text name=mail></form>",
    "old/news.html": f"{HEAD.format('News', 'old/news.html')}<p>Rye bread 3.80 € until 24 July 2026</p>"
    "<p>Call us at 07071 1234567 or come to Mill Lane 4, where we wait for you every morning.</p>",
}
FILES = {"cake.jpg": "1", "main.css": "2", "app.js": "3", "a.svg": "4", "b.svg": "5", "c.svg": "6"}
# What stands there and what is to stand there; nothing means that it comes before the footer, or goes.
EDITS: dict[str, tuple[str, str, str]] = {
    "hours": ("index.html", "Open 8:00", "Open 9:00"),
    "hours in the evening": ("index.html", "Open 8:00", "Open 21:00"),
    "an end of hours": ("index.html", "8:00 – 18:00, Sunday", "8:00, Sunday"),
    "hours of Sunday": ("index.html", "Sunday 9:00", "Sunday 10:00"),
    "hours in data": ("index.html", "Mo-Fr 08:00", "Mo-Fr 09:00"),
    "a price": ("index.html", "Apple cake 4.20 €,", "Apple cake 4.80 €,"),
    "a price in dollars": ("index.html", "Apple cake 4.20 €,", "Apple cake 4.80 $,"),
    "a price without its currency": ("index.html", "Apple cake 4.20 €,", "Apple cake 4.80,"),
    "the price of another": ("index.html", "rye bread 3.80 €", "rye bread 4.80 €"),
    "a price in a table": ("menu.html", "<td>4.20 €", "<td>4.80 €"),
    "the price below": ("menu.html", "<td>5.20 €", "<td>4.80 €"),
    "a row": ("menu.html", "<tr><td>Cheese cake<td>5.20 €</tr>", ""),
    "an offer": ("menu.html", "<h2>Winter offer</h2><p>20 % on all breads</p>", ""),
    "an account": ("menu.html", "0130 00", "0130 01"),
    "a phone": ("team/index.html", "07071 7654321", "07071 999999"),
    "a sentence": ("team/index.html", "<p>Bakes since 1998, call 07071 7654321</p>", ""),
    "a year": ("team/index.html", "1998", "1989"),
    "a date": ("index.html", "24 July 2026", "25 July 2026"),
    "a street": ("old/news.html", "Mill Lane 4", "Mill Lane 7"),
    "a picture's text": ("index.html", "alt='Apple cake 4.20 €'", "alt='Apple cake 4.80 €'"),
    "a picture": ("index.html", "/cake.jpg", "/gone.jpg"),
    "a link": ("menu.html", "https://shop.example/cakes", "https://evil.example/cakes"),
    "a link to the same host": ("menu.html", "shop.example/cakes", "shop.example/all"),
    "a link of the site": ("index.html", "<a href=menu.html>Menu</a>", ""),
    "a broken link": ("index.html", "href=menu.html", "href=menue.html"),
    "a heading": ("index.html", "Welcome", "Casino nights"),
    "new words": ("team/index.html", "</form>", "</form><p>Buy gold now</p><p>and silver too</p>"),
    "a new fact": ("team/index.html", "</form>", "</form><p>Eve bakes rolls for 0.80 €</p>"),
    "a repeated fact": ("team/index.html", "</form>", "</form><p>Remember: rye bread 3.80 €!</p>"),
    "a title": ("menu.html", "Menu - Amelia", "Cakes - Amelia"),
    "a description": ("menu.html", "since 1923", "since 1932"),
    "another order to robots": ("menu.html", "content=index", "content=noindex"),
    "another canonical": ("menu.html", "amelia.example/menu.html", "evil.example/menu.html"),
    "no style": ("menu.html", "<link rel=stylesheet href=/main.css>", ""),
    "no program": ("menu.html", "<script src=/app.js></script>", ""),
    "another program": ("menu.html", "</table>", "</table><script>track()</script>"),
    "a frame": ("team/index.html", "maps.example/mill-lane", "maps.example/elsewhere"),
    "a form": ("team/index.html", "action=/send", "action=https://evil.example/"),
    "a field": ("team/index.html", "type=text", "type=hidden"),
    "hidden words": ("team/index.html", "<p>Bakes", "<p hidden>Bakes"),
    "new data": ("index.html", '"priceRange"', '"founder":"Eve","priceRange"'),
    "an address in data": ("index.html", '"url":"https://amelia.example/"', '"url":"https://evil.example/"'),
}
REQUESTS = (
    "Please make it nicer.",
    "We open at nine now. The apple cake costs 4.80.",
    "Apple cake 4.80 €, and Scott's phone is 07071 999999.",
    "Please remove the winter offer and the cheese cake, and move the menu.",
    "On Sunday we open at ten; the party is on 25 July. See https://evil.example/cakes and Mill Lane 7.",
)
SOURCES = (OthersWords(Problem.QUOTED, "Call 07071 999999 or eve@evil.example"),)


def _site(pages: dict[str, str]) -> SiteIndex:
    made = {path: read_page(html + FOOTER) for path, html in pages.items()}
    return SiteIndex(made, {path: str(html) for path, html in pages.items()} | FILES)


def _edited() -> dict[str, dict[str, str]]:
    edited = {name: PAGES | {path: PAGES[path].replace(was, now, 1)} for name, (path, was, now) in EDITS.items()}
    edited["a page less"] = {path: html for path, html in PAGES.items() if path != "team/index.html"}
    edited["a page more"] = PAGES | {"jobs.html": "<title>Jobs</title><p>We look for you, 18 € an hour</p>"}
    edited["everything of a page"] = PAGES | {"old/news.html": "<title>News</title>"}
    edited["a price everywhere"] = {path: html.replace("4.20 €", "4.80 €") for path, html in PAGES.items()}
    return edited


EDITED = _edited()


def findings_of(edit: str) -> dict[str, list[str]]:
    """Return what is found in an edit under each request, by its number; where nothing is, nothing stands."""
    old, new, found = _site(PAGES), _site(EDITED[edit]), {}
    receipt = take_receipt(old, new)
    for number, request in enumerate(REQUESTS):
        told = (
            *check_change(request, old, new, receipt, brought=("2026",), sources=SOURCES),
            *find_alarms(request, old, new, receipt),
            *find_unexplained(request, old, new, receipt),
        )
        if told:
            found[str(number)] = [f"{each.problem.value}: {each.about}" for each in told]
    return found


if __name__ == "__main__":
    stored = {edit: findings_of(edit) for edit in EDITED}
    STORED.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
