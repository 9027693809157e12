"""The link that says ok is for one person: nobody else reads it, finds it or guesses it from what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.dashboard.test_say_ok import Asked
from webordinary.dashboard.process import sessions_of
from webordinary.dashboard.story.excerpt import hide_tokens_in
from webordinary.dashboard.story.mail_frame import framed
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.mail.tokens import hide_tokens
from webordinary.testing.story import AGENCY, BAKERY, SCOTT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    made = Asked(tmp_path)
    yield made
    made.rig.close()


def _calls(asked: Asked, role: Role, *projects: str) -> TestClient:
    secret = ApiTokens(sessions_of(asked.here).folder, asked.here.clock).add("t", role, projects, "amy")
    program = asked.face.visitor()
    program.headers["authorization"] = f"Bearer {secret}"
    return program


def test_a_client_does_not_find_the_agencys_link_by_search(asked: Asked) -> None:
    asked.propose(for_agency=True)
    token = asked.link(AGENCY).removeprefix("/ok/")
    client, program = asked.face.signed_in(Role.CLIENT, BAKERY.id), _calls(asked, Role.CLIENT, BAKERY.id)
    for words in ("nine", "ok", "http", "127.0.0.1", "New"):
        for page in (
            client.get("/search", params={"q": words}),
            client.get("/search.csv", params={"q": words}),
            program.get("/api/v1/search", params={"words": words}),
        ):
            assert page.status_code == 200
            assert token not in page.text


def test_nobody_guesses_a_link_letter_by_letter(asked: Asked) -> None:
    asked.propose()
    token = asked.link(SCOTT).removeprefix("/ok/")
    reader = _calls(asked, Role.READER)
    for beginning in (token[:6], token):
        found = reader.get("/api/v1/search", params={"words": f"{beginning}*"})
        assert found.json()["items"] == []


def test_a_link_that_somebody_quotes_is_hidden_from_readers_of_pages_and_api(asked: Asked) -> None:
    asked.propose()
    link = asked.link(SCOTT)
    token = link.removeprefix("/ok/")
    words = f"Please look at http://127.0.0.1:8090{link} and make the hours bold."
    asked.story.writes(SCOTT, words, subject="Bold hours")
    job = next(each for each in asked.rig.jobs() if each.subject == "Bold hours")
    assert token in job.request.text
    reader, program = asked.face.signed_in(Role.READER), _calls(asked, Role.READER)
    pages = [reader.get(path) for path in (f"/jobs/{job.id}", f"/mail/{job.mail}", "/trail", "/trail.csv", "/now")]
    calls = [program.get(f"/api/v1{path}") for path in (f"/jobs/{job.id}", f"/mails/{job.mail}", "/trail", "/jobs")]
    for page in (*pages, *calls):
        assert page.status_code == 200
        assert token not in page.text


def test_a_link_that_an_agent_or_an_error_quotes_is_hidden_too(asked: Asked) -> None:
    asked.propose()
    link = asked.link(SCOTT)
    token = link.removeprefix("/ok/")
    quoted = f"I have looked at http://127.0.0.1:8090{link} first"
    engine, now = asked.here.engine, asked.here.clock.now()
    for ending in (
        Ending(State.DONE, Outcome.PUBLISHED, summary=quoted),
        Ending(State.DEAD, error=quoted),
        Ending(State.DONE, Outcome.ASKED, summary=quoted),
    ):
        asked.story.writes(SCOTT, "We close at six", subject=f"Hours {ending.state} {ending.outcome}")
        claimed = engine.claims.claim("w1", now)
        assert claimed is not None
        assert claimed.job is not None
        engine.attempts.finish(claimed.claim, claimed.job, ending, now)
        engine.claims.release(claimed.claim, now)
    jobs = [each.id for each in asked.rig.jobs() if each.subject.startswith("Hours")]
    reader, program = asked.face.signed_in(Role.READER), _calls(asked, Role.READER)
    lists = ("/", "/jobs", "/jobs.csv", "/trail", "/trail.csv", "/search?q=looked", "/search.csv?q=looked")
    read = [reader.get(path) for path in (*lists, *(f"/jobs/{job}" for job in jobs))]
    read += [program.get(f"/api/v1/{path}") for path in ("jobs", "needs", "trail", *(f"jobs/{job}" for job in jobs))]
    for page in read:
        assert page.status_code == 200
        assert token not in page.text, page.url
    assert sum("I have looked at" in page.text for page in read) >= 10
    # Nor does a filter tell whether a guess is right.
    for path in ("/trail", "/jobs"):
        assert "Hours" not in reader.get(path, params={"q": token[:10]}).text


def test_a_link_in_a_mails_html_is_hidden_however_it_is_written() -> None:
    page = framed(
        f'<p>See <a href="https://dash.example/ok&#47;{TOKEN}">https:&#x2F;&#x2F;dash&#x2F;ok&#x2F;{TOKEN}</a>'
    )
    assert TOKEN.encode() not in bytes(page.body)


def test_a_file_that_an_agent_left_behind_quotes_no_link_and_keeps_every_other_byte() -> None:
    assert hide_tokens_in(f"see /ok/{TOKEN} ".encode() + b"\xff\x00") == "see /ok/… ".encode() + b"\xff\x00"


TOKEN = "cfvqwk3f" * 6


@pytest.mark.parametrize(
    "written",
    [
        "https://eu.safelinks.example/?url=https%3A%2F%2Fdash.example%2Fok%2F{}&data=05",
        "https://urldefense.example/v2/url?u=https-3A__dash.example_ok_{}&d=x",
        "https://urldefense.example/v3/__https://dash.example/ok/{}__;!!",
        "https://track.example/https%253A%252F%252Fdash.example%252Fok%252F{}",
        "mailto:re%2B{}@dash.example",
        "https://dash.example/OK/{}",
    ],
)
def test_a_link_that_a_mail_server_has_rewritten_is_hidden_too(written: str) -> None:
    assert TOKEN not in hide_tokens(written.format(TOKEN))


def test_a_link_that_a_mail_program_has_broken_is_hidden_too() -> None:
    shown = hide_tokens(f"> http://dash.example/ok/{TOKEN[:20]}\n> {TOKEN[20:]}\n> Thanks")
    assert TOKEN[20:] not in shown
    assert "Thanks" in shown
