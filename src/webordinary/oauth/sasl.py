"""What is said to a mail server with a token: XOAUTH2 (Google's and Microsoft's) and OAUTHBEARER (RFC 7628)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.oauth.login import Mechanism

if TYPE_CHECKING:
    from collections.abc import Collection

# What a server that refuses says before it does; it waits for one more word.
_LAST_WORDS = {Mechanism.XOAUTH2: b"", Mechanism.OAUTHBEARER: b"\x01"}


def choose_mechanism(offered: Collection[str], wish: Mechanism | None) -> Mechanism | None:
    """Return how to come in at a server that offers these; the standard first, unless another one is wished."""
    usual = [*Mechanism][::-1]
    wishes = [wish, *usual] if wish else usual
    return next((each for each in wishes if each.value.upper() in offered), None)


def first_words(mechanism: Mechanism, user: str, token: str, host: str, port: int) -> bytes:
    """Return what shows the token."""
    if mechanism is Mechanism.XOAUTH2:
        return f"user={user}\x01auth=Bearer {token}\x01\x01".encode()
    name = user.replace("=", "=3D").replace(",", "=2C")
    return f"n,a={name},\x01host={host}\x01port={port}\x01auth=Bearer {token}\x01\x01".encode()


class SaslAnswers:
    """The whole conversation, as the drivers want it: they ask for each next word."""

    def __init__(self, mechanism: Mechanism, first: bytes) -> None:
        self._next = [first, _LAST_WORDS[mechanism]]

    def __call__(self, _challenge: bytes | None = None) -> bytes:
        return self._next.pop(0) if self._next else b""
