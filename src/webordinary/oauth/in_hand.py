"""A login that is tried before it is kept: what a provider has just given, held by nobody but this process."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Iterator


class InHand:
    """Secrets that end with the process."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}

    def has(self, name: str) -> bool:
        return name in self._held

    def read(self, name: str) -> str:
        if name not in self._held:
            raise Misconfigured(f"There is no secret {name}.")
        return self._held[name]

    def keep(self, name: str, secret: str) -> None:
        self._held[name] = secret

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:  # noqa: ARG002 - as the port has it
        yield
