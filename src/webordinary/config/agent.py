"""The table of the agent: who edits the site, and how it reaches its model."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import field
from msgspec.structs import replace

from webordinary.agent.registry import AGENTS
from webordinary.config.options import plain_options
from webordinary.values import CONTROL, Command, Section, WebAddress, text_of

_SHORTEST_KEY = 8


class AgentName(str):
    """The name of an agent kind, built in or from outside."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> AgentName:
        return cls(AGENTS.checked(text_of(value)))


class Provider(StrEnum):
    """Whose servers run the model."""

    ANTHROPIC = "anthropic"
    LOGIN = "login"
    BEDROCK = "bedrock"


class ModelKey(str):
    """What opens the model's servers; never shown, and never given to an agent."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> ModelKey:
        text = text_of(value).strip()
        if len(text) < _SHORTEST_KEY or CONTROL.search(text) or " " in text:
            raise ValueError("must be the key as the model's maker gave it to you")
        return cls(text)

    def __repr__(self) -> str:
        return "ModelKey(…)"


class Model(str):
    """The name of a model, or a pattern of names with `*`."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Model:
        text = text_of(value).strip()
        if not text or text.startswith("-") or CONTROL.search(text) or " " in text:
            raise ValueError(f'must be the name of a model such as "sonnet", not {text[:60]!r}')
        return cls(text)


class Setting(str):
    """One variable for a program: its name and its value."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Setting:
        text = text_of(value)
        name, sign, _ = text.partition("=")
        if not sign or not name.isidentifier() or "\0" in text:
            raise ValueError(f'must be a variable such as "NAME=value", not {text[:60]!r}')
        return cls(text)


class AgentChoice(Section, frozen=True, kw_only=True):
    """Who edits the site."""

    kind: AgentName = AgentName("scripted")
    """`scripted` follows simple sentences without a model, `claude` is Claude Code, `acp` and `command` run yours."""
    command: Command = Command()
    """The program for `"command"` or `"acp"`, no shell runs it; for `acp` `{port}` is one on which it may listen."""
    provider: Provider = Provider.ANTHROPIC
    """How `claude` reaches its model: `anthropic` with a key, `login` with a token, `bedrock` as AWS knows us."""
    key: ModelKey | None = None
    """The key, or for `login` what `claude setup-token` printed; best set by `WEBORDINARY_AGENT_KEY_FILE`."""
    model: Model = Model("sonnet")
    """The model that `claude` is asked to use."""
    models: tuple[Model, ...] = (Model("*claude-sonnet-*"), Model("*claude-haiku-*"))
    """The models that are let through, as patterns; whatever else an agent asks for is refused."""
    address: WebAddress | None = None
    """Another server than the maker's own, such as a gateway that speaks like it."""
    environment: tuple[Setting, ...] = ()
    """Variables for `acp`, each `NAME=value`; `{address}` is where its model is, `{key}` what opens it there."""
    repairs: bool = True
    """Whether a `command` is run again with what was found wrong with its edit; `false` if it has no use for that."""
    options: dict[str, Any] = field(default_factory=dict)
    """What an agent kind from outside asks for, as its own documentation says."""
    program: Path | None = None
    """Another Claude Code than the one that came with `webordinary[claude]` or is on the path."""

    def inside(self, folder: Path) -> AgentChoice:
        """Return it with relative paths of its options that begin at the folder."""
        return replace(self, options=plain_options(AGENTS.find(self.kind).options, self.options, folder))
