"""The device flow (RFC 8628): a person says yes in any browser, while we ask whether they have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured, Refused, TryAgain
from webordinary.oauth.server import Declined, ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.oauth.login import Login
    from webordinary.oauth.server import Answer

_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_USUAL_PAUSE = 5.0
_LONGEST_PAUSE = 60.0
_USUAL_LIFE = 900.0


@dataclass(frozen=True, slots=True)
class DeviceCode:
    """Where a person goes with which code, and how often we may ask meanwhile."""

    address: str
    user_code: str
    device_code: str = field(repr=False)
    pause: float
    life: float


def ask_for_code(login: Login) -> DeviceCode:
    """Begin; what comes back is for the person."""
    if login.device_url is None:
        raise Misconfigured(f"The provider of {login.name} has no device flow; use --browser.")
    try:
        answer = ask(login, login.device_url, {"scope": " ".join(login.scopes)})
    except Declined as declined:
        raise Refused(f"The provider begins no device flow ({declined}); look at the application there.") from None
    # Google calls it by another name than the standard.
    address = answer.get("verification_uri") or answer.get("verification_url")
    return DeviceCode(
        str(address or ""),
        str(answer.get("user_code", "")),
        str(answer.get("device_code", "")),
        pause=_seconds(answer.get("interval"), _USUAL_PAUSE),
        life=_seconds(answer.get("expires_in"), _USUAL_LIFE),
    )


def wait_for_yes(login: Login, asked: DeviceCode, rest: Callable[[float], None]) -> Answer:
    """Ask until the person has said yes or no, or the code has run out; never more often than the provider wants."""
    pause, waited = asked.pause, 0.0
    while waited < asked.life:
        rest(pause)
        waited += pause
        try:
            return ask(login, login.token_url, {"grant_type": _GRANT, "device_code": asked.device_code})
        except Declined as declined:
            pause += _slower(declined)
        except TryAgain:
            # A server that is away is asked half as often (RFC 8628, 3.5).
            pause = min(pause * 2, max(_LONGEST_PAUSE, pause))
    raise Refused("Nobody has said yes before the code ran out; begin again.")


def _slower(declined: Declined) -> float:
    match declined.code:
        case "authorization_pending":
            return 0.0
        case "slow_down":
            return _USUAL_PAUSE
        case "access_denied":
            raise Refused("The provider was told no; nothing was changed.")
        case "expired_token":
            raise Refused("Nobody has said yes before the code ran out; begin again.")
        case _:
            raise Refused(f"The provider gives no token ({declined}); look at the application there.")


def _seconds(told: object, usual: float) -> float:
    return float(told) if isinstance(told, int | float) and told > 0 else usual
