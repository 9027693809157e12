"""What `doctor` says about the agent: it is started once, as it would be for a job, and nobody's model is asked."""

from __future__ import annotations

from collections.abc import Iterator

from webordinary.agent.registry import AGENTS
from webordinary.config import Config
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn

_NAME = "agent"
_HOW = "see docs/howto/agents.md"


def check_agent(config: Config) -> Iterator[Check]:
    """Look for the agent, try it, and say whose settings it obeys."""
    try:
        with AGENTS.answering(config.agent.kind) as kind:
            described, warning = kind.describe(config.agent), kind.doctor(config.agent)
    except WebOrdinaryError as problem:
        yield fail(_NAME, str(problem))
        return
    # On AWS it works in containers, which are not here.
    is_here = kind.is_foreign and not config.traits.has_container_workers
    yield _tried(config, described) if is_here else ok(_NAME, described)
    if warning is not None:
        yield warn("agent settings", f"{warning} ({_HOW})")


def _tried(config: Config, described: str) -> Check:
    from webordinary.serve.agents import refuse_impossible, try_agent_of  # noqa: PLC0415 - heavy

    try:
        sandbox = refuse_impossible(config)
        seen = try_agent_of(config)
    except (WebOrdinaryError, OSError) as problem:
        return fail(_NAME, f"{described}; a trial failed, and so would every job: {problem} ({_HOW})")
    return ok(_NAME, f"{described}; tried with the sandbox {sandbox}: {seen}")
