"""One worker serves sites with different agents, one after the other; nothing of one reaches another."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.scenarios.test_claude import SCRIPTS, claude
from webordinary.jobs.job import Outcome
from webordinary.testing.model import ScriptedModel
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

# It counts what it finds of the others, wherever it can look, and that it did look.
NOSY = (
    '{ env; cat; ls -R "$HOME"; cat /proc/*/environ KEY; } > "$TMPDIR/found" 2>&1; sed -i s/8:00/9:00/ contact.html; '
    'for word in bella-alone not-for-the-agent shouts HOME=; do grep -a -c -- $word "$TMPDIR/found"; done; true'
)
OWN_KEY = "sk-of-bella-alone"


@pytest.mark.thorough
def test_a_warm_worker_uses_each_sites_own_agent_key_model_and_notes(story: Story) -> None:
    need_sandbox()
    with ScriptedModel(SCRIPTS) as everybodys, ScriptedModel(SCRIPTS) as bellas:
        key = story.rig.gates / "bella.key"
        key.write_text(f"{OWN_KEY}\n")
        nosy = json.dumps(NOSY.replace("KEY", str(key)))
        own = f'key_file = "{key}", address = "{bellas.address}", model = "haiku", notes = "Bella shouts."'
        sites = {
            "amelia": "",
            "bella": f"agent = {{ {own} }}",
            "coco": f'agent = {{ kind = "command", command = ["sh", "-c", {nosy}] }}',
        }
        editors = ((SCOTT.user, SCOTT.address),)
        story.begin(
            *(SiteSetup(name, editors, rules=rules) for name, rules in sites.items()), settings=claude(everybodys)
        )
        for name in sites:
            job = story.waits_for_job(story.writes(SCOTT, "We open at nine now", site=name))
            assert job.outcome in {Outcome.PUBLISHED, Outcome.PROPOSED}, (name, job.error)
    *found, own = job.journal.summary.split()
    assert (found, int(own) > 0) == (["0", "0", "0"], True)
    assert set(everybodys.keys) == {"sk-not-for-the-agent"}
    assert set(bellas.keys) == {OWN_KEY}
    said = [json.dumps(each) for each in bellas.asked if each.get("tools")]
    assert all("Bella shouts." in each and "haiku" in each for each in said)
    assert not any("Bella shouts." in json.dumps(each) for each in everybodys.asked)
