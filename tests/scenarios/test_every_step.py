"""A worker is killed behind every step of an edit, an undo and an approval: the next one goes on behind that step.

Each push, each switch and each answer happens once, whoever does it.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.rigs.dying_worker import CLOSED, COMMIT_POINT, EDIT, FINISHED
from tests.rigs.embedded import EmbeddedRig
from tests.scenarios.test_approval import change_by_hand
from tests.scenarios.test_repairs import STRICT, runs
from webordinary.audit.entry import EventType
from webordinary.jobs.about import Errand
from webordinary.jobs.job import Outcome
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, SCOTT

if TYPE_CHECKING:
    from webordinary.audit.entry import Entry
    from webordinary.jobs.job import Job
    from webordinary.testing.rig import Received
    from webordinary.testing.story import Story

PUBLISH = ("built", "previewed", COMMIT_POINT, "pushed", "published")
STEPS = {
    EDIT: ("checked out", "agent started", "edited", *PUBLISH, FINISHED),
    Errand.REVERT: ("checked out", "reverted", *PUBLISH, FINISHED),
    Errand.APPROVE: ("checked out", *PUBLISH, CLOSED, FINISHED),
}
# Behind these the change is built and not at the remote, so that whoever follows builds once more.
BUILT_IN_VAIN = ("built", "previewed", COMMIT_POINT)
CAREFUL = SiteSetup(BAKERY.id, BAKERY.editors, rules='publish = "approve"')
FIRST = "The site as it was"
BEFORE, AFTER = "8:00 – 18:00", "9:00 – 18:00"


class Journey:
    """Many jobs of one errand, each of which costs one worker its life."""

    def __init__(
        self,
        story: Story,
        errand: str,
        site: SiteSetup = BAKERY,
        steps: tuple[str, ...] = (),
        settings: dict[str, str] | None = None,
    ) -> None:
        assert isinstance(story.rig, EmbeddedRig)
        self.story, self.rig = story, story.rig
        self.steps = steps or STEPS[errand]
        self.mails = 0
        story.begin(site, settings=settings, workers=0)
        self.next_is_elsewhere = not self.rig.here.does_chores
        self.rig.start_dying_workers(errand, self.steps)

    def writes(self, text: str, *, subject: str = "Our website", to: Received | None = None) -> tuple[Job, Received]:
        """Let Scott write, and return what became of it and the one answer to it."""
        job = self.story.waits_for_job(self.story.writes(SCOTT, text, subject=subject, in_reply_to=to))
        self.mails += 1
        return job, self.story.waits_for_answer(SCOTT, count=self.mails)

    def checks(self, job: Job, step: str) -> None:
        """Look whether nothing was done again that was recorded as done, but for what had to be."""
        times = Counter(entry.text for entry in self.story.told(EventType.STEP) if entry.job == job.id)
        assert times["built"] == (2 if step in BUILT_IN_VAIN else 1)
        # What an agent did and nobody pushed stays on its machine.
        in_vain = ("agent started", *(("edited", *BUILT_IN_VAIN) if self.next_is_elsewhere else ()))
        assert times["agent started"] <= (2 if step in in_vain else 1)
        assert times["pushed"] <= 1
        assert times["published"] <= (2 if step in {"published", CLOSED} else 1)

    def is_over(self) -> None:
        """Look whether everybody died who should, and whether Scott was answered once each time."""
        assert self.rig.deaths() == list(self.steps)
        box = self.rig.mailbox(SCOTT.address)
        assert len({mail.message_id for mail in box}) == len(box) == self.mails


@pytest.mark.thorough
def test_an_edit_whose_workers_are_killed_is_published_and_answered_once(story: Story) -> None:
    journey = Journey(story, EDIT)
    for step in journey.steps:
        job, answer = journey.writes(f'add a paragraph "Killed behind {step}." to the about page', subject=step)
        assert job.outcome == Outcome.PUBLISHED
        assert f"Killed behind {step}." in answer.text
        assert story.rig.page("amelia", "about.html").count(f"Killed behind {step}.") == 1
        journey.checks(job, step)
    assert story.rig.live_log("amelia") == [*reversed(journey.steps), FIRST]
    journey.is_over()


@pytest.mark.thorough
def test_an_undo_whose_workers_are_killed_takes_back_once(story: Story) -> None:
    journey = Journey(story, Errand.REVERT)
    _, report = journey.writes("We open at nine now", subject="hours")
    shown, hidden = BEFORE, AFTER
    for step in journey.steps:
        # Each of them takes the one before it back.
        job, report = journey.writes("undo", to=report)
        assert job.outcome == Outcome.UNDONE
        page = story.rig.page("amelia", "contact.html")
        assert (shown in page, hidden in page, shown in report.text) == (True, False, True)
        journey.checks(job, step)
        shown, hidden = hidden, shown
    assert len(story.rig.live_log("amelia")) == 2 + len(journey.steps)
    journey.is_over()


@pytest.mark.thorough
def test_an_approval_whose_workers_are_killed_publishes_once(story: Story) -> None:
    journey = Journey(story, Errand.APPROVE, CAREFUL)
    for step in journey.steps:
        line = f"Killed behind {step}."
        proposed, asked = journey.writes(f'add a paragraph "{line}" to the about page', subject=step)
        assert proposed.outcome == Outcome.PROPOSED
        job, answer = journey.writes("ok", to=asked)
        assert job.outcome == Outcome.PUBLISHED
        assert line in answer.text
        assert story.rig.page("amelia", "about.html").count(line) == 1
        journey.checks(job, step)
    assert story.rig.live_log("amelia") == [*reversed(journey.steps), FIRST]
    closed = [dict(entry.facts) for entry in story.told(EventType.PROPOSAL_CLOSED)]
    assert closed == [{"standing": "approved", "by": SCOTT.address}] * len(journey.steps)
    journey.is_over()


# The first edit of each mail breaks the build, and the agent mends it when it is told so.
BREAKS = (
    'cat > "$TMPDIR/told"; line=$(grep -om1 "Killed behind [a-z ]*\\." "$TMPDIR/told");'
    ' if grep -q BROKEN about.html; then sed -i "s/BROKEN/$line/" about.html;'
    ' else sed -i "s|</main>|<p>BROKEN</p></main>|" about.html; fi'
)
REPAIRED = ("repair started", "repair ended", "built", COMMIT_POINT)


@pytest.mark.thorough
def test_a_round_of_repair_whose_worker_is_killed_is_repeated_under_its_number_and_counted_once(story: Story) -> None:
    need_sandbox()
    journey = Journey(story, EDIT, STRICT, REPAIRED, runs(BREAKS))
    for step in journey.steps:
        job, answer = journey.writes(f"Add this to the about page: “Killed behind {step}.”", subject=step)
        assert job.outcome == Outcome.PUBLISHED, job.error
        assert f"Killed behind {step}." in answer.text
        assert story.rig.page("amelia", "about.html").count(f"Killed behind {step}.") == 1
        mine = [entry for entry in story.told(EventType.STEP) if entry.job == job.id]
        begun = [entry.facts["repairs"] for entry in mine if entry.text == "repair started"]
        assert begun == (["1", "1"] if step == "repair started" else ["1"])
        assert [entry.facts["repaired"] for entry in mine if entry.text == "repair ended"] == ["1"]
    journey.is_over()


def _waits_for_gate(gate: str, entry: Entry) -> bool:
    return entry.text == f"waiting for {gate}"


# The hours that are asked for, and when somebody else lets the shop close meanwhile.
CONFLICTS = (
    ("nine", "8:00", "18:00", "17:00"),
    ("ten", "9:00", "17:00", "16:00"),
    ("eleven", "10:00", "16:00", "15:00"),
)
JOINS = ("repair started", "before repair ended", "repair ended")


@pytest.mark.thorough
def test_a_conflict_that_the_agent_joins_is_joined_once_also_if_its_worker_is_killed(story: Story) -> None:
    journey = Journey(story, EDIT, steps=JOINS)
    for step, (asked, opens, closed, closes) in zip(journey.steps, CONFLICTS, strict=True):
        mail = story.writes(SCOTT, f"We open at {asked} now\nwait for the file {asked}", subject=step)
        story.waits_for(EventType.AGENT_SAID, matching=partial(_waits_for_gate, asked))
        change_by_hand(story, "contact.html", f"{opens} – {closed}", f"{opens} – {closes}")
        story.opens_gate(asked)
        job = story.waits_for_job(mail)
        journey.mails += 1
        assert job.outcome == Outcome.PUBLISHED, job.error
        mine = [entry for entry in story.told(EventType.STEP) if entry.job == job.id]
        assert {entry.facts["repairs"] for entry in mine if entry.text == "repair started"} == {"1"}
        now = {"nine": "9:00", "ten": "10:00", "eleven": "11:00"}[asked]
        # What somebody else did is there as well, and no mark of git.
        page = story.rig.page("amelia", "contact.html")
        assert f"{now} – {closes}" in page
        assert "<<<<" not in page
        story.waits_for_answer(SCOTT, count=journey.mails)
    journey.is_over()


# A round that breaks what was right; nobody mends that.
WORSENS = (
    'cat > "$TMPDIR/told"; if ! grep -q "after your edit" "$TMPDIR/told";'
    " then sed -i 's/8:00 – 18/9:00 – 18/' contact.html; echo You open at nine.;"
    " elif ! grep -q BROKEN contact.html; then sed -i 's/8:00 – 14/BROKEN – 14/' contact.html; echo I mended it.; fi"
)


@pytest.mark.thorough
@pytest.mark.parametrize("step", ["before repair ended", "previewed"])
def test_a_round_that_leaves_it_worse_is_taken_back_also_if_its_worker_was_killed(story: Story, step: str) -> None:
    """Before it could say what the round had made, and after that was taken back."""
    need_sandbox()
    journey = Journey(story, EDIT, STRICT, (step,), runs(WORSENS))
    job, answer = journey.writes("We open at nine now")
    assert job.outcome == Outcome.PUBLISHED, job.error
    assert "8:00 – 14" in story.rig.page("amelia", "contact.html")
    assert "9:00 – 18" in story.rig.page("amelia", "contact.html")
    assert "mended" not in answer.text
    journey.is_over()


# What it does beside is taken out again.
OVERDOES = (
    'cat > "$TMPDIR/told"; line=$(grep -om1 "Killed behind [a-z ]*\\." "$TMPDIR/told");'
    ' sed -i "s|</main>|<p>$line</p></main>|" about.html;'
    ' sed -i "s/Follow the smell/Follow us/" contact.html; echo I polished it.'
)
REDUCED = ("built", "before reduced", "reduced", COMMIT_POINT)


@pytest.mark.thorough
def test_a_change_whose_worker_is_killed_while_it_is_made_smaller_loses_nothing_that_was_asked_for(
    story: Story,
) -> None:
    need_sandbox()
    journey = Journey(story, EDIT, BAKERY, REDUCED, runs(OVERDOES, "repairs = false"))
    for step in journey.steps:
        job, answer = journey.writes(f"Add this to the about page: “Killed behind {step}.”", subject=step)
        assert job.outcome == Outcome.PUBLISHED, job.error
        assert f"Killed behind {step}." in answer.text
        assert story.rig.page("amelia", "about.html").count(f"Killed behind {step}.") == 1
        assert "Follow the smell" in story.rig.page("amelia", "contact.html")
        assert "Follow the smell. → Follow us." in job.journal.left_out
        # What the agent says of its work is not true of what is live.
        assert "polished" not in answer.text
    journey.is_over()


@pytest.mark.thorough
def test_what_was_withdrawn_does_not_come_back_with_the_next_change_also_if_its_worker_is_killed(story: Story) -> None:
    journey = Journey(story, EDIT, CAREFUL, ("checked out", "edited"))
    _, asked = journey.writes("We open at nine now")
    story.writes(SCOTT, "undo", in_reply_to=asked)
    journey.mails += 1
    assert "was dropped" in story.waits_for_answer(SCOTT, count=2).text
    job, answer = journey.writes('add a paragraph "We bake all night." to the about page', to=asked)
    assert job.outcome == Outcome.PROPOSED, job.error
    assert "We bake all night." in answer.text
    assert AFTER not in answer.text
    journey.is_over()
