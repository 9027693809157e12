"""Programs inside pages: what some servers run although the file is called a page."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from webordinary.site.content import ending_of
from webordinary.site.kinds import PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

_READ_BY_SERVERS = PAGES | {"svg", "xml"}
# PHP's signs, long and short, and the directives of server-side includes.
_BEGINS = re.compile(r"(<\?(?:php|=|\s)|<!--#)", re.IGNORECASE)
# Behind so many of them everything counts as one more.
_MOST = 1_000
_ENDS = {"<?": "?>", "<!": "-->"}


def is_read_by_servers(path: str) -> bool:
    """Tell whether some servers look for programs in a file of this kind."""
    return ending_of(path) in _READ_BY_SERVERS


def find_programs(path: str, content: bytes) -> Iterator[str]:
    """Return a mark for each program in a page; the same program has the same mark wherever it stands."""
    if not is_read_by_servers(path):
        return
    # Split and not searched to the end: a page of nothing but beginnings takes no longer than another one.
    _, *parts = _BEGINS.split(content.decode("latin-1"), maxsplit=_MOST)
    for begins, rest in zip(parts[::2], parts[1::2], strict=True):
        program = begins + rest.partition(_ENDS[begins[:2]])[0]
        yield hashlib.sha256(program.encode()).hexdigest()[:16]
