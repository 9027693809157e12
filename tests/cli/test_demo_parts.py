"""The parts of the demo's page that need no running demo."""

from __future__ import annotations

import mailbox
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.audit.entry import Entry, EventType
from webordinary.cli.demo.agent import DemoAgent, choose_agent
from webordinary.cli.demo.folder import MAILBOX, open_folder
from webordinary.cli.demo.page.form import parse_form
from webordinary.cli.demo.page.inside import steps_of
from webordinary.cli.demo.page.photos import SamplePhotos
from webordinary.cli.demo.phone import SENT, OwnersPhone
from webordinary.cli.demo.stage import christmas_after
from webordinary.clock import SystemClock, TurnedClock
from webordinary.errors import Misconfigured, NoSuchThing
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
BODY = (
    b'--x\r\nContent-Disposition: form-data; name="words"\r\n\r\nGr\xc3\xbc\xc3\x9fe\r\n--y\r\n'
    b'--x\r\nContent-Disposition: form-data; name="photo"\r\n\r\noven.jpg\r\n'
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="../caf\xc3\xa9.jpg"\r\n'
    b"Content-Type: image/jpeg\r\n\r\n\xff\xd8\r\n\n\r--\x00\r\n"
    b'--x\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--x--\r\n'
)


def test_a_form_with_files_is_read_byte_by_byte() -> None:
    form = parse_form("multipart/form-data; boundary=x", BODY)

    assert form.text("words") == "Grüße\r\n--y"
    assert form.texts("photo") == ["oven.jpg"]
    assert form.files == [("café.jpg", "image/jpeg", b"\xff\xd8\r\n\n\r--\x00")]


def test_a_plain_form_is_read_too() -> None:
    form = parse_form("application/x-www-form-urlencoded", b"csrf=a%20b&empty=")

    assert (form.text("csrf"), form.text("empty"), form.text("other"), form.files) == ("a b", "", "", [])


def test_mails_that_answer_each_other_are_one_conversation(tmp_path: Path) -> None:
    with open_folder(tmp_path / "demo", fresh=False) as config:
        sent = mailbox.Maildir(tmp_path / "demo" / SENT, create=True)
        came = mailbox.Maildir(tmp_path / "demo" / MAILBOX, create=True)
        sent.add(write_mail(sender="scott@example.org", to="a@b.c", text="one", subject="Hours", message_id="<1@a>"))
        came.add(write_mail(sender="a@b.c", to="s@c.d", text="two\r\nlines", message_id="<2@a>", in_reply_to="<1@a>"))
        sent.add(
            write_mail(sender="scott@example.org", to="a@b.c", text="three", message_id="<3@a>", in_reply_to="<2@a>")
        )
        came.add(write_mail(sender="a@b.c", to="s@c.d", text="x", message_id="<4@a>", in_reply_to="<4@a>"))
        talks = {talk.id: talk for talk in OwnersPhone(config, SystemClock()).conversations()}

    assert {name: len(talk.mails) for name, talk in talks.items()} == {"1@a": 3, "4@a": 1}
    assert (talks["1@a"].subject, talks["1@a"].is_answered) == ("Hours", False)
    answer = talks["1@a"].answer
    assert answer is not None
    assert (answer.text, answer.reply_to) == ("two\nlines", "a@b.c")


def test_a_step_is_told_in_plain_words_and_by_its_name() -> None:
    held = Entry(EventType.MAIL_HELD, NOW, mail="mail-1", text="nothing proves it", number=7)
    built = Entry(EventType.STEP, NOW, text="built", number=8)
    rare = Entry(EventType.STEP, NOW, text="came from git", facts={"git_commit": "abc"}, number=9)
    newest, middle, oldest = steps_of([held, built, rare])

    assert (oldest.name, oldest.tone) == ("mail held", "asks")
    assert "Nothing proves who wrote" in oldest.words
    assert "nothing proves it" in oldest.detail
    assert (middle.name, middle.words[:18]) == ("built", "The site is built ")
    assert newest.words.startswith("Somebody pushed")


def test_only_our_own_photos_are_found_by_their_names() -> None:
    photos = SamplePhotos()

    assert photos.names == ["apple-cake.jpg", "oven.jpg", "window.jpg"]
    assert photos.find("oven.jpg")[2].startswith(b"\xff\xd8")
    for name in ("../app.py", "nothing.jpg", ""):
        with pytest.raises(NoSuchThing):
            photos.find(name)


@pytest.mark.parametrize(
    ("day", "year"),
    [(date(2026, 3, 2), 2026), (date(2026, 12, 21), 2026), (date(2026, 12, 22), 2027), (date(2026, 12, 31), 2027)],
)
def test_christmas_is_always_still_to_come(day: date, year: int) -> None:
    assert christmas_after(day) == year


def test_a_turned_clock_goes_on_from_there_and_leases_do_not_notice(tmp_path: Path) -> None:
    clock, other = TurnedClock(tmp_path / "clock"), TurnedClock(tmp_path / "clock")
    before = clock.now()
    clock.turn_to(before.wall_at + timedelta(days=30))
    after = other.now()

    assert timedelta(days=30) <= after.wall_at - before.wall_at < timedelta(days=31)
    assert after.boot - before.boot < timedelta(days=1).total_seconds()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"ANTHROPIC_API_KEY": "sk-ant-api-1"}, {"WEBORDINARY_AGENT_KEY": "sk-ant-api-1"}),
        (
            {"CLAUDE_CODE_OAUTH_TOKEN": "sk-ant-oat-1"},
            {"WEBORDINARY_AGENT_KEY": "sk-ant-oat-1", "WEBORDINARY_AGENT_PROVIDER": "login"},
        ),
        ({"WEBORDINARY_AGENT_KEY_FILE": "key"}, {}),
        ({}, {"WEBORDINARY_AGENT_KEY": "sk-typed-in"}),
    ],
)
def test_a_key_is_found_or_asked_for(given: dict[str, str], expected: dict[str, str]) -> None:
    environ = dict(given)
    choose_agent(DemoAgent.CLAUDE, environ, lambda: "sk-typed-in\n")

    assert environ == {**given, **expected, "WEBORDINARY_AGENT_KIND": "claude"}


def test_without_a_key_nothing_is_begun_and_the_built_in_agent_needs_none() -> None:
    with pytest.raises(Misconfigured, match="ANTHROPIC_API_KEY"):
        choose_agent(DemoAgent.CLAUDE, {}, str)
    environ: dict[str, str] = {}
    choose_agent(DemoAgent.SCRIPTED, environ, str)
    assert environ == {}
