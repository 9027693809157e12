"""A live branch that somebody rewrites all the time, beside mails and under kills: real git, real workers, real sites.

`python -m tests.chaos.rewritten --scale 1`; what must hold stands in `_promises`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.chaos.plan import Result
from tests.rigs.developer import Developer
from tests.rigs.embedded import EmbeddedRig
from webordinary.actions.live_site import accept_and_publish, look_at_branch
from webordinary.audit.entry import EventType
from webordinary.errors import TryAgain
from webordinary.jobs.job import Outcome, State
from webordinary.testing.story import AGENCY, MARIA, SCOTT, Story
from webordinary.workspace.history import BranchState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ROUNDS = 60
_WORKERS = 2
_SETTINGS = {
    "agency": f'address = "{AGENCY.address}"',
    "workers": 'git_look = "1 s"\nattempts = 1000\nbackoff = ["0 s"]',
}
_PAGES = ((SCOTT, "about"), (MARIA, "contact"))


class Torment:
    """One installation, two editors, one developer and somebody who kills workers."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rig = EmbeddedRig(folder)
        self.story = Story(self.rig)
        self.workers = self.story.begin(settings=_SETTINGS, workers=_WORKERS)
        self.mails = [self.story.writes(SCOTT, "We open at nine now")]
        self.story.waits_for_job(self.mails[0])
        self.developer = Developer(folder)
        self.dice = random.Random(seed)  # noqa: S311 - the same run again, not a secret
        self.result = Result()
        self.hands = 0

    def run(self, rounds: int) -> Result:
        moves: list[Callable[[], None]] = [self._mail, self._mail, self._push, self._rewrite, self._delete, self._kill]
        try:
            for _ in range(rounds):
                move = self.dice.choice(moves)
                self.result.count(move.__name__.strip("_"))
                move()
                self._accept()
            self.story.waits_until(self._is_quiet)
            self.result.broken = list(self._promises())
        finally:
            self.rig.close()
        return self.result

    def _mail(self) -> None:
        person, page = self.dice.choice(_PAGES)
        words = f"add a paragraph “Line {len(self.mails)}.” to the {page} page"
        self.mails.append(self.story.writes(person, words.replace("“", '"').replace("”", '"')))

    def _by_hand(self) -> None:
        self.hands += 1
        self.developer.commits(f"hand-{self.hands}.html", f"<title>Hand</title><p>By hand {self.hands}.</p>\n")

    def _push(self) -> None:
        """Push as everybody does; whoever was faster is looked at first."""
        self.developer.sees()
        self._by_hand()
        self.developer.pushes_if_possible()

    def _rewrite(self) -> None:
        self.developer.sees()
        self.developer.goes_back_if_possible()
        self._by_hand()
        self.developer.pushes(force=True)

    def _delete(self) -> None:
        self.developer.sees()
        self.developer.deletes_branch()
        self.developer.pushes(force=True)

    def _kill(self) -> None:
        self.rig.kill_worker(self.workers.pop(0))
        self.workers.append(self.rig.start_worker())

    def _accept(self) -> BranchState:
        project = self.rig.here.engine.projects.find("amelia")
        assert project is not None
        view = look_at_branch(self.rig.here, project)
        if view.state is BranchState.REWRITTEN or (view.is_on_hold and view.state is BranchState.AHEAD):
            self.result.count("accepted histories")
            try:
                accept_and_publish(self.rig.here, view, "amy")
            except TryAgain:
                self.result.count("accepted too late")
        return view.state

    def _is_quiet(self) -> bool:
        is_level = self._accept() is BranchState.LEVEL
        return is_level and not any(job.state.is_live for job in self.rig.jobs())

    def _promises(self) -> Iterator[str]:
        jobs = {job.mail: job for job in self.rig.jobs() if job.mail}
        for mail in self.mails:
            job = jobs[mail]
            # What was dropped under somebody's hands is asked about, in words.
            if job.outcome != Outcome.PUBLISHED and job.state is not State.FAILED:
                yield f"{job.id} is {job.state} with {job.outcome}: {job.error}"
            if job.state is State.FAILED and "please say how it should read" not in (job.error or ""):
                yield f"{job.id} failed: {job.error}"
        for entry in self.story.told(EventType.JOB_DEAD):
            yield f"{entry.job} is dead: {entry.text}"
        self.developer.sees()
        for path in sorted(self.developer.pages()):
            if self.rig.page("amelia", path) != self.developer.reads(path):
                yield f"{path} is not what the live branch has"
        letters = [mail.text for mail in self.rig.mailbox(AGENCY.address) if "is live now" in mail.text]
        if len(letters) != len(set(letters)):
            yield "what was pushed was told twice"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scale", type=float, default=1.0, help="1 = 60 moves")
    options.add_argument("--seed", type=int, default=1)
    wanted = options.parse_args()
    result = run_in_a_new_folder(max(5, int(_ROUNDS * wanted.scale)), wanted.seed)
    for what, count in sorted(result.done.items()):
        sys.stdout.write(f"{what:40} {count:>8,}\n")
    sys.stdout.write(f"{'broken promises':40} {len(result.broken):>8,}\n")
    for problem in result.broken[:20]:
        sys.stdout.write(f"  {problem}\n")
    return 1 if result.broken else 0


def run_in_a_new_folder(rounds: int, seed: int = 1) -> Result:
    """Run once and leave nothing behind."""
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        return Torment(Path(folder), seed).run(rounds)


if __name__ == "__main__":
    sys.exit(main())
