"""Sign-in at a provider (OpenID Connect, code flow with PKCE): who comes back is who the provider's signature says.

Nothing is remembered between the two halves: state, nonce and verifier are made from one secret that only the
browser keeps, so that nobody can bring the code of somebody else.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

import jwt

from webordinary.errors import Refused, TryAgain
from webordinary.oauth.login import Login
from webordinary.oauth.server import Answer, Declined, ask, fetch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import timedelta

_BYTES = 32
# How long what a provider says of itself is believed, and how soon it may be asked again for a key we do not know.
_SAME_SECONDS, _SOONEST_SECONDS = 3600.0, 60.0
_DEMANDED = ["exp", "iat", "aud", "iss", "sub"]


@dataclass(frozen=True, slots=True)
class OpenidVisit:
    """One walk of a browser to the provider and back."""

    secret: str = field(repr=False)

    @classmethod
    def new(cls) -> OpenidVisit:
        return cls(secrets.token_urlsafe(_BYTES))

    @property
    def state(self) -> str:
        return self._made(b"state")

    @property
    def nonce(self) -> str:
        return self._made(b"nonce")

    @property
    def verifier(self) -> str:
        return self._made(b"verifier")

    @property
    def challenge(self) -> str:
        return _in_letters(hashlib.sha256(self.verifier.encode()).digest())

    def _made(self, word: bytes) -> str:
        return _in_letters(hmac.new(self.secret.encode(errors="replace"), word, hashlib.sha256).digest())


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenidClient:
    """As whom we come to the provider, and what we believe."""

    issuer: str
    client_id: str
    # Read each time anew, because it may be replaced while everything runs.
    read_client_secret: Callable[[], str | None] = field(repr=False)
    redirect: str
    scopes: Sequence[str]
    algorithms: Sequence[str]
    skew: timedelta


class OpenidProvider:
    """One provider; what it says of itself and its keys are asked for when they are needed."""

    def __init__(self, client: OpenidClient) -> None:
        self.client = client
        self._lock = threading.Lock()
        self._said: tuple[float, Answer] | None = None
        self._keys: tuple[float, jwt.PyJWKSet] | None = None

    def address_for(self, visit: OpenidVisit) -> str:
        """Return where the browser goes."""
        client = self.client
        words = {
            "response_type": "code",
            "client_id": client.client_id,
            "redirect_uri": client.redirect,
            "scope": " ".join(client.scopes),
            "state": visit.state,
            "nonce": visit.nonce,
            "code_challenge": visit.challenge,
            "code_challenge_method": "S256",
        }
        where = self._address("authorization_endpoint")
        return f"{where}{'&' if urlsplit(where).query else '?'}{urlencode(words)}"

    def leaving_address(self, back_to: str) -> str | None:
        """Return where somebody leaves the provider too; None if it has no such page."""
        if not self._about().get("end_session_endpoint"):
            return None
        where = self._address("end_session_endpoint")
        words = {"client_id": self.client.client_id, "post_logout_redirect_uri": back_to}
        return f"{where}{'&' if urlsplit(where).query else '?'}{urlencode(words)}"

    def who(self, visit: OpenidVisit, brought: Mapping[str, str]) -> dict[str, Any]:
        """Return what the provider says of the person who came back; Refused when it is not meant for this browser."""
        if not hmac.compare_digest(brought.get("state", "").encode(errors="replace"), visit.state.encode()):
            raise Refused("This way in was begun elsewhere, or too long ago; begin again.")
        # Providers that say who they are must be the one that was asked (RFC 9207).
        if brought.get("iss", self.client.issuer) != self.client.issuer:
            raise Refused("Another provider has answered than the one that was asked; begin again.")
        if "error" in brought or not brought.get("code"):
            raise Refused("The provider has not let you in; begin again.")
        return self._read(self._redeem(visit, brought["code"]), visit)

    def _redeem(self, visit: OpenidVisit, code: str) -> str:
        client = self.client
        login = Login(
            name="dashboard",
            client_id=client.client_id,
            read_client_secret=client.read_client_secret,
            token_url=self._address("token_endpoint"),
        )
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": client.redirect,
            "code_verifier": visit.verifier,
        }
        try:
            token = ask(login, login.token_url, form).get("id_token")
        except Declined as declined:
            raise Refused(f"The provider does not take its own code ({declined}); begin again.") from None
        if not isinstance(token, str):
            raise Refused("The provider has not said who you are; begin again.")
        return token

    def _read(self, token: str, visit: OpenidVisit) -> dict[str, Any]:
        client = self.client
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                self._key_of(token),
                algorithms=list(client.algorithms),
                audience=client.client_id,
                issuer=client.issuer,
                leeway=client.skew,
                options={"require": _DEMANDED, "verify_iat": True},
            )
        except jwt.PyJWTError as problem:
            raise Refused(f"What the provider says of you is not believed ({problem}); begin again.") from None
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(errors="replace"), visit.nonce.encode()):
            raise Refused("What the provider says was meant for another sign-in; begin again.")
        if claims.get("azp", client.client_id) != client.client_id:
            raise Refused("What the provider says was meant for another application; begin again.")
        return claims

    def _key_of(self, token: str) -> jwt.PyJWK:
        """Find the key that a token names; an unknown one may be new, so the provider is asked once more."""
        name = jwt.get_unverified_header(token).get("kid")
        for soonest in (_SAME_SECONDS, _SOONEST_SECONDS):
            known = [key for key in self._all_keys(soonest).keys if key.public_key_use in {None, "sig"}]
            found = [key for key in known if key.key_id == name] if name else known
            if len(found) == 1:
                return found[0]
        raise jwt.InvalidKeyError("no key of the provider fits")

    def _all_keys(self, soonest: float) -> jwt.PyJWKSet:
        with self._lock:
            kept = self._keys
        if kept is not None and time.monotonic() - kept[0] < soonest:
            return kept[1]
        said = fetch(self._address("jwks_uri"))
        try:
            keys = jwt.PyJWKSet.from_dict(said)
        except jwt.PyJWTError as problem:
            raise TryAgain(f"the provider's keys cannot be read ({problem})") from None
        with self._lock:
            self._keys = (time.monotonic(), keys)
        return keys

    def _address(self, name: str) -> str:
        """Return one of the provider's addresses; only one that nobody can listen to on the way."""
        address = str(self._about().get(name, ""))
        is_safe = address.startswith("https://") or urlsplit(address).hostname == urlsplit(self.client.issuer).hostname
        if not is_safe or not address.startswith(("https://", "http://")):
            raise TryAgain(f"the provider names no safe {name}")
        return address

    def _about(self) -> Answer:
        with self._lock:
            said = self._said
        if said is not None and time.monotonic() - said[0] < _SAME_SECONDS:
            return said[1]
        about = fetch(f"{self.client.issuer.rstrip('/')}/.well-known/openid-configuration")
        if about.get("issuer") != self.client.issuer:
            own = str(about.get("issuer"))[:100]
            raise TryAgain(f"the provider calls itself {own}: correct dashboard.openid.issuer")
        with self._lock:
            self._said = (time.monotonic(), about)
        return about


def _in_letters(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
