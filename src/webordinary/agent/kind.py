"""An agent kind: what it checks, says about itself, and how its agent is made."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from webordinary.agent.prices import NO_CORRECTIONS, PriceList
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from msgspec import Struct

    from webordinary.agent.agent import Agent
    from webordinary.agent.upstream import Upstream
    from webordinary.workspace.sandbox import Sandbox


# What only an agent reads that asks a model.
OF_A_MODEL = ("provider", "address", "model", "models", "key_file", "key_variable", "secret")


class AgentTable(Protocol):
    """The table `[agent]` as a kind reads it."""

    @property
    def kind(self) -> str: ...

    @property
    def command(self) -> tuple[str, ...]: ...

    @property
    def provider(self) -> str: ...

    @property
    def key(self) -> str | None: ...

    @property
    def model(self) -> str: ...

    @property
    def models(self) -> Sequence[str]: ...

    @property
    def environment(self) -> Sequence[str]: ...

    @property
    def program(self) -> Path | None: ...

    @property
    def repairs(self) -> bool: ...

    @property
    def options(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class AgentSurroundings:
    """What an agent may use: a sandbox and the way to a model, made when they are asked for, and what models cost."""

    sandbox: Callable[[], Sandbox]
    upstream: Callable[[], Upstream]
    prices: PriceList = NO_CORRECTIONS


class AgentKind(ABC):
    """One kind of agent; it keeps nothing."""

    # The shape of `[agent.options]`: for a kind from outside, which has no keys of its own in the table.
    options: ClassVar[type[Struct] | None] = None
    # Whether it runs a program that is not ours: then it needs a sandbox, and the doctor tries it.
    is_foreign: ClassVar[bool] = True
    # Whether it asks a model by way of the relay, which not every sandbox lets it reach.
    asks_model: ClassVar[bool] = False
    # The keys of `[agent]` that it does not read: a project that sets one of them means another kind.
    no_use: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def check(self, agent: AgentTable) -> Iterator[tuple[str, str]]:
        """Yield each key of `[agent]` that is wrong, with the rest of a sentence."""

    @abstractmethod
    def describe(self, agent: AgentTable) -> str:
        """Return the agent in a few words; Misconfigured when something of it is not there."""

    def doctor(self, agent: AgentTable) -> str | None:  # noqa: ARG002 - for kinds that have something to say
        """Return what the agency should know about its settings, or None."""
        return None

    @abstractmethod
    def make(self, agent: AgentTable, around: AgentSurroundings) -> Agent:
        """Return the agent; what is missing for it is said when it starts to work."""


def complaints_about_command(agent: AgentTable) -> Iterator[tuple[str, str]]:
    """Say that a program is needed."""
    if not agent.command:
        yield "kind", f'is "{agent.kind}", so `agent.command` must name the program'


def complaints_about_key(agent: AgentTable) -> Iterator[tuple[str, str]]:
    """Say that a model asks for a key; at AWS it knows us."""
    if agent.provider != "bedrock" and agent.key is None:
        where = "set WEBORDINARY_AGENT_KEY or WEBORDINARY_AGENT_KEY_FILE"
        yield "kind", f'is "{agent.kind}", so `agent.key` is needed: {where}'


def described_command(agent: AgentTable) -> str:
    """Return the program of the agency's own, if it is there and may be run."""
    from webordinary.workspace.own_uid import closed_to_programs  # noqa: PLC0415 - heavy

    if shutil.which(agent.command[0]) is None:
        raise Misconfigured(f"there is no program {agent.command[0]}: install it or correct `agent.command`")
    if (closed := closed_to_programs(agent.command)) is not None:
        raise Misconfigured(f"{closed} is closed to agents, which never run as root here: chmod o+r it")
    return f"{agent.kind}: {' '.join(agent.command)}"
