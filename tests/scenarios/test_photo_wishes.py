"""Photos as an owner means them: in their order, with their words, and asked about when something is missing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.pictures import corners, photo, saved
from tests.scenarios.test_approval import change_by_hand
from webordinary.jobs.job import Outcome
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

BROKEN = ("counter.jpg", "image/jpeg", photo("JPEG")[:300])
SLOWLY = pytest.mark.thorough
SIZES = 'sizes="(max-width: 40em) 100vw, 40em"'


def jpeg(name: str, width: int = 60, height: int = 40) -> tuple[str, str, bytes]:
    return (name, "image/jpeg", saved(corners(width, height), "JPEG"))


def shown(page: str) -> list[str]:
    """Return the pictures of a page in their order, without the site's own."""
    found = [name.rpartition("/")[2] for name in re.findall(r'<img[^>]*src="([^"]+)"', page)]
    return [name for name in found if not name.endswith(".svg")]


def alts(page: str) -> list[str]:
    return re.findall(r'<img[^>]*src="[^"]+\.jpg"[^>]*alt="([^"]*)"', page)


@pytest.mark.thorough
def test_photos_stand_on_the_page_in_the_order_in_which_they_came_also_of_a_later_mail(story: Story) -> None:
    story.begin()
    files = (jpeg("first.jpg", 61), jpeg("second.jpg", 62), jpeg("third.jpg", 63))
    story.waits_for_job(story.writes(SCOTT, "Please put these photos on the about page.", files=files))
    assert shown(story.rig.page("amelia", "about.html")) == ["first.jpg", "second.jpg", "third.jpg"]
    more = (jpeg("fourth.jpg", 64), jpeg("fifth.jpg", 65))
    story.waits_for_job(story.writes(SCOTT, "Please put these photos on the about page.", files=more))
    page = story.rig.page("amelia", "about.html")
    assert shown(page) == ["first.jpg", "second.jpg", "third.jpg", "fourth.jpg", "fifth.jpg"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("Please put this photo of the new counter on the about page.", "new counter", marks=SLOWLY),
        pytest.param(
            "Please put this photo on the about page. It shows our new counter.", "our new counter", marks=SLOWLY
        ),
        ("Please put this photo on the about page, it shows our new counter.", "our new counter"),
        pytest.param(
            "Please put this photo on the about page. This is the new counter!", "the new counter", marks=SLOWLY
        ),
    ],
)
def test_a_photo_is_described_in_the_owners_words_and_has_its_size(story: Story, text: str, told: str) -> None:
    story.begin()
    job = story.waits_for_job(story.writes(SCOTT, text, files=(jpeg("IMG_2041.jpg", 61, 41),)))
    assert job.outcome == Outcome.PUBLISHED, job.error
    page = story.rig.page("amelia", "about.html")
    assert alts(page) == [told]
    assert re.search(r'<img[^>]*width="61"[^>]*height="41"', page)
    assert "did not understand" not in story.waits_for_answer(SCOTT).text


@pytest.mark.thorough
def test_each_of_several_photos_has_its_own_words(story: Story) -> None:
    story.begin()
    text = "Please put these photos on the about page. The first one shows the counter, the second one shows the oven."
    story.waits_for_job(story.writes(SCOTT, text, files=(jpeg("IMG_1.jpg", 61), jpeg("IMG_2.jpg", 62))))
    assert alts(story.rig.page("amelia", "about.html")) == ["the counter", "the oven"]


@pytest.mark.thorough
def test_what_a_photo_shows_is_asked_for_and_the_reply_describes_it(story: Story) -> None:
    story.begin()
    text = "Please put this photo on the about page."
    story.waits_for_job(story.writes(SCOTT, text, files=(jpeg("IMG_2041.jpg"),)))
    assert alts(story.rig.page("amelia", "about.html")) == [""]
    answer = story.waits_for_answer(SCOTT)
    assert "what IMG_2041.jpg shows" in answer.text
    job = story.waits_for_job(story.replies(SCOTT, answer, "Our new counter"))
    assert job.outcome == Outcome.PUBLISHED, job.error
    assert alts(story.rig.page("amelia", "about.html")) == ["Our new counter"]


@pytest.mark.thorough
def test_a_photo_comes_in_several_sizes_where_the_pages_own_pictures_do(story: Story) -> None:
    story.begin()
    size = 'width="960" height="600"'
    change_by_hand(story, "about.html", size, f'{size} srcset="/pictures/counter.svg 960w" {SIZES}')
    text = "Please put this photo of the oven on the about page."
    job = story.waits_for_job(story.writes(SCOTT, text, files=(jpeg("IMG_1.jpg", 2400, 1800),)))
    assert job.outcome == Outcome.PUBLISHED, job.error
    page = story.rig.page("amelia", "about.html")
    assert re.search(r'<img[^>]*srcset="[^"]*oven-800\.jpg 800w, [^"]*oven\.jpg 1600w"', page)
    assert re.search(r'<source[^>]*srcset="[^"]*oven-800\.avif 800w, [^"]*oven\.avif 1600w"', page)
    assert page.count(SIZES) == 3


def test_a_photo_that_cannot_be_used_is_named_with_the_reason(story: Story) -> None:
    story.begin()
    job = story.waits_for_job(story.writes(SCOTT, "Please put this photo on the about page.", files=(BROKEN,)))
    assert job.outcome == Outcome.ASKED, job.error
    told = story.waits_for_answer(SCOTT).text
    assert "counter.jpg" in told
    assert "cannot be read" in told
    assert "No picture came" not in told


def test_a_photo_without_any_words_is_asked_about_and_need_not_be_sent_again(story: Story) -> None:
    story.begin()
    job = story.waits_for_job(story.writes(SCOTT, "", subject="Photo", files=(jpeg("IMG_2041.jpg"),)))
    assert job.outcome == Outcome.ASKED, job.error
    asked = story.waits_for_answer(SCOTT)
    assert "What should I do with your photo" in asked.text
    assert "IMG_2041.jpg" in asked.text
    reply = "Put it on the about page, it shows our new counter."
    job = story.waits_for_job(story.replies(SCOTT, asked, reply))
    assert job.outcome == Outcome.PUBLISHED, job.error
    assert alts(story.rig.page("amelia", "about.html")) == ["our new counter"]
    assert re.search(r"IMG_2041\.jpg.*used", story.waits_for_answer(SCOTT, count=2).text)


@pytest.mark.thorough
def test_a_photo_of_an_unknown_page_is_kept_until_the_page_is_known(story: Story) -> None:
    story.begin()
    text = "Please put this photo of the oven on the moon page."
    assert story.waits_for_job(story.writes(SCOTT, text, files=(jpeg("IMG_1.jpg"),))).outcome == Outcome.ASKED
    job = story.waits_for_job(story.replies(SCOTT, story.waits_for_answer(SCOTT), "On the about page"))
    assert job.outcome == Outcome.PUBLISHED, (job.error, story.waits_for_answer(SCOTT, count=2).text)
    assert alts(story.rig.page("amelia", "about.html")) == ["oven"]


@pytest.mark.thorough
def test_a_photo_that_was_forgotten_may_follow_without_a_word(story: Story) -> None:
    story.begin()
    text = "Please put this photo of the oven on the about page."
    assert story.waits_for_job(story.writes(SCOTT, text)).outcome == Outcome.ASKED
    asked = story.waits_for_answer(SCOTT)
    assert "no photo" in asked.text.lower()
    mail = story.writes(SCOTT, "", subject="Re: Photo", in_reply_to=asked, files=(jpeg("IMG_1.jpg"),))
    job = story.waits_for_job(mail)
    assert job.outcome == Outcome.PUBLISHED, (job.error, story.waits_for_answer(SCOTT, count=2).text)
    assert alts(story.rig.page("amelia", "about.html")) == ["oven"]


@pytest.mark.thorough
def test_a_document_without_any_words_is_asked_about_and_not_called_a_photo(story: Story) -> None:
    story.begin()
    menu = ("menu.pdf", "application/pdf", b"%PDF-1.4\n% cakes\n")
    assert story.waits_for_job(story.writes(SCOTT, "", subject="Menu", files=(menu,))).outcome == Outcome.ASKED
    told = story.waits_for_answer(SCOTT).text
    assert "menu.pdf" in told
    assert "no words" in told
    assert "photo" not in told
