"""`doctor` starts the agent once behind the walls that are used, and nobody's model is asked."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.programs import WITH_MODEL, need_sandbox
from webordinary.testing.model import ScriptedModel
from webordinary.workspace.sandbox import Sandbox, SandboxKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.program import Program

ROOT = Path(__file__).parent.parent.parent
KEY = "sk-never-told-to-anybody"
SPEAKS = """\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    result = {"sessionId": "s", "stopReason": "end_turn"}
    print(json.dumps({"jsonrpc": "2.0", "id": asked.get("id"), "result": result}), flush=True)
"""


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel({}) as model:
        yield model


def configure(program: Program, agent: str, rung: str = "auto") -> None:
    path = program.folder / "webordinary.toml"
    written = path.read_text()
    for before, after in (('\nkind = "scripted"\n', agent), ('\n# mode = "auto"\n', f'mode = "{rung}"')):
        assert before in written
        written = written.replace(before, f"\n{after}\n")
    path.write_text(written)


def findings(program: Program, code: int = 0) -> dict[str, tuple[str, str]]:
    checks = json.loads(program.run("doctor", "--json", code=code))
    return {check["name"]: (check["state"], check["text"]) for check in checks}


def with_key(model: ScriptedModel, agent: str) -> str:
    return f'{agent}\nkey = "{KEY}"\naddress = "{model.address}"'


def opencode() -> str:
    found = sorted(ROOT.glob("build/node/node_modules/opencode-linux-*/bin/opencode"))
    assert found, "opencode is not in build/node: `make check` puts it there"
    settings = {
        "model": "anthropic/claude-sonnet-4-5",
        "provider": {"anthropic": {"options": {"baseURL": "{address}/v1", "apiKey": "{key}"}}},
    }
    variable = json.dumps(f"OPENCODE_CONFIG_CONTENT={json.dumps(settings)}")
    return f'kind = "acp"\ncommand = ["{found[0]}", "acp"]\nenvironment = [{variable}]'


@pytest.mark.parametrize("rung", WITH_MODEL)
def test_claude_is_started_once_and_its_model_is_not_asked(bakery: Program, model: ScriptedModel, rung: str) -> None:
    need_sandbox(rung)
    configure(bakery, with_key(model, 'kind = "claude"'), rung)

    state, said = findings(bakery)["agent"]

    assert state == "ok", said
    assert said.endswith(f"tried with the sandbox {rung}: it started and asked for its model")
    assert model.asked == []
    assert list((bakery.folder / "data" / "scratch").iterdir()) == []


@pytest.mark.thorough
@pytest.mark.parametrize("rung", WITH_MODEL)
def test_opencode_is_started_once_and_its_model_is_not_asked(bakery: Program, model: ScriptedModel, rung: str) -> None:
    need_sandbox(rung)
    configure(bakery, with_key(model, opencode()), rung)

    found = findings(bakery)

    assert found["agent"][0] == "ok", found["agent"]
    assert found["agent"][1].endswith(f"tried with the sandbox {rung}: it started and asked for its model")
    assert "agent settings" not in found
    assert model.asked == []


def test_an_agent_that_does_not_start_fails_with_its_own_last_words(bakery: Program, model: ScriptedModel) -> None:
    need_sandbox()
    broken = bakery.folder / "claude"
    broken.write_text(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo '2.1.999 (Claude Code)' && exit\necho 'EACCES: mkdir' >&2; exit 1\n"
    )
    broken.chmod(0o755)
    configure(bakery, with_key(model, f'kind = "claude"\nprogram = "{broken}"'))

    state, said = findings(bakery, code=1)["agent"]

    assert state == "fail"
    assert "EACCES: mkdir" in said
    assert KEY not in said


def test_an_agent_that_never_asks_for_its_model_is_told(bakery: Program, model: ScriptedModel) -> None:
    need_sandbox()
    configure(bakery, with_key(model, f'kind = "acp"\ncommand = ["{sys.executable}", "-c", {json.dumps(SPEAKS)}]'))

    found = findings(bakery, code=1)

    assert found["agent"][0] == "fail"
    assert "it ended without asking for its model" in found["agent"][1]
    # Nobody knows what else this one obeys.
    assert found["agent settings"][0] == "warn"
    assert "AGENTS.md" in found["agent settings"][1]


def test_a_program_is_started_once(bakery: Program) -> None:
    need_sandbox()
    configure(bakery, 'kind = "command"\ncommand = ["cat"]')

    assert findings(bakery)["agent"][1].endswith("it started and came to its end")


def test_a_program_that_fails_is_told_with_its_last_words(bakery: Program) -> None:
    need_sandbox()
    configure(bakery, 'kind = "command"\ncommand = ["sh", "-c", "echo no such model >&2; exit 4"]')

    state, said = findings(bakery, code=1)["agent"]

    assert state == "fail"
    assert "ended with code 4" in said
    assert "no such model" in said


def test_a_sandbox_that_cannot_hold_an_agent_with_a_model_is_refused_in_the_configuration(bakery: Program) -> None:
    configure(bakery, f'kind = "claude"\nkey = "{KEY}"', "uid")

    state, said = findings(bakery, code=2)["configuration"]

    assert state == "fail"
    assert "sandbox.mode" in said
    assert "bubblewrap" in said


@pytest.mark.parametrize("command", ["serve", "work"])
def test_where_no_rung_can_hold_it_nothing_is_begun(
    bakery: Program, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """The machine of the test may have better ones."""
    monkeypatch.setattr("webordinary.serve.agents.choose_sandbox", lambda *_: Sandbox(SandboxKind.OWN_UID))
    configure(bakery, f'kind = "claude"\nkey = "{KEY}"')

    said = bakery.run(command, code=2)

    assert "needs bubblewrap or Landlock" in said
    state, found = findings(bakery, code=1)["agent"]
    assert state == "fail"
    assert "needs bubblewrap or Landlock" in found


@pytest.mark.thorough
def test_each_agent_and_sandbox_is_tried_once_and_says_which_projects_use_it(bakery: Program) -> None:
    need_sandbox()
    configure(bakery, 'kind = "command"\ncommand = ["true"]')
    path = bakery.folder / "webordinary.toml"
    block = f"[[project]]{path.read_text().split('[[project]]')[-1]}"
    own = {
        "bella": '[project.agent]\nnotes = ""\n',
        "coco": '[project.agent]\ncommand = ["sh", "-c", "echo gone >&2; exit 3"]\n',
        "dora": '[project.sandbox]\nmode = "none"\n[project.agent]\nkind = "scripted"\n',
    }
    others = [block.replace('id = "amelia"', f'id = "{name}"') + f"\n{agent}" for name, agent in own.items()]
    path.write_text("\n".join([path.read_text(), *others]))

    checks = json.loads(bakery.run("doctor", "--json", code=1))

    agents = [(check["state"], check["text"]) for check in checks if check["name"] == "agent"]
    assert [state for state, _ in agents] == ["ok", "fail", "ok"], agents
    assert agents[0][1].startswith("command: true (for amelia, bella); tried with the sandbox")
    assert "(for coco); a trial failed" in agents[1][1]
    assert "gone" in agents[1][1]
    assert agents[2][1].endswith("(for dora)")
    sandboxes = [check["text"] for check in checks if check["name"] == "sandbox"]
    assert [text.rpartition(" (for ")[2] for text in sandboxes] == ["amelia, bella, coco)", "dora)"]
    assert "gone" in bakery.run("project", "check", "coco", code=1)


@pytest.mark.thorough
def test_an_unknown_price_and_a_key_that_is_not_there_are_told_until_they_are(bakery: Program) -> None:
    need_sandbox()
    configure(bakery, f'kind = "acp"\ncommand = ["true"]\nkey = "{KEY}"\nmodels = ["*claude-sonnet-*", "acme-*"]')
    path = bakery.folder / "webordinary.toml"
    text = path.read_text()
    path.write_text(text + '\n[project.agent]\nkey_file = "amelia.key"\n')
    found = findings(bakery, code=1)
    assert found["prices"][0] == "warn"
    assert "what acme-* costs" in found["prices"][1]
    assert "15 USD for a million tokens read and 75" in found["prices"][1]
    assert found["model key"][0] == "fail"
    assert "amelia.key cannot be read" in found["model key"][1]
    price = '[[price]]\nmodel = "acme-"\ninput = 1\noutput = 2\n'
    path.write_text(f'{text}\n[project.agent]\nsecret = "amelias-model"\n\n{price}')
    secrets = bakery.folder / "data" / "secrets"
    secrets.mkdir(parents=True, exist_ok=True)
    (secrets / "amelias-model").touch(mode=0o600)
    (secrets / "amelias-model").write_text("sk-of-amelia")
    found = findings(bakery, code=1)
    assert "prices" not in found
    assert found["model key"] == ("ok", "amelia: its own can be read")
