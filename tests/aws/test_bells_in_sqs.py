"""What is special about bells in SQS: messages that are lost, doubled, stale, poisoned or somebody else's."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.aws.accidents import refused_calls
from webordinary.engines.aws.signals import SqsSignals
from webordinary.engines.aws.sqs.queues import (
    MOST_RECEIVES,
    QueueAddresses,
    create_queues,
    installation_queues,
    lane_queues,
)
from webordinary.engines.aws.sqs.wakeups import Bell, Call, SqsBells, is_for_owner, lane_called_for
from webordinary.errors import Misconfigured
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.aws.conftest import Place
    from webordinary.engines.aws.signals import SqsEar

LONG = timedelta(seconds=60)
LANE = Lane("amelia", "scott")
CALL = Bell(Call.CLAIM_REQUEST, LANE.key)
WORK = Bell(Call.WORK, LANE.key)
INTERRUPT = Bell(Call.INTERRUPT, LANE.key)


class Belfry:
    """The bells of an installation with one lane, and two workers who may hear them."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.client = place.clients.sqs
        create_queues(self.client, lane_queues(place.names, LANE))
        self.addresses = QueueAddresses(self.client, place.names)
        self.bells = SqsBells(self.client, self.addresses)
        self.called: dict[str, str] = {}
        self.signals = SqsSignals(place.clients.bells, self.addresses, self.called)

    def listen(self, worker: str = "w1") -> closing[SqsEar]:
        return closing(self.signals.listen(worker))

    def messages(self, url: str) -> list[dict[str, Any]]:
        """Take what lies in a queue out of it."""
        found = self.client.receive_message(QueueUrl=url, MaxNumberOfMessages=10, MessageAttributeNames=["All"])
        return [dict(message) for message in found.get("Messages", [])]

    def url(self, name: str) -> str:
        return self.client.get_queue_url(QueueName=name)["QueueUrl"]


@pytest.fixture
def belfry(place: Place) -> Belfry:
    return Belfry(place)


@pytest.fixture
def ear(belfry: Belfry) -> Iterator[SqsEar]:
    with belfry.listen() as ear:
        yield ear


def soon(belfry: Belfry, bell: Bell) -> None:
    threading.Timer(0.1, lambda: belfry.bells.ring(bell)).start()


@pytest.mark.thorough
def test_a_claim_request_says_for_whom_and_where(belfry: Belfry) -> None:
    belfry.bells.ring(CALL)
    (message,) = belfry.messages(belfry.addresses.unclaimed)
    told = json.loads(message["Body"])
    assert (told["type"], told["projectId"], told["userId"]) == ("CLAIM_REQUEST", "amelia", "scott")
    assert told["queueUrl"] == belfry.url(belfry.place.names.input(LANE))
    assert message["MessageAttributes"]["type"]["StringValue"] == "CLAIM_REQUEST"
    assert message["MessageAttributes"]["projectId"]["StringValue"] == "amelia"


@pytest.mark.parametrize(
    ("lane", "working", "bell"), [(None, False, CALL), (LANE, False, WORK), (LANE, True, INTERRUPT)]
)
def test_a_ring_from_elsewhere_ends_a_long_wait(
    belfry: Belfry, ear: SqsEar, lane: Lane | None, *, working: bool, bell: Bell
) -> None:
    ear.attend(lane, working=working)
    soon(belfry, bell)
    assert ear.wait(LONG)
    assert not ear.wait(timedelta(0))


def test_a_ring_from_inside_ends_a_long_wait_without_a_word_to_aws(ear: SqsEar) -> None:
    threading.Timer(0.1, ear.ring).start()
    assert ear.wait(LONG)


def test_a_call_that_was_heard_is_gone_and_tells_which_lane_it_was_for(belfry: Belfry, ear: SqsEar) -> None:
    belfry.bells.ring(CALL)
    assert ear.wait(LONG)
    assert belfry.called == {"w1": LANE.key}
    eventually_empty(belfry, belfry.addresses.unclaimed)


def test_a_ring_after_a_wait_that_was_ended_early_is_heard(belfry: Belfry, ear: SqsEar) -> None:
    ear.ring()
    assert ear.wait(LONG)
    belfry.bells.ring(CALL)
    assert ear.wait(LONG)


def test_what_a_worker_hears_that_has_turned_away_goes_to_the_one_who_listens(belfry: Belfry, ear: SqsEar) -> None:
    ear.attend(LANE)
    threading.Timer(0.1, ear.ring).start()
    assert ear.wait(LONG)
    # Its request is still on its way, and is answered first.
    ear.attend(None)
    with belfry.listen("w2") as next_owner:
        next_owner.attend(LANE)
        belfry.bells.ring(WORK)
        assert next_owner.wait(LONG)


def test_one_who_comes_back_hears_by_the_request_that_is_still_on_its_way(belfry: Belfry, ear: SqsEar) -> None:
    ear.attend(LANE, working=True)
    threading.Timer(0.1, ear.ring).start()
    assert ear.wait(LONG)
    ear.attend(LANE)
    ear.attend(LANE, working=True)
    belfry.bells.ring(INTERRUPT)
    assert ear.wait(LONG)


def test_two_idle_workers_hear_two_calls(belfry: Belfry, ear: SqsEar) -> None:
    with belfry.listen("w2") as other:
        threading.Timer(0.1, lambda: [belfry.bells.ring(CALL) for _ in range(2)]).start()
        heard = threading.Thread(target=lambda: other.wait(LONG))
        heard.start()
        assert ear.wait(LONG)
        heard.join()
    assert belfry.called.keys() == {"w1", "w2"}


POISON = [
    "",
    "no json",
    "[]",
    '"CLAIM_REQUEST"',
    '{"type": "CLAIM_REQUEST"}',
    '{"type": "CLAIM_REQUEST", "projectId": "../..", "userId": "x"}',
    '{"type": "CLAIM_REQUEST", "projectId": {"a": 1}, "userId": []}',
    '{"type": ["CLAIM_REQUEST"]}',
    "[" * 100_000,
]


@pytest.mark.parametrize("body", POISON)
def test_nobody_stumbles_over_a_poisoned_message(body: str) -> None:
    assert lane_called_for(body) is None
    assert not is_for_owner(body)


def test_a_poisoned_claim_request_wakes_nobody_and_ends_among_the_dead_letters(belfry: Belfry, ear: SqsEar) -> None:
    client, names = belfry.client, belfry.place.names
    client.set_queue_attributes(QueueUrl=belfry.addresses.unclaimed, Attributes={"VisibilityTimeout": "0"})
    client.send_message(QueueUrl=belfry.addresses.unclaimed, MessageBody="poison")
    heard = threading.Thread(target=lambda: ear.wait(LONG))
    heard.start()
    dead = client.receive_message(QueueUrl=belfry.url(names.unclaimed_dead_letters), WaitTimeSeconds=20)
    assert [message["Body"] for message in dead["Messages"]] == ["poison"]
    # It still hears everything else.
    belfry.bells.ring(CALL)
    heard.join()
    assert belfry.called == {"w1": LANE.key}


def test_a_worker_hears_again_after_its_queue_could_not_be_asked(belfry: Belfry, ear: SqsEar) -> None:
    refusal = refused_calls(belfry.place.clients.bells, "ReceiveMessage", 400, "ThrottlingException")
    with refusal:
        assert not ear.wait(timedelta(seconds=1))
    belfry.bells.ring(CALL)
    assert ear.wait(LONG)


def test_ringing_never_fails(belfry: Belfry, ear: SqsEar) -> None:
    with refused_calls(belfry.client, "SendMessage", 400, "ThrottlingException"):
        assert not belfry.bells.ring(CALL)
    assert not belfry.bells.ring(Bell(Call.WORK, "amelia#nobody"))
    assert belfry.bells.ring(CALL)
    assert ear.wait(LONG)


def test_one_message_that_a_dead_owner_has_hidden_does_not_hide_the_next(belfry: Belfry, ear: SqsEar) -> None:
    belfry.bells.ring(WORK)
    assert len(belfry.messages(belfry.addresses.input(LANE))) == 1
    ear.attend(LANE)
    belfry.bells.ring(WORK)
    assert ear.wait(LONG)


def test_a_worker_of_an_installation_without_queues_is_told_what_to_do(place: Place) -> None:
    place.clients.sqs.delete_queue(
        QueueUrl=place.clients.sqs.get_queue_url(QueueName=place.names.unclaimed)["QueueUrl"]
    )
    signals = SqsSignals(place.clients.bells, QueueAddresses(place.clients.sqs, place.names), {})
    with pytest.raises(Misconfigured, match="aws onboard"):
        signals.listen("w1")


def test_queues_can_be_made_twice_and_what_cannot_be_read_is_set_aside(belfry: Belfry) -> None:
    client, names = belfry.client, belfry.place.names
    for _ in range(2):
        create_queues(client, [*installation_queues(names), *lane_queues(names, LANE)])
    for name in (names.unclaimed, names.input(LANE)):
        attributes = client.get_queue_attributes(QueueUrl=belfry.url(name), AttributeNames=["All"])["Attributes"]
        assert json.loads(attributes["RedrivePolicy"])["maxReceiveCount"] == MOST_RECEIVES
    assert belfry.url(names.output(LANE)) == belfry.addresses.output(LANE)


def eventually_empty(belfry: Belfry, url: str) -> None:
    """Wait until what was heard has also been deleted."""
    counted = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    for _ in range(1000):
        left = belfry.client.get_queue_attributes(QueueUrl=url, AttributeNames=counted)["Attributes"]  # type: ignore[arg-type]  # the stub wants literals
        if set(left.values()) == {"0"}:
            return
    raise AssertionError("it was heard and not deleted")
