"""Tables of a moment in the past under other names: work goes on from there, under fences above all that were given."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded_ports import AMELIA, Postman
from tests.rigs.ports import LIMITS, Ports
from webordinary.engines.aws.dynamodb.tables import create_tables, tables
from webordinary.engines.aws.open import open_engine
from webordinary.engines.aws.projects import DynamoProjects
from webordinary.engines.aws.sqs.queues import create_queues, lane_queues
from webordinary.errors import LostOwnership
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.routing.lane import Lane
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from tests.aws.conftest import Place
    from webordinary.engines.aws.clients import AwsSettings

DONE = Ending(State.DONE, Outcome.PUBLISHED)


def opened(place: Place, settings: AwsSettings, clock: ManualClock) -> Ports:
    postman = Postman()
    engine = open_engine(settings, LIMITS, place.clients, postman)
    return Ports(engine, clock, LIMITS, postman.delivered, postman.refuse, leases_follow="wall")


def restore(place: Place, ending: str) -> AwsSettings:
    """Put every row as it is now into tables of other names, as a restore to a moment does."""
    client, then = place.clients.dynamodb, replace(place.names, restored=ending)
    create_tables(client, then)
    for table, copy in zip(tables(place.names), tables(then), strict=True):
        assert copy.name == f"{table.name}{ending}"
        for item in client.scan(TableName=table.name)["Items"]:
            client.put_item(TableName=copy.name, Item=item)
    return replace(place.settings, restored=ending)


def test_work_goes_on_from_a_copy_that_was_taken_in_the_middle_of_it(place: Place) -> None:
    clock = ManualClock()
    DynamoProjects(place.clients.dynamodb, place.names).keep(AMELIA)
    create_queues(place.clients.sqs, lane_queues(place.names, Lane("amelia", "scott")))
    before = opened(place, place.settings, clock)
    first, second = before.queue(), before.queue()
    began = before.engine.claims.claim("w1", before.now)
    assert began is not None
    assert began.job is not None
    copy = restore(place, "-again")
    # What happens from here on is lost with the old tables, but not where fences reach: in git and at the pointer.
    given = [began.claim.fence]
    for worker in ("w2", "w3"):
        clock.advance(LIMITS.lease)
        claimed = before.engine.claims.claim(worker, before.now)
        assert claimed is not None
        given.append(claimed.claim.fence)

    clock.advance(timedelta(hours=1))
    after = opened(place, copy, clock)
    again = after.engine.claims.claim("w4", after.now)
    assert again is not None
    assert again.job is not None
    assert (again.job.id, again.job.attempt) == (first, 2)
    assert sorted({*given, again.claim.fence}) == [*given, again.claim.fence]
    assert again.claim.fence < 2**53
    with pytest.raises(LostOwnership):
        after.engine.attempts.finish(began.claim, began.job, DONE, after.now)
    following = after.engine.attempts.finish(again.claim, again.job, DONE, after.now).job
    assert following is not None
    assert following.id == second
    after.engine.attempts.finish(again.claim, following, DONE, after.now)
    assert {job.id: job.state for job in after.engine.overview.jobs()} == {first: State.DONE, second: State.DONE}
