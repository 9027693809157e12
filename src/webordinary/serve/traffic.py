"""A day of mails as offices write them: drawn by chance, the same again for the same seed."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from datetime import timedelta

from webordinary.routing.lane import Lane

# How likely each hour of an office day is: most people write in the morning and after lunch.
_HOURS = {8: 2, 9: 4, 10: 4, 11: 3, 12: 1, 13: 2, 14: 3, 15: 3, 16: 2, 17: 1}
# Who has just written often writes again: a correction, or the next thing that comes to mind.
_WRITES_AGAIN = 0.4
_AGAIN_WITHIN_MINUTES = (1.0, 10.0)
_MORE_OR_LESS = 2
# The spread of the logarithm: two of three jobs take between half and twice the usual time.
_SPREAD = 0.6
# What takes longer is ended by a project's time limit.
_LONGEST = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Traffic:
    """What an agency knows about its customers: how many, how often a day each writes, and what a job usually takes."""

    projects: int = 10
    users: int = 10
    mails: float = 5.0
    minutes: float = 3.0
    seed: int = 1

    @property
    def lanes(self) -> int:
        return self.projects * self.users


@dataclass(frozen=True, slots=True)
class SimulatedMail:
    """When it comes, where it belongs, and how long its job will take."""

    at: timedelta
    lane: Lane
    thread: str
    takes: timedelta


def draw_mails(traffic: Traffic) -> list[SimulatedMail]:
    """Return all mails of one day in the order in which they come; times count from midnight."""
    chance = random.Random(traffic.seed)  # noqa: S311 - the same day again, not a secret
    mails = [
        mail
        for project in range(traffic.projects)
        for user in range(traffic.users)
        for mail in _mails_of(Lane(f"project-{project}", f"user-{user}"), traffic, chance)
    ]
    return sorted(mails, key=lambda mail: (mail.at, mail.thread))


def _mails_of(lane: Lane, traffic: Traffic, chance: random.Random) -> list[SimulatedMail]:
    mails: list[SimulatedMail] = []
    for number in range(_how_many(traffic.mails, chance)):
        again = bool(mails) and chance.random() < _WRITES_AGAIN
        at = mails[-1].at + _minutes(chance.uniform(*_AGAIN_WITHIN_MINUTES)) if again else _moment(chance)
        thread = mails[-1].thread if again else f"{lane.project}-{lane.user}-{number}"
        mails.append(SimulatedMail(at, lane, thread, _duration(traffic.minutes, chance)))
    return mails


def _how_many(usual: float, chance: random.Random) -> int:
    """Return about as many as usual; a part of a mail a day is a mail on some days."""
    whole = int(usual + chance.random())
    return whole + chance.randint(-_MORE_OR_LESS, _MORE_OR_LESS) if whole > _MORE_OR_LESS else whole


def _moment(chance: random.Random) -> timedelta:
    (hour,) = chance.choices(list(_HOURS), list(_HOURS.values()))
    return timedelta(hours=hour, seconds=chance.uniform(0, 3600))


def _duration(usual: float, chance: random.Random) -> timedelta:
    return min(_minutes(chance.lognormvariate(math.log(usual), _SPREAD)), _LONGEST)


def _minutes(count: float) -> timedelta:
    return timedelta(minutes=count)
