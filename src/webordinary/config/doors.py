"""The tables of the doors: those that the built-in kinds bring along, and `[[door]]` for kinds from outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import defstruct, field
from msgspec.structs import replace

from webordinary.config.options import plain_options
from webordinary.mail.door import DOORS, DoorTable
from webordinary.values import Section, text_of
from webordinary.variants import complaints_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.config.lines import KeyPath
    from webordinary.config.shape import File
    from webordinary.mail.door import DoorSurroundings


class DoorName(str):
    """The name of a door kind from outside."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> DoorName:
        name = text_of(value)
        if name not in DOORS.from_outside():
            raise ValueError(f"names a door that no package brings along: {name[:60]!r}")
        return cls(name)


class DoorSection(Section, frozen=True, kw_only=True):
    """Another way for mails to come in, which a package of yours brings along."""

    kind: DoorName
    """The name of the door, as the package calls it."""
    options: dict[str, Any] = field(default_factory=dict)
    """What the door asks for, as its own documentation says."""

    def inside(self, folder: Path) -> DoorSection:
        """Return it with relative paths of its options that begin at the folder."""
        return replace(self, options=plain_options(DOORS.find(self.kind).options, self.options, folder))


@dataclass(frozen=True, slots=True)
class ConfiguredDoor:
    """One door that mail may come in by; its options are as the kind's `open` expects them."""

    kind: str
    options: Any


def _tables() -> Iterator[tuple[str, Any, Any]]:
    """Yield the name, the type and the default of each built-in kind's table."""
    for name in DOORS.built_in:
        kind = DOORS.find(name)
        shape: Any = kind.options
        match kind.table:
            case DoorTable.MANY:
                yield name, tuple[shape, ...], ()
            case DoorTable.OPTIONAL:
                yield name, shape | None, None
            case _:
                yield name, shape, shape()


if TYPE_CHECKING:

    class DoorTables(Section, frozen=True, kw_only=True):
        """The tables of the built-in doors."""

else:
    DoorTables = defstruct(
        "DoorTables", _tables(), bases=(Section,), namespace={"JOINED": ()}, frozen=True, kw_only=True
    )


def doors_of(file: File, folder: Path) -> tuple[ConfiguredDoor, ...]:
    """Return every door that the file configures, with relative paths that begin at the folder."""
    built_in = [ConfiguredDoor(name, each.inside(folder)) for name in DOORS.built_in for each in _tables_of(file, name)]
    return (*built_in, *(ConfiguredDoor(str(each.kind), each.inside(folder).options) for each in file.door))


def _tables_of(file: File, name: str) -> tuple[Any, ...]:
    """Return what stands in the file under the name of a built-in kind."""
    found = getattr(file, name)
    if DOORS.find(name).table is DoorTable.MANY:
        return tuple(found)
    return () if found is None else (found,)


def complaints_about_doors(file: File, around: DoorSurroundings) -> Iterator[tuple[KeyPath, str]]:
    """Say what the kinds find wrong."""
    for name in DOORS.built_in:
        kind = DOORS.find(name)
        for (index, key), why in kind.complaints(_tables_of(file, name), around):
            table: KeyPath = (name, index) if kind.table is DoorTable.MANY else (name,)
            yield (table if key is None else (*table, key)), why
    for index, door in enumerate(file.door):
        with DOORS.answering(door.kind) as kind:
            complaints = complaints_of(kind.check(door.options))
        yield from ((("door", index, "options", key), why) for key, why in complaints)


def listening(file: File) -> dict[str, Any]:
    """Return where the built-in doors listen, by the names of their tables."""
    return {name: each.listen for name in DOORS.built_in for each in _tables_of(file, name) if hasattr(each, "listen")}
