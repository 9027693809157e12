"""The search page: what a mail said is found by its words, shown as text, and only to those who may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.viewer import Role
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from tests.dashboard.face import Face


def test_a_request_is_found_by_its_words_and_marked(face: Face, story: Story) -> None:
    job = story.job_of(story.writes(SCOTT, "We sell umbrellas now", subject="Rain"))
    page = face.signed_in(Role.READER).get("/search", params={"q": "umbrellas sell"}).text
    assert f"/jobs/{job.id}" in page
    assert "<mark>umbrellas</mark>" in page
    assert "Nothing has all of these words" in face.signed_in().get("/search", params={"q": "sunshades"}).text
    assert "Type words that stand in a mail" in face.signed_in().get("/search").text


def test_words_of_a_mail_and_of_a_question_are_never_run(face: Face, story: Story) -> None:
    story.writes(SCOTT, "<script>alert(1)</script> umbrellas", subject="<img src=x onerror=alert(2)>")
    for words in ("umbrellas", "script alert umbrellas", '"><script>alert(3)</script>', "NEAR( umbrellas"):
        page = face.signed_in().get("/search", params={"q": words})
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img" not in page.text


def test_a_client_finds_only_what_is_theirs(face: Face, story: Story) -> None:
    story.writes(SCOTT, "We sell umbrellas now", subject="Rain")
    assert "Rain" in face.signed_in(Role.CLIENT, "amelia").get("/search", params={"q": "umbrellas"}).text
    assert "Rain" not in face.signed_in(Role.CLIENT, "flora").get("/search", params={"q": "umbrellas"}).text
