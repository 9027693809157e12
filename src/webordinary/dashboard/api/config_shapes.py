"""What the API takes and gives where the configuration is written."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from webordinary.dashboard.api.shapes import EditorShape, Given, SentByProgram
from webordinary.dashboard.forms.rules import RULE_FIELDS, RuleField

_LONGEST = 2_000
Typed = Annotated[str, Meta(max_length=_LONGEST)]
ShortName = Annotated[str, Meta(min_length=1, max_length=60)]
Mark = Annotated[
    str, Meta(min_length=1, max_length=100, description="The `mark` of the look: the file still has to say the same.")
]


class NewProject(SentByProgram, frozen=True, kw_only=True):
    """A project that is about to be added; what is left out is as `webordinary project add` would leave it."""

    id: ShortName
    name: Typed = ""
    group: Typed = ""
    repository: Annotated[
        str, Meta(max_length=_LONGEST, description="Without one, a new repository with one page is made.")
    ] = ""
    branch: Typed = ""
    build: Typed = ""
    output: Typed = ""
    templates: bool = False
    url: Typed = ""
    user: Annotated[str, Meta(max_length=_LONGEST, description="The first editor's short name.")] = ""
    address: Annotated[str, Meta(max_length=_LONGEST, description="The first editor's mail address.")] = ""


class NewProjectLook(NewProject, frozen=True, kw_only=True):
    """The same, up to a step."""

    step: Literal["repository", "build", "address", "editor"] = "editor"
    try_build: Annotated[bool, Meta(description="Also build it, which can take minutes.")] = False


class NewProjectWritten(NewProject, frozen=True, kw_only=True):
    """The same, as it was looked at."""

    mark: Mark


class CheckShape(Given, frozen=True, kw_only=True):
    """What was found in one step."""

    step: str
    level: Annotated[str, Meta(description="`ok`, `warn` or `fail`.")]
    says: str


class ConfigLookShape(Given, frozen=True, kw_only=True):
    """What would be written."""

    change: Annotated[list[str], Meta(description="The lines that come and go, and none around them.")]
    mark: Annotated[str, Meta(description="Send it along to write exactly this.")]
    after: Annotated[str, Meta(description="What happens once it is written.")]


class NewProjectLookShape(Given, frozen=True, kw_only=True):
    """What was found, and behind the last step what would be written if all of it holds."""

    checks: list[CheckShape]
    holds: bool
    look: ConfigLookShape | None


class ConfigWrittenShape(Given, frozen=True, kw_only=True):
    """What was written."""

    project: str
    change: list[str]
    after: str


class RulesShape(Given, frozen=True, kw_only=True):
    """What the file says of a project; what it does not say is the default."""

    rules: dict[str, str | float | bool | list[str]]
    editors: list[EditorShape]


class EditorChanged(SentByProgram, frozen=True, kw_only=True, omit_defaults=True):
    """An editor who comes, changes or goes; what is left out of one who is there stays."""

    user: ShortName
    address: Annotated[str, Meta(max_length=400)] | UnsetType = UNSET
    language: Annotated[str, Meta(max_length=20)] | UnsetType = UNSET
    gone: bool = False


def _kind(field: RuleField) -> Any:  # noqa: ANN401 - a type that is made
    match field.kind:
        case "choice":
            return Literal[tuple(value for value, _ in field.choices)]
        case "lines":
            return Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=100)]
        case "flag":
            return bool
        case "number":
            return Annotated[float, Meta(ge=0, le=1_000_000)]
        case "whole":
            # In JSON 5 and 5.0 are the same number.
            return Annotated[float, Meta(ge=0, le=1_000_000, multiple_of=1)]
        case _:
            return Typed


def _rule(field: RuleField) -> tuple[str, Any, Any]:
    words = f"{field.label}{f' ({field.hint})' if field.hint else ''}; null for the default."
    return field.key.replace(".", "_"), Annotated[_kind(field) | UnsetType | None, Meta(description=words)], UNSET


# One field for each key of the form: what is left out stays as it is.
RulesGiven: type[Struct] = defstruct(
    "RulesGiven",
    [_rule(each) for each in RULE_FIELDS],
    bases=(SentByProgram,),
    rename={each.key.replace(".", "_"): each.key for each in RULE_FIELDS if "." in each.key},
    frozen=True,
    kw_only=True,
)
_ASKED = [("rules", RulesGiven, RulesGiven()), ("editors", Annotated[list[EditorChanged], Meta(max_length=500)], [])]
RulesLook: type[Struct] = defstruct("RulesLook", _ASKED, bases=(SentByProgram,), frozen=True, kw_only=True)
RulesWritten: type[Struct] = defstruct(
    "RulesWritten", [("mark", Mark), *_ASKED], bases=(SentByProgram,), frozen=True, kw_only=True
)
