"""Doctor's look at the dashboard: who may sign in there, and until when its certificate is good."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.config import Config

_SOON = timedelta(days=14)
_WHAT = "dashboard"


def check_dashboard(config: Config) -> Iterator[Check]:
    """Say where it is, how people get in, and what is wrong with the files that it needs."""
    asked = config.dashboard
    yield ok(_WHAT, f"{asked.url or asked.listen}; `webordinary dashboard` lets you in")
    if asked.users is not None:
        yield _people(asked.users)
    if asked.certificate is not None and asked.key is not None:
        yield _certificate(asked.certificate, asked.key)
    if asked.openid.client_secret_file is not None:
        yield _secret(config)


def _people(users: Path) -> Check:
    from webordinary.dashboard.people import DashboardUsers  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        count = DashboardUsers(users).look()
    except WebOrdinaryError as problem:
        return fail(_WHAT, str(problem))
    if not count:
        return warn(_WHAT, f"{users} is empty: `webordinary password ADDRESS --role ROLE` prints a line for it")
    return ok(_WHAT, f"{count} people in {users}")


def _certificate(certificate: Path, key: Path) -> Check:
    from webordinary.doors.certificate import ends_at  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        end = ends_at(certificate, key)
    except WebOrdinaryError as problem:
        return fail(_WHAT, str(problem))
    if end - datetime.now(UTC) < _SOON:
        return warn(_WHAT, f"{certificate} ends on {end:%Y-%m-%d}: renew it, it is read again by itself")
    return ok(_WHAT, f"{certificate}, until {end:%Y-%m-%d}")


def _secret(config: Config) -> Check:
    try:
        # Read, and never shown.
        _ = config.dashboard.openid.secret
    except WebOrdinaryError as problem:
        return fail(_WHAT, str(problem))
    return ok(_WHAT, f"people sign in at {config.dashboard.openid.issuer}")
