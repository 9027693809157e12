"""The demo's page with Claude Code in the sandbox, whose model plays scripts: what it edits, and what it may spend."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.browser import open_browser
from tests.cli.demo_window import DemoWindow, opened, shown
from tests.cli.program import Program
from tests.programs import need_sandbox
from webordinary.testing.model import ModelStep, ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

KEY = "sk-ant-api-not-for-the-agent"
MENU = "{{folder}}/menu.html"
INDEX = "{{folder}}/index.html"
READ = ModelStep(tools=(("Read", {"file_path": MENU}),))
# Fifteen dollars for a million tokens that are written: each of these costs 0.30, if it may become so long.
DEAR = ModelStep(tools=READ.tools, usage={"input_tokens": 1000, "output_tokens": 20_000})


def edit(file: str, old: str, new: str) -> ModelStep:
    return ModelStep(tools=(("Edit", {"file_path": file, "old_string": old, "new_string": new}),))


SCRIPTS = {
    "butter croissant": (READ, edit(MENU, "€2.10", "€2.50"), ModelStep("The butter croissant costs 2.50 now.")),
    "closed from 24": (
        ModelStep(tools=(("Read", {"file_path": INDEX}),)),
        edit(INDEX, '<main id="main">', '<main id="main"><p>We are closed from 24 to 26 December.</p>'),
        ModelStep("The notice is there."),
    ),
    "everything": (DEAR,) * 50,
}
_NEARLY_ALL = re.compile(r"(0\.9\d|1\.00) of 1\.00 USD spent\s*$")


class Model(ScriptedModel):
    """Writes no more than it was asked to, as the real one, and counts by itself what it is paid."""

    usd = 0.0

    def step_for(self, asked: dict[str, Any]) -> ModelStep:
        step = super().step_for(asked)
        written = min(step.usage["output_tokens"], asked["max_tokens"])
        self.usd += (step.usage["input_tokens"] * 3 + written * 15) / 1_000_000
        return replace(step, usage={**step.usage, "output_tokens": written})


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Without any key or login of whoever runs the tests."""
    for name in ("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "WEBORDINARY_AGENT_KEY", "WEBORDINARY_AGENT_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WEBORDINARY_PICTURES_MODE", "off")
    return Program(tmp_path)


def test_without_a_key_the_demo_says_what_to_do_and_makes_nothing(program: Program) -> None:
    said = program.run("demo", "--agent", "claude", code=2)

    assert "set ANTHROPIC_API_KEY" in said
    assert "claude setup-token" in said
    assert not (program.folder / "demo").exists()


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_a_model_edits_on_the_page_and_spends_no_more_than_a_dollar(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_sandbox()
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with Model(SCRIPTS) as model, open_browser(finds_sites=True) as browser:
        monkeypatch.setenv("WEBORDINARY_AGENT_ADDRESS", model.address)
        with shown(program, "--agent", "claude") as (demo, address), opened(browser, address) as window:
            # A model costs money: it is asked nothing that nobody has written.
            expect(window.page.locator("#talks")).to_contain_text("No mail yet")
            assert model.asked == []
            spend(window, model)
            assert window.trouble == []
    assert set(model.keys) == {KEY}
    kept = [file for file in program.folder.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]
    assert kept == []
    assert program.processes() == []
    assert "Traceback" not in demo.said
    assert KEY not in demo.said


def spend(window: DemoWindow, model: Model) -> None:
    money = window.page.locator("#facts")
    expect(money).to_contain_text("0.00 of 1.00 USD spent")
    window.take("price")
    window.reads("€2.50")
    window.sees("€2.50")
    expect(money).to_contain_text("0.01 of 1.00 USD spent")

    # A new day is no new dollar.
    window.take("christmas")
    window.reads("waits for its time")
    window.take("christmas", step=2)
    window.sees("We are closed from 24")
    expect(money).to_contain_text("24 Dec")
    expect(money).to_contain_text("0.03 of 1.00 USD spent")

    window.writes("Look", "Look at everything.")
    window.reads("more than I may use")
    expect(money).to_contain_text(_NEARLY_ALL)
    window.writes("Again", "Look at everything again.")
    window.reads("1 USD a day")
    expect(money).to_contain_text(_NEARLY_ALL)
    assert 0.9 < model.usd <= 1
