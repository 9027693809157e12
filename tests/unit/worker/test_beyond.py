"""What goes further than a mail may go alone, found with real git in a change and in real folders of built sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rigs.kept_indexes import kept_and_read
from tests.unit.workspace.remote_repository import Remote
from webordinary.jobs.job import Request
from webordinary.routing.project import Project, Rules, SiteTarget
from webordinary.site.checks.guard import Overreach
from webordinary.site.content import Limit
from webordinary.site.read.index import SiteIndex, index_site
from webordinary.worker.change.beyond import find_in_change, find_in_output
from webordinary.workspace.access import Access
from webordinary.workspace.checkout import Checkout, Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RUNS = "---js\n{ title: 'Roses' }\n---\nRoses\n"


def project(rules: Rules | None = None, output: str = ".") -> Project:
    return Project("amelia", "Amelia", "x", "main", (), output, rules or Rules(), SiteTarget("folder", "x"), ())


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Checkout]:
    remote = Remote(tmp_path / "far")
    remote.push({"runs.md": RUNS})
    with Workspace(tmp_path / "work").open_checkout("amelia", Access(remote.url), "main", "scott", "t1") as opened:
        yield opened


def changed(checkout: Checkout, rules: Rules | None = None) -> Overreach | None:
    checkout.commit("Changed", author_name="Scott", author_email="scott@example.org")
    return find_in_change(Request("Roses, please"), checkout, project(rules))


def test_a_page_may_change_and_a_program_at_its_top_may_not(checkout: Checkout) -> None:
    page = checkout.path / "about.md"
    page.write_text("---\ntitle: Roses\n---\n")
    assert changed(checkout) is None
    page.write_text(RUNS)
    assert changed(checkout) == Overreach(Limit.ACTIVE, ("about.md",))
    assert changed(checkout, Rules(templates=True)) is None


def test_the_text_below_a_program_that_is_live_may_change(checkout: Checkout) -> None:
    page = checkout.path / "runs.md"
    page.write_text(RUNS + "And tulips\n")
    assert changed(checkout) is None
    page.write_text(RUNS.replace("Roses'", "Tulips'"))
    assert changed(checkout) == Overreach(Limit.ACTIVE, ("runs.md",))


def test_a_page_that_becomes_executable_or_a_link_is_not_for_mails(checkout: Checkout) -> None:
    page = checkout.path / "about.html"
    page.chmod(0o755)
    assert changed(checkout) == Overreach(Limit.PROGRAM, ("about.html",))
    page.unlink()
    page.symlink_to("index.html")
    assert changed(checkout) == Overreach(Limit.PLACE, ("about.html",))


def test_a_page_that_is_renamed_to_a_program_is_not_for_mails(checkout: Checkout) -> None:
    (checkout.path / "about.html").rename(checkout.path / "about.html.php")
    assert changed(checkout) == Overreach(Limit.PROGRAM, ("about.html.php",))


def test_a_drawing_with_a_program_is_not_for_mails(checkout: Checkout) -> None:
    (checkout.path / "logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>')
    assert changed(checkout) == Overreach(Limit.ACTIVE, ("logo.svg",))


def built(folder: Path, files: dict[str, str], links: dict[str, str] | None = None) -> SiteIndex:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for name, target in (links or {}).items():
        (folder / name).symlink_to(target)
    # As it is kept from one job to the next.
    return kept_and_read(index_site(folder))


LIVE = {"index.html": "<p>Roses", "robots.txt": "User-agent: *", "mail.php": "<?php mail();", "_headers": "/*"}


@pytest.mark.parametrize(
    ("differs", "limit", "path"),
    [
        ({"index.html": "<p>Tulips", "a.js": "1", "feed.xml": "<rss/>"}, None, ""),
        ({"robots.txt": "Disallow: /"}, Limit.SERVER, "robots.txt"),
        ({"mail.php": "<?php system();"}, Limit.PROGRAM, "mail.php"),
        ({"_redirects": "/* https://elsewhere.example"}, Limit.SERVER, "_redirects"),
        ({"photo.jpg": "<script>"}, Limit.DISGUISED, "photo.jpg"),
        ({"index.html": "<p>Roses<?php system(); ?>"}, Limit.ACTIVE, "index.html"),
        ({"index.html": '<p>Roses<!--#exec cmd="x"-->'}, Limit.ACTIVE, "index.html"),
    ],
)
def test_a_built_site_keeps_what_it_has_and_gets_only_content(
    tmp_path: Path, differs: dict[str, str], limit: Limit | None, path: str
) -> None:
    old, new = built(tmp_path / "old", LIVE), built(tmp_path / "new", LIVE | differs)
    found = find_in_output(old, new, tmp_path / "new", project())
    assert found == (Overreach(limit, (path,)) if limit else None)


def test_what_a_server_obeys_does_not_go_by_a_mail_alone_either(tmp_path: Path) -> None:
    old, new = built(tmp_path / "old", LIVE), built(tmp_path / "new", {"index.html": "<p>Roses"})
    assert find_in_output(old, new, tmp_path / "new", project()) == Overreach(Limit.SERVER, ("_headers",))
    noise = {"_headers", "robots.txt", "mail.php"}
    assert find_in_output(old, new, tmp_path / "new", project(), noise) is None


def test_a_link_in_a_built_site_is_not_for_mails(tmp_path: Path) -> None:
    old = built(tmp_path / "old", LIVE, {"home.html": "index.html"})
    same = built(tmp_path / "same", LIVE, {"home.html": "index.html"})
    new = built(tmp_path / "new", LIVE, {"home.html": "index.html", "shell.php": "index.html"})
    assert find_in_output(old, same, tmp_path / "same", project()) is None
    assert find_in_output(old, new, tmp_path / "new", project()) == Overreach(Limit.PLACE, ("shell.php",))


def test_a_program_that_other_pages_have_may_stand_in_a_new_one(tmp_path: Path) -> None:
    footer = '<!--#include virtual="footer.html"-->'
    old = built(tmp_path / "old", {"index.html": footer})
    new = built(tmp_path / "new", {"index.html": footer, "roses.html": f"<p>Roses{footer}"})
    assert find_in_output(old, new, tmp_path / "new", project()) is None


def test_a_project_names_what_else_may_change_as_it_lies_in_the_repository(tmp_path: Path) -> None:
    old, new = built(tmp_path / "old", LIVE), built(tmp_path / "new", LIVE | {"robots.txt": "Disallow: /"})
    named = project(Rules(allowed_paths=("dist/robots.txt",)), output="dist")
    assert find_in_output(old, new, tmp_path / "new", named) is None
