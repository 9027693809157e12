"""Who edits in the demo: the built-in agent, or Claude Code with a key that is asked for and written down nowhere."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.cli.demo.folder import LIMIT_USD
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from webordinary.config import Config

# Where people and programs keep a key, the best one first.
_KEPT = ("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")
_OURS = ("WEBORDINARY_AGENT_KEY", "WEBORDINARY_AGENT_KEY_FILE")
# What `claude setup-token` prints begins so; a key of the console does not.
_OF_A_LOGIN = "sk-ant-oat"


class DemoAgent(StrEnum):
    """Who edits the bakery's site."""

    SCRIPTED = "scripted"
    CLAUDE = "claude"


def choose_agent(agent: DemoAgent, environ: MutableMapping[str, str], ask: Callable[[], str]) -> None:
    """Let this process and all that it starts use an agent; its key stands in their environment only."""
    if agent is DemoAgent.SCRIPTED:
        return
    environ["WEBORDINARY_AGENT_KIND"] = str(agent)
    if any(environ.get(name) for name in _OURS):
        return
    key = next((environ[name] for name in _KEPT if environ.get(name)), "") or ask().strip()
    if not key:
        raise Misconfigured("Claude Code needs a key: set ANTHROPIC_API_KEY, or run `claude setup-token` for a login.")
    environ["WEBORDINARY_AGENT_KEY"] = key
    if key.startswith(_OF_A_LOGIN):
        environ["WEBORDINARY_AGENT_PROVIDER"] = "login"


def ask_for_key() -> str:
    """Ask at the terminal, without showing what is typed; nobody is asked in a pipe."""
    import typer  # noqa: PLC0415 - the rest needs no terminal

    if not sys.stdin.isatty():
        return ""
    return str(
        typer.prompt(
            "A key of Anthropic, or what `claude setup-token` printed", hide_input=True, default="", show_default=False
        )
    )


def refuse_expensive(config: Config) -> None:
    """Refuse a demo of an earlier version, in which an agent could spend more, or one that cannot be sandboxed."""
    from webordinary.serve.agents import refuse_impossible  # noqa: PLC0415 - heavy, and --help should be quick

    if str(config.agent.kind) == str(DemoAgent.SCRIPTED):
        return
    if any(project.rules.budget.usd_a_day > LIMIT_USD for project in config.projects):
        raise Misconfigured("This demo was made by an earlier version; `webordinary demo --fresh` begins anew.")
    refuse_impossible(config)


def environment() -> MutableMapping[str, str]:
    """Return what this process hands to those that it starts."""
    return os.environ
