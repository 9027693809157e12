"""Street addresses in texts, as English, German, French and Spanish write them, in one form each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = r"[^\W\d_][\w'\u2019-]{0,40}"
_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\w'\u2019-]{0,40}"
_STREET = r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Square|Sq)\b\.?"
# Names of streets begin with a capital: without that, "at 9 on our street" would be an address.
_ADDRESS = re.compile(
    rf"\b(?:{_NAME}(?:straße|strasse|str\.|gasse|allee|platz)\s{{1,3}}\d{{1,4}}\b(?:\s?[a-z]\b)?"
    rf"|{_NAME}[ -](?:Straße|Strasse|Str\.|Gasse|Allee|Platz)\s{{1,3}}\d{{1,4}}\b(?:\s?[a-z]\b)?"
    rf"|\d{{1,5}}[a-zA-Z]?\s(?:{_CAPITAL}\s){{1,3}}{_STREET}"
    rf"|{_CAPITAL}\s{_STREET}\s\d{{1,5}}\b"
    r"|\d{1,4}(?:\s?bis|\s?ter)?,?\s(?:rue|avenue|boulevard|place|chemin|quai|impasse)\s"
    rf"(?:[\w'\u2019]{{1,15}}\s){{0,4}}{_CAPITAL}"
    rf"|(?:Calle|C/|Avenida|Avda\.?|Plaza|Paseo)\s(?:[a-zé]{{1,8}}\s){{0,3}}{_CAPITAL}(?:\s{_CAPITAL})?,?\s\d{{1,4}}\b)"
)
_SHORT = (
    (re.compile(r"straße|strasse|str\."), "str"),
    (re.compile(r"\bstreet\b|\bst\."), "st"),
    (re.compile(r"\broad\b|\brd\."), "rd"),
    (re.compile(r"\bavenue\b|\bave\."), "ave"),
    (re.compile(r"\bavenida\b|\bavda\."), "avda"),
    (re.compile(r"\bc/"), "calle "),
)


def find_addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each address begins and ends, and its one form."""
    for match in _ADDRESS.finditer(text):
        yield match.start(), match.end(), _form(match[0])


def _form(address: str) -> str:
    form = address.lower()
    for pattern, short in _SHORT:
        form = pattern.sub(short, form)
    return " ".join(re.sub(r"[^\w\s]", " ", form).split())
