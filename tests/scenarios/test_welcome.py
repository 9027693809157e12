"""New editors are welcomed, and what a welcomed person writes is answered in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.testing.story import MARIA, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story


@pytest.mark.thorough
def test_every_editor_is_welcomed_once_however_often_workers_start(story: Story) -> None:
    (worker,) = story.begin(settings={"agency": "welcome = true"})
    for person in (SCOTT, MARIA):
        welcome = story.waits_for_answer(person)
        assert welcome.subject == "You can now change amelia by mail"
        assert "amelia@" in welcome.text
        assert "From Monday we open at nine" in welcome.text
    story.rig.drain_worker(worker)
    story.rig.start_worker()
    story.waits_for_job(story.writes(SCOTT, "we open at nine now", in_reply_to=story.rig.mailbox(SCOTT.address)[0]))
    answer = story.waits_for_answer(SCOTT, count=2)
    assert "your change is live" in answer.text
    assert len(story.rig.mailbox(MARIA.address)) == 1
