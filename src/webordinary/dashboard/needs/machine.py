"""The installation itself: what its checks say, workers that are not there, and lanes that nobody takes."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webordinary.child import is_alive
from webordinary.dashboard.needs.need import NeedsAsked, NeedTone, OpenNeed
from webordinary.dashboard.needs.projects import REWRITTEN
from webordinary.findings import CheckLevel
from webordinary.overview.filters import FoundPage
from webordinary.worker.hooks.deliver import lost_events as events_not_told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.overview import LaneView

# A worker looks every few seconds; one that is busy for longer than this has company that is busy too.
_LONG = timedelta(minutes=10)
_RECENTLY = timedelta(days=7)
# What doctor says of these is looked at anew for this page, here or in a group of its own.
_LOOKED_AT_HERE = frozenset({"data", "configuration", "login", "workers", "project"})


def findings(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Return what the checks of this machine have found, and whether anybody works."""
    looked = asked.looks.now()
    wrong = [each for each in looked.checks if each.finding is not CheckLevel.OK]
    found = [
        OpenNeed(
            title=f"Check: {each.name}",
            reason=each.says,
            otherwise="It stays as it is; `webordinary doctor` looks at more",
            since_at=looked.at,
            tone=NeedTone.SORRY if each.finding is CheckLevel.FAIL else NeedTone.ASKS,
        )
        for each in wrong
    ]
    return FoundPage([*_nobody_works(asked), *found, *_of_doctor(asked)])


def _of_doctor(asked: NeedsAsked) -> Iterator[OpenNeed]:
    """Say what `webordinary doctor` found when somebody last ran it, while that is news."""
    kept = asked.looks.now().doctor
    if kept is None or kept.at < asked.now.wall_at - _RECENTLY:
        return
    for each in kept.checks:
        if each.finding is CheckLevel.OK or each.name in _LOOKED_AT_HERE or REWRITTEN in each.says:
            continue
        yield OpenNeed(
            title=f"Doctor: {each.name}",
            reason=each.says,
            otherwise="It stays as it is; unless `webordinary doctor` finds it again, it leaves this page",
            until_at=kept.at + _RECENTLY,
            since_at=kept.at,
            tone=NeedTone.SORRY if each.finding is CheckLevel.FAIL else NeedTone.ASKS,
        )


def _nobody_works(asked: NeedsAsked) -> Iterator[OpenNeed]:
    """Say so where workers are processes of this machine, and none of them lives while something waits."""
    if not asked.here.config.traits.is_one_machine:
        return
    waiting = _free_lanes(asked)
    if waiting and not any(is_alive(each.process) for each in asked.engine.overview.workers()):
        yield OpenNeed(
            title="Nobody works",
            reason="Requests wait and no worker runs: start them with `webordinary serve`.",
            otherwise="Mails go on being accepted; each request fails when it has waited too long",
            since_at=waiting[0].free_since,
            link="/now",
            tone=NeedTone.SORRY,
        )


def lost_events(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find what receivers of webhooks were not told of in the last days."""
    here, week_ago = asked.here, asked.now.wall_at - _RECENTLY
    folder = here.webhooks().folder
    lost = [(hook, each) for hook in here.config.webhooks for each in events_not_told(folder, hook)]
    return FoundPage(
        [
            OpenNeed(
                title=f"A receiver was not told: {each.told.event}",
                reason=f"{urlsplit(hook.url).hostname} never took it: {each.why}. It would have read: {each.told.told}",
                otherwise="It is not sent again; what it tells of can be read here and by the API",
                since_at=each.at,
                link=f"/jobs/{each.told.job}" if each.told.job else None,
                tone=NeedTone.SORRY,
            )
            for hook, each in lost
            if each.at >= week_ago
        ][: asked.limit]
    )


def unclaimed(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find lanes that have waited for a worker for too long."""
    long_ago = asked.now.wall_at - _LONG
    long_free = [lane for lane in _free_lanes(asked) if lane.free_since and lane.free_since < long_ago]
    return FoundPage([_about_lane(lane) for lane in long_free[: asked.limit]])


def _free_lanes(asked: NeedsAsked) -> list[LaneView]:
    """Return the lanes that any worker may take, the longest first; those of an owner that has died too."""
    overview = asked.engine.overview
    found = (*overview.unclaimed(asked.now, limit=asked.limit), *overview.active(asked.now, limit=asked.limit))
    free = {lane.lane: lane for lane in found if lane.free_since is not None and lane.paused is None}
    return sorted(free.values(), key=lambda lane: lane.free_since or asked.now.wall_at)


def _about_lane(lane: LaneView) -> OpenNeed:
    return OpenNeed(
        title=f"{lane.lane} waits for a worker",
        reason=f"{lane.pending} requests wait and no worker was free to take the lane.",
        otherwise="Its first request fails when it has waited too long, and whoever asked is told",
        since_at=lane.free_since,
        project=lane.lane.partition("#")[0],
        link="/now",
    )
