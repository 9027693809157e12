"""A list's filter: it is the query of the page's address, so that it can be kept, sent and made into a sheet."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from webordinary.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_LONGEST = 200
_TIMES = ("since", "until")


@dataclass(frozen=True, slots=True)
class ListFilter:
    """What was asked for, by the names of the fields; what is not asked for leaves everything."""

    asked: Mapping[str, str]
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))

    @classmethod
    def read(cls, query: Mapping[str, str], names: Iterable[str], zone: str) -> ListFilter:
        """Take the fields that a list knows out of a query; a day that is none is refused in words."""
        given = ((name, query.get(name, "").strip()) for name in names)
        made = cls({name: text[:_LONGEST] for name, text in given if text}, ZoneInfo(zone))
        for name in _TIMES:
            made.day(name)
        return made

    def of(self, name: str) -> str:
        return self.asked.get(name, "")

    def one_of(self, name: str, known: Sequence[str]) -> str | None:
        """Return a choice; one that there is not is refused."""
        chosen = self.of(name)
        if chosen and chosen not in known:
            raise Refused(f"There is no {name} {chosen!r}; there are {', '.join(known)}.")
        return chosen or None

    def day(self, name: str) -> date | None:
        text = self.of(name)
        try:
            return date.fromisoformat(text) if text else None
        except ValueError:
            raise Refused(f"{text!r} is no day; write {name} as 2026-03-31.") from None

    @property
    def since(self) -> datetime | None:
        """The first moment that counts, by the clock of the installation."""
        day = self.day("since")
        return None if day is None else datetime.combine(day, time(), self.zone)

    @property
    def until(self) -> datetime | None:
        """The first moment that counts no more: the named day is the last one."""
        day = self.day("until")
        if day is None:
            return None
        try:
            return datetime.combine(day + timedelta(days=1), time(), self.zone)
        except OverflowError:
            return None

    def speaks_of(self, *texts: str | None) -> bool:
        """Tell whether every word of the free text stands in one of these texts."""
        words = self.of("q").casefold().split()
        whole = "\n".join(text for text in texts if text).casefold()
        return all(word in whole for word in words)

    def is_within(self, at: datetime) -> bool:
        return (self.since is None or at >= self.since) and (self.until is None or at < self.until)

    def url(self, path: str, **more: str) -> str:
        """Return the address of a list with this filter."""
        query = {**self.asked, **{name: text for name, text in more.items() if text}}
        return f"{path}?{urlencode(query)}" if query else path

    def without(self, name: str, path: str) -> str:
        """Return the address with one field less."""
        return ListFilter({key: text for key, text in self.asked.items() if key != name}).url(path)
