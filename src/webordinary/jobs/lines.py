"""The lines of facts: what is recorded once of a job and told to each person in their own language.

A fact of a letter is a text, or lines of fields with tabs between them. Each sort of line is a type here, and is
written and read nowhere else. Rows of earlier versions hold the same lines. A line that was cut has empty fields, and
what a reader has no words for is told as it stands: an empty place is better than no mail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_BETWEEN = "\t"
# The requests whose line ends with a moment.
_TIMED = frozenset({"publish_at", "revert_at", "was_planned"})
# A question about two readings of a time, which are told with their moments.
DIFFERS = "differs"


class FactLine(Protocol):
    """One line of a fact."""

    @classmethod
    def of(cls, fields: Sequence[str]) -> Self:
        """Read the fields of a line, however many there are."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields as they are written."""


L = TypeVar("L", bound=FactLine)


def write_line(line: FactLine) -> str:
    return _BETWEEN.join(line.fields)


def write_lines(lines: Iterable[FactLine]) -> str:
    """Return a fact of these lines."""
    return "\n".join(map(write_line, lines))


def read_line(kind: type[L], line: str) -> L:
    return kind.of(line.split(_BETWEEN))


def read_lines(kind: type[L], fact: str) -> list[L]:
    """Return the lines of a fact."""
    return [read_line(kind, line) for line in fact.split("\n") if line.strip()]


@dataclass(frozen=True, slots=True)
class KindLine:
    """What happened, and the texts that belong to it; `more` says how many others there are."""

    kind: str
    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, fields: Sequence[str]) -> Self:
        return cls(fields[0], tuple(fields[1:]))

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.kind, *self.texts)


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A change of the site: `words@title*12/40` is a kind in a place of pages, on so many of how many pages.

    The first text says on which pages, if that is known; the others are what was there and what is there now.
    """

    kind: str
    texts: tuple[str, ...] = ()
    place: str = ""
    count: str = ""

    @classmethod
    def of(cls, fields: Sequence[str]) -> Self:
        what, _, count = fields[0].partition("*")
        kind, _, place = what.partition("@")
        return cls(kind, tuple(fields[1:]), place, count)

    @property
    def fields(self) -> tuple[str, ...]:
        place, count = f"@{self.place}" if self.place else "", f"*{self.count}" if self.count else ""
        return (f"{self.kind}{place}{count}", *self.texts)


@dataclass(frozen=True, slots=True)
class FileLine:
    """A file that came with a request: used, kept, or refused with its problem and the limit that it broke."""

    fate: str
    name: str
    problem: str | None = None
    limit: str | None = None

    @classmethod
    def of(cls, fields: Sequence[str]) -> Self:
        return cls(fields[0], "".join(fields[1:2]), *fields[2:4])

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(each for each in (self.fate, self.name, self.problem, self.limit) if each is not None)


@dataclass(frozen=True, slots=True)
class CopyLine:
    """A value that was replaced and still stands elsewhere: on which pages, how it is shown there, and both values."""

    kind: str
    place: str
    pages: str
    shown: str
    more: str
    was: str
    now: str

    @classmethod
    def of(cls, fields: Sequence[str]) -> Self:
        kind, _, place = fields[0].partition("@")
        return cls(kind, place, *(*fields[1:], "", "", "", "", "")[:5])

    @property
    def fields(self) -> tuple[str, ...]:
        kind = f"{self.kind}@{self.place}" if self.place else self.kind
        return (kind, self.pages, self.shown, self.more, self.was, self.now)


@dataclass(frozen=True, slots=True)
class ElsewhereLine:
    """Words that stand where a mail may not change them: the kind of place, who was told, the words and the file."""

    kind: str
    told: str
    words: str
    where: str

    @classmethod
    def of(cls, fields: Sequence[str]) -> Self:
        return cls(*(*fields, "", "", "")[:4])

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.kind, self.told, self.words, self.where)


@dataclass(frozen=True, slots=True)
class RequestLine:
    """A request: how it stands, its subject, and the moment that is to come, or would have come."""

    state: str
    subject: str
    at: str | None = None

    @classmethod
    def of(cls, fields: Sequence[str]) -> Self:
        state, *rest = fields
        at = rest.pop() if state in _TIMED and rest else None
        return cls(state, " ".join(rest).strip(), at)

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.state, self.subject, *([] if self.at is None else [self.at]))


@dataclass(frozen=True, slots=True)
class TroubleLine:
    """Why a time could not be read, and the words for it; two readings have their moments, each a start and an end."""

    trouble: str
    said: str
    whiles: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, fields: Sequence[str]) -> Self:
        if fields[0] != DIFFERS:
            return cls(fields[0], " ".join(fields[1:]))
        return cls(fields[0], "".join(fields[1:2]), tuple(zip(fields[2::2], fields[3::2], strict=False)))

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.trouble, self.said, *(at for each in self.whiles for at in each))


@dataclass(frozen=True, slots=True)
class SiteLine:
    """One of several sites that a person is welcomed to: its name, its address, and whose ok it needs."""

    name: str
    address: str
    ok: str

    @classmethod
    def of(cls, fields: Sequence[str]) -> Self:
        return cls(*(*fields, "", "")[:3])

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.name, self.address, self.ok)


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A picture of a page: the digest of its content, its format, side, screen and size, and its page."""

    digest: str
    subtype: str
    side: str
    screen: str
    width: str
    height: str
    path: str
    title: str

    @classmethod
    def of(cls, fields: Sequence[str]) -> Self:
        return cls(*(*fields, *[""] * 8)[:8])

    @property
    def fields(self) -> tuple[str, ...]:
        size = (self.width, self.height)
        return (self.digest, self.subtype, self.side, self.screen, *size, self.path, self.title)

    @property
    def is_whole(self) -> bool:
        """Tell whether all of it is there: a line that was cut has no title."""
        return bool(self.title)
