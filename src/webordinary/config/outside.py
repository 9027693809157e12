"""Secrets that lie outside of the configuration: in a file, or in a variable of the environment."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from webordinary.values import Variable


def read_outside(
    file: Path | None, variable: Variable | None, what: str, key: str, environ: Mapping[str, str] = os.environ
) -> str:
    """Return the secret from where the configuration says that it is; each time anew, because it may change."""
    if variable is not None:
        found, where = environ.get(variable, ""), f"the variable {variable}"
    else:
        found, where = _from_file(file, key), f"the file {file}"
    if not found or not found.isprintable():
        raise Misconfigured(f"{where} does not hold {what} on one line: put it there")
    return found


def _from_file(file: Path | None, key: str) -> str:
    if file is None:
        return ""
    try:
        return file.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise Misconfigured(f"{file} cannot be read ({why}): correct {key}") from None
