"""Every function of the flow does what its name says, and every row says what its columns are called."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.aws.flows import Flows, open_flows
from webordinary.engines.aws.dynamodb.items import plain_of
from webordinary.engines.aws.names import Names
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Mapping

SCOTTS = Lane("amelia", "scott")
AT_ONCE = 'sweep = "2 s"\nfirst_interrupt_after = "0 s"'


@pytest.fixture
def flows() -> Flows:
    return open_flows(workers=AT_ONCE)


def lane_row(flows: Flows) -> Mapping[str, Any]:
    table, key = flows.local.names.ownership, {"projectKey": {"S": SCOTTS.key}}
    return plain_of(flows.local.clients.dynamodb.get_item(TableName=table, Key=key)["Item"])


def active_claims(flows: Flows) -> list[str]:
    """Ask the table of owners as the origin did: what has not ended yet."""
    found = flows.local.clients.dynamodb.scan(
        TableName=flows.local.names.ownership,
        FilterExpression="#ttl > :now",
        ExpressionAttributeNames={"#ttl": "ttl"},
        ExpressionAttributeValues={":now": {"N": str(int(time.time()))}},
    )
    return [plain_of(item)["containerId"] for item in found["Items"]]


def test_rate_limited_claim_lets_a_lane_call_once_in_a_while(flows: Flows) -> None:
    flows.write(subject="first")
    flows.waits_for_queued()
    flows.write(subject="second")
    flows.wait(lambda: len(flows.engine.overview.jobs(state="queued")) == 2 or None)
    flows.waits_in("Told", 1)

    assert "SendToUnclaimedQueue" in flows.states(0)
    assert "SendToUnclaimedQueue" not in flows.states(1)
    job = flows.job_called("first")
    assert flows.local.invoke("rate-limited-claim", {"job": job.id})["limited"]
    flows.local.here.mails.aws.store.client.update_item(
        TableName=flows.local.names.ownership,
        Key={"projectKey": {"S": SCOTTS.key}},
        UpdateExpression="SET rungAt = :long_ago",
        ExpressionAttributeValues={":long_ago": {"N": "1"}},
    )
    assert not flows.local.invoke("rate-limited-claim", {"job": job.id})["limited"]


def test_send_interrupt_reaches_an_owner_that_the_first_bell_has_not_reached(flows: Flows) -> None:
    flows.write(subject="slow")
    slow = flows.claim("container-1")
    assert slow.job is not None
    flows.write(subject="quick")
    flows.waits_in("RecordInterruption", 1)
    heard = flows.heard(flows.local.names.interrupts(SCOTTS))
    quick = flows.job_called("quick")

    assert [told["jobId"] for told in heard] == [slow.job.id, slow.job.id]
    assert flows.local.invoke("send-interrupt", {"job": quick.id}) == {
        "interrupted": slow.job.id,
        "container": "container-1",
    }
    assert [told["jobId"] for told in flows.heard(flows.local.names.interrupts(SCOTTS))] == [slow.job.id]
    flows.engine.attempts.park(slow.claim, slow.job, flows.now)
    flows.local.invoke("send-interrupt", {"job": quick.id})
    assert flows.heard(flows.local.names.interrupts(SCOTTS)) == []


def test_the_rows_of_a_claim_and_of_its_job_say_whose_they_are_and_until_when(flows: Flows) -> None:
    flows.write()
    flows.waits_for_queued()
    assert active_claims(flows) == []
    claimed = flows.claim("container-1")
    assert claimed.job is not None
    taken = lane_row(flows)

    assert active_claims(flows) == ["container-1"]
    assert (taken["containerId"], taken["ttl"]) == ("container-1", pytest.approx(taken["leaseUntil"], abs=1))
    key = {"projectUserId": {"S": SCOTTS.key}, "sequence": {"N": str(claimed.job.sequence)}}
    table = flows.local.names.jobs
    row = plain_of(flows.local.clients.dynamodb.get_item(TableName=table, Key=key)["Item"])
    assert (row["containerId"], row["threadId"]) == ("container-1", claimed.job.thread)
    flows.engine.claims.beat(claimed.claim, claimed.job.id, flows.now)
    beaten = lane_row(flows)
    assert beaten["leaseUntil"] > taken["leaseUntil"]
    assert beaten["ttl"] == pytest.approx(beaten["leaseUntil"], abs=1)
    assert beaten["lastActivity"] == taken["lastActivity"], "a beat is no activity"
    flows.engine.attempts.journal(claimed.claim, claimed.job, "edited", {}, flows.now)
    assert lane_row(flows)["lastActivity"] > taken["lastActivity"]
    flows.finish(claimed)
    ended = lane_row(flows)
    assert ended["lastActivity"] > beaten["leaseUntil"] - 60
    flows.engine.claims.release(claimed.claim, flows.now)
    assert active_claims(flows) == []


def test_dynamodb_never_deletes_a_lane(flows: Flows) -> None:
    tables, names = flows.local.clients.dynamodb, flows.local.names
    told = {
        name: tables.describe_time_to_live(TableName=name)["TimeToLiveDescription"]["TimeToLiveStatus"]
        for name in (names.ownership, names.jobs)
    }
    assert told == {names.ownership: "DISABLED", names.jobs: "ENABLED"}


def test_parts_have_the_names_by_which_this_system_is_known() -> None:
    names = Names("webordinary")
    assert (names.cluster, names.workers) == ("webordinary-edit-cluster", "webordinary-edit-service")
