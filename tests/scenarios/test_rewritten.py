"""A developer pushes to the live branch beside the mails: what goes on from it, and what replaces it."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.rigs.developer import Developer
from tests.rigs.dying_worker import COMMIT_POINT, EDIT, FINISHED, UNTIL_TOLD
from tests.rigs.embedded import EmbeddedRig
from webordinary.actions.live_site import accept_and_publish, look_at_branch
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome, State
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, MARIA, SCOTT, Story
from webordinary.workspace.history import BranchState

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.jobs.job import Job

TOLD = {"agency": f'address = "{AGENCY.address}"'}
WATCHED = {**TOLD, "workers": 'git_look = "1 s"'}
CAREFUL = SiteSetup(BAKERY.id, BAKERY.editors, rules='publish = "approve"')
BUILD = ("sh", "-c", "test ! -e broken.txt && mkdir dist && cp *.html dist/")
BUILT = SiteSetup(BAKERY.id, BAKERY.editors, build=BUILD, output="dist")
HOURS, OLD_HOURS = "9:00 – 18:00", "8:00 – 18:00"
NIGHT = 'add a paragraph "We bake all night." to the about page'
BY_HAND = "Written by hand."


def rig_of(story: Story) -> EmbeddedRig:
    assert isinstance(story.rig, EmbeddedRig)
    return story.rig


def developer_of(story: Story) -> Developer:
    developer = Developer(rig_of(story).folder)
    developer.sees()
    return developer


def hours_are_live(story: Story) -> Job:
    """Let Scott make a first change, which visitors see."""
    done = story.waits_for_job(story.writes(SCOTT, "We open at nine now", subject="New hours"))
    assert done.outcome == Outcome.PUBLISHED
    return done


def writes_by_hand(developer: Developer) -> str:
    return developer.replaces("about.html", "</main>", f"<p>{BY_HAND}</p></main>", "A line by hand")


def state(story: Story) -> BranchState:
    here = rig_of(story).here
    project = here.engine.projects.find("amelia")
    assert project is not None
    return look_at_branch(here, project).state


def accepts(story: Story) -> Job:
    """Let the agency accept the history as it is, and wait until it is live."""
    here = rig_of(story).here
    project = here.engine.projects.find("amelia")
    assert project is not None
    job = accept_and_publish(here, look_at_branch(here, project), "amy")
    story.waits_for(EventType.JOB_DONE, matching=lambda entry: entry.job == job)
    return next(each for each in story.rig.jobs() if each.id == job)


def is_held(story: Story, mail: str, *, times: int = 1) -> None:
    """Look whether the mail waits before its commit point."""
    story.waits_for(EventType.PROJECT_PAUSED, count=times)
    story.waits_until(lambda: story.job_of(mail).state is State.QUEUED)
    assert not [entry for entry in story.told(EventType.COMMIT_POINT) if entry.job == story.job_of(mail).id]


# Each of them was seen on AWS too; what is different there the first two ask, and git is the same.
HERE = pytest.mark.parametrize("story", ["embedded"], indirect=True)


def test_after_a_force_push_the_mail_waits_and_goes_on_when_the_agency_accepts(story: Story) -> None:
    story.begin(settings=TOLD)
    was = hours_are_live(story).commit or ""
    developer = developer_of(story)
    developer.goes_back()
    is_now = writes_by_hand(developer)
    developer.pushes(force=True)

    mail = story.writes(SCOTT, NIGHT)
    told = story.waits_for_answer(AGENCY).text
    assert was[:12] in told
    assert is_now[:12] in told
    assert "webordinary project accept-history amelia" in told
    assert "is safe" in story.waits_for_answer(SCOTT, count=2).text
    is_held(story, mail)
    assert state(story) is BranchState.REWRITTEN
    assert HOURS in story.rig.page("amelia", "contact.html")

    accepts(story)
    receipt = story.waits_for_answer(AGENCY, count=2).text
    assert BY_HAND in receipt
    assert OLD_HOURS in receipt
    done = story.waits_for_job(mail)
    assert done.outcome == Outcome.PUBLISHED
    answer = story.waits_for_answer(SCOTT, count=3).text
    assert "We bake all night." in answer
    assert BY_HAND not in answer
    assert OLD_HOURS in story.rig.page("amelia", "contact.html")
    assert all(words in story.rig.page("amelia", "about.html") for words in (BY_HAND, "We bake all night."))
    assert story.rig.live_log("amelia") == ["Our website", "A line by hand", "The site as it was"]
    accepted = story.told(EventType.HISTORY_ACCEPTED)
    assert [dict(entry.facts) for entry in accepted] == [
        {"project": "amelia", "by": "amy", "accepted": is_now, "replaced": was}
    ]
    assert state(story) is BranchState.LEVEL


def test_an_ordinary_push_goes_live_as_its_own_release_before_the_owners_change(story: Story) -> None:
    story.begin(settings=TOLD)
    hours_are_live(story)
    developer = developer_of(story)
    pushed = writes_by_hand(developer)
    developer.pushes()
    assert state(story) is BranchState.AHEAD

    done = story.waits_for_job(story.writes(SCOTT, NIGHT))
    assert done.outcome == Outcome.PUBLISHED
    receipt = story.waits_for_answer(AGENCY).text
    assert BY_HAND in receipt
    assert "A line by hand" in receipt
    assert "We bake all night." not in receipt
    answer = story.waits_for_answer(SCOTT, count=2).text
    assert "We bake all night." in answer
    assert BY_HAND not in answer
    kept = [release.commit for release in rig_of(story).here.engine.sites.releases("amelia")]
    assert kept[:2] == [done.commit, pushed]
    assert len(story.rig.mailbox(AGENCY.address)) == 1


def test_what_is_pushed_goes_live_also_when_no_mail_comes(story: Story) -> None:
    story.begin(settings=WATCHED)
    hours_are_live(story)
    developer = developer_of(story)
    writes_by_hand(developer)
    developer.pushes()
    assert BY_HAND in story.waits_for_answer(AGENCY).text
    assert BY_HAND in story.rig.page("amelia", "about.html")
    assert len(story.rig.mailbox(SCOTT.address)) == 1


@HERE
@pytest.mark.thorough
@pytest.mark.parametrize("rewrite", ["older", "unrelated", "amended"])
def test_every_kind_of_rewrite_is_held_accepted_and_built_upon(story: Story, rewrite: str) -> None:
    story.begin(settings=TOLD)
    hours_are_live(story)
    developer = developer_of(story)
    if rewrite == "unrelated":
        developer.replaces("contact.html", HOURS, "10:00 – 18:00")
        developer.begins_anew()
    else:
        developer.goes_back()
        if rewrite == "amended":
            developer.replaces("contact.html", OLD_HOURS, "10:00 – 18:00")
    developer.pushes(force=True)
    shown = OLD_HOURS if rewrite == "older" else "10:00 – 18:00"

    mail = story.writes(SCOTT, NIGHT)
    is_held(story, mail)
    assert accepts(story).outcome in {Outcome.PUBLISHED, Outcome.NOTHING_CHANGED}
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert shown in story.rig.page("amelia", "contact.html")
    assert HOURS not in story.rig.page("amelia", "contact.html")
    again = story.waits_for_job(story.writes(SCOTT, 'add a paragraph "And by day." to the about page'))
    assert again.outcome == Outcome.PUBLISHED
    assert len(story.told(EventType.PROJECT_PAUSED)) == 1


@HERE
@pytest.mark.thorough
@pytest.mark.parametrize("how", ["deleted", "renamed"])
def test_without_the_live_branch_mails_wait_and_go_on_by_themselves_when_it_is_back(story: Story, how: str) -> None:
    story.begin(settings=WATCHED)
    hours_are_live(story)
    developer = developer_of(story)
    if how == "deleted":
        developer.deletes_branch()
    else:
        developer.renames_branch("production")
    mail = story.writes(SCOTT, NIGHT)
    is_held(story, mail)
    assert "there is no branch main any more" in story.waits_for_answer(AGENCY).text
    assert state(story) is BranchState.GONE
    developer.pushes()
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert HOURS in story.rig.page("amelia", "contact.html")


@HERE
@pytest.mark.thorough
def test_a_branch_that_is_pushed_back_goes_on_by_itself(story: Story) -> None:
    story.begin(settings=WATCHED)
    hours_are_live(story)
    developer = developer_of(story)
    tip = developer.tip
    developer.goes_back()
    developer.pushes(force=True)
    mail = story.writes(SCOTT, NIGHT)
    is_held(story, mail)
    developer.returns_to(tip)
    developer.pushes(force=True)
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert HOURS in story.rig.page("amelia", "contact.html")


@HERE
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("site", "path", "text"),
    [(BUILT, "broken.txt", "oops\n"), (BAKERY, "key.txt", "-----BEGIN RSA PRIVATE KEY-----\n")],
    ids=["unbuildable", "secret"],
)
def test_a_pushed_commit_that_cannot_go_live_blames_no_mail_and_is_told_to_the_agency(
    story: Story, site: SiteSetup, path: str, text: str
) -> None:
    story.begin(site, settings=WATCHED)
    hours_are_live(story)
    developer = developer_of(story)
    broken = developer.commits(path, text, "Break it")
    developer.pushes()
    mail = story.writes(SCOTT, NIGHT)
    told = story.waits_for_answer(AGENCY).text
    assert broken[:12] in told
    assert "cannot go live" in told
    assert "No mail is to blame" in told
    assert HOURS in story.rig.page("amelia", "contact.html")
    developer.removes(path)
    developer.pushes()
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert "We bake all night." in story.rig.page("amelia", "about.html")
    assert not story.told(EventType.JOB_FAILED)


@HERE
@pytest.mark.thorough
def test_a_force_push_while_the_agent_works_is_found_before_the_commit_point(story: Story) -> None:
    story.begin(settings=TOLD)
    hours_are_live(story)
    developer = developer_of(story)
    mail = story.writes(SCOTT, f"wait for the file oven. {NIGHT}")
    story.waits_for(EventType.STEP, count=2, matching=lambda entry: entry.text == "agent started")
    developer.goes_back()
    writes_by_hand(developer)
    developer.pushes(force=True)
    story.opens_gate("oven")
    is_held(story, mail)
    accepts(story)
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert all(words in story.rig.page("amelia", "about.html") for words in (BY_HAND, "We bake all night."))
    assert OLD_HOURS in story.rig.page("amelia", "contact.html")


@HERE
@pytest.mark.thorough
def test_both_lanes_of_a_project_wait_and_go_on(story: Story) -> None:
    story.begin(settings=TOLD, workers=2)
    hours_are_live(story)
    developer = developer_of(story)
    developer.goes_back()
    writes_by_hand(developer)
    developer.pushes(force=True)
    mails = [story.writes(SCOTT, NIGHT), story.writes(MARIA, 'add a paragraph "By Maria." to the contact page')]
    story.waits_for(EventType.PROJECT_PAUSED)
    story.waits_until(lambda: all(story.job_of(mail).state is State.QUEUED for mail in mails))
    accepts(story)
    assert {story.waits_for_job(mail).outcome for mail in mails} == {Outcome.PUBLISHED}
    assert "By Maria." in story.rig.page("amelia", "contact.html")
    assert BY_HAND in story.rig.page("amelia", "about.html")
    released = [entry for entry in story.told(EventType.STEP) if entry.text == "released from git"]
    assert len(released) == 1


@HERE
@pytest.mark.thorough
def test_a_proposal_on_an_old_base_brings_only_its_own_change(story: Story) -> None:
    story.begin(CAREFUL, settings=TOLD)
    story.writes(SCOTT, "We open at nine now", subject="New hours")
    story.writes(SCOTT, "ok", in_reply_to=story.waits_for_answer(SCOTT))
    story.waits_for_answer(SCOTT, count=2)
    story.writes(SCOTT, NIGHT)
    asked = story.waits_for_answer(SCOTT, count=3)
    developer = developer_of(story)
    developer.goes_back()
    developer.replaces("contact.html", "</main>", f"<p>{BY_HAND}</p></main>")
    developer.pushes(force=True)
    ok = story.writes(SCOTT, "ok", in_reply_to=asked)
    is_held(story, ok)
    accepts(story)
    assert story.waits_for_job(ok).outcome == Outcome.PUBLISHED
    contact = story.rig.page("amelia", "contact.html")
    assert (OLD_HOURS in contact, HOURS in contact, BY_HAND in contact) == (True, False, True)
    assert "We bake all night." in story.rig.page("amelia", "about.html")


@HERE
@pytest.mark.thorough
def test_undo_and_rollback_reach_behind_an_accepted_history(story: Story) -> None:
    story.begin(settings=TOLD)
    first = hours_are_live(story)
    about_hours = story.waits_for_answer(SCOTT)
    developer = developer_of(story)
    hours_again = developer.squashes_all()
    developer.pushes(force=True)
    mail = story.writes(SCOTT, NIGHT)
    is_held(story, mail)
    accepts(story)
    story.waits_for_job(mail)
    assert hours_again != first.commit

    undone = story.waits_for_job(story.writes(SCOTT, "undo", in_reply_to=about_hours))
    assert undone.outcome == Outcome.UNDONE
    assert OLD_HOURS in story.rig.page("amelia", "contact.html")
    assert "We bake all night." in story.rig.page("amelia", "about.html")

    back = story.rig.roll_back("amelia", first.commit or "")
    story.waits_for(EventType.JOB_DONE, matching=lambda entry: entry.job == back)
    assert HOURS in story.rig.page("amelia", "contact.html")
    assert "We bake all night." not in story.rig.page("amelia", "about.html")


@pytest.mark.thorough
@pytest.mark.parametrize("step", ["edited", "previewed", COMMIT_POINT, "pushed", "published", FINISHED])
def test_a_force_push_behind_each_step_of_a_dead_worker_leaves_nobody_unsure(tmp_path: Path, step: str) -> None:
    rig = EmbeddedRig(tmp_path)
    story = Story(rig)
    try:
        story.begin(settings=TOLD, workers=0)
        living = rig.start_worker()
        hours_are_live(story)
        rig.drain_worker(living)
        developer = developer_of(story)
        rig.start_dying_workers(EDIT, [step, UNTIL_TOLD])
        mail = story.writes(SCOTT, NIGHT)
        story.waits_until(lambda: rig.deaths() == [step])
        developer.goes_back()
        writes_by_hand(developer)
        developer.pushes(force=True)
        rig.lets_go_on()
        if step not in {"published", FINISHED}:
            is_reheld(story, mail)
            accepts(story)
        done = story.waits_for_job(mail)
        assert done.outcome == Outcome.PUBLISHED
        assert not story.told(EventType.JOB_DEAD)
        if step in {"published", FINISHED}:
            assert "We bake all night." in story.rig.page("amelia", "about.html")
            assert state(story) is BranchState.REWRITTEN
        else:
            assert all(words in story.rig.page("amelia", "about.html") for words in (BY_HAND, "We bake all night."))
    finally:
        rig.close()


def is_reheld(story: Story, mail: str) -> None:
    story.waits_for(EventType.PROJECT_PAUSED)
    story.waits_until(lambda: story.job_of(mail).state is State.QUEUED)


@pytest.mark.thorough
def test_what_came_from_git_is_told_once_whoever_dies_on_the_way(tmp_path: Path) -> None:
    rig = EmbeddedRig(tmp_path)
    story = Story(rig)
    steps = ("came from git", "released from git")
    try:
        story.begin(settings=TOLD, workers=0)
        rig.start_dying_workers(EDIT, steps)
        hours_are_live(story)
        developer = developer_of(story)
        for count, step in enumerate(steps, start=1):
            developer.sees()
            developer.replaces("about.html", "</main>", f"<p>Hand {count}.</p></main>", step)
            developer.pushes()
            line = f"Killed behind {step}."
            done = story.waits_for_job(story.writes(SCOTT, f'add a paragraph "{line}" to the contact page'))
            assert done.outcome == Outcome.PUBLISHED
            assert f"Hand {count}." in story.waits_for_answer(AGENCY, count=count).text
            assert f"Hand {count}." in rig.page("amelia", "about.html")
            assert rig.page("amelia", "contact.html").count(line) == 1
        assert rig.deaths() == list(steps)
        assert len(rig.mailbox(AGENCY.address)) == len(steps)
    finally:
        rig.close()


@pytest.mark.thorough
def test_a_timed_change_is_kept_over_an_accepted_history_and_still_ends(tmp_path: Path) -> None:
    rig = EmbeddedRig(tmp_path)
    clock = rig.may_move_ahead()
    story = Story(rig)
    days = [datetime.now(UTC).date() + timedelta(days=each) for each in (10, 12)]
    first, last = (f"{day.day} {day:%B} {day.year}" for day in days)
    try:
        story.begin(settings=TOLD)
        hours_are_live(story)
        planned = story.waits_for_job(story.writes(SCOTT, f"From {first} to {last}, {NIGHT}.", subject="Nights"))
        assert planned.outcome == Outcome.SCHEDULED
        developer = developer_of(story)
        developer.goes_back()
        developer.replaces("contact.html", "</main>", f"<p>{BY_HAND}</p></main>")
        developer.pushes(force=True)
        mail = story.writes(SCOTT, 'add a paragraph "By day." to the contact page')
        is_held(story, mail)
        accepts(story)
        assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
        clock.move_to(datetime.combine(days[0], time(12), UTC))
        story.waits_until(lambda: "We bake all night." in rig.page("amelia", "about.html"))
        assert OLD_HOURS in rig.page("amelia", "contact.html")
        developer.sees()
        developer.squashes_all()
        developer.pushes(force=True)
        accepts(story)
        clock.move_to(datetime.combine(days[1] + timedelta(days=1), time(12), UTC))
        story.waits_until(lambda: "We bake all night." not in rig.page("amelia", "about.html"))
        assert all(words in rig.page("amelia", "contact.html") for words in (OLD_HOURS, BY_HAND, "By day."))
    finally:
        rig.close()
