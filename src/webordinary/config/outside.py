"""Secrets that lie outside of the configuration: in a file, or in a variable of the environment."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.routing.secrets import read_named_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from webordinary.values import Variable


def read_outside(
    file: Path | None, variable: Variable | None, what: str, key: str, environ: Mapping[str, str] = os.environ
) -> str:
    """Return the secret from where the configuration says that it is; each time anew, because it may change."""
    found, where = "", f"the file {file}"
    if variable is not None:
        found, where = environ.get(variable, ""), f"the variable {variable}"
    elif file is not None:
        found = read_named_file(file, lambda why: f"{file} cannot be read ({why}): correct {key}").rstrip("\r\n")
    if not found or not found.isprintable():
        raise Misconfigured(f"{where} does not hold {what} on one line: put it there")
    return found
