"""The link that says ok, answers that wait, the API and the figures: the same by HTTP over every engine."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.dashboard.test_say_ok import LINK, SETTINGS
from tests.rigs import RIGS
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import EventType
from webordinary.client import ApiClient, ApiRefused
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role
from webordinary.jobs.job import Outcome
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.thorough
SITE = SiteSetup(BAKERY.id, BAKERY.editors, rules='publish = "approve"\nanswers = "hold"')
NINE = "9:00 – 18:00"


@pytest.fixture(params=RIGS)
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Story]:
    rig = RIGS[request.param](tmp_path)
    yield Story(rig)
    rig.close()


def face_of(story: Story) -> Face:
    assert isinstance(story.rig, EmbeddedRig)
    return Face(story.rig.here)


def token(face: Face, role: Role, *projects: str) -> str:
    return ApiTokens(face.house.sessions.folder, face.house.here.clock).add(f"{role} {projects}", role, projects, "amy")


def test_an_ok_by_the_link_goes_live_and_its_answer_waits_for_the_agency(story: Story) -> None:
    story.begin(SITE, settings=SETTINGS)
    face = face_of(story)
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="New hours"))
    assert job.outcome == Outcome.PROPOSED
    found = LINK.search(story.waits_for_answer(SCOTT).text)
    assert found is not None
    browser, link = face.visitor(), found[1]
    assert NINE in browser.get(link).text
    assert NINE not in story.rig.page("amelia", "contact.html")
    with ThreadPoolExecutor(4) as crowd:
        answers = list(crowd.map(lambda _: face.visitor().post(link).text, range(4)))
    assert sum("you get a mail" in each for each in answers) == 1
    held = story.waits_for(EventType.ANSWER_HELD)
    assert held.job is not None
    assert NINE in story.rig.page("amelia", "contact.html")
    # It was used: nothing more comes of it.
    assert browser.get(link).status_code == browser.post(link).status_code == 410
    secrets = (
        token(face, Role.OPERATOR),
        token(face, Role.CLIENT, "amelia"),
        token(face, Role.CLIENT, "flora"),
    )
    with face.served() as address:
        program, theirs, others = (ApiClient(address, each) for each in secrets)
        assert [each.job for each in program.held_answers()] == [held.job]
        assert program.job(job.id).job.summary
        assert theirs.job(job.id).job.summary == ""
        assert [*others.jobs(), *others.mails(), *others.lanes(), *others.search("nine"), *others.projects()] == []
        program.act("jobs", held.job, "edit-answer", words="Nine it is.")
        program.act("jobs", held.job, "release-answer")
    told = story.waits_for_answer(SCOTT, count=2).text
    assert "Nine it is." in told
    assert NINE in told


def test_a_key_is_one_job_and_figures_and_needs_are_told(story: Story) -> None:
    story.begin(SITE, settings=SETTINGS, workers=0)
    face = face_of(story)
    with face.served() as address:
        program = ApiClient(address, token(face, Role.AGENCY))
        with ThreadPoolExecutor(4) as crowd:
            asked = {*crowd.map(lambda _: program.ask("amelia", "scott", "We open at ten", key="k").id, range(6))}
        assert len(asked) == 1
        assert [each.id for each in program.jobs()] == list(asked)
        with pytest.raises(ApiRefused, match="was used for another call"):
            program.ask("amelia", "scott", "We open at eleven", key="k")
        # Where the answer under a key is lost with its machine, the job is still the same.
        for kept in (face.house.sessions.folder / "keys").iterdir():
            kept.unlink()
        assert program.ask("amelia", "scott", "We open at ten", key="k").id in asked
        (job,) = asked
        program.act("projects", "amelia", "pause", reason="moving")
        assert "paused" in {each.kind for each in program.needs()}
        assert "is stopped" in program.act("jobs", job, "stop").sentence
        assert any(step.what == EventType.ACTED.value for step in program.job(job).steps)
    figures = face.signed_in().get("/metrics", headers={"authorization": f"Bearer {token(face, Role.READER)}"}).text
    assert "webordinary_projects_paused 1.0" in figures
    assert "webordinary_counted 1.0" in figures
