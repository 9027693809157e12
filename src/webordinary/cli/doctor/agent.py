"""What `doctor` says about the agent: it is started once, as it would be for a job, and nobody's model is asked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from webordinary.cli.checks import Check, fail, ok, warn
from webordinary.config import AgentKind, Config
from webordinary.errors import WebOrdinaryError

_NAME = "agent"
_HOW = "see docs/howto/agents.md"


def check_agent(config: Config) -> Iterator[Check]:
    """Look for the agent, try it, and say whose settings it obeys."""
    try:
        described = _described(config)
    except WebOrdinaryError as problem:
        yield fail(_NAME, str(problem))
        return
    if config.agent.kind is AgentKind.SCRIPTED:
        yield ok(_NAME, described)
        return
    # On AWS it works in containers, which are not here.
    yield ok(_NAME, described) if config.traits.has_container_workers else _tried(config, described)
    yield from _settings(config)


def _described(config: Config) -> str:
    chosen = config.agent
    if chosen.kind is AgentKind.SCRIPTED:
        return "scripted, the built-in one: it follows simple sentences and needs no key"
    if chosen.kind is AgentKind.CLAUDE:
        from webordinary.agent.claude_program import find_claude  # noqa: PLC0415 - heavy

        program = find_claude(str(chosen.program) if chosen.program else None)
        return f"Claude Code at {program}, with {chosen.model} by {chosen.provider}"
    from webordinary.workspace.own_uid import closed_to_programs  # noqa: PLC0415 - heavy

    if shutil.which(chosen.command[0]) is None:
        raise WebOrdinaryError(f"there is no program {chosen.command[0]}: install it or correct `agent.command`")
    if (closed := closed_to_programs(chosen.command)) is not None:
        raise WebOrdinaryError(f"{closed} is closed to agents, which never run as root here: chmod o+r it")
    return f"{chosen.kind.value}: {' '.join(chosen.command)}"


def _tried(config: Config, described: str) -> Check:
    from webordinary.serve.agents import refuse_impossible, try_agent_of  # noqa: PLC0415 - heavy

    try:
        sandbox = refuse_impossible(config)
        seen = try_agent_of(config)
    except (WebOrdinaryError, OSError) as problem:
        return fail(_NAME, f"{described}; a trial failed, and so would every job: {problem} ({_HOW})")
    return ok(_NAME, f"{described}; tried with the sandbox {sandbox}: {seen}")


def _settings(config: Config) -> Iterator[Check]:
    from webordinary.agent.manners import find_manners  # noqa: PLC0415 - heavy

    program = config.agent.command[0] if config.agent.command else ""
    if config.agent.kind is AgentKind.ACP and find_manners(config.agent.command) is None:
        says = (
            f"{program} is not known here: files such as AGENTS.md are put away while it works, and it may obey other "
            f"settings of a repository; turn that off by its own options ({_HOW})"
        )
        yield warn("agent settings", says)
    if config.agent.kind is AgentKind.COMMAND:
        says = f"{program} may obey settings of a repository: turn that off by its own options ({_HOW})"
        yield warn("agent settings", says)
