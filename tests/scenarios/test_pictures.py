"""Answers show what changed, before and after, on every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pictures import opened
from tests.programs import need
from tests.rigs.dying_worker import EDIT
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import EventType
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

RED = (225, 29, 72)


def has_frame(content: bytes) -> bool:
    """Tell whether a picture has our red in it, or what a small palette leaves of it."""
    colours = opened(content).convert("RGB").getcolors(2**24) or []
    return any(max(abs(one - two) for one, two in zip(RED, colour, strict=True)) < 25 for _, colour in colours)  # type: ignore[arg-type]  # an RGB picture


@pytest.mark.thorough
def test_the_answer_shows_what_changed_also_when_the_worker_dies_behind_its_pictures(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("chromium")
    assert isinstance(story.rig, EmbeddedRig)
    monkeypatch.delenv("WEBORDINARY_PICTURES_MODE")
    story.begin(settings={"pictures": 'deadline = "50 s"'}, workers=0)
    story.rig.start_dying_workers(EDIT, ["pictured"])
    story.writes(SCOTT, 'Set the heading to "Bread worth the walk"', subject="heading")
    answer = story.waits_for_answer(SCOTT)

    assert story.rig.deaths() == ["pictured"]
    assert "Bread worth the walk" in story.rig.page("amelia", "")
    assert story.rig.live_log("amelia") == ["heading", "The site as it was"]
    (pictured,) = [entry for entry in story.told(EventType.STEP) if entry.text == "pictured"]
    assert pictured.facts.get("no_pictures") is None
    assert len(answer.pictures) == 4
    assert [f"cid:{cid}" in answer.html for cid, _ in answer.pictures] == [True] * 4
    assert "cid:" not in answer.text
    widths = [opened(content).width for _, content in answer.pictures]
    # A part of a wide screen that a phone shows large enough to read.
    assert 560 <= widths[0] == widths[1] < 700
    assert widths[2:] == [390, 390]
    assert all(has_frame(content) for _, content in answer.pictures)
    assert answer.html.count("Before the change: ") == answer.html.count("After the change, ") == 2
