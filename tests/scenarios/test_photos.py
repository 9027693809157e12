"""What people send along, and what becomes of it."""

from __future__ import annotations

import re
from email.message import EmailMessage
from typing import TYPE_CHECKING

import pytest

from tests.pictures import RED, TRACES, corners, opened, photo, saved
from webordinary.jobs.job import FileKind, Outcome
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from webordinary.testing.story import Story

MENU = ("menu.pdf", "application/pdf", b"%PDF-1.4\n% cakes\n")
BROKEN = ("counter.jpg", "image/jpeg", photo("JPEG")[:300])


def oven() -> tuple[str, str, bytes]:
    """Return a large photo; only the test that sends it takes it."""
    return ("Our new oven.heic", "image/heic", photo("HEIF", size=(2400, 1800)))


def test_a_photo_goes_live_upright_and_without_its_place_and_every_file_is_named_in_the_answer(story: Story) -> None:
    story.begin()
    mail = story.writes(SCOTT, "Please put this photo on the about page.", files=(oven(), MENU, BROKEN))
    answer = story.waits_for_answer(SCOTT)

    assert story.job_of(mail).outcome == Outcome.PUBLISHED
    page = story.rig.page("amelia", "about.html")
    sources = re.findall(r'(?:src|srcset)="/([^"]*our-new-oven[^"]*)"', page)
    assert [source.rpartition(".")[2] for source in sources] == ["avif", "jpg"]
    for source in sources:
        content = story.rig.fetch("amelia", source)
        assert [trace for trace in TRACES if trace in content] == []
        image = opened(content)
        assert image.size == (1200, 1600)
        red = image.convert("RGB").getpixel((1000, 200))
        assert isinstance(red, tuple)
        assert all(abs(shown - meant) < 40 for shown, meant in zip(red, RED, strict=True))
    assert 'alt="Our new oven"' in page
    assert re.search(r"Our new oven\.heic.*used", answer.text)
    assert re.search(r"menu\.pdf.*kept", answer.text)
    assert re.search(r"counter\.jpg.*cannot be read", answer.text)


@pytest.mark.thorough
def test_a_mail_whose_only_file_is_broken_is_done_without_it(story: Story) -> None:
    story.begin()
    mail = story.writes(SCOTT, "We open at nine now.", files=(BROKEN,))
    answer = story.waits_for_answer(SCOTT)
    assert story.job_of(mail).outcome == Outcome.PUBLISHED
    assert "9:00 – 18:00" in story.rig.page("amelia", "contact.html")
    assert "counter.jpg" in answer.text


@pytest.mark.thorough
def test_twelve_photos_are_not_too_many_changes_at_once(story: Story) -> None:
    story.begin()
    photos = tuple((f"cake {each}.jpg", "image/jpeg", saved(corners(60 + each, 40), "JPEG")) for each in range(12))
    mail = story.writes(SCOTT, "Please put these photos on the menu page.", files=photos)
    job = story.waits_for_job(mail)
    assert job.outcome == Outcome.PUBLISHED
    assert {each.fate for each in job.request.attachments} == {FileKind.PHOTO}
    assert story.rig.page("amelia", "menu.html").count("<picture>") == 12


def test_a_photo_in_the_middle_of_a_mail_is_used_and_the_logo_below_it_is_not_even_mentioned(story: Story) -> None:
    story.begin()
    page = (
        '<p>Please put this photo on the about page.</p><p><img src="cid:oven@phone"></p>'
        '<p>Kind regards<br>Scott<br><img src="cid:logo@phone"></p>'
    )
    mail = EmailMessage()
    mail["From"], mail["To"] = SCOTT.address, f"amelia@{story.rig.domain}"
    mail["Subject"], mail["Message-ID"] = "Our oven", "<inline@phone.example.org>"
    mail.set_content("Please put this photo on the about page.\n")
    mail.add_alternative(page, subtype="html")
    related = mail.get_body(("html",))
    assert related is not None
    for name, content, cid in (
        ("oven.jpg", photo("JPEG"), "<oven@phone>"),
        ("image001.png", saved(corners(180, 60), "PNG"), "<logo@phone>"),
    ):
        related.add_related(content, "image", name[-3:].replace("jpg", "jpeg"), cid=cid, filename=name)
    story.rig.deliver(mail.as_bytes(), as_address=SCOTT.address, to=f"amelia@{story.rig.domain}")
    answer = story.waits_for_answer(SCOTT)

    assert story.rig.page("amelia", "about.html").count("<picture>") == 1
    assert "oven.jpg" in answer.text
    assert "image001" not in answer.text
    assert "did not understand" not in answer.text
