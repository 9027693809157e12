"""Keys set by `WEBORDINARY_*` variables, or read from the file that a `…_FILE` variable names."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, get_origin

import msgspec

from webordinary.config.describe import expectation, is_list, keys_of, plain_kind, section_in
from webordinary.config.shape import File
from webordinary.config.source import nearest
from webordinary.errors import Misconfigured
from webordinary.routing.secrets import read_named_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from webordinary.config.lines import KeyPath
    from webordinary.values import Section

PREFIX = "WEBORDINARY_"
FILE_SUFFIX = "_FILE"

# Variables that are no keys: which file to read, and switches of the tests and of the scripted agent.
KNOWN_OTHERS = frozenset({"WEBORDINARY_CONFIG", "WEBORDINARY_STRICT", "WEBORDINARY_SCRIPTED_GATES"})
# Every WEBORDINARY_NO_… switches something off for one run.
SWITCHES = "WEBORDINARY_NO_"


@dataclass(frozen=True, slots=True)
class Override:
    """One key that a variable sets; the value may be a secret."""

    path: KeyPath
    variable: str
    value: object = field(repr=False)


def variables() -> dict[str, tuple[KeyPath, object]]:
    """Return every variable that sets a key, with the key's path and type."""
    return {PREFIX + "_".join(map(str, path)).upper(): (path, kind) for path, kind in _single_keys(File, ())}


def _single_keys(section: type[Section], path: KeyPath) -> Iterator[tuple[KeyPath, object]]:
    for name, key in keys_of(section).items():
        inner = section_in(key.type)
        if is_list(key.type) or get_origin(key.type) is dict:
            continue
        if inner:
            yield from _single_keys(inner, (*path, name))
        else:
            yield (*path, name), key.type


def read_overrides(environ: Mapping[str, str]) -> list[Override]:
    """Return the keys that variables set, and refuse a variable of ours that means nothing."""
    ours = sorted(name for name in environ if name.startswith(PREFIX) and not _is_other(name))
    known = variables() if ours else {}
    for name in ours:
        if name not in known and name.removesuffix(FILE_SUFFIX) not in known:
            raise _unknown(name, known)
    # Empty counts as not set: that is what a compose file makes of a variable that nobody filled in.
    return [_override(name, environ, known) for name in ours if environ[name]]


def _is_other(name: str) -> bool:
    return name in KNOWN_OTHERS or name.startswith(SWITCHES)


def _unknown(name: str, known: Iterable[str]) -> Misconfigured:
    # Without the prefix, which all of them share and which would make everything look near.
    near = nearest(name.removeprefix(PREFIX), (other.removeprefix(PREFIX) for other in known))
    advice = f"did you mean {PREFIX}{near}?" if near else "remove it or correct its name."
    return Misconfigured(f"The variable {name} sets no key; {advice}")


def _override(name: str, environ: Mapping[str, str], known: Mapping[str, tuple[KeyPath, object]]) -> Override:
    if name in known:
        path, kind = known[name]
        return Override(path, name, _native(environ[name].strip(), kind, name))
    direct = name.removesuffix(FILE_SUFFIX)
    if environ.get(direct):
        raise Misconfigured(f"{direct} and {name} are both set; remove one of them.")
    path, kind = known[direct]
    file = Path(environ[name])
    found = read_named_file(file, lambda why: f"{name} names {file}, which cannot be read: {why}.")
    return Override(path, name, _native(found.strip(), kind, name))


def _native(text: str, kind: object, variable: str) -> object:
    """Give a number or a truth value the type that it would have in the file."""
    if plain_kind(kind) not in {bool, int, float}:
        return text
    try:
        return msgspec.convert(text, plain_kind(kind), strict=False)
    except msgspec.ValidationError:
        raise Misconfigured(f"{variable} must be {expectation(kind)}.") from None
