"""What sites have spent is told before it hurts, and the agency lets one spend more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.config import load_config
from webordinary.engines.installation import Installation
from webordinary.jobs.spending import Concluded, Payer
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from tests.cli.program import Program


@pytest.mark.thorough
def test_a_sites_month_is_told_for_each_outcome_against_its_budget_and_more_can_be_allowed(bakery: Program) -> None:
    path = bakery.folder / "webordinary.toml"
    told = path.read_text().replace("[agency]", '[agency]\naddress = "agency@example.com"', 1)
    path.write_text(told + '\n[project.budget]\nusd_a_month = 30\nrepairs = 1\nwhen_spent = "wait"\n')
    here = Installation.open(load_config(path, {}))
    now, ledger = here.clock.now(), here.engine.spending
    today = now.wall_at.date()
    ledger.charge(Payer(Lane("amelia", "scott"), today, "r1"), 0, 29.5, now)
    for number, (outcome, usd) in enumerate((("published", 20.0), ("failed", 8.0))):
        ledger.conclude(Concluded(f"job-{number}", "amelia", today, outcome, usd), now)

    shown = bakery.read("show", "project", "amelia")
    assert shown["agent"] == {
        "kind": "scripted", "model": "sonnet", "sandbox": "auto", "has_own_key": False, "repairs": 1,
    }  # fmt: skip
    spending = shown["spending"]
    assert (spending["usd"], spending["usd_a_month"], spending["open_usd"]) == (29.5, 30, 1.5)
    assert spending["outcomes"] == {"failed": {"jobs": 1, "usd": 8}, "published": {"jobs": 1, "usd": 20}}
    assert (spending["usd_today"], spending["usd_a_day"], spending["when_spent"]) == (29.5, 20, "wait")
    assert bakery.read("budget", "show") == [{"project": "amelia", **spending}]
    line = "29.50 of 30 USD (failed 8.00, published 20.00, open 1.50)"
    assert line in bakery.run("show", "project", "amelia")
    assert "29.50 of 20 USD" in bakery.run("budget", "show")
    digest = bakery.read("digest")
    assert digest["spent"] == [f"amelia: {line}"]
    assert f"amelia: 29.50 of 30 USD in {today:%Y-%m}" in digest["over_budget"]

    assert "Nothing waited for that" in bakery.run("budget", "allow", "amelia")
    allowed = bakery.read("budget", "allow", "amelia", "--usd", "2.5")
    assert (allowed["allowed"], allowed["allowed_today"], allowed["jobs"]) == (2.5, 22.5, [])
    assert "let amelia spend 2.5 USD more" in bakery.run("show", "trail")
    assert "There is no project bella" in bakery.run("budget", "allow", "bella", code=1)
