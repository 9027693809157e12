"""A second mail of a thread goes on where the first one ended: what the model has read is not told again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.programs import need_sandbox
from tests.scenarios.test_claude import CONTACT, claude
from tests.tree import ROOT
from webordinary.jobs.job import Outcome
from webordinary.jobs.reported import TokenCount
from webordinary.testing.model import ModelStep, ScriptedModel
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

COLD = {"input_tokens": 10, "cache_creation_input_tokens": 8000, "output_tokens": 100}
WARM = {"input_tokens": 10, "cache_read_input_tokens": 8000, "cache_creation_input_tokens": 500, "output_tokens": 100}
NOTES = "Notes for whoever edits this site"
MANNERS = "You edit one website for its owner"


def steps(usage: dict[str, int], *tools: tuple[str, dict[str, str]]) -> tuple[ModelStep, ...]:
    return (*(ModelStep(tools=(tool,), usage=usage) for tool in tools), ModelStep("Done.", usage=usage))


def scripts(read: str, edit: str, path: str, old: str, new: str) -> dict[str, tuple[ModelStep, ...]]:
    place = {path: CONTACT}
    nine = {old: "8:00 – 18", new: "9:00 – 18"}
    seven = {old: "9:00 – 18", new: "9:00 – 19"}
    return {
        "nine": steps(COLD, (read, place), (edit, place | nine)),
        "seven": steps(WARM, (read, place), (edit, place | seven)),
    }


CLAUDE = scripts("Read", "Edit", "file_path", "old_string", "new_string")
OPENCODE = scripts("read", "edit", "filePath", "oldString", "newString")


def opencode(model: ScriptedModel) -> dict[str, str]:
    (program,) = ROOT.glob("build/node/node_modules/opencode-linux-*/bin/opencode")
    options = {"baseURL": "{address}/v1", "apiKey": "{key}"}
    content = {"model": "anthropic/claude-sonnet-4-5", "provider": {"anthropic": {"options": options}}}
    environment = json.dumps([f"OPENCODE_CONFIG_CONTENT={json.dumps(content)}"])
    agent = f'kind = "acp"\ncommand = ["{program}", "acp"]\nkey = "sk-not-for-the-agent"\naddress = "{model.address}"'
    return {"agent": f"{agent}\nenvironment = {environment}"}


def unmarked(value: Any) -> Any:  # noqa: ANN401 - any part of a question
    """Leave out where the servers are asked to remember: that moves on, and a text with a mark is written as a list."""
    match value:
        case {"role": role, "content": str(text)}:
            return {"role": role, "content": [{"type": "text", "text": text}]}
        case dict():
            return {name: unmarked(each) for name, each in value.items() if name != "cache_control"}
        case _:
            pass
    return [unmarked(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("agent", ["claude", pytest.param("opencode", marks=pytest.mark.long)])
@pytest.mark.thorough
def test_a_follow_up_sends_what_was_sent_unchanged_and_only_what_is_new_behind_it(story: Story, agent: str) -> None:
    need_sandbox()
    with ScriptedModel(CLAUDE if agent == "claude" else OPENCODE) as model:
        setup = SiteSetup(BAKERY.id, BAKERY.editors, rules="budget = { repairs = 0 }")
        story.begin(setup, settings=claude(model) if agent == "claude" else opencode(model))
        first = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
        assert first.outcome == Outcome.PUBLISHED, first.error
        answer = story.waits_for_answer(SCOTT)
        before = len(model.asked)
        second = story.waits_for_job(story.writes(SCOTT, "And we close at seven", in_reply_to=answer))
        assert second.outcome == Outcome.PUBLISHED, second.error
        *_, cold = (each for each in model.asked[:before] if each.get("tools"))
        warm = model.asked[before]
        assert unmarked(cold["tools"]) == unmarked(warm["tools"])
        assert unmarked(cold["system"]) == unmarked(warm["system"])
        told = len(cold["messages"])
        assert unmarked(cold["messages"]) == unmarked(warm["messages"][:told])
        new = json.dumps(warm["messages"][told:])
        assert "And we close at seven" in new
        assert [word for word in (NOTES, MANNERS, "We open at nine now") if word in new] == []
        # Nothing else was asked for: each question is a step of the script.
        assert len(model.asked) == 6
        assert first.journal.tokens == TokenCount(read=30, cache_written=24_000, written=300)
        assert second.journal.tokens == TokenCount(read=30, cache_read=24_000, cache_written=1500, written=300)
        assert first.journal.usd == pytest.approx((30 * 3 + 24_000 * 3.75 + 300 * 15) / 1e6, abs=1e-4)
        assert second.journal.usd == pytest.approx((30 * 3 + 24_000 * 0.3 + 1500 * 3.75 + 300 * 15) / 1e6, abs=1e-4)
