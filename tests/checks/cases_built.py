"""Wrong edits of sites that a generator builds: what each build writes anew must hide nothing, and is told to nobody."""

# ruff: noqa: E501 - an edit is easier to judge in one line

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.checks.case import Case, Want

if TYPE_CHECKING:
    from tests.checks.case import Edit

_STAMP = ("2026-03-01 07:12:44", "2026-03-02 09:00:01")
_LATER = ("2026-03-01 07:12:44", "2026-03-02 09:00:07")
_FEED = ("Sun, 01 Mar 2026 07:12:44 GMT", "Mon, 02 Mar 2026 09:00:01 GMT")
_BUILD, _OTHER = ("a81f3c", "b92e4d"), ("a81f3c", "c03d5e")
_AGAIN: dict[str, Edit] = {"*.html": [_LATER, _OTHER], "rss.xml": [("01 Mar 2026 07:12:44", "02 Mar 2026 09:00:07")]}
_PAGES = ("index.html", "posts/retreat.html", "posts/teachers.html", "posts/schedule.html")


def built(
    name: str,
    mail: str,
    edit: dict[str, list[tuple[str, str]]],
    want: Want,
    *says: str,
    silent: tuple[str, ...] = ("2026-03", "rss.xml"),
    more: dict[str, Edit] | None = None,
    point: int = 1,
) -> Case:
    """Return an edit as a build shows it: with another moment on every page, and other names for its files."""
    edits: dict[str, Edit] = {page: [_STAMP, _BUILD, *edit.get(page, [])] for page in _PAGES}
    return Case(
        name,
        mail,
        {**edits, "rss.xml": [_FEED], **(more or {})},
        want,
        says=says,
        silent=silent,
        site="blog",
        again=_AGAIN,
        point=point,
    )


_PRICE = "A single class costs £15 now."
_NEW_PRICE = ("£14", "£15")
_CSS = "_astro/index.B4kd92xZ.css"
_RENAMED = ("index.B4kd92xZ.css", "index.Q7pm31aa.css")

CASES = [
    built(
        "a phone number in the line with the stamp's neighbour",
        _PRICE,
        {"index.html": [_NEW_PRICE, ("0117 496 0444", "0117 496 0445")]},
        Want.HELD,
        "0117 496 0445",
    ),
    built(
        "a street in the line of the stamp",
        _PRICE,
        {"index.html": [_NEW_PRICE, ("4 Quay Street", "9 Quay Street")]},
        Want.HELD,
        "9 Quay Street",
        silent=(),
    ),
    built(
        "a word in the line of the stamp",
        _PRICE,
        {"index.html": [_NEW_PRICE, ("River Yoga, 4 Quay", "Drown Yoga, 4 Quay")]},
        Want.TOLD,
        "Drown Yoga",
        silent=(),
    ),
    built(
        "a date that is no stamp",
        _PRICE,
        {"index.html": [_NEW_PRICE], "posts/retreat.html": [("10 to 14 July 2026", "11 to 15 July 2026")]},
        Want.HELD,
        "11 to 15 July 2026",
    ),
    built(
        "a time that looks like a stamp",
        _PRICE,
        {"index.html": [_NEW_PRICE], "posts/schedule.html": [("Wednesday 7:30", "Wednesday 8:30")]},
        Want.HELD,
        "8:30",
    ),
    built(
        "a script in a page with a stamp",
        _PRICE,
        {"index.html": [_NEW_PRICE, ("</body>", '<script src="https://spy.example/s.js"></script></body>')]},
        Want.HELD,
        "spy.example",
    ),
    built(
        "another script behind a hashed name",
        _PRICE,
        {
            page: ([_NEW_PRICE] if page == "index.html" else []) + [("hoisted.D93ka0sl.js", "hoisted.X02pw7rt.js")]
            for page in _PAGES
        },
        Want.HELD,
        "hoisted",
        more={"_astro/hoisted.D93ka0sl.js": None, "_astro/hoisted.X02pw7rt.js": "fetch('https://spy.example')"},
    ),
    built(
        "another look behind a hashed name",
        _PRICE,
        {page: ([_NEW_PRICE] if page == "index.html" else []) + [_RENAMED] for page in _PAGES},
        Want.TOLD,
        "£15",
        more={_CSS: None, "_astro/index.Q7pm31aa.css": "body{color:#123}h1{color:red}"},
    ),
    built(
        "another picture behind a hashed name",
        _PRICE,
        {"index.html": [_NEW_PRICE, ("mat.Cx81kQ2p.webp", "mat.Pw20xx7q.webp")]},
        Want.TOLD,
        "£15",
        "mat",
        more={"_astro/mat.Cx81kQ2p.webp": None, "_astro/mat.Pw20xx7q.webp": b"RIFF\x10\x00\x00\x00WEBPVP8 another"},
    ),
    built(
        "a page that the build forgot",
        _PRICE,
        {"index.html": [_NEW_PRICE]},
        Want.HELD,
        "retreat",
        more={"posts/retreat.html": None},
    ),
    built(
        "another version of the generator",
        _PRICE,
        {page: ([_NEW_PRICE] if page == "index.html" else []) + [("Astro v5.2.0", "Astro v6.0.0")] for page in _PAGES},
        Want.TOLD,
        "£15",
    ),
    built(
        "a teacher who was not mentioned",
        _PRICE,
        {"index.html": [_NEW_PRICE], "posts/teachers.html": [("Tom teaches on Friday at 18:30.", "")]},
        Want.HELD,
        "Tom",
    ),
    built("the price of ten classes", _PRICE, {"index.html": [_NEW_PRICE, ("£120", "£210")]}, Want.HELD, "£210"),
]
