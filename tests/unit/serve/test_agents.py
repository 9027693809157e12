"""Each project's agent by its name: nobody gets what another one's session has left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tests.unit.config.test_config_git import BAKERY, read
from webordinary.serve.agents import hire

if TYPE_CHECKING:
    from webordinary.routing.secrets import Secrets

KEY = '[agent]\nkey = "sk-of-everybody"\n'


def name_of(command: str) -> str:
    config = read(f'{KEY}{BAKERY}[project.agent]\nkind = "acp"\ncommand = "{command}"\n')
    return hire(config, cast("Secrets", None), config.projects[0]).name


def test_two_agents_that_the_same_program_starts_do_not_go_on_in_each_others_sessions() -> None:
    assert name_of("npx -y one-agent") != name_of("npx -y other-agent")
    assert name_of("npx -y one-agent") == name_of("npx -y one-agent")
