"""What was done, as every face tells it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Done:
    """One sentence for the person who did it; the job that came of it, if there is one."""

    sentence: str
    job: str | None = None
    # What to type next; only a terminal says it.
    hint: str = ""

    @property
    def at_terminal(self) -> str:
        return f"{self.sentence.rstrip('.')}{self.hint}" if self.hint else self.sentence
