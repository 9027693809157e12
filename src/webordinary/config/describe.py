"""What the keys of the file are called, what they expect and what they mean, read from their shape."""

from __future__ import annotations

import types
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, fields

from webordinary.agent.registry import AGENTS
from webordinary.config.agent import AgentName, Model, ModelKey, Setting
from webordinary.config.amazon import AccountNumber, Prefix, Region, StoreArn, TableEnding, TableName
from webordinary.config.doors import DoorName
from webordinary.config.git import SecretName
from webordinary.config.mail import NameServerAddress, Network, Secret
from webordinary.config.oauth import Scope, Tenant
from webordinary.config.outgoing import OutgoingUrl
from webordinary.config.shape import File
from webordinary.config.site import TargetName
from webordinary.languages import codes
from webordinary.site.targets.registry import TARGETS
from webordinary.values import (
    Address,
    Approver,
    Branch,
    Command,
    Domain,
    Duration,
    Host,
    HostKey,
    Id,
    InsidePath,
    LanguageCode,
    Listen,
    PreviewAddress,
    PublishPlace,
    Repository,
    Section,
    ServerName,
    Timezone,
    Title,
    Variable,
    WebAddress,
    one_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.config.lines import KeyPath
    from webordinary.variants import Variants

_WORDS: dict[object, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    Path: "a path",
    Duration: "a duration",
    Listen: "a host and a port",
    Command: "a command",
    Id: "an id",
    LanguageCode: one_of(codes()),
    Address: "a mail address",
    Approver: "a user or a mail address",
    Domain: "a domain",
    Title: "a text",
    Timezone: "a time zone",
    Branch: "a branch",
    Repository: "a folder or a git address",
    InsidePath: "a path in the repository",
    PublishPlace: "a folder or an address",
    WebAddress: "a web address",
    PreviewAddress: "a web address",
    OutgoingUrl: "an address for mail",
    NameServerAddress: "an internet address",
    Network: "an internet address",
    ServerName: "a server name",
    Secret: "a secret",
    ModelKey: "a secret",
    Model: "a model",
    Setting: "a variable and its value",
    Prefix: "a prefix",
    Region: "a region",
    TableEnding: "an ending",
    TableName: "a table",
    StoreArn: "an ARN",
    AccountNumber: "an account number",
    Host: "a host",
    Variable: "the name of a variable",
    HostKey: "the public key of a server",
    SecretName: "the name of a secret",
    Scope: "a scope",
    Tenant: "a directory at Microsoft",
    dict[str, Any]: "a table",
    DoorName: "a name",
}


_NAMED: dict[object, Variants[Any]] = {TargetName: TARGETS, AgentName: AGENTS}


def keys_of(section: type[Struct]) -> dict[str, FieldInfo]:
    """Return the keys of one table by name."""
    return {field.name: field for field in fields(section)}


def is_required(field: FieldInfo) -> bool:
    """Say whether the key has to be in the file."""
    return field.default is NODEFAULT and field.default_factory is NODEFAULT


def plain_kind(kind: object) -> object:
    """Take away from a type what only says that it may be left out or how large it may be."""
    if get_origin(kind) is Annotated:
        return plain_kind(get_args(kind)[0])
    if get_origin(kind) in {Union, types.UnionType}:
        return plain_kind(next(part for part in get_args(kind) if part is not type(None)))
    return kind


def section_in(kind: object) -> type[Section] | None:
    """Return the table that a key holds, alone or as a list."""
    plain = plain_kind(kind)
    inner = get_args(plain)[0] if is_list(plain) else plain
    return inner if isinstance(inner, type) and issubclass(inner, Section) else None


def is_list(kind: object) -> bool:
    """Say whether the key holds a list."""
    return get_origin(plain_kind(kind)) is tuple


def field_at(path: KeyPath, root: type[Struct] = File) -> FieldInfo | None:
    """Find the key that a path leads to; a path to something unknown leads nowhere."""
    section: type[Struct] | None = root
    found = None
    for name in (part for part in path if isinstance(part, str)):
        found = keys_of(section).get(name) if section else None
        section = section_in(found.type) if found else None
    return found


def dotted(path: KeyPath) -> str:
    """Spell a path as people write it, without the numbers of list elements."""
    return ".".join(part for part in path if isinstance(part, str))


def expectation(kind: object) -> str:
    """Say in words what a key of this type holds."""
    plain = plain_kind(kind)
    if section_in(plain):
        return "a list of tables" if is_list(plain) else "a table"
    if is_list(plain):
        return f"a list, each {expectation(get_args(plain)[0])}"
    if isinstance(plain, type) and issubclass(plain, Enum):
        return one_of(str(member.value) for member in plain)
    if plain in _NAMED:
        return one_of(_NAMED[plain].built_in)
    return (_WORDS.get(plain) or str(getattr(plain, "EXPECTED", "a value of another kind"))) + _bounds(kind)


def _bounds(kind: object) -> str:
    # One that may be left out has them inside.
    kinds = (kind, *get_args(kind)) if get_origin(kind) in {Union, types.UnionType} else (kind,)
    metas = [part for each in kinds for part in get_args(each)[1:] if isinstance(part, Meta)]
    return "".join(f" from {meta.ge:,.0f} to {meta.le:,.0f}" for meta in metas if meta.ge is not None)


def _written_out(section: type[Struct]) -> Iterator[type[Struct]]:
    """Yield the classes that a table consists of, instead of one that was joined from others."""
    for each in (each for each in section.__mro__ if each not in Struct.__mro__):
        joined: Sequence[type[Struct]] | None = vars(each).get("JOINED")
        if joined is None:
            yield each
        for part in joined or ():
            yield from _written_out(part)


def sentences_of(section: type[Struct]) -> dict[str, str]:
    """Return the sentence that stands below each key of a table in its shape."""
    # Only complaints and the reference page need these two, and workers should start fast.
    import ast  # noqa: PLC0415 - only the reference page needs it
    import inspect  # noqa: PLC0415 - only the reference page needs it

    found: dict[str, str] = {}
    for shape in reversed(list(_written_out(section))):
        (body,) = ast.parse(inspect.getsource(shape)).body
        for key, below in pairwise(body.body if isinstance(body, ast.ClassDef) else []):
            match key, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(sentence))):
                    found[name] = sentence
                case _:
                    pass
    return found
