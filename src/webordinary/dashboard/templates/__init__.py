"""The pages' templates; what they are given is escaped, always."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from webordinary.audit.story import tell
from webordinary.dashboard.flash import said
from webordinary.dashboard.navigation import links_for
from webordinary.dashboard.offer import HELPS
from webordinary.dashboard.story.excerpt import plain

if TYPE_CHECKING:
    from datetime import datetime, timedelta

_HERE = Path(__file__).parent
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_KILO = 1000


def render(name: str, **facts: Any) -> str:  # noqa: ANN401 - a template takes all
    """Return a page of these facts."""
    return environment().get_template(name).render(**facts)


@cache
def environment() -> Environment:
    """Return the templates, with escaping on for every file whatever its name."""
    made = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {
        "moment": moment,
        "day": day,
        "iso": iso,
        "span": span,
        "tell": tell,
        "money": money,
        "clock": clock,
        "megabytes": megabytes,
        "plain": plain,
        "size": size,
        "web_address": web_address,
    }
    made.globals |= {**HELPS, "said": said, "links_for": links_for}
    return made


def moment(at: datetime | None) -> str:
    """Return a moment as people read it, by the clock of the installation."""
    return "" if at is None else at.astimezone().strftime("%d %b %Y, %H:%M:%S")


def day(at: datetime | None) -> str:
    """Return a day as people read it, by the clock of the installation."""
    return "" if at is None else at.astimezone().strftime("%d %b %Y")


def iso(at: datetime | None) -> str:
    return "" if at is None else at.isoformat()


def span(length: timedelta | None) -> str:
    """Return how long something took, in its two largest units."""
    if length is None:
        return ""
    seconds = int(length.total_seconds())
    if seconds < _MINUTE:
        return f"{max(length.total_seconds(), 0):.1f} s"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min {seconds % _MINUTE} s"
    if seconds < _DAY:
        return f"{seconds // _HOUR} h {seconds % _HOUR // _MINUTE} min"
    return f"{seconds // _DAY} d {seconds % _DAY // _HOUR} h"


def money(usd: float) -> str:
    return f"{usd:.2f} USD"


def size(count: int) -> str:
    """Return how large something is, in the unit in which people say it."""
    if count < _KILO:
        return f"{count} bytes"
    return f"{count / _KILO:.0f} kB" if count < _KILO**2 else f"{count / _KILO**2:.1f} MB"


def web_address(address: str) -> str:
    """Return an address that a link may lead to; whatever is not of the web leads nowhere."""
    return address if address.startswith(("http://", "https://")) else ""


def clock(at: datetime) -> str:
    """Return the time of day of something that happened just now."""
    return at.astimezone().strftime("%H:%M:%S")


def megabytes(size: int) -> str:
    return f"{size / 1_000_000:.0f} MB"
