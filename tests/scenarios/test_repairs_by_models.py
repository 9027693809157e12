"""Real coding agents, whose model plays scripts, mend in the session in which they made their edit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.programs import need_sandbox
from tests.scenarios.test_approval import change_by_hand
from tests.scenarios.test_repairs import STRICT, rounds
from tests.unit.agent.test_acp import OPENCODE, ROOT
from webordinary.jobs.job import Outcome
from webordinary.testing import samples
from webordinary.testing.model import ModelStep, ScriptedModel
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.testing.story import Story

CAREFUL = replace(STRICT, rules='publish = "approve"')
CONTACT = (Path(samples.__file__).parent / "sample_site" / "contact.html").read_text(encoding="utf-8")
JOINED = CONTACT.replace("8:00 – 18:00", "9:00 – 17:00").replace("Come by", "Come by soon")
# What the fields of the tools are called by each agent.
FIELDS = {
    "claude": {"path": "file_path", "old": "old_string", "new": "new_string"},
    "opencode": {"path": "filePath", "old": "oldString", "new": "newString"},
}


def reads(name: str, page: str) -> ModelStep:
    tool = "Read" if name == "claude" else "read"
    return ModelStep(tools=((tool, {FIELDS[name]["path"]: f"{{{{folder}}}}/{page}"}),))


def edits(name: str, page: str, old: str, new: str) -> tuple[ModelStep, ...]:
    fields, tool = FIELDS[name], "Edit" if name == "claude" else "edit"
    given = {fields["path"]: f"{{{{folder}}}}/{page}", fields["old"]: old, fields["new"]: new}
    return (reads(name, page), ModelStep(tools=((tool, given),)))


def writes(name: str, page: str, content: str) -> tuple[ModelStep, ...]:
    tool = "Write" if name == "claude" else "write"
    given = {FIELDS[name]["path"]: f"{{{{folder}}}}/{page}", "content": content}
    return (reads(name, page), ModelStep(tools=((tool, given),)))


def scripts(name: str) -> Mapping[str, tuple[ModelStep, ...]]:
    said = ModelStep("You open at nine.")
    return {
        "cannot be built any more": (*edits(name, "contact.html", "BROKEN", "9:00"), said),
        "changed the same lines": (*writes(name, "contact.html", JOINED), said),
        "Come by soon": (*edits(name, "contact.html", "Come by", "Come by soon"), said),
        "We open at nine now": (
            *edits(name, "contact.html", "8:00 – 18", "BROKEN – 18"),
            *edits(name, "index.html", "8:00 – 18", "9:00 – 18"),
            said,
        ),
    }


def settings(name: str, model: ScriptedModel) -> dict[str, str]:
    if name == "claude":
        agent = f'kind = "claude"\nkey = "sk-real-key"\naddress = "{model.address}"'
    else:
        (program,) = sorted(ROOT.glob("build/node/node_modules/opencode-linux-*/bin/opencode"))
        variables = json.dumps([f"{key}={value}" for key, value in OPENCODE.items()])
        agent = (
            f'kind = "acp"\nkey = "sk-real-key"\naddress = "{model.address}"\nmodels = ["claude-*"]\n'
            f"command = {json.dumps([str(program), 'acp'])}\nenvironment = {variables}"
        )
    return {"agent": agent, "sandbox": 'mode = "bubblewrap"'}


def last_words(asked: Mapping[str, Any]) -> str:
    return json.dumps([each for each in asked["messages"] if each["role"] == "user"], ensure_ascii=False)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["claude", "opencode"])
def test_a_real_agent_mends_a_build_and_a_conflict_in_its_own_session(story: Story, name: str) -> None:
    need_sandbox("bubblewrap")
    with ScriptedModel(scripts(name)) as model:
        story.begin(CAREFUL, settings=settings(name, model))
        first = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
        assert first.outcome == Outcome.PROPOSED, first.error
        assert [ended for _, ended in rounds(story)] == ["changed"]
        # The session goes on: the request stands in it once, and what was found behind it.
        told = last_words(model.asked[-1])
        assert told.count("# Request of the site's owner") == 1
        assert told.count("out/contact.html:") == 1
        assert (first.journal.turns or 0) >= len(model.asked)
        asked = story.waits_for_answer(SCOTT)
        assert "9:00 – 18:00" in asked.text
        change_by_hand(story, "contact.html", "8:00 – 18:00", "8:00 – 17:00")
        again = "We open at nine now, and please say: Come by soon"
        second = story.waits_for_job(story.writes(SCOTT, again, in_reply_to=asked))
        assert second.outcome == Outcome.PROPOSED, second.error
        assert "live now: Monday to Friday 8:00 – 17:00" in last_words(model.asked[-1])
        shown = story.waits_for_answer(SCOTT, count=2)
        story.waits_for_job(story.writes(SCOTT, "ok", in_reply_to=shown))
    contact = story.rig.page("amelia", "contact.html")
    assert "9:00 – 17:00" in contact
    assert "Come by soon" in contact


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["claude", pytest.param("opencode", marks=pytest.mark.long)])
def test_what_a_real_agent_does_beside_its_request_is_told_once_and_taken_out(story: Story, name: str) -> None:
    need_sandbox("bubblewrap")
    over_edits = {
        "You also changed": (ModelStep("I leave it, it reads better."),),
        "plum cake costs": (
            *edits(name, "menu.html", "€3.60", "€3.80"),
            *edits(name, "contact.html", "Follow the smell", "Follow us"),
            ModelStep("The plum cake costs €3.80."),
        ),
    }
    with ScriptedModel(over_edits) as model:
        story.begin(STRICT, settings=settings(name, model))
        job = story.waits_for_job(story.writes(SCOTT, "The plum cake costs €3.80 now."))
        told = last_words(model.asked[-1])
    assert job.outcome == Outcome.PUBLISHED, job.error
    assert [ended for _, ended in rounds(story)] == ["unchanged"]
    assert (told.count("# Request of the site's owner"), told.count("You also changed")) == (1, 1)
    assert "Follow the smell" in story.rig.page("amelia", "contact.html")
    assert "€3.80" in story.rig.page("amelia", "menu.html")
    assert "Follow" in job.journal.left_out
