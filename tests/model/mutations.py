"""Mutations: each guard of dispatch broken in its own source, and what is around dispatch switched off."""

from __future__ import annotations

import importlib
import inspect
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.rigs.aws_ports import open_aws_ports
from tests.rigs.embedded_ports import open_embedded_ports

from .explorer import GOES_IN_CIRCLES, STATE_LIMIT, STUCK, explore
from .production import Breakage
from .promises import Broken
from .situations import ENDLESS, QUICK, QUICK_CROWD

if TYPE_CHECKING:
    from collections.abc import Collection

    from .explorer import Exploration

NO_END = "it goes on for ever"
_PROMISES = {"STUCK": STUCK, "GOES_IN_CIRCLES": GOES_IN_CIRCLES, "NO_END": NO_END, **Broken.__members__}
_FILE = tomllib.loads((Path(__file__).parent / "guards.toml").read_text(encoding="utf-8"))


class Mutation(NamedTuple):
    """A guard of a model switched off in a situation that is sound with it, and the promises that must then break."""

    guard: str
    situation: str
    breaks: tuple[str, ...]


class GuardMutation(NamedTuple):
    """A guard of dispatch that is broken, where it is missed, and the promise that then breaks."""

    breakage: Breakage
    situation: str
    breaks: str

    def __str__(self) -> str:
        return str(self.breakage)

    def explore(self, *, until: Collection[str] = (), limit: int = STATE_LIMIT) -> Exploration:
        """Explore the situation of this guard."""
        if self.situation in QUICK:
            return explore(QUICK[self.situation], until=until, limit=limit)
        # Who is passed over once may be passed over for ever.
        beyond = {Broken.OUT_OF_TURN}
        return explore((QUICK_CROWD | ENDLESS)[self.situation], until=until, beyond=beyond, limit=limit)


class TestedGuard(NamedTuple):
    """A guard of dispatch that is broken, and the test that then fails."""

    breakage: Breakage
    test: str
    on_aws: bool = False

    def __str__(self) -> str:
        return str(self.breakage)

    def run(self, folder: Path) -> None:
        """Run the test as it is run elsewhere, on the engine that it is about."""
        module, _, name = self.test.partition(":")
        function = getattr(importlib.import_module(f"tests.{module}"), name)
        open_ports = open_aws_ports if self.on_aws else open_embedded_ports
        wanted = inspect.signature(function).parameters
        function(**{name: folder if name == "tmp_path" else open_ports(folder) for name in wanted})


def _breakage(found: dict[str, str]) -> Breakage:
    return Breakage(found["module"], found["text"], found["instead"])


GUARDS = [GuardMutation(_breakage(each), each["situation"], _PROMISES[each["breaks"]]) for each in _FILE["guard"]]
# Nothing breaks when one of these is gone alone: the tests explore to the last state without it.
SECOND_LOCKS = [GuardMutation(_breakage(each), each["situation"], "") for each in _FILE["second_lock"]]

# What the explorer does not see: a test misses it.
TESTED = [TestedGuard(_breakage(each), each["test"], bool(each.get("on_aws"))) for each in _FILE["tested"]]
ENTRIES = [*(each.breakage for each in (*GUARDS, *SECOND_LOCKS)), *(each.breakage for each in TESTED)]

# A committing job has no reason for which it could fail by time: the sweep itself breaks first.
DEADLINE_OF_THE_COMMITTING = Breakage(
    "dispatch.job_row",
    "        case State.RUNNING:\n            return lane.deadline_of",
    "        case State.RUNNING | State.COMMITTING:\n            return lane.deadline_of",
)

# What workers and the remote do around dispatch.
AROUND = (
    Mutation("rings_before_the_commit", "AB, only wakeups from a queue", (STUCK,)),
    Mutation("rings_before_the_commit", "AB, only datagrams", (STUCK,)),
    Mutation("looks_before_the_idle_flag", "AB, only datagrams", (STUCK,)),
    Mutation("push_needs_the_fence", "AB, a pause", (Broken.PUBLISHED_OUTSIDE_COMMIT_POINT,)),
    Mutation("push_needs_the_fence", "AB, a pause", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation("pointer_needs_the_fence", "AB, a pause", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation("settle_advances_the_fences", "AB, a pause", (Broken.PUBLISHED_OUTSIDE_COMMIT_POINT,)),
)

PUBLISHING = (
    Mutation("push_needs_the_fence", "two lanes, a pause, a failure", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation("push_needs_the_lease", "two lanes, a pause, a failure", (Broken.COMMIT_LOST,)),
    Mutation("pointer_needs_the_fence", "two lanes, a pause, a failure", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation("pointer_moves_only_forward", "two lanes, a crash", (Broken.POINTER_WENT_BACK,)),
    Mutation("settle_advances_the_fences", "two lanes, a pause, a failure", (Broken.STALE_FENCE_PUBLISHED,)),
    Mutation("fence_ref_is_per_lane", "two lanes, a crash", (Broken.CURRENT_OWNER_REFUSED,)),
    Mutation("refusal_returns_to_running", "two lanes, a pause, a failure", (Broken.PUBLISHED_TWICE,)),
)
