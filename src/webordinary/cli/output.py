"""What the commands print: JSON for programs, tables and lines for people, the same without a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

# Without a terminal nothing is wrapped or cut.
_ENDLESS = 10_000


def printer(*, to_errors: bool = False) -> Console:
    """Return where text for people goes."""
    stream = sys.stderr if to_errors else sys.stdout
    is_terminal = stream.isatty()
    width = None if is_terminal else _ENDLESS
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=True)


def say(line: str, style: str = "") -> None:
    """Print one line for people."""
    printer().print(Text(plain(line), style=style))


def say_error(sentence: str) -> None:
    """Print what is wrong, on the error stream."""
    for line in sentence.splitlines():
        printer(to_errors=True).print(Text(plain(line), style="red"))


def print_json(value: object) -> None:
    """Print a value of plain lists, objects and texts; in ASCII, which every pipe can carry."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def print_json_line(value: object) -> None:
    """Print a value as one line, for programs that read one object after another."""
    sys.stdout.write(json.dumps(value) + "\n")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], nothing: str) -> None:
    """Print rows under their names, or one sentence when there are none."""
    shown = [[plain(readable(cell)) for cell in row] for row in rows]
    if not shown:
        say(nothing)
        return
    paper = printer()
    if not paper.is_terminal:
        _print_aligned([list(columns), *shown])
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in shown:
        table.add_row(*map(Text, row))
    paper.print(table, soft_wrap=False)


def _print_aligned(rows: list[list[str]]) -> None:
    """Print one line for each row, for grep and awk."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        say("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


def print_pairs(pairs: Iterable[tuple[str, object]]) -> None:
    """Print names and values, one pair on each line; what has no value is left out."""
    known = [(name, readable(value)) for name, value in pairs if value not in {None, ""}]
    widest = max((len(name) for name, _ in known), default=0)
    for name, value in known:
        first, *rest = value.splitlines() or [""]
        printer().print(Text.assemble((f"{name:<{widest}}  ", "bold"), plain(first)))
        for line in rest:
            say(f"{'':<{widest}}  {line}")


def readable(value: object) -> str:
    """Return a value as people read it, moments in the time zone of this machine."""
    if isinstance(value, datetime):
        return value.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return "" if value is None else str(value)


def plain(text: str) -> str:
    """Return text that cannot do anything to a terminal: mails are written by strangers."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
