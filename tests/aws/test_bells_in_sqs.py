"""What is special about bells in SQS: a queue for each worker, and a poll that may last longer than a wait."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.aws.accidents import refused_calls
from webordinary.engines.aws.signals import SqsSignals, bell_name
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.aws.conftest import Place
    from webordinary.engines.aws.signals import SqsEar

LONG = timedelta(seconds=30)


@pytest.fixture
def signals(place: Place) -> SqsSignals:
    return SqsSignals(place.clients.bells, place.clients.sqs, place.names.prefix)


@pytest.fixture
def ear(signals: SqsSignals) -> Iterator[SqsEar]:
    ear = signals.listen("w1")
    yield ear
    ear.close()


def test_a_ring_from_elsewhere_ends_a_long_wait(signals: SqsSignals, ear: SqsEar) -> None:
    threading.Timer(0.1, lambda: signals.ring(["w1"])).start()
    assert ear.wait(LONG)


def test_a_ring_from_inside_ends_a_long_wait_without_a_word_to_aws(ear: SqsEar) -> None:
    threading.Timer(0.1, ear.ring).start()
    assert ear.wait(LONG)


def test_a_ring_after_a_wait_that_was_ended_early_is_heard(signals: SqsSignals, ear: SqsEar) -> None:
    ear.ring()
    assert ear.wait(LONG)
    signals.ring(["w1"])
    assert ear.wait(LONG)


def test_many_rings_never_block_and_count_as_one(ear: SqsEar) -> None:
    for _ in range(100_000):
        ear.ring()
    assert ear.wait(LONG)
    assert not ear.wait(timedelta(0))


def test_a_bell_that_was_removed_is_silent(place: Place, signals: SqsSignals, ear: SqsEar) -> None:
    signals.forget("w1")
    assert not ear.wait(timedelta(seconds=1))
    ear.ring()
    assert ear.wait(LONG)
    assert not queues_of(place)


def test_a_worker_that_leaves_takes_its_bell_along(place: Place, signals: SqsSignals) -> None:
    signals.listen("w2").close()
    assert not queues_of(place)


def test_ringing_never_fails(place: Place, signals: SqsSignals, ear: SqsEar) -> None:
    with refused_calls(place.clients.sqs, "SendMessage", 400, "ThrottlingException"):
        signals.ring(["w1", "gone"])
    signals.ring(["w1"])
    assert ear.wait(LONG)


def test_a_role_that_may_make_no_queue_is_told_so(place: Place, signals: SqsSignals) -> None:
    with (
        refused_calls(place.clients.bells, "CreateQueue", 403, "AccessDenied"),
        pytest.raises(Misconfigured, match="-bell-w3"),
    ):
        signals.listen("w3")


def test_the_name_of_a_bell_is_one_that_sqs_takes() -> None:
    assert bell_name("webordinary", "worker-1a2b") == "webordinary-bell-worker-1a2b"
    strange = [bell_name("webordinary", name) for name in ("x" * 100, "x" * 101, "a/b c", "")]
    assert all(len(name) <= 80 and name.replace("-", "").isalnum() for name in strange)
    assert len(set(strange)) == 4


def queues_of(place: Place) -> list[str]:
    return place.clients.sqs.list_queues(QueueNamePrefix=place.names.prefix).get("QueueUrls", [])
