"""A door kind from outside: another way for mails to come in, besides the listener, mailboxes and hooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from webordinary.variants import Variants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from msgspec import Struct

    from webordinary.mail.inbox import Envelope

    # Makes a mail durable and lets it be decided; returns its name. Refused when it is no mail that could be taken in.
    TakeMail = Callable[[bytes, Envelope], str]


class OpenDoor(Protocol):
    """A door that listens or looks, in a thread of its own."""

    def start(self) -> None: ...

    def close(self) -> None: ...


class DoorKind(ABC):
    """One kind of door; it keeps nothing. The options are those of one `[[door]]`."""

    # The shape of `options`; without one nothing is asked for.
    options: ClassVar[type[Struct] | None] = None

    def check(self, options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:  # noqa: ARG002 - for kinds that want to
        """Yield each option that is wrong, with the rest of a sentence."""
        yield from ()

    @abstractmethod
    def doctor(self, options: Mapping[str, Any]) -> str:
        """Return what was seen where mails come from; WebOrdinaryError when none could come."""

    @abstractmethod
    def open(self, options: Mapping[str, Any], take: TakeMail) -> OpenDoor:
        """Return the door; each mail goes to `take`, and only then may its sender forget it."""


# Those that are built in have tables of their own: `[smtp]`, `[[imap]]` and `[hook]`.
DOORS: Variants[DoorKind] = Variants("webordinary.doors", "door kind", DoorKind, {})
