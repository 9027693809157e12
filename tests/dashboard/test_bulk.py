from __future__ import annotations

import fcntl
import re
import threading
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face, csrf_in
from webordinary.audit.entry import EventType
from webordinary.dashboard.bulk.plans import BulkLine, BulkPlan, BulkPlans, BulkState, new_plan_id
from webordinary.dashboard.viewer import Role
from webordinary.jobs.job import State
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient


def begins(browser: TestClient, **form: str) -> str:
    """Press the button below a list, and return the page that shows what would be hit."""
    token = csrf_in(browser.get("/jobs").text)
    answer = browser.post("/bulk", data={"csrf": token, **form})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def confirms(browser: TestClient, page: str, **form: str) -> None:
    token = csrf_in(browser.get(page).text)
    assert browser.post(page, data={"csrf": token, **form}).headers["location"] == page


def waits_for(story: Story, browser: TestClient, page: str, words: str) -> str:
    story.waits_until(lambda: words in browser.get(page).text)
    return str(browser.get(page).text)


def test_exactly_what_was_shown_is_done_and_each_stands_in_the_trail(face: Face, story: Story) -> None:
    wanted = [story.job_of(story.writes(SCOTT, f"Change {n}", subject=f"Wish {n}")).id for n in range(3)]
    browser = face.signed_in()
    assert "Stop: queued jobs" in browser.get("/jobs").text
    page = begins(browser, action="stop", q="wish")
    shown = browser.get(page).text
    assert "Stop: 3 things" in shown
    assert all(f"Wish {n}" in shown for n in range(3))
    later = story.job_of(story.writes(SCOTT, "Change 9", subject="Wish 9")).id
    assert {job.state for job in story.rig.jobs()} == {State.QUEUED}

    confirms(browser, page)
    over = waits_for(story, browser, page, "It is over")

    assert "3 of 3 are done" in over
    states = {job.id: job.state for job in story.rig.jobs()}
    assert [states[each] for each in wanted] == [State.STOPPED] * 3
    assert states[later] is State.QUEUED
    acted = [entry for entry in story.told(EventType.ACTED) if entry.facts["action"] == "stop"]
    assert sorted(entry.facts["target"] for entry in acted) == sorted(wanted)
    assert {entry.facts["by"] for entry in acted} == {"amy"}


def test_what_could_not_be_done_is_told_with_its_reason(face: Face, story: Story) -> None:
    jobs = [story.job_of(story.writes(SCOTT, f"Change {n}", subject=f"Wish {n}")).id for n in range(2)]
    browser = face.signed_in()
    page = begins(browser, action="stop")
    story.rig.stop_job(jobs[0], "somebody else")

    confirms(browser, page)
    over = waits_for(story, browser, page, "It is over")

    assert "2 of 2 are done, 1 of them could not be" in over
    assert re.search(rf"{jobs[0]}</small></th>\s*<td[^>]*>{jobs[0]} is over already", over)


def test_a_second_press_does_nothing_twice(face: Face, story: Story) -> None:
    job = story.job_of(story.writes(SCOTT, "Change", subject="Wish")).id
    story.rig.stop_job(job, "amy")
    browser = face.signed_in()
    page = begins(browser, action="redrive", state="stopped")
    for _ in range(3):
        confirms(browser, page)
    waits_for(story, browser, page, "It is over")
    confirms(browser, page)
    assert len([each for each in story.rig.jobs() if each.repeats == job]) == 1


def test_pausing_and_resuming_all_projects_takes_a_reason(face: Face, story: Story) -> None:
    browser = face.signed_in()
    page = begins(browser, action="pause")
    confirms(browser, page, reason="moving the server")
    waits_for(story, browser, page, "It is over")
    assert "moving the server (amy)" in browser.get("/projects").text
    page = begins(browser, action="resume")
    confirms(browser, page)
    waits_for(story, browser, page, "It is over")
    assert "moving the server" not in browser.get("/projects").text


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"action": "explode"}, "There is no action"),
        ({"action": "redrive", "state": "done"}, "is for dead or failed or stopped ones"),
        ({"action": "redrive"}, "There is nothing left"),
        ({"action": "stop", "since": "now"}, "is no day"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(face: Face, form: dict[str, str], words: str) -> None:
    browser = face.signed_in()
    answer = browser.post("/bulk", data={"csrf": csrf_in(browser.get("/jobs").text), **form})
    assert answer.status_code in {404, 409}
    assert words in answer.text


def test_a_reader_is_offered_nothing_and_can_do_nothing(face: Face, story: Story) -> None:
    story.writes(SCOTT, "Change", subject="Wish")
    browser = face.signed_in(Role.READER)
    page = browser.get("/jobs").text
    assert "With all that fit" not in page
    assert browser.post("/bulk", data={"csrf": csrf_in(page), "action": "stop"}).status_code == 403


@pytest.fixture
def plans(tmp_path: Path) -> BulkPlans:
    return BulkPlans(tmp_path / "bulk")


def planned(plans: BulkPlans, face: Face, *ids: str) -> str:
    plan = BulkPlan(new_plan_id(), "stop", "amy", face.house.here.clock.now().wall_at, "/jobs", ids, ids)
    plans.keep(plan)
    return plan.id


def state_of(plans: BulkPlans, name: str) -> BulkState:
    found = plans.find(name)
    assert found is not None
    return found.state


def test_while_it_runs_nobody_starts_it_again(plans: BulkPlans, face: Face, story: Story) -> None:
    name, gate = planned(plans, face, "a", "b"), threading.Event()

    def slow(each: str) -> BulkLine:
        gate.wait()
        return BulkLine(each, "done")

    assert state_of(plans, name) is BulkState.WAITS
    assert plans.start(name, slow)
    assert not plans.start(name, slow)
    assert state_of(plans, name) is BulkState.RUNS
    gate.set()
    story.waits_until(lambda: state_of(plans, name) is BulkState.OVER)
    assert not plans.start(name, slow)


def test_what_a_dead_process_has_done_stays_done_and_the_rest_can_be_gone_on_with(
    plans: BulkPlans, face: Face, story: Story
) -> None:
    name = planned(plans, face, "a", "b", "c")
    log = plans.folder / f"{name}.log"
    log.write_bytes(b'{"id":"a","words":"done"}\n{"id":"b","wor')
    with log.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert state_of(plans, name) is BulkState.RUNS
    assert state_of(plans, name) is BulkState.BROKEN_OFF
    touched: list[str] = []

    def do(each: str) -> BulkLine:
        touched.append(each)
        return BulkLine(each, "done")

    assert plans.start(name, do)
    story.waits_until(lambda: state_of(plans, name) is BulkState.OVER)
    assert touched == ["b", "c"]


def test_a_name_that_is_no_plan_leads_nowhere(face: Face, plans: BulkPlans) -> None:
    assert plans.find("../../etc/passwd") is None
    assert face.signed_in().get("/bulk/0123456789abcdef").status_code == 404
