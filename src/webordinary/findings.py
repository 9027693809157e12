"""What somebody who looks finds: one thing, how good it is, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CheckLevel(StrEnum):
    """How good something is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    finding: CheckLevel
    says: str


def ok(name: str, says: str) -> Check:
    return Check(name, CheckLevel.OK, says)


def warn(name: str, says: str) -> Check:
    return Check(name, CheckLevel.WARN, says)


def fail(name: str, says: str) -> Check:
    return Check(name, CheckLevel.FAIL, says)
