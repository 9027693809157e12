"""Variants that a configuration chooses by name: built in, or brought along by another distribution.

Built-in ones stand in one list each (targets, agent kinds, doors); others are entry points of a distribution that is
installed beside this one. A built-in name cannot be taken by anybody else.
"""

from __future__ import annotations

import importlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from webordinary.errors import Misconfigured, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from importlib.metadata import EntryPoint

# A package that ends the program while it is loaded is as broken as one that raises.
_BROKEN = (Exception, SystemExit)
V = TypeVar("V")
Shape = TypeVar("Shape")


@dataclass(frozen=True)
class Variants(Generic[V]):
    """One registry: the group of the entry points, what a person calls a member, and the class that all of them are."""

    group: str
    what: str
    kind: type
    built_in: Mapping[str, str]
    _loaded: dict[str, V] = field(default_factory=dict, repr=False)

    def find(self, name: str) -> V:
        """Return a variant; Misconfigured when there is none of that name or when it cannot be used."""
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    @property
    def names(self) -> tuple[str, ...]:
        """Return all names, the built-in ones first."""
        return (*self.built_in, *sorted(self.from_outside()))

    def checked(self, name: str) -> str:
        """Return a name that there is; ValueError, with the rest of a sentence, for any other."""
        if name not in self.built_in and name not in self.names:
            raise ValueError(f"must be {self.choices()}, not {name[:60]!r}")
        return name

    def choices(self, *without: str) -> str:
        """Return all names as a person chooses between them."""
        names = [f'"{name}"' for name in self.names if name not in without]
        return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))

    def from_outside(self) -> dict[str, EntryPoint]:
        """Return what other distributions bring along, by name; one of them may be broken."""
        # Slow to import, and most installations have nothing from outside.
        from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import

        found: dict[str, EntryPoint] = {}
        for each in entry_points(group=self.group):
            if each.name in self.built_in:
                raise Misconfigured(
                    f'{whose(each)} calls its {self.what} "{each.name}", which is built in; remove that distribution.'
                )
            if found.setdefault(each.name, each).value != each.value:
                raise Misconfigured(
                    f'{whose(found[each.name])} and {whose(each)} both have a {self.what} "{each.name}"; remove one.'
                )
        return found

    @contextmanager
    def answering(self, name: str) -> Iterator[V]:
        """Give a variant; what breaks in one from outside is told with the distribution that it came with."""
        variant = self.find(name)
        try:
            yield variant
        except (WebOrdinaryError, GeneratorExit):
            raise
        except _BROKEN as problem:
            if name in self.built_in:
                raise
            raise self._broken(self.from_outside()[name], problem) from problem

    def _load(self, name: str) -> V:
        if name in self.built_in:
            module, _, attribute = self.built_in[name].partition(":")
            made: V = getattr(importlib.import_module(module), attribute)()
            return made
        entry = self.from_outside().get(name)
        if entry is None:
            raise Misconfigured(f'There is no {self.what} "{name}"; known are {", ".join(self.names)}.')
        return self._make(entry)

    def _make(self, entry: EntryPoint) -> V:
        try:
            variant: V = entry.load()()
        except _BROKEN as problem:
            raise self._broken(entry, problem) from problem
        if not isinstance(variant, self.kind):
            raise self._broken(entry, TypeError(f"{entry.value} is no {self.kind.__name__}"))
        if not _is_table(getattr(variant, "options", None)):
            raise self._broken(entry, TypeError("its options are no Section"))
        return variant

    def _broken(self, entry: EntryPoint, problem: BaseException) -> Misconfigured:
        why = f"{type(problem).__name__}: {problem}".replace("\n", " ")[:200]
        broken = f'The {self.what} "{entry.name}" of {whose(entry)} cannot be used ({why})'
        return Misconfigured(f"{broken}; mend or remove that distribution.")


def complaints_of(found: Iterable[object]) -> list[tuple[str, str]]:
    """Return what a variant has said is wrong; ValueError when that is no key and a sentence."""
    complaints: list[tuple[str, str]] = []
    for each in found:
        if not isinstance(each, tuple) or len(each) != 2 or not all(isinstance(part, str) for part in each):  # noqa: PLR2004 - a pair
            raise ValueError(f"check yields {each!r} instead of a key and a sentence")
        complaints.append(each)
    return complaints


def _is_table(options: object) -> bool:
    from msgspec import Struct  # noqa: PLC0415 - most installations have nothing from outside

    return options is None or (isinstance(options, type) and issubclass(options, Struct))


def read_options(shape: type[Shape], given: Mapping[str, Any]) -> Shape:
    """Read the options of a variant by its own class; msgspec's ValidationError when they do not fit."""
    import msgspec  # noqa: PLC0415 - most installations have nothing from outside

    return msgspec.convert(dict(given), shape, dec_hook=_read_value)


def _read_value(kind: type[Any], value: object) -> object:
    if kind is not Path:
        return kind.read(value)
    if not isinstance(value, str):
        raise TypeError("must be a path in quotation marks")
    return Path(value).expanduser()


def whose(entry: EntryPoint) -> str:
    """Return the distribution of an entry point and its version."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a distribution without a name"
