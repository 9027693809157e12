"""An agent that asks for another package: nothing of it is fetched until the agency has said ok."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.node import node_path
from tests.unit.site.registry import registry
from webordinary.jobs.job import Outcome
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, SCOTT, Story

if TYPE_CHECKING:
    from tests.rigs.embedded import EmbeddedRig

pytestmark = pytest.mark.usefixtures("sandbox")

BUILD = ("sh", "-c", "mkdir dist && cp *.html dist && (ls node_modules > dist/packages.html || true)")
# What it has been told to write is in its own words, so that it needs no file of ours.
AGENT = (
    "sed -i s/Bakery/Bakers/ index.html; "
    "printf '%s' '{manifest}' > package.json; printf '%s' '{lock}' > package-lock.json"
)


@pytest.mark.thorough
def test_packages_that_an_agent_asks_for_are_fetched_only_when_the_agency_approves(
    rig: EmbeddedRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", node_path())
    with registry() as packages:
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", packages.address)
        wanted = {name: content.decode() for name, content in packages.npm_files().items()}
        script = AGENT.format(manifest=wanted["package.json"], lock=wanted["package-lock.json"])
        quoted = script.replace("\\", "\\\\").replace('"', '\\"')
        story = Story(rig)
        story.begin(
            SiteSetup("amelia", BAKERY.editors, build=BUILD, output="dist"),
            settings={
                "agency": f'address = "{AGENCY.address}"\ndigest = false',
                "agent": f'kind = "command"\nrepairs = false\ncommand = ["sh", "-c", "{quoted}"]',
            },
        )
        asked = story.waits_for_job(story.writes(SCOTT, "We want the tiny thing"))
        assert asked.outcome == Outcome.PROPOSED
        assert packages.asked == []

        approved = story.waits_for_job(story.writes(AGENCY, "ok", in_reply_to=story.waits_for_answer(AGENCY)))
        assert approved.outcome == Outcome.PUBLISHED
        assert "/tiny/-/tiny-1.0.0.tgz" in packages.asked
        assert "tiny" in rig.page("amelia", "packages.html")
