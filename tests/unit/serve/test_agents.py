"""Each project's agent by its name: nobody gets what another one's session has left behind."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from tests.unit.config.test_config_git import BAKERY, read
from webordinary.cli.doctor.agent import check_keys
from webordinary.findings import CheckLevel
from webordinary.serve.agents import hire

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.routing.secrets import Secrets

KEY = '[agent]\nkey = "sk-of-everybody"\n'


def name_of(command: str) -> str:
    config = read(f'{KEY}{BAKERY}[project.agent]\nkind = "acp"\ncommand = "{command}"\n')
    return hire(config, cast("Secrets", None), config.projects[0]).name


def test_two_agents_that_the_same_program_starts_do_not_go_on_in_each_others_sessions() -> None:
    assert name_of("npx -y one-agent") != name_of("npx -y other-agent")
    assert name_of("npx -y one-agent") == name_of("npx -y one-agent")


def test_a_key_that_everybody_may_read_is_told_because_a_uid_of_its_own_keeps_nobody_from_it(tmp_path: Path) -> None:
    key = tmp_path / "amelia.key"
    key.write_text("sk-of-amelia-alone")
    config = read(f'{KEY}kind = "claude"\n{BAKERY}[project.agent]\nkey_file = "{key}"\n')
    here = cast("Any", SimpleNamespace(config=config, engine=SimpleNamespace(secrets=None)))
    key.chmod(0o644)
    (found,) = check_keys(here)
    assert (found.finding, "chmod 600" in found.says) == (CheckLevel.WARN, True)
    key.chmod(0o600)
    (found,) = check_keys(here)
    assert found.finding is CheckLevel.OK
