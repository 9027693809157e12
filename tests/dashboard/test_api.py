"""Programs read what the pages show and do what the buttons do, with a token and never with a cookie."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import EventType
from webordinary.client import ApiClient, ApiRefused
from webordinary.dashboard.api.routes import ROUTES
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role
from webordinary.errors import NoSuchThing, Refused
from webordinary.jobs.job import State
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.testclient import TestClient

    from tests.dashboard.face import Face
    from webordinary.testing.story import Story

HOURS = "We open at nine now"


def tokens(face: Face) -> ApiTokens:
    return ApiTokens(face.house.sessions.folder, face.house.here.clock)


def bearer(face: Face, role: Role, *projects: str) -> dict[str, str]:
    secret = tokens(face).add(f"{role} {projects}", role, projects, "amy")
    return {"authorization": f"Bearer {secret}"}


@pytest.fixture
def program(face: Face) -> Iterator[ApiClient]:
    secret = tokens(face).add("shop", Role.AGENCY, (), "amy")
    with face.served() as address:
        yield ApiClient(address, secret)


def test_a_program_asks_for_a_change_and_reads_its_story(program: ApiClient) -> None:
    asked = program.ask("amelia", "scott", HOURS, key="order-7")
    assert (asked.state, asked.project, asked.user) == (State.QUEUED, "amelia", "scott")
    assert program.ask("amelia", "scott", HOURS, key="order-7").id == asked.id
    assert program.ask("amelia", "scott", HOURS).id != asked.id
    with pytest.raises(ApiRefused, match="was used for another call") as other:
        program.ask("amelia", "scott", "Something else", key="order-7")
    assert other.value.status == 422
    story = program.job(asked.id)
    assert (story.request, story.asked_by, story.actions) == (HOURS, "shop", ["stop"])
    assert any(step.what == EventType.ACTED.value for step in story.steps)
    assert "is stopped" in program.act("jobs", asked.id, "stop").sentence
    assert [job.id for job in program.jobs(state="stopped")] == [asked.id]


def test_a_program_reads_everything_that_the_pages_show(face: Face, program: ApiClient, story: Story) -> None:
    mail = story.writes(SCOTT, HOURS)
    job = story.job_of(mail)
    assert [each.id for each in program.mails()] == [mail]
    assert [each.lane for each in program.lanes()] == ["amelia#scott"]
    assert {each.id for each in program.projects()} >= {"amelia"}
    assert {each.user for each in program.people()} >= {"scott"}
    assert {each.project for each in program.spending()} >= {"amelia"}
    assert program.releases("amelia") == []
    assert program.plans() == []
    while not face.house.here.engine.search.catch_up():
        pass
    assert {each.job for each in program.search("nine")} == {job.id}
    assert list(program.search("elephants")) == []
    assert program.workers() == []
    assert {each.kind for each in program.needs()} <= {"findings"}
    assert next(program.trail(job=job.id)).what == EventType.JOB_ACCEPTED.value
    assert program.act("projects", "amelia", "pause", reason="moving").job is None
    paused = next(each for each in program.needs() if each.kind == "paused")
    assert [(each.action, each.target) for each in paused.settles] == [("resume", "amelia")]
    assert program.act("projects", "amelia", "resume").sentence == "amelia goes on."


def test_lists_are_read_page_by_page_without_gap_or_repeat(face: Face, program: ApiClient) -> None:
    made = [program.ask("amelia", "scott", f"{HOURS}, {number}").id for number in range(7)]
    browser, headers = face.visitor(), bearer(face, Role.READER)
    pages, after = [], ""
    while True:
        page = browser.get("/api/v1/jobs", params={"limit": 3, "after": after}, headers=headers).json()
        pages.append([each["id"] for each in page["items"]])
        if page["next"] is None:
            break
        after = page["next"]
    assert [len(page) for page in pages] == [3, 3, 1]
    assert [each for page in pages for each in page] == made[::-1]


def test_the_same_key_at_the_same_time_is_one_job(program: ApiClient) -> None:
    with ThreadPoolExecutor(8) as crowd:
        asked = list(crowd.map(lambda _: program.ask("amelia", "scott", HOURS, key="once").id, range(16)))
    assert len(set(asked)) == 1
    assert len(list(program.jobs())) == 1


def test_a_key_that_is_used_again_after_its_answer_was_kept_brings_new_words_in(face: Face, program: ApiClient) -> None:
    first = program.ask("amelia", "scott", HOURS, key="weekly").id
    for kept in (face.house.sessions.folder / "keys").iterdir():
        kept.unlink()
    assert program.ask("amelia", "scott", HOURS, key="weekly").id == first
    for kept in (face.house.sessions.folder / "keys").iterdir():
        kept.unlink()
    assert program.ask("amelia", "scott", "We are closed on Monday", key="weekly").id != first


def test_a_cookie_opens_nothing_here(face: Face) -> None:
    browser = face.signed_in(Role.AGENCY)
    assert browser.get("/").status_code == 200
    for route in ROUTES:
        path = route.path.format(**dict.fromkeys(route.params, "x"))
        answer = browser.request(route.method, f"/api/v1{path}")
        assert answer.status_code == 401, path
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["www-authenticate"] == "Bearer"


def test_every_route_is_closed_to_smaller_roles(face: Face) -> None:
    browser = face.visitor()
    for role in Role:
        headers = bearer(face, role, *(("flora",) if role is Role.CLIENT else ()))
        for route in ROUTES:
            path = route.path.format(**dict.fromkeys(route.params, "x"))
            answer = browser.request(route.method, f"/api/v1{path}", headers=headers)
            # A reader is more than a client, and still decides nothing.
            is_closed = not role.includes(route.role) or (role is Role.READER and route.method == "POST")
            assert (answer.status_code == 403) >= is_closed, (role, path)
            assert answer.status_code != 500, (role, path)


def test_a_client_reads_only_what_is_theirs(face: Face, story: Story, program: ApiClient) -> None:
    job = story.job_of(story.writes(SCOTT, HOURS))
    browser, other = face.visitor(), bearer(face, Role.CLIENT, "flora")
    for path in ("jobs", "mails", "lanes", "projects", "people", "plans", "spending", "needs"):
        assert browser.get(f"/api/v1/{path}", headers=other).json()["items"] == [], path
    for path in (f"jobs/{job.id}", f"mails/{job.mail}", "lanes/amelia%23scott", "projects/amelia"):
        assert browser.get(f"/api/v1/{path}", headers=other).status_code == 404, path
    assert browser.post(f"/api/v1/jobs/{job.id}/approve", headers=other).status_code == 404
    own = bearer(face, Role.CLIENT, "amelia")
    assert [each["id"] for each in browser.get("/api/v1/jobs", headers=own).json()["items"]] == [job.id]
    assert [each.id for each in program.jobs(project="amelia")] == [job.id]


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("jobs?limit=0", "limit"),
        ("jobs?limit=many", "limit"),
        ("jobs?colour=red", "colour"),
        ("jobs?limit=1&limit=2", "twice"),
        ("jobs?state=unheard-of", "state"),
        ("trail?after=-1", "after"),
    ],
)
def test_a_wrong_question_is_told_what_is_wrong(face: Face, path: str, says: str) -> None:
    answer = face.visitor().get(f"/api/v1/{path}", headers=bearer(face, Role.READER))
    assert answer.status_code == 400
    assert says in answer.json()["detail"]


def test_a_wrong_body_is_told_what_is_wrong(face: Face) -> None:
    browser, headers = face.visitor(), bearer(face, Role.OPERATOR)
    assert _ask(browser, headers, {"project": "amelia", "user": "scott"}) == 400
    assert _ask(browser, headers, {"project": "amelia", "user": "scott", "words": "  "}) == 400
    assert _ask(browser, headers, {"project": "nobody", "user": "scott", "words": HOURS}) == 404
    assert _ask(browser, headers, {"project": "amelia", "user": "nobody", "words": HOURS}) == 404
    assert browser.post("/api/v1/jobs", content=b"{}", headers=headers).status_code == 415
    assert browser.post("/api/v1/jobs", content=b"x" * 1_000_001, headers=headers).status_code == 413
    assert browser.delete("/api/v1/jobs", headers=headers).status_code == 405
    assert browser.get("/api/v1/nothing", headers=headers).headers["content-type"] == "application/problem+json"


def _ask(browser: TestClient, headers: dict[str, str], body: dict[str, str]) -> int:
    return browser.post("/api/v1/jobs", json=body, headers=headers).status_code


def test_only_the_hash_of_a_token_is_kept_and_a_removed_one_opens_nothing(face: Face) -> None:
    secret = tokens(face).add("shop", Role.READER, (), "amy")
    kept = [path for path in face.house.sessions.folder.rglob("*") if path.is_file()]
    assert not any(secret in path.name or secret.encode() in path.read_bytes() for path in kept)
    assert all(path.stat().st_mode & 0o077 == 0 for path in kept if path.name.startswith("token-"))
    headers = {"authorization": f"Bearer {secret}"}
    assert face.visitor().get("/api/v1/me", headers=headers).json()["name"] == "shop"
    with pytest.raises(Refused, match="already"):
        tokens(face).add("shop", Role.READER, (), "amy")
    tokens(face).remove("shop")
    assert face.visitor().get("/api/v1/me", headers=headers).status_code == 401
    with pytest.raises(NoSuchThing):
        tokens(face).remove("shop")


def test_only_a_client_has_projects(face: Face) -> None:
    for role, projects in ((Role.CLIENT, ()), (Role.READER, ("amelia",))):
        with pytest.raises(Refused, match="--project"):
            tokens(face).add("shop", role, projects, "amy")
