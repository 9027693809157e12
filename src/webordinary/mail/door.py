"""A door kind: one way for mails to come in, built in or brought along by another distribution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from webordinary.findings import ok
from webordinary.variants import Variants

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from msgspec import Struct

    from webordinary.findings import Check
    from webordinary.mail.inbox import Envelope

DoorOptions = TypeVar("DoorOptions")
# The number of a table of the same kind, and the key in it; without a key it is about the whole table.
DoorKey: TypeAlias = tuple[int, str | None]
_HERE = "webordinary.doors"


class TakeMail(Protocol):
    """Makes a mail durable and lets it be decided; returns its name."""

    def __call__(self, raw: bytes, envelope: Envelope) -> str:
        """Refused when it is no mail that could be taken in."""

    @property
    def installation(self) -> Any:  # noqa: ANN401 - the room of its type is above this one
        """The installation, for doors that are part of it."""

    @property
    def intake(self) -> Any:  # noqa: ANN401 - the same
        """Its intake, which prepares files aside, for these doors too."""


class OpenDoor(Protocol):
    """A door that listens or polls, in a thread of its own."""

    def start(self) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class DoorSurroundings:
    """What of the rest of the file a door is checked against."""

    is_demo: bool
    is_one_machine: bool
    logins: frozenset[str]


class DoorTable(StrEnum):
    """How often a built-in kind stands in the file, under its own name."""

    ALWAYS = "always"
    OPTIONAL = "optional"
    MANY = "many"


class DoorKind(ABC, Generic[DoorOptions]):
    """One kind of door; it keeps nothing. The options are those of one door of this kind.

    Those of a built-in kind are an instance of its `options`, those of a kind from outside a plain table.
    """

    # The shape of `options`; without one nothing is asked for.
    options: ClassVar[type[Struct] | None] = None
    # The table of its own that a built-in kind has; one from outside is a `[[door]]` with its name.
    table: ClassVar[DoorTable | None] = None
    # Whether it is of no use with an engine that has no machine of its own.
    is_of_one_machine: ClassVar[bool] = True

    def check(self, options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:  # noqa: ARG002 - for kinds that want to
        """Yield each option that is wrong, with the rest of a sentence."""
        yield from ()

    def complaints(
        self,
        tables: Sequence[DoorOptions],  # noqa: ARG002 - for built-in kinds
        around: DoorSurroundings,  # noqa: ARG002 - the same
    ) -> Iterator[tuple[DoorKey, str]]:
        """Yield what is wrong with all tables of a built-in kind: the number of the table, the key in it, and why."""
        yield from ()

    def describe(self, options: DoorOptions, where: str) -> str | None:  # noqa: ARG002 - for kinds that want to
        """Return what `serve` says about an open door, which listens `where`."""
        return None

    def meeting_places(self, options: DoorOptions) -> Iterator[Path]:  # noqa: ARG002 - for kinds that have some
        """Yield the files that other programs of this machine have to reach."""
        yield from ()

    @abstractmethod
    def doctor(self, options: DoorOptions) -> str:
        """Return what was seen where mails come from; WebOrdinaryError when none could come."""

    def findings(self, options: DoorOptions, take: TakeMail) -> Iterator[Check]:  # noqa: ARG002 - for kinds with more to say
        """Yield what the doctor finds, for kinds that look at more than one thing."""
        yield ok("", self.doctor(options))

    @abstractmethod
    def open(self, options: DoorOptions, take: TakeMail) -> OpenDoor:
        """Return the door; each mail goes to `take`, and only then may its sender forget it."""


DOORS: Variants[DoorKind[Any]] = Variants(
    "webordinary.doors",
    "door kind",
    DoorKind,
    {"smtp": f"{_HERE}.smtp:SmtpKind", "imap": f"{_HERE}.imap:ImapKind", "hook": f"{_HERE}.hook:HookKind"},
)
