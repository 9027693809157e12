"""What is special about projects, threads and the trail in DynamoDB."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.aws.accidents import lost_answers, refused_calls
from tests.rigs.embedded_ports import AMELIA
from webordinary.audit.entry import Entry, EventType
from webordinary.config import read_config
from webordinary.engines.aws.dynamodb.items import item_of
from webordinary.engines.aws.projects import DynamoProjects
from webordinary.engines.aws.spending import DynamoSpending
from webordinary.engines.aws.threads import DynamoThreads
from webordinary.engines.aws.trail import DynamoTrail
from webordinary.errors import Misconfigured, TryAgain
from webordinary.jobs.spending import DayLimit, Payer
from webordinary.routing.lane import Lane
from webordinary.routing.project import Editor, SiteTarget
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from tests.aws.conftest import Place

FLORA = replace(AMELIA, id="flora", name="Flora", editors=(Editor("scott", "Scott@Example.org", "de", "Be brief"),))


@pytest.fixture
def projects(place: Place) -> DynamoProjects:
    return DynamoProjects(place.clients.dynamodb, place.names)


def test_a_project_is_kept_as_a_configuration_reads_it(projects: DynamoProjects) -> None:
    text = """
engine = "aws"
domain = "edit.example.com"
[[project]]
id = "amelia"
repository = "https://git.example.com/amelia.git"
idle_release = "5 min"
retention = { releases = 3 }
[[project.editor]]
user = "scott"
address = "scott@example.org"
"""
    (amelia,) = read_config(text, Path("/srv/webordinary.toml"), {}).projects
    projects.keep(amelia)
    assert projects.find("amelia") == amelia


def test_a_project_is_read_back_as_it_was_kept(projects: DynamoProjects) -> None:
    projects.keep(AMELIA)
    projects.keep(FLORA)
    projects.keep(FLORA)
    assert projects.all() == [AMELIA, FLORA]
    assert projects.find("flora") == FLORA
    assert projects.find("../flora") is None
    assert projects.find("address") is None


def test_who_has_just_read_a_project_need_not_ask_again(place: Place, projects: DynamoProjects) -> None:
    projects.keep(AMELIA)
    assert projects.find_lately("amelia") == AMELIA
    place.clients.dynamodb.delete_item(TableName=place.names.projects, Key={"id": {"S": "amelia"}})
    assert projects.find_lately("amelia") == AMELIA
    assert DynamoProjects(place.clients.dynamodb, place.names).find_lately("amelia") is None


@pytest.mark.parametrize(
    ("beside", "options"),
    [
        ({"ssh": {"ssh_key_file": "/etc/key", "host_keys": ["ssh-ed25519 AAAA"]}, "switch": "auto"},
         {"ssh_key_file": "/etc/key", "host_keys": ["ssh-ed25519 AAAA"]}),
        ({"password_file": "/etc/password", "certificates": None, "switch": "rename", "ssh": {"host_keys": []}},
         {"password_file": "/etc/password", "switch": "rename"}),
    ],
)  # fmt: skip
def test_a_site_that_an_earlier_version_has_kept_still_knows_its_keys(
    place: Place, projects: DynamoProjects, beside: dict[str, object], options: dict[str, object]
) -> None:
    site = SiteTarget("sftp", "amelia@host.example:/www", "https://amelia.example/")
    projects.keep(replace(AMELIA, site=site))
    kept = place.clients.dynamodb.get_item(TableName=place.names.projects, Key=item_of({"id": "amelia"}))["Item"]
    project = json.loads(kept["project"]["S"])
    del project["site"]["options"]
    project["site"] |= beside
    kept["project"] = {"S": json.dumps(project)}
    place.clients.dynamodb.put_item(TableName=place.names.projects, Item=kept)
    (found,) = projects.all()
    assert found == replace(AMELIA, site=replace(site, options=options))


def test_an_id_that_could_name_no_queue_is_refused(projects: DynamoProjects) -> None:
    with pytest.raises(Misconfigured):
        projects.keep(replace(AMELIA, id="a" * 29))
    with pytest.raises(Misconfigured):
        projects.keep(replace(AMELIA, editors=(Editor("Scott!", "scott@example.org"),)))


def test_a_row_that_cannot_be_read_is_told_by_its_name(place: Place, projects: DynamoProjects) -> None:
    item = item_of({"id": "amelia", "project": "{}"})
    place.clients.dynamodb.put_item(TableName=place.names.projects, Item=item)
    with pytest.raises(Misconfigured, match="amelia"):
        projects.find("amelia")


def test_a_missing_table_is_told_by_its_name(place: Place, projects: DynamoProjects) -> None:
    place.clients.dynamodb.delete_table(TableName=place.names.projects)
    with pytest.raises(Misconfigured, match=place.names.projects):
        projects.all()


@pytest.mark.parametrize("times", [1, 4])
def test_money_whose_receipt_got_lost_is_spent_once(place: Place, times: int) -> None:
    spending, day, now = DynamoSpending(place.clients.dynamodb, place.names), date(2026, 11, 15), ManualClock().now()
    payer, limit = Payer(Lane("amelia", "scott"), day, "r1"), DayLimit(2.0)
    with lost_answers(place.clients.dynamodb, "UpdateItem", times=times):
        assert spending.reserve(payer, 1.5, 1.5, limit, now) == pytest.approx(1.5)
    with lost_answers(place.clients.dynamodb, "UpdateItem", times=times):
        spending.charge(payer, 1.5, 0.5, now)
    spending.charge(payer, 0, 0.5, now)
    assert spending.spent("amelia", day) == spending.spent("amelia", day, user="scott") == pytest.approx(1.0)
    with (
        refused_calls(place.clients.dynamodb, "UpdateItem", 500, "InternalServerError"),
        pytest.raises(TryAgain),
    ):
        spending.reserve(payer, 0.5, 0.5, limit, now)


def test_no_message_id_is_too_strange_to_be_asked_for(place: Place) -> None:
    threads = DynamoThreads(place.clients.dynamodb, place.names)
    assert threads.find_by_messages(("", "x" * 10_000, "\udcff@phone")) is None
    assert threads.find("") is None
    assert threads.begin_session("unknown", "session") == "session"
    assert threads.find("unknown") is None


def test_a_long_trail_is_read_and_forgotten_page_by_page(place: Place) -> None:
    trail = DynamoTrail(place.clients.dynamodb, place.names)
    clock = ManualClock()
    words = "x" * 50_000
    for number in range(60):
        job = f"job-{number % 2}"
        trail.record(Entry(EventType.STEP, clock.now().wall_at, job=job, text=words, facts={"n": str(number)}))
    assert [entry.facts["n"] for entry in trail.read(limit=40, job="job-1")] == [str(n) for n in range(1, 60, 2)]
    clock.advance(timedelta(days=40))
    trail.record(Entry(EventType.STEP, clock.now().wall_at, text="new"))
    assert trail.forget_before(clock.now().wall_at - timedelta(days=30)) == 60
    assert [entry.text for entry in trail.read()] == ["new"]
