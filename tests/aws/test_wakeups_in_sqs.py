"""What is special about wakeups in SQS: messages that are lost, doubled, stale, poisoned or somebody else's."""

from __future__ import annotations

import json
import threading
import time
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.aws.accidents import refused_calls
from webordinary.engines.aws.signals import SqsSignals
from webordinary.engines.aws.sqs.poll import Poll
from webordinary.engines.aws.sqs.queues import (
    MOST_RECEIVES,
    QueueAddresses,
    create_queues,
    installation_queues,
    lane_queues,
)
from webordinary.engines.aws.sqs.wakeups import Call, QueuedWakeup, SqsWakeups, is_call, is_for_owner, lane_called_for
from webordinary.errors import Misconfigured
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.aws.conftest import Place
    from webordinary.engines.aws.signals import SqsListener

LONG = timedelta(seconds=60)
LANE = Lane("amelia", "scott")
CALL = QueuedWakeup(Call.CLAIM_REQUEST, LANE.key)
WORK = QueuedWakeup(Call.WORK, LANE.key)
INTERRUPT = QueuedWakeup(Call.INTERRUPT, LANE.key)


class Belfry:
    """The wakeups of an installation with one lane, and two workers who may hear them."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.client = place.clients.sqs
        create_queues(self.client, lane_queues(place.names, LANE))
        self.addresses = QueueAddresses(self.client, place.names)
        self.wakeups = SqsWakeups(self.client, self.addresses)
        self.called: dict[str, str] = {}
        self.signals = SqsSignals(place.clients.wakeups, self.addresses, self.called)

    def listen(self, worker: str = "w1") -> closing[SqsListener]:
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
def listener(belfry: Belfry) -> Iterator[SqsListener]:
    with belfry.listen() as listener:
        yield listener


def soon(belfry: Belfry, wakeup: QueuedWakeup) -> None:
    threading.Timer(0.1, lambda: belfry.wakeups.wake(wakeup)).start()


@pytest.mark.thorough
def test_a_claim_request_says_for_whom_and_where(belfry: Belfry) -> None:
    belfry.wakeups.wake(CALL)
    (message,) = belfry.messages(belfry.addresses.unclaimed)
    told = json.loads(message["Body"])
    assert (told["type"], told["projectId"], told["userId"]) == ("CLAIM_REQUEST", "amelia", "scott")
    assert told["queueUrl"] == belfry.url(belfry.place.names.input(LANE))
    assert message["MessageAttributes"]["type"]["StringValue"] == "CLAIM_REQUEST"
    assert message["MessageAttributes"]["projectId"]["StringValue"] == "amelia"


@pytest.mark.parametrize(
    ("lane", "working", "wakeup"), [(None, False, CALL), (LANE, False, WORK), (LANE, True, INTERRUPT)]
)
def test_a_ring_from_elsewhere_ends_a_long_wait(
    belfry: Belfry, listener: SqsListener, lane: Lane | None, *, working: bool, wakeup: QueuedWakeup
) -> None:
    listener.attend(lane, working=working)
    soon(belfry, wakeup)
    assert listener.wait(LONG)
    assert not listener.wait(timedelta(0))


def test_a_ring_from_inside_ends_a_long_wait_without_a_word_to_aws(listener: SqsListener) -> None:
    threading.Timer(0.1, listener.wake).start()
    assert listener.wait(LONG)


def test_a_call_that_was_heard_is_gone_and_tells_which_lane_it_was_for(belfry: Belfry, listener: SqsListener) -> None:
    belfry.wakeups.wake(CALL)
    assert listener.wait(LONG)
    assert belfry.called == {"w1": LANE.key}
    eventually_empty(belfry, belfry.addresses.unclaimed)


def test_a_ring_after_a_wait_that_was_ended_early_is_heard(belfry: Belfry, listener: SqsListener) -> None:
    listener.wake()
    assert listener.wait(LONG)
    belfry.wakeups.wake(CALL)
    assert listener.wait(LONG)


def test_what_a_worker_hears_that_has_turned_away_goes_to_the_one_who_listens(
    belfry: Belfry, listener: SqsListener
) -> None:
    listener.attend(LANE)
    threading.Timer(0.1, listener.wake).start()
    assert listener.wait(LONG)
    # Its request is still on its way, and is answered first.
    listener.attend(None)
    with belfry.listen("w2") as next_owner:
        next_owner.attend(LANE)
        belfry.wakeups.wake(WORK)
        assert next_owner.wait(LONG)


def test_a_claim_request_is_no_dead_letter_however_many_workers_have_just_turned_busy(belfry: Belfry) -> None:
    url = belfry.addresses.unclaimed
    belfry.wakeups.wake(CALL)
    for _ in range(MOST_RECEIVES + 1):
        busy = Poll(belfry.place.clients.wakeups, url, is_call, lambda _: None, at_once=1)
        busy.listen(time.monotonic() + 20)
        busy.leave()
        while busy.is_busy:
            threading.Event().wait(0.01)
    (message,) = belfry.messages(url)
    assert lane_called_for(message["Body"]) == LANE.key
    assert message["MessageAttributes"]["type"]["StringValue"] == "CLAIM_REQUEST"
    assert belfry.messages(belfry.url(belfry.place.names.unclaimed_dead_letters)) == []


def test_one_who_comes_back_hears_by_the_request_that_is_still_on_its_way(
    belfry: Belfry, listener: SqsListener
) -> None:
    listener.attend(LANE, working=True)
    threading.Timer(0.1, listener.wake).start()
    assert listener.wait(LONG)
    listener.attend(LANE)
    listener.attend(LANE, working=True)
    belfry.wakeups.wake(INTERRUPT)
    assert listener.wait(LONG)


def test_two_idle_workers_hear_two_calls(belfry: Belfry, listener: SqsListener) -> None:
    with belfry.listen("w2") as other:
        threading.Timer(0.1, lambda: [belfry.wakeups.wake(CALL) for _ in range(2)]).start()
        heard = threading.Thread(target=lambda: other.wait(LONG))
        heard.start()
        assert listener.wait(LONG)
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


def test_a_poisoned_claim_request_wakes_nobody_and_ends_among_the_dead_letters(
    belfry: Belfry, listener: SqsListener
) -> None:
    client, names = belfry.client, belfry.place.names
    client.set_queue_attributes(QueueUrl=belfry.addresses.unclaimed, Attributes={"VisibilityTimeout": "0"})
    client.send_message(QueueUrl=belfry.addresses.unclaimed, MessageBody="poison")
    heard = threading.Thread(target=lambda: listener.wait(LONG))
    heard.start()
    dead = client.receive_message(QueueUrl=belfry.url(names.unclaimed_dead_letters), WaitTimeSeconds=20)
    assert [message["Body"] for message in dead["Messages"]] == ["poison"]
    # It still hears everything else.
    belfry.wakeups.wake(CALL)
    heard.join()
    assert belfry.called == {"w1": LANE.key}


def test_a_worker_hears_again_after_its_queue_could_not_be_asked(belfry: Belfry, listener: SqsListener) -> None:
    refusal = refused_calls(belfry.place.clients.wakeups, "ReceiveMessage", 400, "ThrottlingException")
    with refusal:
        assert not listener.wait(timedelta(seconds=1))
    belfry.wakeups.wake(CALL)
    assert listener.wait(LONG)


def test_ringing_never_fails(belfry: Belfry, listener: SqsListener) -> None:
    with refused_calls(belfry.client, "SendMessage", 400, "ThrottlingException"):
        assert not belfry.wakeups.wake(CALL)
    assert not belfry.wakeups.wake(QueuedWakeup(Call.WORK, "amelia#nobody"))
    assert belfry.wakeups.wake(CALL)
    assert listener.wait(LONG)


def test_one_message_that_a_dead_owner_has_hidden_does_not_hide_the_next(belfry: Belfry, listener: SqsListener) -> None:
    belfry.wakeups.wake(WORK)
    assert len(belfry.messages(belfry.addresses.input(LANE))) == 1
    listener.attend(LANE)
    belfry.wakeups.wake(WORK)
    assert listener.wait(LONG)


def test_a_worker_of_an_installation_without_queues_is_told_what_to_do(place: Place) -> None:
    place.clients.sqs.delete_queue(
        QueueUrl=place.clients.sqs.get_queue_url(QueueName=place.names.unclaimed)["QueueUrl"]
    )
    signals = SqsSignals(place.clients.wakeups, QueueAddresses(place.clients.sqs, place.names), {})
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
