"""What an agent says at the end of its run: why it stopped, its question, its dates and the words it did not find."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class WhyStopped(StrEnum):
    """Why an agent ended by itself."""

    DONE = "done"
    NOT_UNDERSTOOD = "not_understood"
    QUESTION = "question"
    # What was asked stands on the site, but nowhere where a mail may change it.
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class Question:
    """What an agent has to know before it can go on; the owner may answer with the number of a choice."""

    text: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenCount:
    """What models have read and written, as their servers count it; what is remembered from before costs a tenth."""

    read: int = 0
    cache_read: int = 0
    cache_written: int = 0
    written: int = 0

    def __add__(self, other: TokenCount) -> TokenCount:
        return TokenCount(
            self.read + other.read,
            self.cache_read + other.cache_read,
            self.cache_written + other.cache_written,
            self.written + other.written,
        )


@dataclass(frozen=True, slots=True)
class Period:
    """From when until when an agent understands a change to hold, in its own writing; empty is at once, or for good."""

    starts: str = ""
    ends: str = ""


@dataclass(frozen=True, slots=True)
class ProtectedPlace:
    """Where in a file that may not be changed by mail a wish would be carried out, and why that file may not."""

    path: str
    line: int
    why: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Unfound:
    """Words that an agent looked for and did not find where it may change them; `told` is how its summary says so."""

    words: str
    told: str
    places: tuple[ProtectedPlace, ...] = ()
