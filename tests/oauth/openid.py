"""A provider of OpenID Connect on loopback: what it says of a person is signed, and each part can be bent."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from tests.doors.token_server import CLIENT

if TYPE_CHECKING:
    from tests.doors.token_server import TokenServer

WHO = {"sub": "1234", "email": "Amy@Example.com", "email_verified": True, "groups": ["web-team"]}


@dataclass
class OpenidServer:
    """The provider; `claims` are said over the usual ones, and None leaves one out."""

    giver: TokenServer
    claims: dict[str, Any] = field(default_factory=lambda: dict(WHO))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    name: str = "key-1"
    algorithm: str = "ES256"

    def __post_init__(self) -> None:
        self.giver.say_who = self.say_who
        self.giver.pages["/.well-known/openid-configuration"] = {
            "issuer": self.giver.address,
            "authorization_endpoint": f"{self.giver.address}/authorize",
            "token_endpoint": f"{self.giver.address}/token",
            "jwks_uri": f"{self.giver.address}/keys",
            "end_session_endpoint": f"{self.giver.address}/leave",
        }
        self.show_key()

    def show_key(self) -> None:
        """Tell everybody the key that is used now."""
        shown = json.loads(ECAlgorithm.to_jwk(self.key.public_key()))
        self.giver.pages["/keys"] = {"keys": [{**shown, "kid": self.name, "use": "sig", "alg": "ES256"}]}

    def change_key(self, name: str) -> None:
        """Sign with another key from now on."""
        self.key, self.name = ec.generate_private_key(ec.SECP256R1()), name

    def say_who(self, nonce: str) -> str:
        now = int(time.time())
        usual = {"iss": self.giver.address, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce}
        said = {name: value for name, value in (usual | self.claims).items() if value is not None}
        headers = {"kid": self.name}
        if self.algorithm == "none":
            return jwt.encode(said, "", algorithm="none", headers=headers)
        if self.algorithm == "HS256":
            public = json.dumps(self.giver.pages["/keys"]).encode()
            return jwt.encode(said, public, algorithm="HS256", headers=headers)
        return jwt.encode(said, self.key, algorithm=self.algorithm, headers=headers)
