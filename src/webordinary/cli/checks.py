"""What `doctor` and `project check` find: one line for each thing, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from rich.text import Text

from webordinary.cli.output import plain, print_json, printer


class CheckLevel(StrEnum):
    """How good something is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


_STYLES = {CheckLevel.OK: "green", CheckLevel.WARN: "yellow", CheckLevel.FAIL: "bold red"}


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


def print_checks(checks: Iterable[Check], *, as_json: bool) -> list[Check]:
    """Print each check as soon as it is known, and return those that failed."""
    done: list[Check] = []
    for check in checks:
        done.append(check)
        if not as_json:
            mark = Text(f"{check.finding.value:<5}", style=_STYLES[check.finding])
            printer().print(Text.assemble(mark, f"{plain(check.name):<14} {plain(check.says)}"))
    if as_json:
        print_json([{"name": each.name, "state": each.finding.value, "text": each.says} for each in done])
    return [each for each in done if each.finding is CheckLevel.FAIL]
