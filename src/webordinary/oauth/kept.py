"""What is kept of a login: one secret that all processes read, so that they share a token and its renewal."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.oauth.server import Answer

# Characters that a token may have (RFC 6750 and 6749): none that could end it in the words to a mail server.
_ACCESS = re.compile(r"[A-Za-z0-9._~+/-]+=*", re.ASCII)
_REFRESH = re.compile(r"[\x20-\x7e]+", re.ASCII)
_EARLIER = timedelta(minutes=5)
# For servers that do not say how long a token lives; a refusal renews it anyway.
_USUAL_LIFE = 3600.0
_LONGEST_LIFE = 10 * 365 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class KeptLogin:
    """What the provider gave; nothing of it is ever shown."""

    refresh_token: str | None = field(default=None, repr=False)
    access_token: str | None = field(default=None, repr=False)
    # Seconds of the wall clock.
    renew_at: float = 0.0
    # When somebody logged in, so that one refusal is told from the next.
    since: str = ""

    @classmethod
    def read(cls, text: str) -> KeptLogin:
        """Read what was kept; a refresh token that a person has put there may stand alone."""
        if not text.lstrip().startswith("{"):
            return cls(refresh_token=text.strip() or None)
        try:
            return msgspec.json.decode(text.encode(), type=cls)
        except msgspec.DecodeError:
            return cls()

    def write(self) -> str:
        return msgspec.json.encode(asdict(self)).decode()

    def is_fresh(self, now: datetime) -> bool:
        return self.access_token is not None and now.timestamp() < self.renew_at

    def begun(self, now: datetime) -> KeptLogin:
        """Return it with the moment of the login, for one that a person has put there by hand."""
        return self if self.since or self.refresh_token is None else replace(self, since=f"{now:%Y-%m-%dT%H:%M:%SZ}")

    def handed(self, answer: Answer) -> KeptLogin:
        """Return it with the refresh token of an answer, which replaces the one that we had."""
        new = answer.get("refresh_token")
        return replace(self, refresh_token=new) if isinstance(new, str) and _REFRESH.fullmatch(new) else self

    def renewed(self, answer: Answer, now: datetime) -> KeptLogin:
        """Return what is to be kept after an answer."""
        kind, token = answer.get("token_type"), answer.get("access_token")
        if not isinstance(token, str) or not _ACCESS.fullmatch(token) or str(kind).lower() != "bearer":
            raise TryAgain("the token server has answered without a token that a mail server could read")
        life = _life(answer.get("expires_in"))
        # Half of a short life: it must not be renewed each time that it is asked for.
        earlier = min(_EARLIER.total_seconds(), life / 2)
        return replace(self.handed(answer), access_token=token, renew_at=now.timestamp() + life - earlier)


def _life(told: object) -> float:
    try:
        seconds = float(str(told))
    except ValueError:
        return _USUAL_LIFE
    return min(max(seconds, 0.0), _LONGEST_LIFE) if seconds == seconds else _USUAL_LIFE  # noqa: PLR0124 - not a number
