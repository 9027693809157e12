"""What a step is about to do: lines of the configuration, secrets, commands; all of it is shown before it is done."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from webordinary.config.file import ConfigText
from webordinary.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.setup.desk import Desk, Ran


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A secret that is kept where the installation keeps its own; what it is is never shown."""

    name: str
    content: str = field(repr=False)


class Deed(Protocol):
    """Something else that a step does, beside writing."""

    @property
    def says(self) -> str:
        """What is done, in one line."""

    def carry_out(self, desk: Desk) -> str:
        """Do it and return what there is to tell; Refused with the reason if it cannot be done."""


@dataclass(frozen=True, slots=True)
class OwnCommand:
    """A command of our own program, as a person could type it."""

    words: Sequence[str]
    # Whether somebody has to answer it, or to act while it waits.
    is_talk: bool = False

    @property
    def says(self) -> str:
        return f"$ webordinary {shlex.join(self.words)}"

    def carry_out(self, desk: Desk) -> str:
        return self.told(desk.run(self.words, is_talk=self.is_talk))

    def told(self, ran: Ran) -> str:
        """Return what it said; Refused with its last line if it went wrong."""
        if ran.code:
            said = (ran.complaint or ran.said).strip().splitlines()
            raise Refused(said[-1] if said else f"`{self.says[2:]}` ended with {ran.code}.")
        return ran.said.strip()


@dataclass(frozen=True, slots=True)
class StepPlan:
    """Everything that a step does; an empty one changes nothing."""

    # The configuration as it will be; None leaves it as it is.
    text: str | None = None
    secrets: tuple[NewSecret, ...] = ()
    deeds: tuple[Deed, ...] = ()
    # What a person has to do elsewhere.
    tells: tuple[str, ...] = ()

    def changes(self, desk: Desk) -> list[str]:
        """Return the lines of the configuration that come and go."""
        if self.text is None:
            return []
        before = desk.file() or ConfigText(desk.path, "")
        return before.differs_by(self.text)

    def lines(self, desk: Desk) -> Iterator[str]:
        """Say what will be done, one line for each thing."""
        if changes := self.changes(desk):
            yield f"{desk.path}:"
            yield from (f"  {line}" for line in changes if not line.startswith("@@"))
        for secret in self.secrets:
            yield f"{desk.secret_place(secret.name)}: a secret, which only its owner may read; it is not shown"
        for deed in self.deeds:
            yield deed.says

    def is_empty(self, desk: Desk) -> bool:
        return not any(self.lines(desk))

    def carry_out(self, desk: Desk) -> Iterator[str]:
        """Do all of it, and yield what each deed has to tell; what was done before an error stays done."""
        for secret in self.secrets:
            desk.keep_secret(secret.name, secret.content)
        if self.text is not None and self.changes(desk):
            desk.write(self.text)
        for deed in self.deeds:
            if told := deed.carry_out(desk):
                yield told
