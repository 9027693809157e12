"""One question of a step: what is asked, what may be answered, and what is taken if nothing is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# What was answered, by the keys of the questions; texts as they were typed.
Given: TypeAlias = "Mapping[str, str]"
YES, NO = "yes", "no"
_LONGEST = 2_000
_LONGEST_NUMBER = 4
_YES = frozenset({"yes", "y", "true", "1", "on"})
_NO = frozenset({"no", "n", "false", "0", "off"})


def anything(text: str) -> str:
    """Take any text of one line."""
    return text


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several answers."""

    name: str
    says: str


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a step wants to know; without a default it has to be answered, and an empty default may stay empty."""

    key: str
    asks: str
    hint: str = ""
    read: Callable[[str], str] = anything
    default: str | None = None
    choices: tuple[Choice, ...] = ()
    # Whether nothing is an answer too, beside the default; at a terminal that is a hyphen.
    may_be_empty: bool = False
    # Never shown and never noted; an empty answer keeps the one that is there.
    is_secret: bool = False
    # The ending of a file that a browser may send instead of its path on this machine.
    takes_file: str = ""

    def take(self, typed: str) -> str:
        """Return the answer as it is noted; ValueError with the rest of a sentence about it."""
        text = typed if self.is_secret else typed.strip()
        if not text:
            return "" if self.may_be_empty else self._untyped()
        if len(text) > _LONGEST or not text.isprintable():
            raise ValueError(f"must be one line of at most {_LONGEST:,} letters")
        if self.choices:
            return self._chosen(text)
        return self.read(text)

    def _untyped(self) -> str:
        if self.default is None:
            raise ValueError("has to be answered")
        return self.default

    def _chosen(self, text: str) -> str:
        names = [each.name for each in self.choices]
        if text.isdecimal() and len(text) < _LONGEST_NUMBER and 0 < int(text) <= len(names):
            return names[int(text) - 1]
        if text.lower() in names:
            return text.lower()
        raise ValueError(f"must be one of {', '.join(names)}")


def yes_or_no(text: str) -> str:
    if text.lower() in _YES | _NO:
        return YES if text.lower() in _YES else NO
    raise ValueError("must be yes or no")


def as_in_the_file(kind: Any) -> Callable[[str], str]:  # noqa: ANN401 - each kind of value has a `read` of its own
    """Return what takes an answer as the configuration would take it."""

    def read(text: str) -> str:
        kind.read(text)
        return text

    return read


def number(least: float, most: float, *, whole: bool = False) -> Callable[[str], str]:
    """Return what takes a number between two others."""

    def read(text: str) -> str:
        try:
            found = float(int(text)) if whole else float(text)
        except ValueError:
            raise ValueError(f"must be a {'whole ' if whole else ''}number") from None
        if not least <= found <= most:
            raise ValueError(f"must be between {least:g} and {most:g}")
        return text

    return read
