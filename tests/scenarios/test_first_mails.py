"""The first things that an owner does, and the first that go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import EventType
from webordinary.jobs.job import Outcome, State
from webordinary.testing.mail import write_mail
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import AGENCY, BAKERY, EVE, FLOWERS, MARIA, SCOTT, TOM

if TYPE_CHECKING:
    from webordinary.testing.story import Story


@pytest.mark.both_engines
def test_an_owner_writes_and_the_site_is_changed(story: Story) -> None:
    story.begin()
    mail = story.writes(SCOTT, "Hello,\nwe open at nine now.\nThanks, Scott", subject="New hours")
    answer = story.waits_for_answer(SCOTT)

    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")
    assert story.job_of(mail).outcome == Outcome.PUBLISHED
    assert answer.subject == "Re: New hours"
    assert answer.in_reply_to is not None
    assert story.rig.live_log("amelia")[0] == "New hours"


def test_two_mails_of_one_lane_are_done_in_their_order(story: Story) -> None:
    story.begin(workers=2)
    first = story.writes(SCOTT, 'replace "Amelia\'s Bakery" with "Amelia\'s Bread"', subject="first")
    second = story.writes(SCOTT, 'replace "Amelia\'s Bread" with "Amelia\'s Cakes"', subject="second")
    story.waits_for_job(first)
    assert story.waits_for_job(second).outcome == Outcome.PUBLISHED
    assert "Amelia&#x27;s Cakes" in story.rig.page("amelia", "index.html").replace("'", "&#x27;")
    assert story.rig.live_log("amelia")[:2] == ["second", "first"]


def test_two_people_are_served_side_by_side(story: Story) -> None:
    story.begin(BAKERY, FLOWERS, workers=2)
    bread = story.writes(SCOTT, "wait for the file bread\nWe open at nine now")
    story.waits_for(EventType.AGENT_SAID)
    flowers = story.writes(TOM, "We open at ten now", site="flora")
    assert story.waits_for_job(flowers).outcome == Outcome.PUBLISHED
    assert story.job_of(bread).state == State.RUNNING
    story.opens_gate("bread")
    assert story.waits_for_job(bread).outcome == Outcome.PUBLISHED
    assert "10:00" in story.rig.page("flora", "contact.html")
    assert "10:00 – 18:00" not in story.rig.page("amelia", "contact.html")


def test_two_editors_of_one_site_do_not_undo_each_other(story: Story) -> None:
    story.begin(workers=2)
    hours = story.writes(SCOTT, "We open at nine now")
    phone = story.writes(MARIA, 'add a paragraph "We bake all night." to the about page')
    assert story.waits_for_job(hours).outcome == Outcome.PUBLISHED
    assert story.waits_for_job(phone).outcome == Outcome.PUBLISHED
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")
    assert "We bake all night." in story.rig.page("amelia", "about.html")


def test_of_two_editors_who_change_the_same_words_at_once_the_second_changes_what_the_first_wrote(story: Story) -> None:
    story.begin(workers=2)
    mails = {
        "9:00 – 18:00": (SCOTT, story.writes(SCOTT, "wait for the file go\nWe open at nine now")),
        "10:00 – 18:00": (MARIA, story.writes(MARIA, "wait for the file go\nWe open at ten now")),
    }
    story.waits_for(EventType.AGENT_SAID, count=2)
    story.opens_gate("go")
    jobs = {hours: story.waits_for_job(mail) for hours, (_, mail) in mails.items()}
    # As if one mail had come a moment later: both are done, and the second one is told what stood there.
    assert [job.outcome for job in jobs.values()] == [Outcome.PUBLISHED] * 2
    (live,) = [hours for hours, job in jobs.items() if job.journal.repairs]
    (before,) = jobs.keys() - {live}
    assert live in story.rig.page("amelia", "contact.html")
    assert f"“{before}” is now “{live}”" in story.waits_for_answer(mails[live][0]).text
    assert len(story.rig.live_log("amelia")) == 3


def test_a_stranger_whom_we_know_by_nothing_hears_nothing(story: Story) -> None:
    story.begin()
    mail = story.writes(EVE, "We open at nine now", verified=False)
    ignored = story.waits_for(EventType.MAIL_IGNORED)
    assert ignored.mail == mail
    assert "not an editor" in ignored.text
    assert story.rig.jobs() == []
    assert story.rig.mailbox(EVE.address) == []


def test_a_verified_stranger_is_told_once_that_they_are_no_editor_here(story: Story) -> None:
    story.begin()
    for number in range(3):
        story.writes(EVE, f"We open at {number} now")
    assert "not on the list" in story.waits_for_answer(EVE).text
    story.waits_for(EventType.MAIL_FROM_STRANGER, count=3)
    assert story.rig.jobs() == []
    assert len(story.rig.mailbox(EVE.address)) == 1


def test_a_mail_that_nobody_vouches_for_is_held(story: Story) -> None:
    story.begin()
    mail = story.writes(SCOTT, "We open at nine now", verified=False)
    assert story.waits_for(EventType.MAIL_HELD).mail == mail
    assert story.rig.jobs() == []


@pytest.mark.programs
def test_a_failed_build_changes_nothing_and_is_said(story: Story) -> None:
    bakery = SiteSetup("amelia", BAKERY.editors, build=("false",), output="dist")
    story.begin(bakery, settings={"sandbox": 'mode = "none"'})
    mail = story.writes(SCOTT, "We open at nine now")
    answer = story.waits_for_answer(SCOTT)
    assert story.job_of(mail).state == State.FAILED
    assert "as it was" in answer.text or "as before" in answer.text
    assert story.rig.live_log("amelia") == ["The site as it was"]


@pytest.mark.programs
def test_a_build_command_that_does_not_exist_is_a_clear_failure(story: Story) -> None:
    bakery = SiteSetup("amelia", BAKERY.editors, build=("no-such-builder", "--now"), output="dist")
    story.begin(bakery, settings={"sandbox": 'mode = "none"'})
    mail = story.writes(SCOTT, "We open at nine now")
    story.waits_for_answer(SCOTT)
    assert "no-such-builder" in (story.job_of(mail).error or "")


def test_the_same_mail_twice_is_one_job(story: Story) -> None:
    story.begin()
    first = story.writes(SCOTT, "We open at nine now", message_id="<one@phone.example.org>")
    second = story.writes(SCOTT, "We open at nine now", message_id="<one@phone.example.org>")
    story.waits_for_job(first)
    assert first == second or story.told(EventType.MAIL_REPEATED)
    assert len(story.rig.jobs()) == 1
    assert len(story.rig.mailbox(SCOTT.address)) <= 1


def test_another_worker_takes_over_when_one_is_killed(story: Story) -> None:
    (first,) = story.begin()
    mail = story.writes(SCOTT, "wait for the file oven\nWe open at nine now")
    story.waits_for(EventType.AGENT_SAID)
    story.rig.kill_worker(first)
    story.rig.start_worker()
    story.waits_for(EventType.AGENT_SAID, count=2)
    story.opens_gate("oven")
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED
    assert len(story.told(EventType.LANE_CLAIMED)) == 2
    story.waits_for_answer(SCOTT)
    assert len(story.rig.mailbox(SCOTT.address)) == 1


def test_a_reply_continues_the_thread_on_its_branch(story: Story) -> None:
    story.begin()
    first = story.writes(SCOTT, "We open at nine now")
    answer = story.waits_for_answer(SCOTT)
    second = story.writes(SCOTT, "We close at 17:00 now", in_reply_to=answer)
    story.waits_for_job(second)
    assert story.job_of(first).thread == story.job_of(second).thread
    assert "9:00 – 17:00" in story.rig.page("amelia", "contact.html")


def test_an_empty_mail_gets_a_friendly_answer(story: Story) -> None:
    story.begin()
    story.writes(SCOTT, "\n")
    answer = story.waits_for_answer(SCOTT)
    assert story.rig.jobs() == []
    assert answer.text


def test_what_the_agent_does_not_understand_is_said_honestly(story: Story) -> None:
    story.begin()
    mail = story.writes(SCOTT, "Please make the universe a better place.")
    story.waits_for_answer(SCOTT)
    assert story.job_of(mail).state == State.FAILED
    assert story.rig.live_log("amelia") == ["The site as it was"]


def test_a_drained_worker_gives_its_job_back(story: Story) -> None:
    (first,) = story.begin()
    mail = story.writes(SCOTT, "wait for the file oven\nWe open at nine now")
    story.waits_for(EventType.AGENT_SAID)
    story.rig.drain_worker(first)
    assert story.job_of(mail).state == State.QUEUED
    story.opens_gate("oven")
    story.rig.start_worker()
    assert story.waits_for_job(mail).outcome == Outcome.PUBLISHED


def test_a_mail_that_does_not_say_who_wrote_it_is_refused_in_silence(story: Story) -> None:
    story.begin()
    to = f"amelia@{story.rig.domain}"
    mail = story.rig.deliver(write_mail(sender=None, to=to, text="We open at nine now"), as_address=None, to=to)
    assert story.waits_for(EventType.MAIL_IGNORED).mail == mail
    assert story.rig.jobs() == []


def test_who_edits_several_sites_is_asked_which_one_is_meant(story: Story) -> None:
    flowers = SiteSetup("flora", ((SCOTT.user, SCOTT.address),))
    story.begin(BAKERY, flowers)
    story.writes(SCOTT, "We open at nine now", site="edit")
    answer = story.waits_for_answer(SCOTT)
    assert f"amelia@{story.rig.domain}" in answer.text
    assert f"flora@{story.rig.domain}" in answer.text
    assert story.rig.jobs() == []


def test_a_project_that_keeps_failing_is_paused_and_the_agency_told_once(story: Story) -> None:
    bakery = SiteSetup("amelia", BAKERY.editors, build=("false",), output="dist")
    settings = {"sandbox": 'mode = "none"', "agency": f'address = "{AGENCY.address}"\ndigest = false'}
    story.begin(bakery, settings=settings)
    for number in range(3):
        story.waits_for_job(story.writes(SCOTT, f"We open at {number + 7}:30 now", subject=f"try {number}"))
    paused = story.waits_for(EventType.PROJECT_PAUSED)
    assert "3 jobs in a row" in paused.text
    assert "amelia" in story.waits_for_answer(AGENCY).text
    waiting = story.writes(SCOTT, "We open at nine now", subject="try again")
    story.waits_for(EventType.JOB_QUEUED, count=4)
    assert story.job_of(waiting).state == State.QUEUED
    assert len(story.rig.mailbox(AGENCY.address)) == 1


def test_an_idle_worker_gives_its_lane_up_and_one_that_others_wait_for_does_at_once(story: Story) -> None:
    story.begin(BAKERY, FLOWERS, settings={"workers": 'idle_release = "0.2 s"'})
    story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    story.waits_for(EventType.LANE_RELEASED)
    assert [lane.owner for lane in story.rig.lanes()] == [None]


def test_one_worker_serves_everybody_because_an_idle_owner_gives_way(story: Story) -> None:
    story.begin(BAKERY, FLOWERS, workers=1)
    story.waits_for_job(story.writes(SCOTT, "We open at nine now"))
    assert story.waits_for_job(story.writes(TOM, "We open at ten now", site="flora")).outcome == Outcome.PUBLISHED
    assert story.told(EventType.LANE_GIVEN_BACK)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "name", "there", "gone"),
    [
        ("Take the almond croissant off the menu.", "menu.html", "Butter croissant", "Almond croissant"),
        ("Add apple pie for 4.20 to the cakes.", "menu.html", "Apple pie", "Apple tart"),
        ("It says Butter croissant, should be Buttery croissant.", "menu.html", "Buttery", "Butter croissant"),
    ],
)
def test_what_people_type_first_goes_live(story: Story, text: str, name: str, there: str, gone: str) -> None:
    story.begin()
    job = story.waits_for_job(story.writes(SCOTT, text))
    assert job.outcome == Outcome.PUBLISHED, (job.error, story.waits_for_answer(SCOTT).text)
    page = story.rig.page("amelia", name)
    assert there in page
    assert gone not in page


@pytest.mark.thorough
def test_a_day_that_is_closed_from_now_on_loses_its_times_and_the_answer_says_which(story: Story) -> None:
    story.begin()
    job = story.waits_for_job(story.writes(SCOTT, "From now on we are closed on Saturdays."))
    assert job.outcome == Outcome.PUBLISHED, job.error
    assert "8:00 – 14:00" in story.waits_for_answer(SCOTT).text
    assert "<td>Saturday</td><td>Closed</td>" in story.rig.page("amelia", "contact.html")


@pytest.mark.thorough
def test_an_item_that_could_go_to_several_lists_goes_to_the_one_that_is_named_in_the_answer(story: Story) -> None:
    story.begin()
    story.waits_for_job(story.writes(SCOTT, "Add apple pie for 4.20 to the menu."))
    asked = story.waits_for_answer(SCOTT)
    assert "Bread, Pastry, Cake or To drink?" in asked.text
    job = story.waits_for_job(story.writes(SCOTT, "Cake", in_reply_to=asked))
    menu = story.rig.page("amelia", "menu.html")
    assert job.outcome == Outcome.PUBLISHED, story.waits_for_answer(SCOTT, count=2).text
    assert menu.index(">Cake<") < menu.index("Apple pie") < menu.index(">To drink<")
