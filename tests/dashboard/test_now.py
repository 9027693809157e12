"""Now: lanes with their owners, what runs and what waits, the workers, and the truth about what seems stuck."""

from __future__ import annotations

import os
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from tests.dashboard.face import Face
from tests.rigs.embedded import EmbeddedRig
from webordinary.child import identity
from webordinary.dashboard.viewer import Role
from webordinary.testing.story import SCOTT, Story
from webordinary.worker.life import SignOfLife, folder_of_lives

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.engines.installation import Installation


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    rig = EmbeddedRig(tmp_path)
    told = Story(rig)
    told.begin(workers=0)
    yield told
    rig.close()


@pytest.fixture
def here(story: Story) -> Installation:
    assert isinstance(story.rig, EmbeddedRig)
    return story.rig.here


def text_of(page: str) -> str:
    """Return what a person reads."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_now_tells_what_waits_then_who_works_on_it_and_then_that_nothing_is_to_be_done(
    story: Story, here: Installation
) -> None:
    browser = Face(here).signed_in(Role.READER)
    empty = text_of(browser.get("/now").text)
    assert "No worker owns a lane. Nothing is to be done" in empty
    assert "No worker runs. webordinary serve starts them." in empty

    first = story.job_of(story.writes(SCOTT, "We open at nine now", subject="Hours <1>"))
    story.writes(SCOTT, "And we close at six", subject="Closing")
    waits = text_of(browser.get("/now").text)
    assert "Nobody has taken it for" in waits
    assert "amelia#scott" in waits
    assert "nothing in this lane is given up before" in waits

    here.engine.claims.wait_for_work("w-3", here.clock.now())
    claimed = here.engine.claims.claim("w-3", here.clock.now())
    assert claimed is not None
    assert claimed.job is not None
    assert claimed.job.id == first.id
    page = browser.get("/now").text
    works = text_of(page)
    assert re.search(r"w-3 owns it under fence \d+ until \d\d:\d\d:\d\d, it beat [\d.]+ s ago;", works)
    assert re.search(r"if it stays silent the lane is free at \d\d:\d\d:\d\d\.", works)
    assert re.search(
        r"It has run for [\d.]+ s; at \d\d:\d\d:\d\d its time is over and it fails with an answer\.", works
    )
    assert "w-3 started" in works
    assert "Hours &lt;1&gt;" in page
    assert "It waits for its turn" in works
    assert 'data-live="now"' in page


def test_a_worker_of_this_machine_is_shown_with_its_memory_and_one_that_died_as_gone(here: Installation) -> None:
    database = here.engine.trail._database  # type: ignore[attr-defined]  # noqa: SLF001 - a process that has died
    here.engine.claims.wait_for_work("w-1", here.clock.now())
    here.engine.claims.wait_for_work("w-2", here.clock.now())
    with database.write() as cursor:
        cursor.execute("UPDATE workers SET process = '1:1' WHERE worker = 'w-2'")
    said = text_of(Face(here).signed_in(Role.READER).get("/now").text)
    assert identity(os.getpid())
    assert re.search(r"w-1 waits for work \d+ MB", said)
    assert "w-2 gone, its process has ended unknown" in said


def test_a_worker_that_beats_was_heard_a_moment_ago_however_long_its_job_takes(
    story: Story, here: Installation
) -> None:
    story.writes(SCOTT, "We open at nine now")
    began = here.clock.now() + timedelta(minutes=-10)
    here.engine.claims.wait_for_work("w-3", began)
    here.engine.claims.wait_for_work("w-4", began)
    claimed = here.engine.claims.claim("w-3", began)
    assert claimed is not None
    assert claimed.job is not None
    browser = Face(here).signed_in(Role.READER)
    for number in range(0, 601, 15):
        here.engine.claims.beat(claimed.claim, claimed.job.id, began + timedelta(seconds=number))
    said = text_of(browser.get("/now").text)
    assert re.search(r"w-3 owns a lane amelia#scott \d+ MB [\d.]+ s ago", said)
    assert re.search(r"w-4 waits for work \d+ MB 10 min", said)
    SignOfLife(folder_of_lives(here.config.data), "w-4", here.clock).show()
    assert re.search(r"w-4 waits for work \d+ MB [\d.]+ s ago", text_of(browser.get("/now").text))
    page = text_of(browser.get(f"/jobs/{claimed.job.id}").text)
    heard = re.search(r"last heard of at (\d+ \w+ \d+, [\d:]+)", page)
    assert heard is not None
    at = datetime.strptime(heard[1], "%d %b %Y, %H:%M:%S").replace(tzinfo=ZoneInfo(here.config.timezone))
    assert here.clock.now().wall_at - at < timedelta(minutes=5)


def test_the_fragment_is_the_part_that_changes_and_holds_nothing_of_who_asks(story: Story, here: Installation) -> None:
    story.writes(SCOTT, "We open at nine now")
    face = Face(here)
    part = face.signed_in(Role.READER).get("/fragments/now").text
    assert part.count('id="now"') == 1
    assert "<html" not in part
    assert "amelia#scott" in part
    assert "csrf" not in part
    assert face.signed_in(Role.CLIENT, "amelia").get("/fragments/now").status_code == 403
    assert face.visitor().get("/fragments/now").status_code == 303


def test_many_lanes_come_page_by_page_what_is_active_first(here: Installation) -> None:
    database = here.engine.trail._database  # type: ignore[attr-defined]  # noqa: SLF001 - many at once
    lanes = "INSERT INTO lanes (lane, project, user, fence, ready_since, pending) VALUES (?, 'amelia', ?, 1, ?, 1)"
    with database.write() as cursor:
        cursor.executemany(lanes, ((f"amelia#user-{n:03}", f"user-{n:03}", float(n + 1)) for n in range(120)))
        cursor.execute("INSERT INTO lanes (lane, project, user, fence) VALUES ('amelia#quiet', 'amelia', 'quiet', 1)")
    browser = Face(here).signed_in(Role.READER)
    seen: list[str] = []
    where = "/now"
    while where:
        page = browser.get(where).text
        seen += re.findall(r"</span> (amelia#\S+)</h3>", page)
        following = re.search(r'href="(/now\?after=[^"]+)">More lanes', page)
        where = following[1] if following else ""
    assert seen == [f"amelia#user-{n:03}" for n in range(120)]
    names = browser.get("/now/lanes").text
    assert "amelia#quiet" in names
    following = re.search(r'href="(/now/lanes\?after=[^"]+)">More lanes', names)
    assert following is not None
    assert "amelia#user-119" in browser.get(following[1]).text
