"""What a mail about one page of a large site costs beside the site's own build and the agent: CPU, memory, builds."""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.place import ROOT
from bench.site_worker import HOURS, OPENING, PAGE, SCOTT, NotPublished
from webordinary.child import run
from webordinary.config import example_config, project_block, with_project

if TYPE_CHECKING:
    from collections.abc import Sequence

_SECTIONS = 40
_PATIENCE = timedelta(minutes=30)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{name} · Amelia's Bakery</title>
<meta name="description" content="All about {name}, baked at Mill Lane 4."><link rel="stylesheet" href="/style.css">
</head><body><nav><a href="/">Home</a> <a href="/section-0/{first}.html">Bread</a>
<a href="/section-1/{second}.html">Cakes</a> <a href="https://maps.example/mill-lane">Where we are</a></nav>
<main><h1>{name}</h1><img src="/bread.svg" alt="A loaf">
<p>{name} costs £{price} and was first baked on {day} May {year}.</p>
<p>{opening}</p>{words}
<table><tr><td>Small</td><td>£{small}</td></tr><tr><td>Large</td><td>£{large}</td></tr></table></main>
<footer>Amelia's Bakery, Mill Lane 4 · <a href="tel:+442079460018">020 7946 0018</a> ·
<a href="mailto:hello@bakery.example">hello@bakery.example</a></footer></body></html>
"""
_WORDS = (
    "<p>We bake {name} number {number} with flour from the mill next door; it keeps for {days} days in its paper.</p>"
)
_PARAGRAPHS = 5


def measure_sites(parent: Path, pages: Sequence[int], times: int) -> dict[str, object]:
    """Measure sites of these sizes; the figures have the names of the full run also when it is a quick one."""
    figures: dict[str, object] = {}
    for name, count in zip(("2000", "20000"), pages, strict=True):
        with tempfile.TemporaryDirectory(prefix="bench-", dir=parent.absolute()) as folder:
            found = _measure(Path(folder), count, times)
        mails = found["mails"]
        middle = sorted(mails, key=lambda mail: float(mail["own_cpu_s"]))[len(mails) // 2]
        figures[f"site_{name}_own_cpu_s"] = middle["own_cpu_s"]
        figures[f"site_{name}_steps"] = middle["steps"]
        figures[f"site_{name}_took_s"] = round(statistics.median(float(mail["took_s"]) for mail in mails), 2)
        figures[f"site_{name}_worker_mb"] = found["worker_mb"]
        figures["builds_per_mail"] = max(int(mail["builds"]) for mail in mails)
    return figures


def _measure(folder: Path, pages: int, times: int) -> dict[str, Any]:
    """Publish a site and change one page of it again and again; what is measured is a worker that knows the site."""
    write_site(folder / "site", pages)
    make_repository(folder / "site", folder / "amelia.git")
    config = _configure(folder)
    _run(config, "first")
    _run(config, HOURS[1])
    hours = (HOURS[(number + 2) % len(HOURS)] for number in range(times))
    measured: dict[str, Any] = json.loads(_run(config, ",".join(hours)))
    return measured


def make_repository(site: Path, repository: Path) -> None:
    """Put a site into git; nobody has to find it after a power cut."""
    who = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "core.fsync=none")
    steps = (
        ("init", "--quiet", "--initial-branch=main"),
        ("add", "--all"),
        ("commit", "--quiet", "--message=The site"),
    )
    for words in (*steps, ("clone", "--quiet", "--bare", str(site), str(repository))):
        ended = run(["git", *who, *words], cwd=site, env=dict(os.environ), deadline=_PATIENCE)
        if not ended.succeeded:
            raise NotPublished(ended.stderr.decode(errors="replace"))


def _run(config: Path, what: str) -> bytes:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    argv = [sys.executable, "-m", "bench.site_worker", str(config), what]
    ended = run(argv, cwd=config.parent, env={**os.environ, "PYTHONPATH": path}, deadline=_PATIENCE)
    if not ended.succeeded:
        raise NotPublished(ended.stderr.decode(errors="replace")[-2000:])
    return ended.stdout


def _configure(folder: Path) -> Path:
    text = example_config(outgoing="maildir:mailbox")
    # A browser is another program, which costs the same for every site.
    text = text.replace("[agency]", '[pictures]\nmode = "off"\n\n[agency]\nwelcome = false')
    block = project_block(
        id="amelia",
        repository="amelia.git",
        site_to="live",
        editors=(("scott", SCOTT),),
        build=("cp", "-r", "content", "public"),
        output="public",
    )
    path = folder / "webordinary.toml"
    path.write_text(with_project(text, block), encoding="utf-8")
    return path


def write_site(folder: Path, pages: int) -> None:
    """Write a site of that many pages, each with words, prices and dates of its own."""
    content = folder / "content"
    for number in range(pages - 1):
        _write(content / f"section-{number % _SECTIONS}" / f"{number}.html", number)
    _write(folder / PAGE, pages, OPENING.format(HOURS[0]))
    (content / "style.css").write_text("body { color: #321 }\n", encoding="utf-8")
    (content / "bread.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><title>A loaf</title></svg>\n')
    (content / "index.html").write_text(_text(pages + 1), encoding="utf-8")
    (folder / ".gitignore").write_text("/public\n", encoding="utf-8")


def _write(page: Path, number: int, opening: str = "Ask us when we bake it next.") -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(_text(number, opening), encoding="utf-8")


def _text(number: int, opening: str = "Welcome to the bakery.") -> str:
    name = f"Loaf {number}"
    words = "".join(_WORDS.format(name=name, number=each, days=2 + (number + each) % 9) for each in range(_PARAGRAPHS))
    return _PAGE.format(
        name=name,
        first=_SECTIONS if number > _SECTIONS else 0,
        second=1,
        price=f"{1 + number % 40}.{number % 100:02}",
        small=f"{1 + number % 7}.50",
        large=f"{9 + number % 11}.20",
        day=1 + number % 28,
        year=1950 + number % 70,
        opening=opening,
        words=words,
    )
