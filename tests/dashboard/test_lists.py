from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.rigs.embedded import EmbeddedRig
from webordinary.dashboard.lists.look import look_through
from webordinary.dashboard.lists.sheet import harmless
from webordinary.dashboard.viewer import Role
from webordinary.doors.passwords import Hashed
from webordinary.jobs.schedules import Phase, Schedule
from webordinary.reply.bounces import Bounce
from webordinary.routing.lane import Lane
from webordinary.testing.story import BAKERY, EVE, FLOWERS, MARIA, SCOTT, TOM, Story

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starlette.testclient import TestClient

LISTS = ("/mail", "/jobs", "/trail", "/people", "/projects", "/calendar")


@pytest.fixture
def face(story: Story) -> Face:
    story.begin(BAKERY, FLOWERS, workers=0)
    assert isinstance(story.rig, EmbeddedRig)
    return Face(story.rig.here)


@pytest.fixture
def busy(face: Face, story: Story) -> TestClient:
    """A browser of the agency over two sites with a few mails."""
    story.writes(SCOTT, "We open at nine now", subject="Opening hours")
    story.writes(MARIA, "The bread costs 4 euro", subject="Price of bread")
    story.writes(TOM, "We have tulips", site="flora", subject="Tulips")
    story.writes(EVE, "Let me in", subject="Hello", verified=False)
    return face.signed_in()


def sheet(browser: TestClient, path: str) -> list[dict[str, str]]:
    answer = browser.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(answer.text.lstrip("\ufeff"))))


@pytest.mark.parametrize("path", LISTS)
def test_an_empty_list_says_what_to_do(face: Face, path: str) -> None:
    answer = face.signed_in().get(f"{path}?q=nothing+of+this+kind" if path != "/calendar" else path)
    assert answer.status_code == 200
    assert 'class="empty"' in answer.text


def test_filters_are_addresses(busy: TestClient) -> None:
    assert [row["subject"] for row in sheet(busy, "/mail.csv?project=flora")] == ["Tulips"]
    assert [row["subject"] for row in sheet(busy, "/mail.csv?sender=maria")] == ["Price of bread"]
    assert [row["subject"] for row in sheet(busy, "/jobs.csv?q=opening")] == ["Opening hours"]
    assert len(sheet(busy, "/jobs.csv?state=queued")) == 3
    assert sheet(busy, "/jobs.csv?state=dead") == []
    assert sheet(busy, "/mail.csv?until=2020-01-01") == []
    assert len(sheet(busy, "/mail.csv?since=2020-01-01")) == 4
    assert {row["what"] for row in sheet(busy, "/trail.csv?what=mail+received")} == {"mail received"}
    assert [row["address"] for row in sheet(busy, "/people.csv?project=flora")] == [TOM.address]


def test_lanes_are_a_sheet_too(busy: TestClient) -> None:
    assert 'href="/now/lanes.csv"' in busy.get("/now/lanes").text
    found = sheet(busy, "/now/lanes.csv")
    assert [(row["lane"], row["project"], row["waiting"]) for row in found] == [
        ("amelia#maria", "amelia", "1"), ("amelia#scott", "amelia", "1"), ("flora#tom", "flora", "1"),
    ]  # fmt: skip


def test_the_calendar_has_the_end_of_what_goes_live_for_a_while(face: Face) -> None:
    here = face.house.here
    begins = datetime(2031, 5, 9, 6, 0, tzinfo=UTC)
    plan = Schedule(
        "job-1.publish", "t", Lane("amelia", "scott"), Phase.PUBLISH, begins, "c0ffee", "job-1",
        until=begins + timedelta(days=3),
    )  # fmt: skip
    assert here.engine.schedules.add(plan, here.clock.now())
    browser = face.signed_in(Role.CLIENT, "amelia")
    page = browser.get("/calendar?month=2031-05").text
    assert re.findall(r'<a class="plan (\w+)"[^>]*>([^<]+)<', page) == [
        ("publish", "06:00 amelia goes live"), ("revert", "06:00 amelia is taken back"),
    ]  # fmt: skip
    assert "until Mon 12 May 2031, 06:00" in page
    assert [(row["what"], row["until"]) for row in sheet(browser, "/calendar.csv")] == [
        ("goes live", "2031-05-12T06:00:00+00:00")
    ]
    events = browser.get("/calendar.ics").text
    assert re.findall(r"UID:(\S+)@|DTSTART:(\S+)", events) == [
        ("job-1.publish", ""), ("", "20310509T060000Z"), ("job-1.publish.end", ""), ("", "20310512T060000Z"),
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["/mail?since=yesterday", "/jobs?state=tired", "/trail?what=x", "/calendar?month=13"])
def test_a_filter_that_means_nothing_is_refused_in_words(face: Face, path: str) -> None:
    answer = face.signed_in().get(path)
    assert answer.status_code in {404, 409}
    assert "write" in answer.text or "there are" in answer.text


def test_pages_follow_each_other_without_a_gap_while_mails_come(face: Face, story: Story) -> None:
    for number in range(53):
        story.writes(SCOTT, f"Change {number}", subject=f"Wish {number:03}")
    browser = face.signed_in()
    first = browser.get("/mail").text
    story.writes(SCOTT, "One more", subject="Wish that came in between")
    onward = re.search(r'rel="next" href="([^"]+)"', first)
    assert onward is not None
    second = browser.get(onward[1].replace("&amp;", "&")).text
    shown = [set(re.findall(r"Wish \d{3}", page)) for page in (first, second)]
    assert [len(each) for each in shown] == [50, 3]
    assert not shown[0] & shown[1]
    assert 'rel="next"' not in second


def test_a_page_looks_at_a_bounded_number_of_rows_and_leads_on() -> None:
    looked: list[int] = []

    def read(after: str, limit: int) -> tuple[Sequence[int], str | None]:
        first = int(after or 0) + 1
        looked.extend(range(first, first + limit))
        return range(first, first + limit), str(first + limit - 1)

    page = look_through(read, lambda _: False, str)
    assert (page.rows, page.after) == ([], str(looked[-1]))
    assert len(looked) < 6_000


@pytest.mark.parametrize("text", ['=HYPERLINK("x")', "+1", "-1+2", "@SUM(1)", "\t=1", " =1", "\uff1d1"])
def test_no_cell_of_a_sheet_is_a_formula(text: str) -> None:
    assert harmless(text).startswith("'")
    assert harmless(-1.5) == "-1.5"
    assert harmless("a=b") == "a=b"


def test_a_mail_cannot_put_a_formula_into_the_sheet(face: Face, story: Story) -> None:
    story.writes(SCOTT, "x", subject='=cmd|"/c calc"!A1')
    assert sheet(face.signed_in(), "/mail.csv")[0]["subject"] == '\'=cmd|"/c calc"!A1'


def test_every_row_shows_its_money_against_its_limit(busy: TestClient) -> None:
    assert "0.00 of 2 USD" in busy.get("/jobs").text
    assert "0.00 of 2 USD" in busy.get("/mail").text
    assert "0.00 of 20 USD" in busy.get("/projects").text
    assert sheet(busy, "/jobs.csv")[0]["usd limit"] == "2.0"


@pytest.mark.usefixtures("busy")
def test_a_client_sees_only_rows_of_their_projects(face: Face) -> None:
    client = face.signed_in(Role.CLIENT, "flora")
    assert [row["subject"] for row in sheet(client, "/mail.csv")] == ["Tulips"]
    assert [row["project"] for row in sheet(client, "/jobs.csv?project=amelia")] == []
    assert [row["project"] for row in sheet(client, "/projects.csv")] == ["flora"]
    assert "amelia" not in client.get("/jobs").text
    assert client.get("/projects/amelia").status_code in {404, 409}
    assert client.get("/projects/flora").status_code == 200
    assert client.get("/people").status_code == 403
    assert client.get("/trail").status_code == 403


def test_people_shows_whose_mails_come_back(face: Face) -> None:
    here = face.house.here
    now = here.clock.now().wall_at
    for days in (5, 4, 2):
        at = now - timedelta(days=days)
        here.engine.bounces.record(
            Bounce(f"letter-{days}", SCOTT.address, is_for_good=True, reason="550 gone", bounced_at=at)
        )
    browser = face.signed_in()
    found = sheet(browser, "/people.csv?mail=not+written+to")
    assert [(row["address"], row["came back"], row["why"]) for row in found] == [(SCOTT.address, "3", "550 gone")]
    here.engine.bounces.clear(SCOTT.address, "amy", here.clock.now())
    assert "forgiven by amy" in browser.get("/people").text


def test_projects_stand_in_their_groups(story: Story) -> None:
    hotels = 'group = "Hotels"'
    story.begin(BAKERY, type(FLOWERS)("flora", FLOWERS.editors, rules=hotels), workers=0)
    assert isinstance(story.rig, EmbeddedRig)
    browser = Face(story.rig.here).signed_in()
    page = browser.get("/projects").text
    assert page.index("Hotels</th>") < page.index(">flora</a>") < page.index("Without a group")
    assert [row["project"] for row in sheet(browser, "/projects.csv?group=Hotels")] == ["flora"]


def test_words_of_mails_are_found_and_a_client_finds_only_their_own(busy: TestClient, face: Face) -> None:
    assert "Type words" in busy.get("/search").text
    found = busy.get("/search?q=tulips").text
    assert "<mark>tulips</mark>" in found
    assert "Tulips" in sheet(busy, "/search.csv?q=tulips")[0]["title"]
    assert sheet(busy, "/search.csv?q=tulips&project=amelia") == []
    client = face.signed_in(Role.CLIENT, "amelia")
    assert "Nothing has all of these words" in client.get("/search?q=tulips").text
    assert "Nothing has all of these words" in client.get("/search?q=tulips&project=flora").text
    assert busy.get('/search?q="*(%00').status_code == 200


def test_people_shows_who_may_sign_in_and_no_password(story: Story, tmp_path: Path) -> None:
    user = f"reader@example.com:{Hashed.of('secret words')}:reader"
    (tmp_path / "people").write_text(f"{user}\n", encoding="utf-8")
    story.begin(BAKERY, workers=0, settings={"dashboard": 'users = "people"'})
    assert isinstance(story.rig, EmbeddedRig)
    page = Face(story.rig.here).signed_in().get("/people").text
    assert "reader@example.com" in page
    assert user.split(":")[1] not in page
