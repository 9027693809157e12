"""The agent of each project, joined with its sandbox and its way to a model: the installation's, or one of its own.

It is made anew for each run. Nothing of one project's agent, neither its key nor its settings, outlives its run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from webordinary.agent.bedrock import BedrockApi
from webordinary.agent.kind import AgentSurroundings
from webordinary.agent.prices import PriceList
from webordinary.agent.registry import AGENTS
from webordinary.agent.upstream import ANTHROPIC, AnthropicApi
from webordinary.config import Provider
from webordinary.config.agent import ModelKey
from webordinary.errors import Misconfigured
from webordinary.worker.change.hired import Hired
from webordinary.workspace.sandbox import SandboxKind, choose_sandbox
from webordinary.workspace.ssh import read_secret

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.agent.agent import Agent
    from webordinary.agent.upstream import Upstream
    from webordinary.config import Config
    from webordinary.config.agent import AgentChoice
    from webordinary.routing.project import AgentSettings, Project
    from webordinary.routing.secrets import Secrets
    from webordinary.workspace.sandbox import Sandbox


def sandbox_of(config: Config, project: Project) -> Sandbox:
    """Return the sandbox of a project's agent and builds."""
    return choose_sandbox(project.sandbox or config.sandbox.mode, config.data)


def hire(config: Config, secrets: Secrets, project: Project) -> Hired:
    """Return the agent of a project; what is missing for it is said when it starts to work."""
    chosen = config.agent.over(project.agent)
    agent = _made(config, chosen, project, secrets)
    return Hired(agent, " ".join((str(chosen.kind), *chosen.command)), chosen.notes)


@dataclass(frozen=True, slots=True)
class Crew:
    """One agent in one sandbox, as it is configured, and the projects that it works for."""

    agent: AgentChoice
    own: AgentSettings
    sandbox: str
    projects: tuple[Project, ...]


def crews_of(config: Config, projects: Sequence[Project] | None = None) -> list[Crew]:
    """Return each agent and sandbox once; without a project yet, what the installation says."""
    found: list[Crew] = []
    for project in config.projects if projects is None else projects:
        agent, mode = config.agent.over(project.agent), str(project.sandbox or config.sandbox.mode)
        key = _ways_to_key(project.agent)
        known = next((x for x in found if (x.agent, x.sandbox, _ways_to_key(x.own)) == (agent, mode, key)), None)
        if known is None:
            found.append(Crew(agent, project.agent, mode, (project,)))
        else:
            found[found.index(known)] = Crew(agent, known.own, mode, (*known.projects, project))
    return found


def _ways_to_key(own: AgentSettings) -> tuple[str | None, ...]:
    return own.key_file, own.key_variable, own.secret


def refuse_impossible(config: Config) -> None:
    """Refuse an agent that no job could use here, before one does; the others do not matter for that."""
    if not config.projects:
        require_possible(config, config.agent, str(config.sandbox.mode))
    for crew in crews_of(config):
        try:
            require_possible(config, crew.agent, crew.sandbox)
        except Misconfigured as problem:
            if len(crew.projects) == len(config.projects):
                raise
            names = ", ".join(project.id for project in crew.projects)
            raise Misconfigured(f"The agent of {names} cannot work here. {problem}") from problem


def refuse_without_program(config: Config) -> None:
    """Refuse a container whose image lacks the agent's program: every mail would fail there, one after the other."""
    kind = AGENTS.find(config.agent.kind)
    try:
        kind.describe(config.agent)
    except Misconfigured as missing:
        raise Misconfigured(
            f"The image of this container lacks the program of its agent ({missing}) Make it anew with it: `make image"
            f" AGENT={config.agent.kind} PLATFORM=linux/amd64 PUSH=…`, as the stack prints it."
        ) from missing


def require_possible(config: Config, agent: AgentChoice, mode: str) -> str:
    """Return the sandbox's name; refuse an agent that cannot work in it."""
    kind = AGENTS.find(agent.kind)
    if not kind.is_foreign:
        return SandboxKind.NONE.value
    sandbox = choose_sandbox(mode, config.data)
    if kind.asks_model:
        sandbox.port_for_model()
    return sandbox.name


def try_agent_of(config: Config, crew: Crew | None, secrets: Secrets | None = None) -> str:
    """Start the agent once, as for a job, and return what was seen; without a crew that of the installation."""
    from webordinary.agent.trial import try_agent  # noqa: PLC0415 - only for the doctor

    scratch = config.data / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    if crew is None:
        sandbox = partial(choose_sandbox, config.sandbox.mode, config.data)
        around = AgentSurroundings(sandbox, lambda: open_upstream(config, config.agent))
        with AGENTS.answering(config.agent.kind) as kind:
            return try_agent(kind.make(config.agent, around), scratch)
    return try_agent(_made(config, crew.agent, crew.projects[0], secrets), scratch)


def _made(config: Config, chosen: AgentChoice, project: Project, secrets: Secrets | None) -> Agent:
    def upstream() -> Upstream:
        key = read_key(project.agent, secrets)
        return open_upstream(config, config.agent.over(project.agent, key))

    around = AgentSurroundings(partial(sandbox_of, config, project), upstream, PriceList(project.prices))
    with AGENTS.answering(chosen.kind) as kind:
        return kind.make(chosen, around)


def read_key(own: AgentSettings, secrets: Secrets | None) -> ModelKey | None:
    """Read a project's own key from where it lies, each time anew because it may be renewed while we run."""
    if not own.has_key:
        return None
    if own.secret is None:
        text = read_secret(own.key_file, own.key_variable, "project.agent.key")
    elif secrets is None:
        raise Misconfigured(f"The secret {own.secret} can only be read with the installation open; do that.")
    else:
        text = secrets.read(own.secret)
    try:
        return ModelKey.read(text)
    except ValueError as wrong:
        raise Misconfigured(f"The project's own key for its model {wrong}; correct it where it lies.") from None


def open_upstream(config: Config, chosen: AgentChoice) -> Upstream:
    """Return the way to the model, with what opens it."""
    if chosen.provider is not Provider.BEDROCK:
        address = str(chosen.address) if chosen.address else ANTHROPIC
        return AnthropicApi(str(chosen.key or ""), address, is_login=chosen.provider is Provider.LOGIN)
    try:
        from webordinary.engines.aws.signing import open_signer  # noqa: PLC0415 - an extra
    except ImportError as missing:
        raise Misconfigured('Bedrock needs the AWS extra: pip install "webordinary[aws]"') from missing
    signer = open_signer(str(config.aws.region) if config.aws.region else None)
    address = str(chosen.address) if chosen.address else f"https://bedrock-runtime.{signer.region}.amazonaws.com"
    return BedrockApi(address, signer.sign)
