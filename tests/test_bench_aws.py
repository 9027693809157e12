"""The figures of AWS are counted, and a mail and an idle system stay within their aims."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.aws import AT_MOST, measure

if TYPE_CHECKING:
    from pathlib import Path

PROMISED = {
    "requests_per_mail_cold",
    "requests_per_mail_warm",
    "transitions_per_mail_cold",
    "idle_requests_per_worker_hour",
    "usd_per_1000_mails",
    "usd_per_1000_mails_by",
    "read_units_per_mail_cold",
    "write_units_per_mail_cold",
    "usd_per_idle_worker_hour",
    "usd_per_idle_month",
    "usd_per_month_of_1000_mails",
}


@pytest.mark.thorough
def test_every_promised_figure_is_counted_and_a_mail_stays_within_its_aims(tmp_path: Path) -> None:
    figures = measure(tmp_path / "place", idle_seconds=1.0)
    assert figures.keys() >= PROMISED
    for name in ("requests_per_mail_cold", "transitions_per_mail_cold"):
        assert float(str(figures[name])) <= AT_MOST[name], figures
    # A job, its lane and its trail are written in transactions, which cost twice.
    assert float(str(figures["write_units_per_mail_cold"])) > float(str(figures["read_units_per_mail_cold"])) > 0, (
        figures
    )
    # A sweep that finds nothing only looks: a single mail a minute would be more than four dollars.
    assert float(str(figures["usd_per_idle_month"])) < 1, figures
