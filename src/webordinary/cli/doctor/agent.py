"""What `doctor` says about agents: each is started once, as it would be for a job, and nobody's model is asked."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.agent.prices import UNKNOWN, PriceList
from webordinary.agent.registry import AGENTS
from webordinary.config import Config
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn

if TYPE_CHECKING:
    from webordinary.config.agent import AgentChoice
    from webordinary.engines.installation import Installation
    from webordinary.routing.project import Project
    from webordinary.serve.agents import Crew

_NAME = "agent"
_HOW = "see docs/howto/agents.md"


def check_agents(config: Config, projects: Sequence[Project] | None = None) -> Iterator[Check]:
    """Look for each agent, try it in its sandbox, and say which projects use it and whose settings it obeys."""
    from webordinary.serve.agents import crews_of  # noqa: PLC0415 - heavy, and --help should be quick

    wanted = config.projects if projects is None else projects
    crews = crews_of(config, wanted)
    for crew in crews:
        for_whom = f" (for {', '.join(project.id for project in crew.projects)})" if len(crews) > 1 else ""
        yield from _check(config, crew.agent, crew, for_whom)
    if not wanted:
        yield from _check(config, config.agent, None, "")


def _check(config: Config, agent: AgentChoice, crew: Crew | None, for_whom: str) -> Iterator[Check]:
    try:
        with AGENTS.answering(agent.kind) as kind:
            described, warning = kind.describe(agent), kind.doctor(agent)
    except WebOrdinaryError as problem:
        yield fail(_NAME, f"{problem}{for_whom}")
        return
    # On AWS it works in containers, which are not here.
    is_here = kind.is_foreign and not config.traits.has_container_workers
    yield _tried(config, agent, crew, f"{described}{for_whom}") if is_here else ok(_NAME, f"{described}{for_whom}")
    if warning is not None:
        yield warn("agent settings", f"{warning}{for_whom} ({_HOW})")
    if kind.asks_model:
        yield from _prices(agent, crew, for_whom)


def _tried(config: Config, agent: AgentChoice, crew: Crew | None, described: str) -> Check:
    from webordinary.serve.agents import require_possible, try_agent_of  # noqa: PLC0415 - heavy

    try:
        sandbox = require_possible(config, agent, crew.sandbox if crew else str(config.sandbox.mode))
        seen = try_agent_of(config, crew)
    except (WebOrdinaryError, OSError) as problem:
        return fail(_NAME, f"{described}; a trial failed, and so would every job: {problem} ({_HOW})")
    return ok(_NAME, f"{described}; tried with the sandbox {sandbox}: {seen}")


def _prices(agent: AgentChoice, crew: Crew | None, for_whom: str) -> Iterator[Check]:
    """Tell which models are counted by a guess: rather too much than too little."""
    prices = PriceList(crew.projects[0].prices if crew else ())
    if unknown := prices.unknown_among(map(str, agent.models)):
        guess = f"{UNKNOWN.input:g} USD for a million tokens read and {UNKNOWN.output:g} for a million written"
        what = f"nobody has said what {', '.join(unknown)} costs{for_whom}, so it is counted as {guess}"
        yield warn("prices", f"{what}: say it by a [[price]]")


def check_keys(here: Installation) -> Iterator[Check]:
    """Look whether each project's own key is where it should lie."""
    from webordinary.serve.agents import read_key  # noqa: PLC0415 - heavy

    for project in here.config.projects:
        own, secrets = project.agent, here.engine.secrets
        if not own.has_key or (here.config.traits.has_container_workers and own.secret is None):
            continue
        try:
            read_key(own, secrets)
        except WebOrdinaryError as problem:
            yield fail("model key", f"{project.id}: {problem}")
        else:
            yield _readable_key(project)


def _readable_key(project: Project) -> Check:
    file = project.agent.key_file
    if file is not None and Path(file).stat().st_mode & stat.S_IROTH:
        # Not every sandbox hides it: a program with a uid of its own reads what everybody can.
        return warn("model key", f"{project.id}: everybody on this machine may read {file}: chmod 600 it")
    return ok("model key", f"{project.id}: its own can be read")
