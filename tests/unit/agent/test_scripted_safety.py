"""The scripted agent changes what it reports and nothing else, whatever it is asked."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webordinary.agent.scripted.carry_out import Event, Result, ScriptedRequest, carry_out
from webordinary.agent.scripted.instruction import RequestPicture

HOME = b"""<title>Rye</title>
<main>
  <p>Open Monday to Friday 8:00 - 18:00. Old news. Call <a href="tel:030123456">030 123456</a></p>
  <ul><li>rye loaf 4.80</li></ul>
</main>
<script>"rye"</script>
"""
ABOUT = b"<main>\r\n<p>rye &amp; bread</p>\r\n</main>\r\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "index.html").write_bytes(HOME)
    (root / "about.html").write_bytes(ABOUT)
    return root


def ask(root: Path, request: str, *pictures: RequestPicture) -> Result:
    return carry_out(ScriptedRequest(request, pictures), root, lambda _: None)


def test_links_hidden_files_and_files_that_are_no_text_are_left_alone(site: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    kept = [outside / "x.html", outside / "deep/y.html", site / ".hidden.html", site / "README.md"]
    kept += [site / ".git/z.html", site / "node_modules/m.html", site / "data.json", site / "latin.html"]
    for path in kept:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"<p>rye</p>" + (b"\xff" if path.stem == "latin" else b""))
    before = [path.read_bytes() for path in kept]
    (site / "x.html").symlink_to(outside / "x.html")
    (site / "deep").symlink_to(outside / "deep")
    assert ask(site, 'replace "rye" with "spelt"').stopped == "done"
    assert [path.read_bytes() for path in kept] == before
    assert (site / "x.html").is_symlink()


def test_pictures_never_go_through_a_linked_folder(site: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (site / "images").symlink_to(tmp_path / "outside")
    (tmp_path / "x.jpg").write_bytes(b"\xff\xd8\xff")
    picture = RequestPicture("x.jpg", str(tmp_path / "x.jpg"), "image/jpeg")
    ask(site, "put this photo on the about page", picture)
    assert not any((tmp_path / "outside").iterdir())


def test_permissions_stay_and_a_leftover_of_a_killed_run_is_cleared(site: Path) -> None:
    (site / "index.html").chmod(0o640)
    (site / ".webordinary-scripted.tmp").write_text("half a page")
    ask(site, "we open at nine")
    assert (site / "index.html").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in site.iterdir()) == ["about.html", "index.html"]


SAID = (
    'replace "|rye|bread|" with "|we open at nine. |Saturdays we close at |9:30 |set the title to |add "|<b>|&amp;|"'
    ' to the about page. |remove "|Old news.|the rye loaf now costs |5.20|phone number is 030 |123456|. |\n|put this '
)
PARTS = st.one_of(st.sampled_from(SAID.split("|")), st.text(max_size=5))


def files_of(root: Path) -> dict[str, bytes]:
    found = (Path(folder) / name for folder, _, names in os.walk(root) for name in names)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


@settings(max_examples=200, deadline=None)
@given(st.lists(PARTS, max_size=12).map("".join))
def test_any_text_leaves_every_file_as_it_was_that_is_not_reported(request_: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "index.html").write_bytes(HOME)
        (root / "about.html").write_bytes(ABOUT)
        (root / "notes.txt").write_bytes(b"rye")
        events: list[Event] = []
        before = files_of(root)
        result = carry_out(ScriptedRequest(request_), root, events.append)
        after = files_of(root)
    told = {event["path"] for event in events if event["event"] == "edited"}
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert changed <= told
    assert result.stopped == "done" or not changed
    assert result.summary
    assert after["index.html"].count(b"<script") == 1
