"""Where the addresses on a page lead, and the marks of the programs in it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
MARKS = re.compile(r" #(?P<all>\w+)\.\w+\.(?P<code>\w+)$")
ADDRESSES = re.compile(r"(?:https?:)?//[^\s\"'<>]+", re.IGNORECASE)


def host_of(address: str) -> str:
    """Return the host that browsers go to, without `www.`; empty for what stays on the site."""
    plain = address.strip().replace("\\", "/")
    if scheme_of(plain) not in {"", "http", "https"}:
        return ""
    if scheme_of(plain):
        plain = f"//{plain.partition(':')[2]}"
    if plain.startswith("//"):
        plain = f"//{plain.lstrip('/')}"
    try:
        host = urlsplit(plain).hostname
    except ValueError:
        # Browsers may read what we cannot: it stands for itself.
        return plain.lower()
    return (host or "").removesuffix(".").removeprefix("www.")


def scheme_of(address: str) -> str:
    """Return the way to an address, in small letters; empty when it says none."""
    found = _SCHEME.match(address)
    return found[1].lower() if found else ""
