"""The evaluation judges what stands on the pages, and the built-in agent publishes nothing wrong in it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from evaluation.__main__ import figures, main, table
from evaluation.request import Page, Right, Verdict, Wish
from evaluation.requests import REQUESTS
from evaluation.run import Score, run_requests
from evaluation.sites import SAMPLES
from tests.node import node_path
from tests.programs import need, need_sandbox
from webordinary.testing.model import ModelStep, ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

# Their packages and builds take most of a minute each.
BUILT_WITH_NODE = [pytest.param(site, right, marks=pytest.mark.long) for site, right in (("eleventy", 7), ("astro", 5))]
CAKE = Wish("cake", "plain", "The plum cake is now €3.80.", {"menu.html": Page(has=("€3.80",), lacks=("€3.60",))})
UNCLEAR = Wish("unclear", "plain", "Nicer, please.", {}, Right.ASKED)
BEFORE = {"menu.html": "Plum cake €3.60", "index.html": "Welcome"}
RIGHT = {**BEFORE, "menu.html": "Plum cake €3.80"}
ELSEWHERE = {**RIGHT, "index.html": "Hello"}


@pytest.mark.parametrize(
    ("wish", "outcome", "after", "verdict"),
    [
        (CAKE, "published", RIGHT, Verdict.RIGHT),
        (CAKE, "published", BEFORE, Verdict.WRONG),
        (CAKE, "published", ELSEWHERE, Verdict.WRONG),
        (CAKE, "published", {"menu.html": "Plum cake €3.80"}, Verdict.WRONG),
        (CAKE, "proposed", BEFORE, Verdict.HELD),
        (CAKE, "proposed", RIGHT, Verdict.WRONG),
        (CAKE, "not understood", BEFORE, Verdict.ASKED),
        (CAKE, "the agent broke", BEFORE, Verdict.FAILED),
        (UNCLEAR, "asked", BEFORE, Verdict.RIGHT),
        (UNCLEAR, "published", RIGHT, Verdict.WRONG),
    ],
)
def test_a_request_is_judged_by_the_pages(wish: Wish, outcome: str, after: dict[str, str], verdict: Verdict) -> None:
    assert wish.judge(outcome, BEFORE, after)[0] is verdict


def test_what_stands_too_often_is_a_problem() -> None:
    page = Page(times=(("cake", 1),))
    assert page.problems("cake") == []
    assert page.problems("cake cake") == ["has 'cake' 2 times and not 1"]


def test_there_are_enough_requests_on_four_sites_and_each_has_its_own_name() -> None:
    assert len(REQUESTS) >= 60
    assert {wish.site for wish in REQUESTS} == set(SAMPLES)
    assert len({(wish.site, wish.name) for wish in REQUESTS}) == len(REQUESTS)


def test_the_figures_and_the_table_say_the_same() -> None:
    scores = [Score("plain", "a", Verdict.RIGHT, (), 0.5, 1.0), Score("hugo", "b", Verdict.WRONG, ("x",), 0.25, 2.0)]
    facts = figures(scores)
    assert facts == {
        "of": 2, "right": 1, "held": 0, "asked": 0, "wrong_and_live": 1, "failed": 0, "usd": 0.75, "seconds": 3.0,
    }  # fmt: skip
    assert table(scores).splitlines()[-1].split() == ["all", "2", "1", "0", "0", "1", "0", "0.75", "3.0"]


@pytest.mark.thorough
@pytest.mark.parametrize(("site", "right"), [("plain", 25), ("hugo", 4), *BUILT_WITH_NODE])
def test_the_built_in_agent_publishes_nothing_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: str, right: int
) -> None:
    monkeypatch.setenv("PATH", node_path())
    need_sandbox()
    for program in SAMPLES[site].programs:
        need(program)
    scores = run_requests([wish for wish in REQUESTS if wish.site == site], tmp_path, {}, lambda _: None)
    assert [score for score in scores if score.verdict in {Verdict.WRONG, Verdict.FAILED}] == []
    assert len([score for score in scores if score.verdict is Verdict.RIGHT]) >= right


@pytest.mark.thorough
def test_the_command_writes_its_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "eval.json"
    monkeypatch.setattr(sys, "argv", ["evaluation", "--site", "plain", "--only", "a price", "--out", str(out)])
    assert main() == 0
    written = json.loads(out.read_text(encoding="utf-8"))
    assert (written["of"], written["right"], written["left_out"]) == (3, 3, [])


@pytest.mark.thorough
def test_an_agent_with_a_model_is_judged_alike_and_its_money_is_counted(tmp_path: Path) -> None:
    """One edit of the scripted model is right, the other is beside the point."""
    need_sandbox()
    wishes = [wish for wish in REQUESTS if wish.site == "plain" and wish.name in {"a price", "a replacement"}]
    scripts = {
        "plum cake": _edit("{{folder}}/menu.html", "3.60", "3.80"),
        "Follow": _edit("{{folder}}/contact.html", "Come by", "Come in"),
    }
    with ScriptedModel(scripts) as model:
        environment = {
            "WEBORDINARY_AGENT_KIND": "claude",
            "WEBORDINARY_AGENT_KEY": "sk-0123456789",
            "WEBORDINARY_AGENT_ADDRESS": model.address,
        }
        scores = run_requests(wishes, tmp_path, environment, lambda _: None)
    assert scores[0].verdict is Verdict.RIGHT
    assert scores[1].verdict in {Verdict.HELD, Verdict.WRONG}
    assert all(score.usd > 0 for score in scores)


def _edit(page: str, old: str, new: str) -> tuple[ModelStep, ...]:
    change = {"file_path": page, "old_string": old, "new_string": new}
    return (
        ModelStep(tools=(("Read", {"file_path": page}),)),
        ModelStep(tools=(("Edit", change),)),
        ModelStep("Done."),
    )
