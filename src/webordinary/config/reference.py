"""The reference page of the configuration, made from its shape: `python -m webordinary.config.reference`."""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec import NODEFAULT

from webordinary.config.amazon import AWS_WORKERS, PREFIX_RULE
from webordinary.config.describe import expectation, is_list, is_required, keys_of, section_in, sentences_of
from webordinary.config.environment import KNOWN_OTHERS, SWITCHES
from webordinary.config.shape import File, Workers
from webordinary.values import Listen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msgspec.structs import FieldInfo

    from webordinary.values import Section

_INTRODUCTION = """\
# Configuration

<!-- Made by `python -m webordinary.config.reference > docs/reference/configuration.md`; do not edit. -->

WebOrdinary reads one file, `webordinary.toml`; `webordinary init` writes a first one. A key that is not
listed here, or a value that does not fit, is refused with its line. Relative paths begin at its folder.

A **duration** is a number of seconds or a text such as `"30 s"`, `"30 min"`, `"24 h"` or `"30 days"`.
A **host and a port** is a text such as `"127.0.0.1:2525"` or `"[::1]:2525"`; port 0 takes any free port.
A **command** is a list of words, or one line that is split into words; no shell runs it.
An **id** has lower-case letters, digits and inner hyphens, at most 28 characters.
A **prefix** has {prefix}.
An **address for mail** without a port means 25, with a user 587, and 465 for `smtps`.
"""

_VARIABLES = """\
## Variables

Every key outside a list can also be set by a variable, which wins over the file: `WEBORDINARY_` and the path
in capitals, such as `WEBORDINARY_SMTP_LISTEN` for `[smtp] listen`. With `_FILE` at the end the variable names
a file that holds the value: `WEBORDINARY_OUTGOING_URL_FILE` keeps a password out of the configuration. An
empty variable counts as not set. A `WEBORDINARY_` variable that sets no key is refused, except these, which
mean something else: {others} and all that begin with `{switches}`.
"""


def reference_page() -> str:
    """Return the whole page."""
    return "\n".join([_INTRODUCTION.format(prefix=PREFIX_RULE), *_tables(File, ""), _variables()])


def _tables(section: type[Section], header: str) -> Iterator[str]:
    keys = keys_of(section)
    title = f"## `{header}`" if header else "## At the top of the file"
    others: dict[str, str | int] = AWS_WORKERS if section is Workers else {}
    rows = [
        _row(key, sentences_of(section), others.get(key.name)) for key in keys.values() if section_in(key.type) is None
    ]
    head = ["| key | type | default | meaning |", "|---|---|---|---|"]
    yield "\n".join([title, "", f"{section.__doc__}", "", *head, *rows, ""])
    path = header.strip("[]") + "." if header else ""
    for name, key in keys.items():
        if inner := section_in(key.type):
            yield from _tables(inner, f"[[{path}{name}]]" if is_list(key.type) else f"[{path}{name}]")


def _row(key: FieldInfo, sentences: dict[str, str], on_aws: str | int | None) -> str:
    default = f"{_default(key)}, on AWS `{_toml(on_aws)}`" if on_aws else _default(key)
    cells = (f"`{key.name}`", _without_article(expectation(key.type)), default, sentences[key.name])
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _without_article(words: str) -> str:
    return words.removeprefix("a ").removeprefix("an ")


def _default(key: FieldInfo) -> str:
    if is_required(key):
        return "required"
    return f"`{_toml(key.default)}`" if key.default not in (None, (), NODEFAULT) else "none"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, timedelta):
        return f'"{_spell(value)}"'
    if isinstance(value, tuple) and not isinstance(value, Listen):
        return f"[{', '.join(_toml(part) for part in value)}]"
    return f'"{value}"'


def _spell(duration: timedelta) -> str:
    seconds = int(duration.total_seconds())
    units = ((86400, "days"), (3600, "h"), (60, "min"))
    # More than one of a unit: "24 h" and "60 s" read better than one day and one minute.
    fits = [(size, unit) for size, unit in units if seconds > size and seconds % size == 0]
    size, unit = fits[0] if fits else (1, "s")
    return f"{seconds // size} {unit}"


def _variables() -> str:
    others = ", ".join(f"`{name}`" for name in sorted(KNOWN_OTHERS))
    return _VARIABLES.format(others=others, switches=f"{SWITCHES}…")


if __name__ == "__main__":
    sys.stdout.write(reference_page())
