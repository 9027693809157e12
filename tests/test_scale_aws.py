"""`make scale-aws` counts what it promises, and notices what it is there for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench.aws_scale import QUICK, measure, missed_by
from bench.table_units import Tariff, Units, Written
from tests.programs import need
from webordinary.engines.aws.dynamodb.tables import tables
from webordinary.engines.aws.names import Names

PROMISED = {
    "hottest_key_wcu_per_s",
    "read_units_per_mail_at_10_projects",
    "read_units_per_mail_at_10000_projects",
    "lanes_without_beat",
    "sites_in_one_region",
}
TABLES = {table.name: table for table in tables(Names("t"))}


@pytest.mark.thorough
def test_every_promised_figure_of_a_day_is_counted() -> None:
    need("java")
    figures = measure(QUICK)
    assert figures.keys() >= PROMISED
    assert missed_by(figures) == [], json.dumps(figures, indent=2)
    assert float(str(figures["write_units_per_mail"])) > 100


def lane(version: int, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - items as DynamoDB has them
    return {"projectKey": {"S": "a#b"}, "version": {"N": str(version)}, **more}


def test_a_write_counts_for_its_own_key_and_for_each_key_of_the_indexes_that_it_leaves_or_enters() -> None:
    units, tariff = Units(), Tariff(TABLES)
    ready = {"readyMark": {"S": "ready"}, "readySince": {"N": "5"}}
    later = {"readyMark": {"S": "ready#7"}, "readySince": {"N": "9"}}
    table, index = "t-container-ownership", "t-container-ownership/ready-index"
    tariff.of_write(Written(table, {}, lane(1, **ready)), units)
    assert units.writes == {(table, "a#b"): 1, (index, "ready"): 1}
    tariff.of_write(Written(table, lane(1, **ready), lane(2, **later), in_transaction=True), units)
    assert units.writes == {(table, "a#b"): 3, (index, "ready"): 2, (index, "ready#7"): 1}
    tariff.of_write(Written(table, lane(2, **later), lane(2, **later)), units)
    assert units.writes[index, "ready#7"] == 1
    tariff.of_write(Written(table, lane(2), lane(3, words={"S": "x" * 3000})), units)
    assert units.writes[table, "a#b"] == 4 + 3


def test_what_is_promised_and_not_kept_is_named() -> None:
    good = {
        "hottest_key_wcu_per_s": 300,
        "read_units_per_mail_at_10_projects": 50.0,
        "read_units_per_mail_at_10000_projects": 50.0,
        "lanes_without_beat": 0,
        "lanes_waiting": 5,
        "lanes_waiting_counted": 5,
        "throttled": 0,
        "sites_in_one_region": 100_000,
    }
    assert missed_by(good) == []
    bad = {
        **good,
        "hottest_key_wcu_per_s": 301,
        "read_units_per_mail_at_10000_projects": 51.0,
        "lanes_waiting_counted": 4,
    }
    assert missed_by(bad) == [
        "hottest_key_wcu_per_s",
        "read_units_per_mail_at_10000_projects",
        "lanes_waiting_counted",
    ]
