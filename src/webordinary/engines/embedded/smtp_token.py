"""Shows an outgoing server a token instead of a password (AUTH, RFC 4954)."""

from __future__ import annotations

import base64
import smtplib
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.oauth.sasl import SaslAnswers, choose_mechanism, first_words
from webordinary.oauth.server import quoted
from webordinary.oauth.tokens import TokenRefused
from webordinary.values import Listen

if TYPE_CHECKING:
    from webordinary.oauth.login import Mechanism

_LET_IN = 235
_GO_ON = 334
_PERMANENT = 500


@dataclass(frozen=True, slots=True)
class TokenLogin:
    """Where a token is shown, and in whose name."""

    host: str
    port: int
    user: str

    def may_see(self, *, encrypted: bool) -> bool:
        """Tell whether nobody on the way can read what is said there."""
        return encrypted or Listen((self.host, 0)).is_loopback


def show_token(server: smtplib.SMTP, place: TokenLogin, token: str, wish: Mechanism | None) -> None:
    """Log in with a token; TokenRefused when the server does not take it."""
    if not place.may_see(encrypted=isinstance(server.sock, ssl.SSLSocket)):
        raise Misconfigured(f"{place.host} does not encrypt, so it is shown no token: write smtps:// in outgoing.url")
    # Behind the encryption a server may offer more.
    server.ehlo_or_helo_if_needed()
    mechanism = choose_mechanism(server.esmtp_features.get("auth", "").upper().split(), wish)
    if mechanism is None:
        raise Misconfigured(f"{place.host} takes no tokens: remove outgoing.oauth and write a password instead")
    shown = first_words(mechanism, place.user, token, place.host, place.port)
    words = SaslAnswers(mechanism, shown)
    code, said = server.docmd("AUTH", f"{mechanism.value.upper()} {_encoded(words)}")
    if code == _GO_ON:
        # What is wrong with the token; the verdict follows upon one more word.
        code, said = server.docmd(_encoded(words))
    if code == _LET_IN:
        return
    text = quoted(" ".join(said.decode(errors="replace").split()), [token, shown.decode()])
    if code < _PERMANENT:
        raise smtplib.SMTPResponseException(code, text)
    raise TokenRefused(f"{code} {text}")


def _encoded(words: SaslAnswers) -> str:
    return base64.b64encode(words()).decode()
