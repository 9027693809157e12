"""Street addresses in texts, as each language writes them, in one form each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.languages import any_of, known

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = r"[^\W\d_][\w'\u2019-]{0,40}"
_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\w'\u2019-]{0,40}"
# Names of streets begin with a capital: without that, "at 9 on our street" would be an address.
_ADDRESS = re.compile(
    rf"\b(?:{any_of(lambda each: each.site.addresses)})".replace("{name}", _NAME).replace("{capital}", _CAPITAL)
)
_SHORT = tuple((re.compile(long), short) for each in known() for long, short in each.site.streets_short)


def find_addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each address begins and ends, and its one form."""
    for match in _ADDRESS.finditer(text):
        yield match.start(), match.end(), _form(match[0])


def _form(address: str) -> str:
    form = address.lower()
    for pattern, short in _SHORT:
        form = pattern.sub(short, form)
    return " ".join(re.sub(r"[^\w\s]", " ", form).split())
