"""The situations in which the protocol is explored; each of them is sound as long as no guard is missing."""

from __future__ import annotations

from .crowd import CrowdModel
from .crowd_state import CrowdBudget
from .lane import LaneModel
from .lane_rules import Delivery, Rules
from .lane_state import Budget
from .two_lanes import TwoLanesModel
from .two_lanes_state import Faults


def _lane(threads: str, wakeup: Delivery = Delivery.LOOK, *, only_wakeups: bool = False, **budget: int) -> LaneModel:
    return LaneModel(Rules(threads, wakeup, sweeps_ready_lanes=not only_wakeups), Budget(**budget))


# Digits are verbs, in the threads of the letters: 1 in that of A.
QUICK = {
    "AB, nothing goes wrong": _lane("AB"),
    "AAB, nothing goes wrong": _lane("AAB"),
    "AB, only wakeups from a queue": _lane("AB", Delivery.QUEUE, only_wakeups=True, give_backs=1),
    "AB, only datagrams": _lane("AB", Delivery.DATAGRAM, only_wakeups=True),
    "AB1, a verb": _lane("AB1"),
    "A2B, a verb before its thread": _lane("A2B"),
    "AB, a retry, a give-back": _lane("AB", retries=1, give_backs=1),
    "ABAB, nothing goes wrong": _lane("ABAB"),
    "AB, a pause": _lane("AB", pauses=1),
    "AB, a crash, a stop": _lane("AB", crashes=1, stops=1),
    "AB, a stop, only wakeups from a queue": _lane("AB", Delivery.QUEUE, only_wakeups=True, stops=1, give_backs=1),
    "AB, a crash, a deadline": _lane("AB", crashes=1, deadlines=1),
    "AB, a release by hand": _lane("AB", releases=1),
    "AB, an interrupt that is not due": LaneModel(Rules("AB", interrupts_at_once=False), Budget(crashes=1)),
    "A2, ready at once, a retry, a give-back": LaneModel(
        Rules("A2", is_ready_at_once=True), Budget(retries=1, give_backs=1)
    ),
    "AB, enqueued twice": _lane("AB", repeats=1),
    "AB, a deadline, only wakeups from a queue": _lane("AB", Delivery.QUEUE, only_wakeups=True, deadlines=1),
    "AB, a sweep, a lost wakeup, a retry": _lane("AB", Delivery.QUEUE, retries=1, give_backs=1, lost_wakeups=1),
    "AB, a sweep, a repeated wakeup, a crash": _lane("AB", Delivery.QUEUE, crashes=1, repeated_wakeups=1),
    "ABCD, nothing goes wrong": _lane("ABCD"),
    "AB, a pause, a failure": _lane("AB", pauses=1, failures=1),
    "ABA, only wakeups from a queue, a crash": _lane("ABA", Delivery.QUEUE, only_wakeups=True, crashes=1),
    "AB, a pause, a refused push": _lane("AB", pauses=1, refusals=1),
    "AB, a pause, a give-back": _lane("AB", pauses=1, give_backs=1),
    "AA, a pause, a give-back": _lane("AA", pauses=1, give_backs=1),
    "A1B, a crash, a give-back": _lane("A1B", crashes=1, give_backs=1),
    "ABA, a retry, a stop": _lane("ABA", retries=1, stops=1),
}

THOROUGH = {
    "AB, a sweep, a lost datagram": _lane("AB", Delivery.DATAGRAM, retries=1, give_backs=1, lost_wakeups=1),
    "AAB, a pause": _lane("AAB", pauses=1),
    "ABBB, a crash": _lane("ABBB", crashes=1),
    "ABA, a crash, a stop": _lane("ABA", crashes=1, stops=1),
    "AB, two pauses": _lane("AB", pauses=2),
    "ABA, a deadline, a give-back, a failure": _lane("ABA", deadlines=1, give_backs=1, failures=1),
    "ABA, only datagrams, a crash": _lane("ABA", Delivery.DATAGRAM, only_wakeups=True, crashes=1),
    "ABAB, a pause": _lane("ABAB", pauses=1),
}

LONG = {
    "ABB, a pause, a give-back, a refused push": _lane("ABB", pauses=1, give_backs=1, refusals=1),
    "AAB, a crash, a pause": _lane("AAB", crashes=1, pauses=1),
    "ABC, a crash, a stop, a deadline": _lane("ABC", crashes=1, stops=1, deadlines=1),
    "ABC, a crash, a pause": _lane("ABC", crashes=1, pauses=1),
    "AB, everything once": _lane(
        "AB", crashes=1, pauses=1, give_backs=1, failures=1, retries=1, stops=1, refusals=1, deadlines=1, releases=1
    ),
    "AB1, a crash, a pause, a stop": _lane("AB1", crashes=1, pauses=1, stops=1),
    "AAB, a crash, two pauses": _lane("AAB", crashes=1, pauses=2),
    "ABA, a crash, a pause, a stop, a deadline": _lane("ABA", crashes=1, pauses=1, stops=1, deadlines=1),
    "ABB, a crash, a pause, a refusal, a deadline": _lane("ABB", crashes=1, pauses=1, refusals=1, deadlines=1),
    "ABAB, a crash, a pause": _lane("ABAB", crashes=1, pauses=1),
    "ABCB, a crash, a pause": _lane("ABCB", crashes=1, pauses=1),
    "ABA, a sweep, wakeups lost and repeated, all faults": _lane(
        "ABA", Delivery.QUEUE, crashes=1, pauses=1, give_backs=1, retries=1, lost_wakeups=1, repeated_wakeups=1
    ),
    "ABA, a sweep, a lost datagram, a crash": _lane(
        "ABA", Delivery.DATAGRAM, crashes=1, give_backs=1, retries=1, lost_wakeups=1
    ),
}

# Mails come for ever: there is always somebody else whom a worker could serve instead.
ENDLESS = {
    "two lanes, one worker, mails for ever": CrowdModel(("p#a", "p#b"), 1, CrowdBudget()),
    "three lanes, one worker, mails for ever": CrowdModel(("p#a", "p#b", "q#c"), 1, CrowdBudget()),
    "two lanes, one worker, a crash, mails for ever": CrowdModel(("p#a", "p#b"), 1, CrowdBudget(crashes=1)),
    "three lanes, one worker, a crash, one mail each for ever": CrowdModel(
        ("p#a", "p#b", "q#c"), 1, CrowdBudget(crashes=1), longest=1
    ),
    "two lanes, two workers, a crash in the last attempt, mails for ever": CrowdModel(
        ("p#a", "p#b"), 2, CrowdBudget(crashes=1), attempts=1
    ),
}

ENDLESS_THOROUGH = {
    "three lanes, two workers, mails for ever": CrowdModel(("p#a", "p#b", "q#c"), 2, CrowdBudget()),
    "three lanes, a crash, mails for ever": CrowdModel(("p#a", "p#b", "q#c"), 1, CrowdBudget(crashes=1)),
    "three lanes, two workers, a crash, mails for ever": CrowdModel(
        ("p#a", "p#b", "q#c"), 2, CrowdBudget(crashes=1), longest=1
    ),
    "four lanes, two workers, mails for ever": CrowdModel(("p#a", "p#b", "q#c", "q#d"), 2, CrowdBudget(), longest=1),
}

QUICK_CROWD = {
    "two lanes, a crash": CrowdModel(("p#a", "p#b"), 1, CrowdBudget(3, crashes=1)),
    "two lanes, failures": CrowdModel(("p#a", "p#b"), 1, CrowdBudget(4, failures=3)),
    "two lanes, a pause, a crash": CrowdModel(("p#a", "p#b"), 1, CrowdBudget(3, pauses=1, crashes=1)),
    "two lanes, a worker that dies for good, a failure": CrowdModel(
        ("p#a", "p#b"), 2, CrowdBudget(3, failures=1, crashes=1), attempts=1
    ),
    "two lanes that follow, a pause": CrowdModel(("p#a", "p#b"), 1, CrowdBudget(3, pauses=1), follows_at_once=False),
    "three lanes that follow, failures": CrowdModel(
        ("p#a", "p#b", "q#c"), 1, CrowdBudget(4, failures=2), follows_at_once=False
    ),
}

THOROUGH_CROWD = {
    "two lanes that follow, a pause, a crash": CrowdModel(
        ("p#a", "p#b"), 2, CrowdBudget(3, pauses=1, crashes=1), follows_at_once=False
    ),
}

LONG_CROWD = {
    "three lanes, failures, a pause, a crash": CrowdModel(
        ("p#a", "p#b", "q#c"), 2, CrowdBudget(3, failures=2, pauses=1, crashes=1)
    ),
    "three lanes that follow, two workers, failures, a crash": CrowdModel(
        ("p#a", "p#b", "q#c"), 2, CrowdBudget(4, failures=2, crashes=1), follows_at_once=False
    ),
}

QUICK_PUBLISHING = {
    "two lanes, nothing goes wrong": TwoLanesModel(),
    "two lanes, a crash": TwoLanesModel(faults=Faults(crashes=1)),
    "two lanes, a pause, a failure": TwoLanesModel(faults=Faults(pauses=1, failures=1)),
    "two lanes, a crash, a pause": TwoLanesModel(faults=Faults(crashes=1, pauses=1)),
    "two lanes without the slot, a crash, a pause": TwoLanesModel(faults=Faults(crashes=1, pauses=1), has_slot=False),
}

LONG_PUBLISHING = {
    "two lanes, two crashes, a pause": TwoLanesModel(faults=Faults(crashes=2, pauses=1)),
    "two lanes, a crash, two pauses, a failure": TwoLanesModel(faults=Faults(crashes=1, pauses=2, failures=1)),
    "two lanes without the slot, a crash, two pauses": TwoLanesModel(
        faults=Faults(crashes=1, pauses=2, failures=1), has_slot=False
    ),
}
