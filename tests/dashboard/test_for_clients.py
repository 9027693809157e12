"""What a client does not read: unreleased words of the agent, errors of ours, letters to the agency."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.dashboard.test_answers import FACTS, HeldHouse
from tests.dashboard.test_say_ok import Asked
from webordinary.actions import answers
from webordinary.actions.carry_out import carry_out
from webordinary.audit.entry import Entry, EventType
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.reported import Question
from webordinary.reply.outbox import Letter
from webordinary.testing.story import AGENCY, BAKERY, SCOTT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.dashboard.face import Face
    from webordinary.testing.story import Story

# Words that stand in what the agent has said, and nowhere else.
SAID, ASKED = "I rewrote the zwieback page myself", "Shall the zwieback stay?"
WORD = "zwieback"
AMY = Viewer("amy", Role.OPERATOR)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[HeldHouse]:
    made = HeldHouse(tmp_path)
    yield made
    made.rig.close()


def hold(house: HeldHouse, *, question: bool = False) -> str:
    """Let the agent of a request say something, and the answer with it wait."""
    engine, now = house.here.engine, house.here.clock.now()
    house.story.writes(SCOTT, "We open at nine now", subject="New hours")
    claimed = engine.claims.claim("w1", now)
    assert claimed is not None
    assert claimed.job is not None
    facts = dict([Journal.summary(SAID), Journal.question(Question(ASKED) if question else None)])
    job = engine.attempts.journal(claimed.claim, claimed.job, Step.EDITED.value, facts, now)
    if question:
        told = {"question": ASKED}
        ending = Ending(State.DONE, Outcome.ASKED, summary=ASKED, template="question", facts=told)
    else:
        told = FACTS | {"summary": SAID}
        ending = Ending(State.DONE, Outcome.PUBLISHED, summary=SAID, template="published", facts=told)
    engine.attempts.finish(claimed.claim, job, ending, now)
    engine.claims.release(claimed.claim, now)
    house.sends()
    assert engine.held_answers.find(job.id) is not None
    return job.id


def read_by(face: Face, role: Role, job: str) -> str:
    """Return everything that somebody of this role can read about a job, page by page and call by call."""
    projects = (BAKERY.id,) if role is Role.CLIENT else ()
    secret = ApiTokens(face.house.sessions.folder, face.house.here.clock).add(f"{role}", role, projects, "amy")
    browser, headers = face.signed_in(role, *projects), {"authorization": f"Bearer {secret}"}
    pages = ("/", "/?show=questions", "/jobs", "/jobs.csv", f"/jobs/{job}", f"/jobs/{job}/steps", f"/search?q={WORD}")
    read = [browser.get(path) for path in (*pages, f"/search.csv?q={WORD}", "/search?q=nine", "/projects/amelia")]
    read += [browser.get(path) for path in ("/projects", "/projects.csv", f"/jobs?q={WORD}")]
    lists = ("jobs", "needs", f"search?words={WORD}", "search?words=nine", "lanes", "projects")
    calls = (*lists, f"jobs/{job}", f"jobs/{job}/letters", "lanes/amelia%23scott", "projects/amelia")
    read += [browser.get(f"/api/v1/{path}", headers=headers) for path in calls]
    assert {each.status_code for each in read} == {200}
    ApiTokens(face.house.sessions.folder, face.house.here.clock).remove(f"{role}")
    # The question itself is no answer to it.
    return "\n".join(each.text.replace(f'value="{WORD}"', "").replace(f"q={WORD}", "") for each in read)


@pytest.mark.parametrize("question", [False, True])
def test_a_client_reads_no_word_of_the_agent_that_nobody_has_released(house: HeldHouse, *, question: bool) -> None:
    job = hold(house, question=question)
    assert WORD in read_by(house.face, Role.READER, job), "the word is shown nowhere, so this test shows nothing"
    assert WORD not in read_by(house.face, Role.CLIENT, job)


def test_what_the_agency_has_edited_is_read_as_it_went_out(house: HeldHouse) -> None:
    job = hold(house)
    carry_out(house.here, "edit-answer", job, AMY, {"words": "Nine it is."})
    answers.let_go(house.here, job, "amy")
    house.sends()
    read = read_by(house.face, Role.CLIENT, job)
    assert "Nine it is." in read
    assert "Open 9:00" in read
    for word in (WORD, "put other words", "edit-answer", "eye"):
        assert word not in read, word
    told = read_by(house.face, Role.READER, job)
    assert "put other words" in told
    assert WORD in told


def test_a_client_still_finds_the_request_by_its_own_words(house: HeldHouse) -> None:
    job = hold(house)
    browser = house.face.signed_in(Role.CLIENT, BAKERY.id)
    for words in ("nine", "New hours", "open*"):
        assert f"/jobs/{job}" in browser.get("/search", params={"q": words}).text, words
    assert f"/jobs/{job}" not in browser.get("/search", params={"q": f"nine {WORD}"}).text


def test_a_client_reads_no_error_that_quotes_an_agent_or_a_build(face: Face, story: Story) -> None:
    engine, broke = face.house.here.engine, f"the agent ended with an error (code 1): {WORD} in its key store"
    while not engine.overview.paused():
        now = face.house.here.clock.now()
        story.writes(SCOTT, "We open at nine now", subject="New hours")
        claimed = engine.claims.claim("w1", now)
        assert claimed is not None
        assert claimed.job is not None
        lane, name = claimed.job.lane.key, claimed.job.id
        engine.trail.record(Entry(EventType.JOB_RETRIED, now.wall_at, lane, job=name, text=broke))
        ending = Ending(State.FAILED, error=broke, template="agent_failed", blames_project=True)
        engine.attempts.finish(claimed.claim, claimed.job, ending, now)
        engine.claims.release(claimed.claim, now)
    waiting = story.job_of(story.writes(SCOTT, "We open at ten now", subject="New hours"))
    failed = next(job.id for job in engine.overview.jobs() if job.error)
    for job in (failed, waiting.id):
        told = read_by(face, Role.READER, job)
        assert WORD in told
        assert "jobs in a row failed, last: the agent" in told
        read = read_by(face, Role.CLIENT, job)
        assert WORD not in read
        assert "key store" not in read
        assert "jobs in a row failed" in read
        assert f"/jobs/{failed}" in read


def test_a_client_reads_why_something_was_refused_or_stopped(face: Face, story: Story) -> None:
    job = story.job_of(story.writes(SCOTT, "We open at nine now", subject="New hours")).id
    carry_out(face.house.here, "stop", job, AMY, {})
    assert "stopped by amy" in read_by(face, Role.CLIENT, job)


def test_a_client_reads_no_letter_that_was_written_to_the_agency(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    job = asked.propose(for_agency=True).id
    for kind in ("alarm", "elsewhere"):
        facts = {"job": job, "reason": "the s3cret of the machine"}
        letter = Letter(f"{job}.{kind}", kind, AGENCY.address, "buried", facts)
        asked.here.engine.outbox.add(letter, asked.here.clock.now())
    asked.here.chores("w1").tidy_up()
    agency, client = asked.face.signed_in(Role.READER), asked.face.signed_in(Role.CLIENT, BAKERY.id)
    for kind, to_client in (("approval", 404), ("alarm", 404), ("elsewhere", 404), ("answer", 200)):
        assert agency.get(f"/jobs/{job}/letters/{kind}").status_code == 200, kind
        assert client.get(f"/jobs/{job}/letters/{kind}").status_code == to_client, kind
    assert AGENCY.address in agency.get(f"/jobs/{job}").text
    assert AGENCY.address not in client.get(f"/jobs/{job}").text
    asked.rig.close()
