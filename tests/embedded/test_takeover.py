"""An owner dies around its push, with real git: the next one ends what is left of it and finds out what is live."""

from __future__ import annotations

import shutil
import stat
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.rigs.dying_worker import EDIT, HANDED_OVER
from tests.rigs.embedded import EmbeddedRig, git
from webordinary.audit.entry import EventType
from webordinary.clock import Moment, SystemClock
from webordinary.jobs.job import Outcome, State
from webordinary.testing.story import SCOTT, Story

# The remote waits inside the first push until the gate opens; every later push goes through.
_HOOK = """#!/bin/sh
[ -e "{folder}/armed" ] || exit 0
rm "{folder}/armed"
touch "{folder}/arrived"
while [ ! -e "{folder}/gate" ]; do sleep 0.02; done
touch "{folder}/left"
{then}
"""


class Ahead:
    """A clock that shows a later time."""

    def __init__(self, by: timedelta) -> None:
        self._by = by

    def now(self) -> Moment:
        return SystemClock().now() + self._by


def arm(rig: EmbeddedRig, hook: str, then: str = "") -> None:
    """Let the next push to the remote wait in this hook, and do something then."""
    path = rig.folder / "amelia.git" / "hooks" / hook
    path.write_text(_HOOK.format(folder=rig.folder, then=then), encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    (rig.folder / "armed").touch()


@pytest.mark.thorough
def test_an_owner_that_dies_before_its_push_is_replaced_and_its_push_never_arrives(rig: EmbeddedRig) -> None:
    story = Story(rig)
    (first,) = story.begin()
    arm(rig, "pre-receive")
    mail = story.writes(SCOTT, "We open at nine now", subject="hours")
    story.waits_until((rig.folder / "arrived").exists)
    assert story.job_of(mail).state == State.COMMITTING
    rig.kill_worker(first)
    rig.start_worker()
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED

    assert rig.live_log("amelia") == ["hours", "The site as it was"]
    assert not (rig.folder / "left").exists()
    assert "9:00 – 18:00" in rig.page("amelia", "contact.html")
    assert story.told(EventType.COMMIT_REOPENED)
    story.waits_for_answer(SCOTT)
    assert len(rig.mailbox(SCOTT.address)) == 1


@pytest.mark.thorough
def test_an_owner_that_dies_after_its_push_is_completed_and_nothing_is_pushed_twice(rig: EmbeddedRig) -> None:
    story = Story(rig)
    (first,) = story.begin()
    arm(rig, "post-receive")
    mail = story.writes(SCOTT, "We open at nine now", subject="hours")
    story.waits_until((rig.folder / "arrived").exists)
    rig.kill_worker(first)
    rig.start_worker()
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert rig.live_log("amelia") == ["hours", "The site as it was"]
    assert not story.told(EventType.COMMIT_REOPENED)
    assert "9:00 – 18:00" in rig.page("amelia", "contact.html")
    live = git(rig.folder / "amelia.git", "rev-parse", "main").strip()
    assert story.job_of(mail).commit == live


@pytest.mark.thorough
def test_a_push_that_nobody_knows_the_end_of_is_not_reported_as_done(rig: EmbeddedRig) -> None:
    story = Story(rig)
    story.begin(settings={"workers": 'backoff = ["50 ms", "50 ms"]'})
    arm(rig, "pre-receive", then=f'mv "{rig.folder}/amelia.git" "{rig.folder}/away.git"; kill -9 $PPID')
    mail = story.writes(SCOTT, "We open at nine now", subject="hours")
    story.waits_until((rig.folder / "arrived").exists)
    (rig.folder / "gate").touch()
    job = story.waits_for_job(mail)
    assert job.state == State.DEAD
    assert "not sure" in (job.error or "")
    assert "not sure" in story.waits_for_answer(SCOTT).text.lower()


def test_a_live_branch_that_is_protected_is_a_plain_failure(rig: EmbeddedRig) -> None:
    story = Story(rig)
    story.begin(settings={"workers": 'backoff = ["50 ms", "50 ms"]'})
    arm(rig, "pre-receive", then="exit 1")
    hook = rig.folder / "amelia.git" / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    mail = story.writes(SCOTT, "We open at nine now", subject="hours")
    job = story.waits_for_job(mail)
    assert job.state == State.FAILED
    assert "refused the change" in (job.error or "")
    assert "as it was" in story.waits_for_answer(SCOTT).text


@pytest.mark.thorough
def test_an_edit_whose_folder_was_lost_is_made_again(rig: EmbeddedRig) -> None:
    story = Story(rig)
    (first,) = story.begin()
    arm(rig, "pre-receive")
    mail = story.writes(SCOTT, "We open at nine now", subject="hours")
    story.waits_until((rig.folder / "arrived").exists)
    rig.kill_worker(first)
    shutil.rmtree(rig.here.config.data / "workspace")
    rig.start_worker()
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert "9:00 – 18:00" in rig.page("amelia", "contact.html")


@pytest.mark.thorough
def test_a_job_over_its_deadline_fails_with_its_work_kept(rig: EmbeddedRig) -> None:
    story = Story(rig)
    story.begin(settings={"workers": 'deadline = "25 s"'})
    text = 'add a paragraph "We bake all night." to the about page\nwait for the file oven'
    mail = story.writes(SCOTT, text, subject="hours")
    job = story.waits_for_job(mail)
    assert (job.state, job.error) == (State.FAILED, "the request took longer than one job may take")
    mirror = rig.here.config.data / "workspace" / "projects" / "amelia" / "mirror.git"
    assert "We bake all night." in git(mirror, "show", f"refs/heads/thread-{job.thread}:about.html")
    assert rig.live_log("amelia") == ["The site as it was"]
    story.waits_for_answer(SCOTT)


def test_an_interrupted_thread_keeps_its_session(rig: EmbeddedRig) -> None:
    story = Story(rig)
    story.begin()
    mail = story.writes(SCOTT, "wait for the file oven\nWe open at nine now")
    story.waits_for(EventType.AGENT_SAID)
    thread = rig.here.engine.threads.find(story.job_of(mail).thread)
    assert thread is not None
    assert thread.session


@pytest.mark.thorough
def test_what_was_stopped_is_not_published_by_the_next_mail_of_its_thread(rig: EmbeddedRig) -> None:
    story = Story(rig)
    story.begin()
    story.writes(SCOTT, "We open at ten now")
    answer = story.waits_for_answer(SCOTT)
    text = 'add a paragraph "We bake all night." to the about page\nwait for the file oven'
    stopped = story.writes(SCOTT, text, in_reply_to=answer)
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    story.writes(SCOTT, "stop", in_reply_to=answer)
    assert story.waits_for_job(stopped).state == State.STOPPED
    after = story.writes(SCOTT, "We close at 17:00 now", in_reply_to=answer)
    assert story.waits_for_job(after).outcome == Outcome.PUBLISHED
    assert "17:00" in rig.page("amelia", "contact.html")
    assert "We bake all night." not in rig.page("amelia", "about.html")


@pytest.mark.thorough
def test_the_same_stop_delivered_late_and_again_stops_nothing_newer(rig: EmbeddedRig) -> None:
    story = Story(rig)
    story.begin()
    story.writes(SCOTT, "We open at ten now")
    answer = story.waits_for_answer(SCOTT)
    first = story.writes(SCOTT, "stop", in_reply_to=answer, message_id="<stop@phone.example.org>")
    slow = story.writes(SCOTT, "wait for the file oven\nWe open at nine now", in_reply_to=answer)
    story.waits_for(EventType.AGENT_SAID, matching=lambda entry: "waiting" in entry.text)
    assert story.writes(SCOTT, "stop", in_reply_to=answer, message_id="<stop@phone.example.org>") == first
    story.opens_gate("oven")
    assert story.waits_for_job(slow).outcome == Outcome.PUBLISHED


def test_an_answer_whose_sender_died_behind_the_servers_yes_goes_out_under_the_same_name(
    rig: EmbeddedRig,
) -> None:
    story = Story(rig)
    story.begin(workers=0)
    rig.start_dying_workers(EDIT, [HANDED_OVER])
    job = story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    first = story.waits_for_answer(SCOTT)
    story.waits_until(lambda: rig.deaths() == [HANDED_OVER])
    assert rig.here.engine.outbox.take(f"{job.id}.answer", "early", rig.here.clock.now()) is None
    late = replace(rig.here, clock=Ahead(timedelta(minutes=3)))
    late.chores("late").send(f"{job.id}.answer")
    again = story.waits_for_answer(SCOTT, count=2)
    assert (again.message_id, again.text) == (first.message_id, first.text)
