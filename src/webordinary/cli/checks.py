"""How `doctor` and `project check` show what they find: one line for each thing."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from webordinary.cli.output import plain, print_json, printer
from webordinary.findings import Check, CheckLevel

_STYLES = {CheckLevel.OK: "green", CheckLevel.WARN: "yellow", CheckLevel.FAIL: "bold red"}


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
