"""What a server has said, without what it was told in confidence: some repeat the question in their answer."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

if TYPE_CHECKING:
    from collections.abc import Iterable

_HIDDEN = "…"
_LONGEST = 200
# More than is worth reading, and little enough to look at each part of it.
_MOST_READ = 20_000
# So much of a secret is recognised also where the rest was cut off.
_PART = 16
_LONG_WORD = re.compile(rf"[\w.~+/=%-]{{{_PART},}}", re.ASCII)


def quoted(said: str, secrets: Iterable[str]) -> str:
    """Return the first line of what a server says, short and without the secrets, however it spells them."""
    spelled = sorted({word for secret in secrets if secret for word in _spellings(secret)}, key=len, reverse=True)
    text = said[:_MOST_READ]
    for word in spelled:
        text = text.replace(word, _HIDDEN)
    text = _LONG_WORD.sub(lambda word: _HIDDEN if _is_part(word[0], spelled) else word[0], text)
    line = next(iter(text.splitlines()), "")
    return "".join(letter for letter in line if letter.isprintable())[:_LONGEST].strip()


def _spellings(secret: str) -> Iterable[str]:
    encoded = base64.b64encode(secret.encode()).decode()
    return secret, quote_plus(secret), quote(secret, safe=""), encoded, encoded.rstrip("=")


def _is_part(word: str, spelled: Iterable[str]) -> bool:
    parts = {word[at : at + _PART] for at in range(len(word) - _PART + 1)}
    return any(part in whole for whole in spelled for part in parts)
