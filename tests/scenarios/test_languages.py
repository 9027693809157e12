"""Owners who write in Italian and in Dutch: a change, a word that takes it back, and each answer in their language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.jobs.job import Outcome
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

ITALIAN = ("Buongiorno,\nadesso apriamo alle nove.\nGrazie e cordiali saluti\nScott", "Annulla, grazie")
DUTCH = ("Beste,\nwij openen nu om negen uur.\nMet vriendelijke groet,\nScott", "Graag ongedaan maken")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "done", "undone"),
    [
        (ITALIAN, "Fatto, la sua modifica è online.", "Fatto, la sua modifica non è più sul suo sito."),
        (DUTCH, "Klaar, uw wijziging staat online.", "Klaar, uw wijziging staat niet meer op uw site."),
    ],
    ids=["it", "nl"],
)
def test_a_change_is_made_and_taken_back_in_the_language_of_the_owner(
    story: Story, words: tuple[str, str], done: str, undone: str
) -> None:
    request, take_back = words
    story.begin()
    mail = story.writes(SCOTT, request, subject="Amelia")
    answer = story.waits_for_answer(SCOTT)
    assert story.job_of(mail).outcome == Outcome.PUBLISHED
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")
    assert done in answer.text

    reply = story.replies(SCOTT, answer, take_back)
    assert story.waits_for_job(reply).outcome == Outcome.UNDONE
    assert "8:00 – 18:00" in story.rig.page("amelia", "contact.html")
    assert undone in story.waits_for_answer(SCOTT, count=2).text
