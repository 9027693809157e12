"""The table of the agent: who edits the site, and how it reaches its model."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, field
from msgspec.structs import replace

from webordinary.agent.registry import AGENTS
from webordinary.config.git import SecretName
from webordinary.config.options import plain_options
from webordinary.routing.project import AgentSettings, ModelPrice
from webordinary.values import CONTROL, Command, Section, Variable, WebAddress, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHORTEST_KEY = 8
# What only its own kind of agent understands; another kind begins without it.
_OF_A_KIND = ("command", "environment", "options", "program")
# A key opens the server that it was made for: a configuration that names another one brings its key along.
_OF_A_SERVER = ("provider", "address")
WAYS_TO_KEY = ("key_file", "key_variable", "secret")
Price = Annotated[float, Meta(ge=0, le=10_000)]
_CACHE_WRITE, _CACHE_READ = 1.25, 0.1


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
    notes: str = ""
    """What the agent is told about every site, such as a tone; a site's own `WEBORDINARY.md` comes on top of it."""

    def inside(self, folder: Path) -> AgentChoice:
        """Return it with relative paths of its options that begin at the folder."""
        return replace(self, options=plain_options(AGENTS.find(self.kind).options, self.options, folder))

    def over(self, own: AgentSettings, key: ModelKey | None = None) -> AgentChoice:
        """Return what holds for one project: its own settings, and these where it says nothing.

        The key is the project's own. What belongs to another kind, or opens another server, is not handed on.
        """
        is_another = own.kind is not None and own.kind != self.kind
        goes_elsewhere = any(getattr(own, name) not in {None, getattr(self, name)} for name in _OF_A_SERVER)
        kept = replace(self, **{name: getattr(_NOTHING, name) for name in _OF_A_KIND}) if is_another else self
        if goes_elsewhere:
            kept = replace(kept, key=None, address=None)
        if own.has_key:
            kept = replace(kept, key=key)
        return replace(kept, **dict(_set_in(own)))


_NOTHING = AgentChoice()


def _set_in(own: AgentSettings) -> Iterator[tuple[str, Any]]:
    """Yield what a project sets, as the installation's table has it."""
    kinds: dict[str, Any] = {
        "kind": AgentName,
        "command": Command,
        "provider": Provider,
        "model": Model,
        "models": tuple,
        "address": WebAddress,
        "environment": tuple,
        "options": dict,
        "program": Path,
    }
    yield from ((name, kind(value)) for name, kind in kinds.items() if (value := getattr(own, name)))
    # These say something also when they say nothing.
    yield from ((name, value) for name in ("notes", "repairs") if (value := getattr(own, name)) is not None)


class OwnAgent(Section, frozen=True, kw_only=True):
    """Who edits this site; what is left out is as in `[agent]`, but nothing of another kind or for another server."""

    kind: AgentName | None = None
    """As in `[agent]`; with another kind than there, its command, environment, options and program begin anew."""
    command: Command = Command()
    """As in `[agent]`."""
    provider: Provider | None = None
    """As in `[agent]`; with another one than there, or another `address`, the site brings its own key."""
    key_file: Path | None = None
    """A file that holds the key for this site's model alone; it never reaches the agent, nor any other site."""
    key_variable: Variable | None = None
    """The environment variable that holds that key; this or `key_file`."""
    secret: SecretName | None = None
    """The name under which the engine keeps that key, instead of these; on AWS onboarding sets it."""
    model: Model | None = None
    """As in `[agent]`."""
    models: tuple[Model, ...] = ()
    """As in `[agent]`."""
    address: WebAddress | None = None
    """As in `[agent]`."""
    environment: tuple[Setting, ...] = ()
    """As in `[agent]`; the engine keeps it with the project, so it is no place for secrets."""
    options: dict[str, Any] = field(default_factory=dict)
    """As in `[agent]`."""
    program: Path | None = None
    """As in `[agent]`."""
    repairs: bool | None = None
    """As in `[agent]`."""
    notes: str | None = None
    """What the agent is told about this site instead of the notes in `[agent]`."""

    def settings(self, kind: str, folder: Path) -> AgentSettings:
        """Return it as a store can keep it, for an agent of that kind; relative paths begin at the folder."""
        shape = AGENTS.find(kind).options
        return AgentSettings(
            kind=_text(self.kind),
            command=tuple(self.command),
            provider=_text(self.provider),
            model=_text(self.model),
            models=tuple(map(str, self.models)),
            address=_text(self.address),
            environment=tuple(map(str, self.environment)),
            options=plain_options(shape, self.options, folder) if self.options else {},
            program=_place(self.program, folder),
            repairs=self.repairs,
            notes=self.notes,
            key_file=_place(self.key_file, folder),
            key_variable=_text(self.key_variable),
            secret=_text(self.secret),
        )

    def complaints(self) -> Iterator[tuple[str, str]]:
        """Say which ways to the key stand beside each other."""
        named = [name for name in WAYS_TO_KEY if getattr(self, name)]
        if len(named) > 1:
            yield named[1], f"cannot stand beside `{named[0]}`; remove one of them"


class PriceSection(Section, frozen=True, kw_only=True):
    """What a model costs, where the list that comes along is wrong or does not know it."""

    model: Model
    """The beginning of the names of the models that it is for, such as `claude-sonnet-5`."""
    input: Price
    """US dollars for a million tokens that are read."""
    output: Price
    """US dollars for a million tokens that are written."""
    cache_write: Price | None = None
    """US dollars for a million tokens that are put into the prompt cache; 1.25 times `input` if it is left out."""
    cache_read: Price | None = None
    """US dollars for a million tokens that are read from the prompt cache; a tenth of `input` if it is left out."""

    @property
    def price(self) -> ModelPrice:
        write = self.input * _CACHE_WRITE if self.cache_write is None else self.cache_write
        read = self.input * _CACHE_READ if self.cache_read is None else self.cache_read
        return ModelPrice(str(self.model).lower(), self.input, self.output, write, read)


def _text(value: str | None) -> str | None:
    # A store keeps projects, and knows none of our types.
    return None if value is None else str(value)


def _place(path: Path | None, folder: Path) -> str | None:
    return None if path is None else str(folder / path)
