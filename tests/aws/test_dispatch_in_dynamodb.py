"""What is special about dispatching in DynamoDB: writers that meet, answers that get lost, and flows that wait."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.aws.accidents import counted_calls, lost_answers, refused_calls
from tests.aws.desk import Desk, Tokens, waiting
from tests.contracts.test_lanes import DONE, take
from tests.embedded.test_chores import AGENCY, chores_of
from tests.rigs.aws_ports import aws_clients, aws_server, open_aws_ports
from webordinary.audit.entry import EventType
from webordinary.dispatch.breaker import pause, resume
from webordinary.dispatch.flow import Waiting
from webordinary.dispatch.lanes import StoredLanes
from webordinary.engines.aws.dynamodb import reading
from webordinary.engines.aws.dynamodb.items import item_of
from webordinary.engines.aws.dynamodb.store import DynamoStore
from webordinary.engines.aws.faults import Unknown
from webordinary.errors import Interrupted, LostOwnership, Misconfigured, TryAgain
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, State
from webordinary.ownership.claims import LostClaim

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.ownership.claim import Claimed

QUEUE = InterruptRule("queue")


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_aws_ports(tmp_path)


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Desk(aws_server()) as desk:
        yield desk


def test_of_many_workers_that_claim_at_once_one_gets_the_lane(ports: Ports) -> None:
    ports.queue()

    def claim(number: int) -> Claimed | None:
        try:
            return ports.engine.claims.claim(f"w{number}", ports.now)
        except LostClaim:
            return None

    with ThreadPoolExecutor(6) as pool:
        claimed = [each for each in pool.map(claim, range(6)) if each is not None]
    assert len(claimed) == 1
    started = [entry for entry in ports.engine.trail.read() if entry.what == EventType.JOB_STARTED]
    assert len(started) == 1


def test_many_who_accept_at_once_take_one_place_each_and_one_for_each_key(ports: Ports) -> None:
    jobs = [ports.new_job(dedup_key=f"key-{number % 4}") for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        accepted = list(pool.map(lambda job: ports.engine.lanes.accept(job, ports.now, ready=QUEUE), jobs))
    assert sum(each.fresh for each in accepted) == 4
    assert sorted(job.sequence for job in ports.engine.overview.jobs()) == [1, 2, 3, 4]
    assert [view.pending for view in ports.engine.overview.lanes(ports.now)] == [4]


@pytest.mark.parametrize("times", [1, 4])
def test_a_write_whose_answer_got_lost_happened_once(ports: Ports, times: int) -> None:
    client = aws_clients().dynamodb
    job = ports.new_job()
    with lost_answers(client, "TransactWriteItems", times=times):
        assert ports.engine.lanes.accept(job, ports.now, ready=QUEUE).fresh
    with lost_answers(client, "TransactWriteItems", times=times):
        claim, running = take(ports)
    with lost_answers(client, "UpdateItem"):
        ports.engine.claims.beat(claim, running.id, ports.now)
    with lost_answers(client, "TransactWriteItems", times=times):
        ports.engine.attempts.finish(claim, running, DONE, ports.now)
    assert ports.job(job.id).attempt == 1
    told = [entry.what for entry in ports.engine.trail.read()]
    assert told == [
        EventType.JOB_ACCEPTED,
        EventType.JOB_QUEUED,
        EventType.LANE_CLAIMED,
        EventType.JOB_STARTED,
        EventType.JOB_DONE,
    ]


def test_a_beat_that_meets_a_transaction_of_somebody_else_is_no_lost_lane(ports: Ports) -> None:
    client, conflict = aws_clients().dynamodb, "TransactionConflictException"
    ports.queue()
    claim, running = take(ports)
    with refused_calls(client, "UpdateItem", 400, conflict, times=2):
        assert not ports.engine.claims.beat(claim, running.id, ports.now).over
    # One that never ends is trouble with the store, and still says nothing about whose the lane is.
    with refused_calls(client, "UpdateItem", 400, conflict), pytest.raises(TryAgain) as told:
        ports.engine.claims.beat(claim, running.id, ports.now)
    assert not isinstance(told.value, LostOwnership)


@pytest.mark.parametrize(
    ("status", "code", "meaning"),
    [
        (400, "ProvisionedThroughputExceededException", TryAgain),
        (400, "ThrottlingException", TryAgain),
        (500, "InternalServerError", TryAgain),
        (400, "ResourceNotFoundException", Misconfigured),
        (400, "UnrecognizedClientException", Misconfigured),
        (400, "ExpiredTokenException", Misconfigured),
        (400, "AccessDeniedException", Misconfigured),
    ],
)
def test_what_aws_refuses_says_what_to_do(ports: Ports, status: int, code: str, meaning: type[Exception]) -> None:
    with refused_calls(aws_clients().dynamodb, "BatchGetItem", status, code), pytest.raises(meaning):
        ports.engine.lanes.accept(ports.new_job(), ports.now)


@pytest.mark.thorough
def test_a_store_that_is_too_busy_changed_nothing(ports: Ports) -> None:
    job = ports.new_job()
    with (
        refused_calls(aws_clients().dynamodb, "TransactWriteItems", 400, "ThrottlingException"),
        pytest.raises(TryAgain),
    ):
        ports.engine.lanes.accept(job, ports.now)
    assert ports.engine.overview.job(job.id) is None
    assert ports.engine.lanes.accept(job, ports.now).fresh


@pytest.mark.thorough
def test_more_overdue_jobs_than_one_transaction_can_hold_fail_all_the_same(ports: Ports) -> None:
    for number in range(30):
        ports.queue(thread=f"t{number}", rule=QUEUE)
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    assert {job.state for job in ports.engine.overview.jobs()} == {State.FAILED}
    assert [view.pending for view in ports.engine.overview.lanes(ports.now)] == [0]


@pytest.mark.thorough
def test_a_half_done_pause_is_completed_by_the_sweep(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#maria")
    client = aws_clients().dynamodb
    with refused_calls(client, "Scan", 400, "ThrottlingException"), pytest.raises(TryAgain):
        ports.engine.lanes.pause("amelia", "trouble", ports.now)
    ports.engine.lanes.sweep(ports.now)
    assert [view.paused for view in ports.engine.overview.lanes(ports.now)] == ["trouble", "trouble"]
    assert ports.engine.claims.claim("w1", ports.now) is None


def flow_job(ports: Ports, desk: Desk) -> tuple[str, str, str]:
    """Accept a job for which a flow waits; return the execution, its token and the job."""
    tokens = Tokens()
    function = desk.deploy(tokens)
    execution = desk.start({"StartAt": "Wait", "States": {"Wait": waiting(function, TimeoutSeconds=600)}})
    token = tokens.next()
    job = ports.new_job()
    ports.engine.lanes.accept(job, ports.now)
    lanes_of(ports).enqueue(job.id, QUEUE, ports.now, waiting=Waiting(token))
    return execution, token, job.id


def lanes_of(ports: Ports) -> StoredLanes:
    assert isinstance(ports.engine.lanes, StoredLanes)
    return ports.engine.lanes


def test_the_end_of_a_job_answers_the_flow_that_waits_for_it(ports: Ports, desk: Desk) -> None:
    execution, token, job = flow_job(ports, desk)
    claim, running = take(ports)
    ports.engine.claims.beat(claim, job, ports.now)
    ports.engine.callbacks.beat(token, ports.now)
    ports.engine.attempts.finish(claim, running, DONE, ports.now)
    assert desk.end_of(execution) == ("SUCCEEDED", {"job": job, "state": "done", "outcome": "published"})
    with pytest.raises(LostOwnership):
        ports.engine.callbacks.succeed(token, "again", ports.now)


def test_a_flow_that_gave_up_ends_its_job_at_the_next_beat(ports: Ports, desk: Desk) -> None:
    execution, token, job = flow_job(ports, desk)
    claim, _ = take(ports)
    desk.states.send_task_failure(taskToken=token, error="TIMEOUT", cause="no patience")
    desk.end_of(execution)
    assert ports.engine.claims.beat(claim, job, ports.now).over
    assert ports.job(job).state == State.FAILED


def test_a_flow_that_gave_up_is_noticed_by_the_first_who_works_on_its_job(ports: Ports, desk: Desk) -> None:
    execution, token, job = flow_job(ports, desk)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job).state == State.QUEUED
    desk.states.send_task_failure(taskToken=token, error="TIMEOUT", cause="no patience")
    desk.end_of(execution)
    claim, _ = take(ports)
    assert ports.engine.claims.beat(claim, job, ports.now).over
    assert ports.job(job).state == State.FAILED


def test_a_token_that_comes_after_the_end_is_answered_at_once(ports: Ports, desk: Desk) -> None:
    _, _, job = flow_job(ports, desk)
    claim, running = take(ports)
    ports.engine.attempts.finish(claim, running, DONE, ports.now)
    tokens = Tokens()
    again = desk.start({"StartAt": "Wait", "States": {"Wait": waiting(desk.deploy(tokens), TimeoutSeconds=600)}})
    lanes_of(ports).enqueue(job, QUEUE, ports.now, waiting=Waiting(tokens.next()))
    assert desk.end_of(again)[0] == "SUCCEEDED"


@pytest.mark.thorough
def test_an_answer_that_could_not_be_sent_is_sent_by_the_sweep(ports: Ports, desk: Desk) -> None:
    execution, _, _ = flow_job(ports, desk)
    claim, running = take(ports)
    with refused_calls(aws_clients().states, "SendTaskSuccess", 400, "ThrottlingException"):
        ports.engine.attempts.finish(claim, running, DONE, ports.now)
    ports.engine.lanes.sweep(ports.now)
    assert desk.end_of(execution)[0] == "SUCCEEDED"


def test_a_worker_that_may_live_on_another_machine_is_not_taken_for_dead(ports: Ports) -> None:
    ports.engine.claims.wait_for_work("w9", ports.now)
    ports.queue()
    claim, job = take(ports, "w9")
    assert [(worker.worker, worker.process) for worker in ports.engine.overview.workers()] == [("w9", "")]
    chores_of(ports).tidy_up()
    assert not ports.engine.claims.beat(claim, job.id, ports.now).over


def test_a_dead_job_is_reported_until_its_alarm_is_written(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.DEAD, error="its worker died"), ports.now)
    assert [dead.id for dead in ports.engine.overview.dead_without_alarm()] == [job.id]
    chores_of(ports).tidy_up()
    assert not ports.engine.overview.dead_without_alarm()


def test_a_project_that_kills_its_workers_is_paused_in_all_its_lanes(ports: Ports) -> None:
    ports.engine.lanes.accept(ports.new_job("amelia#ann"), ports.now)
    for _ in range(ports.limits.breaker):
        job = ports.queue()
        while ports.job(job).state != State.DEAD:
            assert ports.engine.claims.claim("w1", ports.now)
            ports.engine.claims.lapse("w1", ports.now)
    assert [view.paused is not None for view in ports.engine.overview.lanes(ports.now)] == [True, True]


def test_every_outcome_is_posted_for_whoever_waits_without_a_mail(ports: Ports) -> None:
    job = ports.queue()
    claim, running = take(ports)
    ports.engine.attempts.finish(claim, running, DONE, ports.now)
    client = aws_clients().sqs
    (url,) = client.list_queues(QueueNamePrefix=f"{prefix_of(ports)}-output-")["QueueUrls"]
    (message,) = client.receive_message(QueueUrl=url, WaitTimeSeconds=5)["Messages"]
    told = json.loads(message["Body"])
    assert (told["jobId"], told["state"], told["outcome"]) == (job, "done", "published")


def store_of(ports: Ports) -> DynamoStore:
    store = lanes_of(ports)._store  # noqa: SLF001 - the rig makes it up
    assert isinstance(store, DynamoStore)
    return store


def prefix_of(ports: Ports) -> str:
    return store_of(ports).names.prefix


def test_a_sweep_looks_only_at_lanes_with_live_jobs_and_not_each_time(ports: Ports) -> None:
    for number in range(20):
        job = ports.queue(lane=f"amelia#user{number}")
        ports.engine.lanes.stop(job, "scott", ports.now)
    waiting = ports.queue(lane="amelia#scott")
    ports.engine.lanes.sweep(ports.now)
    with counted_calls(aws_clients().dynamodb) as calls:
        ports.clock.advance(ports.limits.sweep)
        ports.engine.lanes.sweep(ports.now)
    assert "Scan" not in calls
    # What is due, what waits, the lane that waits and whether it was just rung, who is idle, what is owed.
    assert len(calls) <= 8, calls
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(waiting).state == State.FAILED


def test_a_sweep_costs_nothing_for_those_who_merely_wait(ports: Ports, desk: Desk) -> None:
    _, _, job = flow_job(ports, desk)
    with counted_calls(aws_clients().states) as beats:
        for _ in range(10):
            ports.clock.advance(ports.limits.sweep)
            ports.engine.lanes.sweep(ports.now)
    assert beats == []
    assert ports.job(job).state == State.QUEUED


def test_half_a_pause_and_half_its_end_are_found_by_the_sweep(ports: Ports) -> None:
    store = store_of(ports)
    ports.queue()
    store.change(lambda write: pause(write, write.project("amelia"), "not now"), ports.now)
    ports.engine.lanes.sweep(ports.now)
    assert [view.paused for view in ports.engine.overview.lanes(ports.now)] == ["not now"]
    store.change(lambda write: resume(write, write.project("amelia"), "ann"), ports.now)
    ports.engine.lanes.sweep(ports.now)
    assert [view.paused for view in ports.engine.overview.lanes(ports.now)] == [None]
    with counted_calls(store.client) as calls:
        ports.engine.lanes.sweep(ports.now)
    assert "Scan" not in calls


def test_a_lane_that_an_earlier_version_wanted_to_look_at_rests_until_something_is_due(ports: Ports) -> None:
    store, job = store_of(ports), ports.queue()
    key = item_of({"projectKey": "amelia#scott"})
    store.client.update_item(
        TableName=store.names.ownership,
        Key=key,
        UpdateExpression="SET tendAt = :at, tendedAt = :at",
        ExpressionAttributeValues=item_of({":at": 1}),
    )
    ports.engine.lanes.sweep(ports.now)
    row = store.lane("amelia#scott")
    assert row is not None
    assert row.tend_at == row.overdue_at
    ports.clock.advance(ports.limits.patience)
    ports.engine.lanes.sweep(ports.now)
    assert ports.job(job).state == State.FAILED


def test_an_answer_of_which_nobody_knows_whether_it_left_is_told_to_the_agency_once(ports: Ports) -> None:
    ports.queue(reply_to="scott@example.org")
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, Ending(State.FAILED, error="no", template="failed"), ports.now)
    ports.refuse_mail(Unknown("AWS did not answer"))
    chores_of(ports).tidy_up()
    ports.refuse_mail(None)
    for _ in range(3):
        ports.clock.advance(timedelta(minutes=5))
        chores_of(ports).tidy_up()
    ((to, raw),) = ports.delivered
    assert to == AGENCY
    assert job.id.encode() in raw


def test_an_owner_writes_its_steps_in_one_request_each(ports: Ports) -> None:
    ports.queue()
    claim, job = take(ports)
    with counted_calls(aws_clients().dynamodb) as calls:
        job = ports.engine.attempts.journal(claim, job, "edited", {"commit": "c0ffee"}, ports.now)
        ports.engine.attempts.journal(claim, job, "built", {"size": "3"}, ports.now)
        # Its caller has not looked at what came back.
        job = ports.engine.attempts.journal(claim, job, "previewed", {}, ports.now)
        ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    assert calls == ["TransactWriteItems"] * 4
    assert {"edited", "built", "previewed", "commit", "size"} <= job.journal.stored.keys()
    kept = ports.job(job.id)
    assert (kept.journal, kept.state, kept.commit) == (job.journal, State.COMMITTING, "c0ffee")


def test_whoever_cancels_at_the_same_moment_is_not_overwritten_by_a_step(ports: Ports) -> None:
    running = ports.queue()
    claim, job = take(ports)
    ports.engine.lanes.stop(running, "scott", ports.now)
    job = ports.engine.attempts.journal(claim, job, "edited", {}, ports.now)
    assert ports.engine.claims.beat(claim, running, ports.now).interrupt
    with pytest.raises(Interrupted):
        ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)


@pytest.fixture
def short_look(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let a look show three lanes and no more."""
    monkeypatch.setattr(reading, "_READ_BY_A_CLAIM", 3)
    return 3


def test_lanes_that_back_off_hide_nobody_whose_turn_it_is(ports: Ports, short_look: int) -> None:
    for number in range(short_look):
        ports.queue(lane=f"amelia#late{number}")
        claim, job = take(ports)
        ports.engine.attempts.retry(claim, job, "away", timedelta(hours=1), ports.now)
        ports.engine.claims.give_back(claim, ports.now)
        ports.clock.advance(timedelta(seconds=1))
    ports.queue(lane="amelia#scott")
    assert take(ports)[0].lane.user == "scott"


def test_paused_lanes_whose_owners_died_hide_nobody_whose_turn_it_is(ports: Ports, short_look: int) -> None:
    for number in range(short_look):
        ports.queue(lane=f"other#user{number}")
        take(ports, f"dead{number}")
    ports.engine.lanes.pause("other", "not now", ports.now)
    ports.clock.advance(ports.limits.lease + timedelta(seconds=1))
    ports.queue(lane="amelia#scott")
    assert take(ports)[0].lane.user == "scott"


def test_what_may_be_half_published_is_settled_first_however_many_have_waited_longer(
    ports: Ports, short_look: int
) -> None:
    ports.queue(lane="amelia#scott")
    claim, job = take(ports, "dead")
    ports.engine.attempts.pass_commit_point(claim, job, "c0ffee", ports.now)
    for number in range(short_look):
        ports.queue(lane=f"amelia#user{number}")
    ports.clock.advance(timedelta(seconds=1))
    ports.engine.claims.beat(claim, job.id, ports.now)
    ports.clock.advance(ports.limits.lease)
    assert take(ports)[1].id == job.id
