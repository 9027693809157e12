"""The end of what an agent wrote on its error output: for the agency, never for an owner, and without secrets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webordinary.child import Finished

_LONGEST = 500
# Looked through for secrets: more than is told, so that none is cut in two.
_LOOKED_AT = 8000
_SHORTEST_SECRET = 6
_HIDDEN = "…"
# Whatever is called a key, and what the makers of keys and tokens let theirs begin with.
_LOOKS_SECRET = re.compile(
    r"(?i:\b[\w-]{0,40}(?:key|token|secret|password|passwd|authorization|cookie)[\w-]{0,40}[\"']?\s*[=:]\s*(?:bearer\s+|basic\s+)?)"
    r"(?P<named>[\"']?[^\s\"',;]+)"
    r"|(?i:\bbearer\s+)(?P<bearer>\S+)"
    r"|(?P<known>\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|relay)[-_][\w-]{8,}|\bA[KS]IA[0-9A-Z]{12,}"
    r"|\beyJ[\w-]{10,}\.[\w.-]+)"
    r"|(?<=://)(?P<login>[^\s/@]+:[^\s/@]+)(?=@)"
)
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def read_complaint(finished: Finished, secrets: Iterable[str] = ()) -> str:
    """Return the last words in one line; empty when it said nothing."""
    text = _COLOURS.sub("", finished.stderr.decode(errors="replace"))
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, _HIDDEN)
    text = _LOOKS_SECRET.sub(_hide, text[-_LOOKED_AT:])
    line = " ".join(word for word in text.split() if word.isprintable())
    return line if len(line) <= _LONGEST else f"{_HIDDEN}{line[-_LONGEST:]}"


def with_complaint(message: str, finished: Finished, secrets: Iterable[str] = ()) -> str:
    """Return what went wrong together with the agent's own last words about it."""
    said = read_complaint(finished, secrets)
    return f"{message}; the end of its error output: {said}" if said else message


def _hide(found: re.Match[str]) -> str:
    name = found.lastgroup or "known"
    start, end = found.start(name) - found.start(), found.end(name) - found.start()
    return f"{found[0][:start]}{_HIDDEN}{found[0][end:]}"
