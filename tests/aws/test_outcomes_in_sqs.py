"""The output queue: each outcome finds whoever asked, and nobody takes another's away."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.engines.aws.sqs.outcomes import Outcomes
from webordinary.engines.aws.sqs.queues import create_queues, lane_queues
from webordinary.errors import Misconfigured
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from tests.aws.conftest import Place

SCOTT = Lane("amelia", "scott")
AT_ONCE = timedelta(0)


@pytest.fixture
def outcomes(place: Place) -> Outcomes:
    create_queues(place.clients.wakeups, lane_queues(place.names, SCOTT))
    url = place.clients.wakeups.get_queue_url(QueueName=place.names.output(SCOTT))["QueueUrl"]
    return Outcomes(place.clients.wakeups, url)


def tell(outcomes: Outcomes, job: str) -> None:
    body = json.dumps({"type": "OUTCOME", "jobId": job})
    outcomes.client.send_message(QueueUrl=outcomes.url, MessageBody=body)


def test_whoever_asked_hears_the_end_once(outcomes: Outcomes) -> None:
    assert not outcomes.wait_for("job-1", AT_ONCE)
    tell(outcomes, "job-1")
    assert outcomes.wait_for("job-1", timedelta(seconds=60))
    assert not outcomes.wait_for("job-1", AT_ONCE)


def test_what_is_meant_for_another_is_left_to_them(outcomes: Outcomes) -> None:
    tell(outcomes, "job-2")
    outcomes.client.send_message(QueueUrl=outcomes.url, MessageBody="[not ours")
    assert not outcomes.wait_for("job-1", AT_ONCE)
    assert outcomes.wait_for("job-2", timedelta(seconds=60))


def test_a_lane_that_was_not_onboarded_has_no_such_queue(outcomes: Outcomes) -> None:
    nowhere = Outcomes(outcomes.client, outcomes.url.replace("scott", "maria"))
    with pytest.raises(Misconfigured, match="does not exist"):
        nowhere.wait_for("job-1", AT_ONCE)
