"""The agent that a configuration names, joined with its sandbox and its way to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.agent.bedrock import BedrockApi
from webordinary.agent.kind import AgentSurroundings
from webordinary.agent.registry import AGENTS
from webordinary.agent.upstream import ANTHROPIC, AnthropicApi
from webordinary.config import Provider
from webordinary.errors import Misconfigured
from webordinary.workspace.sandbox import SandboxKind, choose_sandbox

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.agent.agent import Agent
    from webordinary.agent.upstream import Upstream
    from webordinary.config import Config
    from webordinary.workspace.sandbox import Sandbox


def choose_agent(config: Config, sandbox: Callable[[], Sandbox]) -> Agent:
    """Return the agent; what is missing for it is said when it starts to work."""
    with AGENTS.answering(config.agent.kind) as kind:
        return kind.make(config.agent, AgentSurroundings(sandbox, lambda: open_upstream(config)))


def refuse_impossible(config: Config) -> str:
    """Return the sandbox's name; refuse an agent that no job could use here, before one does."""
    kind = AGENTS.find(config.agent.kind)
    if not kind.is_foreign:
        return SandboxKind.NONE.value
    sandbox = choose_sandbox(config.sandbox.mode, config.data)
    if kind.asks_model:
        sandbox.port_for_model()
    return sandbox.name


def try_agent_of(config: Config) -> str:
    """Start the agent once, as for a job, and return what was seen."""
    from webordinary.agent.trial import try_agent  # noqa: PLC0415 - only for the doctor

    scratch = config.data / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    return try_agent(choose_agent(config, lambda: choose_sandbox(config.sandbox.mode, config.data)), scratch)


def open_upstream(config: Config) -> Upstream:
    """Return the way to the model, with what opens it."""
    chosen = config.agent
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
