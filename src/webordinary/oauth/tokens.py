"""Access tokens of one login: all processes share them, and one at a time renews them."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

import msgspec

from webordinary.errors import LoginNeeded, Misconfigured, TryAgain
from webordinary.oauth.login import Grant
from webordinary.oauth.server import Declined, ask, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from webordinary.clock import Clock
    from webordinary.oauth.login import Login
    from webordinary.oauth.server import Answer
    from webordinary.routing.secrets import Secrets


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


class InHand:
    """Secrets that end with the process."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}

    def has(self, name: str) -> bool:
        return name in self._held

    def read(self, name: str) -> str:
        if name not in self._held:
            raise Misconfigured(f"There is no secret {name}.")
        return self._held[name]

    def keep(self, name: str, secret: str) -> None:
        self._held[name] = secret

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:  # noqa: ARG002 - as the port has it
        yield


Done = TypeVar("Done")
_INVALID = "invalid_grant"
# How long a refusal is not asked for again, as long as nobody has logged in.
_SAME_ANSWER = timedelta(minutes=1)


class TokenRefused(TryAgain):
    """A mail server does not take a token; the next one may do."""


class Tokens:
    """Found anew each time, so that a login heals as soon as somebody has logged in again."""

    def __init__(self, login: Login, secrets: Secrets, clock: Clock) -> None:
        self.login = login
        self._secrets = secrets
        self._clock = clock
        self._refused: tuple[KeptLogin, datetime, LoginNeeded] | None = None

    def use(self, act: Callable[[str], Done], whom: str) -> Done:
        """Do something with a token, and once more with a newer one when a mail server refuses the first."""
        first = self.current()
        try:
            return act(first)
        except TokenRefused:
            second = self.instead_of(first)
        try:
            return act(second)
        except TokenRefused as refused:
            said = quoted(str(refused), [first, second])
            why = f"{whom} does not let us in with the token of {self.login.name} ({said})"
            raise self.login.needed(why, self._kept().since) from None

    def current(self) -> str:
        """Return a token that has not run out; LoginNeeded when a person has to log in first."""
        return self._token(refused=None)

    def instead_of(self, refused: str) -> str:
        """Return another token than one that a mail server has refused."""
        return self._token(refused)

    def _token(self, refused: str | None) -> str:
        kept = self._kept()
        if not self._is_good(kept, refused):
            with self._secrets.alone(self.login.secret_name):
                # Somebody else may have renewed it while we waited.
                kept = self._kept()
                if not self._is_good(kept, refused):
                    kept = self._renew(kept)
        return kept.access_token or ""

    def _is_good(self, kept: KeptLogin, refused: str | None) -> bool:
        return kept.is_fresh(self._clock.now().wall_at) and kept.access_token != refused

    def _kept(self) -> KeptLogin:
        name = self.login.secret_name
        return KeptLogin.read(self._secrets.read(name)) if self._secrets.has(name) else KeptLogin()

    def _renew(self, kept: KeptLogin) -> KeptLogin:
        """Ask for the next token and keep it before anybody uses it: the provider may have taken the old one away."""
        asked_at = self._clock.now().wall_at
        if self.login.grant is Grant.REFRESH_TOKEN:
            kept = kept.begun(asked_at)
        self._spare_the_provider(kept, asked_at)
        try:
            kept, answer = self._ask(kept)
        except LoginNeeded as needed:
            self._refused = (kept, asked_at, needed)
            raise
        try:
            kept = kept.renewed(answer, asked_at)
        except TryAgain:
            # Whatever is wrong with the rest, the refresh token that we had may be worth nothing any more.
            kept = kept.handed(answer)
            raise
        finally:
            self._secrets.keep(self.login.secret_name, kept.write())
        return kept

    def _spare_the_provider(self, kept: KeptLogin, now: datetime) -> None:
        """Say again what was said a moment ago: many letters may wait for one login."""
        if self._refused is not None:
            what, at, needed = self._refused
            if what.refresh_token == kept.refresh_token and now - at < _SAME_ANSWER:
                raise needed

    def _ask(self, kept: KeptLogin) -> tuple[KeptLogin, Answer]:
        """Return the answer, and what it was given for: another machine may have kept something newer."""
        login = self.login
        if login.grant is Grant.CLIENT_CREDENTIALS:
            form = {"grant_type": login.grant.value, "scope": " ".join(login.scopes)}
        elif kept.refresh_token is None:
            raise login.needed(f"nobody has logged in for {login.name} yet")
        else:
            form = {"grant_type": login.grant.value, "refresh_token": kept.refresh_token}
        try:
            return kept, ask(login, login.token_url, form)
        except Declined as declined:
            newer = self._kept()
            if declined.code == _INVALID and newer.refresh_token != kept.refresh_token:
                # Another machine was quicker.
                return self._ask(newer)
            raise login.needed(f"the login of {login.name} is no longer taken ({declined})", kept.since) from None
