"""What the doctor says about retention: how long each kind is kept here, and how much there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.findings import Check, ok

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import timedelta

    from webordinary.config import Config


def check_retention(config: Config) -> Iterator[Check]:
    """Tell how long what nothing needs any more is kept."""
    kept = config.retention
    if not config.traits.is_one_machine:
        yield ok("retention", "rows 90 days, mails 30, files 90: the tables and buckets count them, see operate-aws.md")
        return
    mails = max((project.rules.retention.raw_mail for project in config.projects), default=None)
    told = {
        "ended jobs": kept.jobs,
        "words of letters": kept.letters,
        "mails and files": mails,
        "previews": kept.previews,
        "keys of requests": kept.request_keys,
    }
    days = ", ".join(f"{what} {_days(time)}" for what, time in told.items() if time is not None)
    branches = "here and at the remote" if kept.remote_branches else "here only"
    size = sum(path.stat().st_size for path in config.data.glob("webordinary.db*")) / 1024**2
    yield ok("retention", f"{days}; old branches go {branches}; the database has {size:.0f} MB")


def _days(time: timedelta) -> str:
    return f"{time.total_seconds() / 86_400:g} days"
