"""Receipts of sites with 1, 40 and 2,500 pages as owners read them.

`python -m tests.golden.every_receipt` renews the files.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.golden.every_mail import Desk, golden
from webordinary.site.read.elements import region_of
from webordinary.site.read.index import index_site
from webordinary.site.receipt.changes import take_receipt
from webordinary.site.receipt.telling import tell_receipt

if TYPE_CHECKING:
    from webordinary.site.receipt.telling import Telling

FOLDER = Path(__file__).parent / "receipts"
# How many pages, and which mail in which language.
RECEIPTS = ((1, "published", "en"), (40, "published", "en"), (40, "proposed", "de"), (2_500, "published", "en"))
REQUEST = "Please write on the contact page that we open at nine, and use the new team photo."
STORY = (
    "Our grandmother lit the oven, and it has been warm ever since. Every loaf rests for a whole night. We have baked"
    " bread since 1902, first for the street, then for the town, and now for whoever comes by. Come and taste it."
)
PHOTO = '<picture><source srcset="team.avif"><img src="team.jpg" alt="The team"></picture>'
PAGE = """<!doctype html>
<html lang="en"><head><title>{title} – Amelia's Bakery</title>
<script type="application/ld+json">
{{"@type": "Bakery", "openingHours": "Mo-Fr {opens}-18:00", "telephone": "030 1"}}
</script>
</head><body><header><nav><a href="/">Home</a></nav></header>
<h1>{title}</h1>
<p>{text}</p>{photo}
<footer><p>Open {opens} – 18:00</p><p>© Amelia</p></footer></body></html>
"""


def write_site(folder: Path, pages: int, *, is_new: bool) -> Path:
    """Write a site as it was, or as it is now."""
    folder.mkdir()
    names = ["Contact", "Home", "About", *(f"Recipe {number}" for number in range(3, pages))][:pages]
    for name in names:
        text = STORY.replace("1902", "1904") if is_new and name == "About" else STORY
        photo = PHOTO if is_new and name == "Contact" else ""
        page = PAGE.format(title=name, text=text, photo=photo, opens="9:00" if is_new else "8:00")
        path = "index" if name == "Home" else name.lower().replace(" ", "-")
        (folder / f"{path}.html").write_text(page, encoding="utf-8")
    (folder / "feed.xml").write_text(f"<rss>{is_new}</rss>", encoding="utf-8")
    (folder / "app.js.map").write_text(f'{{"{is_new}": 1}}', encoding="utf-8")
    if is_new:
        for name in ("team.jpg", "team.avif", "team-640.jpg"):
            (folder / name).write_bytes(name.encode())
    return folder


def tell(folder: Path, pages: int) -> Telling:
    """Return what is told of the change."""
    before, after = write_site(folder / "before", pages, is_new=False), write_site(folder / "after", pages, is_new=True)
    old, new = index_site(before), index_site(after)
    receipt = take_receipt(old, new)
    return tell_receipt(
        receipt, REQUEST, of_pages=len(new.pages), region_of=lambda path, text: region_of(after / path, text)
    )


def path_of(pages: int, kind: str, language: str) -> Path:
    return FOLDER / f"{pages}-{kind}-{language}.txt"


def written(folder: Path, telling: Telling, kind: str, language: str) -> str:
    """Return the mail as a person reads it: text and page."""
    desk = Desk(folder / "desk")
    return golden(desk.mail(kind, language, {"changes": "\n".join(telling.lines)}))


def renew() -> None:
    """Write all files anew; `git diff` shows what a person would notice."""
    FOLDER.mkdir(exist_ok=True)
    for pages, kind, language in RECEIPTS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            mail = written(folder, tell(folder, pages), kind, language)
            path_of(pages, kind, language).write_text(mail, encoding="utf-8")


if __name__ == "__main__":
    renew()
