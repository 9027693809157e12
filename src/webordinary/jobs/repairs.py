"""What was found wrong with an edit before anybody saw it, as the agent that made it is told, and how a round ended.

Each text in it comes from a build, a page or a mail: it is data for its reader, and bounded in length.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_FOUND, _LONGEST_TEXT, _LONGEST_LOG = 20, 1_000, 8_000
_MOST_TOLD, _LONGEST_TOLD = 12, 160


class FoundKind(StrEnum):
    """What can be found that a competent person would mend."""

    # The build ended with an error: the text is the end of its log.
    BUILD = "build"
    # A link that leads nowhere: where it stands, and the text is its address.
    LINK = "link"
    # The text was asked for and does not stand on the site.
    MISSING = "missing"
    # What was replaced still stands elsewhere: where, what is shown there, and both values.
    COPY = "copy"
    # Something that the request does not speak of is different: what it was and what it is now, or in words.
    UNASKED = "unasked"
    # Somebody else changed the same lines: where, what is live now, and what this request made of it.
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that was found."""

    kind: FoundKind
    text: str = ""
    where: str = ""
    was: str = ""
    now: str = ""

    def bounded(self) -> Found:
        """Return it with texts of which the end of a log counts, and of all others the beginning."""
        text = self.text[-_LONGEST_LOG:] if self.kind is FoundKind.BUILD else self.text[:_LONGEST_TEXT]
        return Found(self.kind, text, *(each[:_LONGEST_TEXT] for each in (self.where, self.was, self.now)))

    @property
    def in_short(self) -> str:
        """One line for those who read the trail; of a log its last line."""
        last = self.text.strip().rpartition("\n")[2] if self.kind is FoundKind.BUILD else self.text
        change = f"{self.was} → {self.now}" if self.was or self.now else ""
        line = " ".join(f"{self.where} {last} {change}".split())
        return f"{self.kind}: {line}"[:_LONGEST_TOLD]


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that was found in one look, for one more round of the agent."""

    found: tuple[Found, ...]
    round: int = 1

    @classmethod
    def of(cls, found: Iterable[Found]) -> Findings:
        """Return as much of it as one round is told."""
        return cls(tuple(dict.fromkeys(each.bounded() for each in found))[:_MOST_FOUND])

    @property
    def prospect(self) -> Prospect:
        """What would become of the change if nobody mended this."""
        if self.has(FoundKind.BUILD) or self.has(FoundKind.CONFLICT):
            return Prospect.FAILED
        return Prospect.HELD if self.has(FoundKind.UNASKED) or self.has(FoundKind.LINK) else Prospect.TOLD

    def has(self, kind: FoundKind) -> bool:
        return any(each.kind is kind for each in self.found)

    @property
    def in_short(self) -> str:
        """Line by line, for those who read the trail."""
        return "\n".join(each.in_short for each in self.found[:_MOST_TOLD])


class RepairEnd(StrEnum):
    """How a round ended."""

    CHANGED = "changed"
    # The agent left everything as it was: to ask it the same again would be in vain.
    UNCHANGED = "unchanged"
    # It failed, or there was not enough left for it: what it had begun is gone, and the edit stands as before.
    GAVE_UP = "gave up"
    # What all rounds have made is worse than what was there before: that is there again.
    TAKEN_BACK = "taken back"


class Prospect(IntEnum):
    """What would become of a change as it stands: less is better."""

    TOLD = 1
    HELD = 2
    FAILED = 3


@dataclass(frozen=True, slots=True)
class BeforeRepair:
    """What a change was before the rounds of repair, and where on its branch; the best, if there were several."""

    prospect: Prospect
    tip: str
    # The commit of the edit: another one since then says that a round has changed something.
    commit: str
    # What the agent said of it.
    summary: str = ""
