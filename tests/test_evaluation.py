"""The evaluation judges what stands on the pages, and the built-in agent publishes nothing wrong in it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from evaluation.__main__ import figures, main, table
from evaluation.request import Page, Right, Verdict, Wish
from evaluation.requests import REQUESTS
from evaluation.run import Score, run_requests
from evaluation.sites import SAMPLES
from tests.node import node_path
from tests.programs import need, need_sandbox
from tests.tree import ROOT
from webordinary.testing.model import ModelStep, ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

SCORE = json.loads((ROOT / "evaluation" / "score.json").read_text(encoding="utf-8"))
# Their packages and builds take most of a minute each.
SITES = ["plain", "hugo", *(pytest.param(site, marks=pytest.mark.long) for site in ("eleventy", "astro"))]
KEPT = ("of", "right", "held", "asked", "wrong_and_live")
NAMES = {"plain": "plain HTML", "eleventy": "Eleventy", "hugo": "Hugo", "astro": "Astro"}
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
@pytest.mark.parametrize("site", SITES)
def test_the_built_in_agent_publishes_nothing_wrong_and_keeps_its_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: str
) -> None:
    monkeypatch.setenv("PATH", node_path())
    need_sandbox()
    for program in SAMPLES[site].programs:
        need(program)
    scores = run_requests([wish for wish in REQUESTS if wish.site == site], tmp_path, {}, lambda _: None)
    assert [score for score in scores if score.verdict in {Verdict.WRONG, Verdict.FAILED}] == []
    assert {name: figures(scores)[name] for name in KEPT} == SCORE[site]


def test_the_readme_says_the_score_of_the_built_in_agent() -> None:
    rows = [f"| {NAMES[site]} | {' | '.join(str(kept[name]) for name in KEPT)} |" for site, kept in SCORE.items()]
    total = [sum(kept[name] for kept in SCORE.values()) for name in KEPT]
    rows.append(f"| all | {' | '.join(map(str, total))} |")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "\n".join(rows) in readme


def test_the_score_is_of_the_requests_that_there_are() -> None:
    assert {site: kept["of"] for site, kept in SCORE.items()} == Counter(wish.site for wish in REQUESTS)


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["evaluation", *arguments])
    return main()


def test_an_evaluation_of_nothing_says_what_to_choose(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_main(monkeypatch, "--only", "no such words") == 2
    assert "choose another --site, or other words for --only" in capsys.readouterr().err


def test_an_agent_that_is_not_configured_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEBORDINARY_AGENT_KIND", "no-such-agent")
    out = tmp_path / "eval.json"
    assert run_main(monkeypatch, "--site", "plain", "--only", "a price", "--out", str(out)) == 2
    said = capsys.readouterr().err
    assert said.startswith("The evaluation cannot begin: ")
    assert "no-such-agent" in said
    assert not out.exists()


def test_the_help_names_every_choice(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run_main(monkeypatch, "--help")
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert all(word in told for word in ("--site", "--only", "--out", "WEBORDINARY_AGENT_KIND", "build/eval.json"))


@pytest.mark.thorough
def test_the_command_writes_its_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "eval.json"
    assert run_main(monkeypatch, "--site", "plain", "--only", "a price with", "--out", str(out)) == 0
    written = json.loads(out.read_text(encoding="utf-8"))
    assert written.keys() >= {"of", "right", "held", "asked", "wrong_and_live", "usd", "seconds"}
    assert (written["of"], written["right"], written["left_out"]) == (1, 1, [])
    assert written["sites"]["plain"]["right"] == 1


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
