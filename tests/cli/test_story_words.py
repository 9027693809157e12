from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from webordinary.audit.entry import Entry, What
from webordinary.cli.paper import plain
from webordinary.cli.story import spoken, tell

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize("what", list(What))
def test_everything_that_can_happen_has_words(what: What) -> None:
    entry = Entry(what, NOW, lane="amelia#scott", job="job-1", mail="mail-1", worker="worker-1", text="because")

    said = tell(entry)

    assert said
    assert "{" not in said


def test_a_step_is_told_with_its_facts() -> None:
    facts = {"commit": "0123456789abcdef", "summary": "Opening time changed."}

    said = tell(Entry(What.STEP, NOW, text="edited", facts=facts))

    assert said == "the agent is finished, its work is committed (012345678): Opening time changed."


def test_what_is_not_known_leaves_no_hole() -> None:
    assert tell(Entry(What.STEP, NOW, text="pushed")) == "pushed to the live branch"
    assert tell(Entry(What.JOB_FAILED, NOW, job="job-1")) == "job-1 failed"
    in_bucket = Entry(What.MAIL_RECEIVED, NOW, mail="mail-1", facts={"door": "ses", "object": "inbound/1"})
    assert tell(in_bucket) == "a mail arrived by ses, safe as mail-1"


def test_an_unknown_step_is_told_by_its_name() -> None:
    assert tell(Entry(What.STEP, NOW, text="photographed")) == "photographed"


def test_words_of_a_mail_cannot_be_placeholders() -> None:
    assert "{lane}" in tell(Entry(What.JOB_FAILED, NOW, job="job-1", lane="secret", text="{lane}"))


def test_words_of_a_mail_cannot_move_the_cursor() -> None:
    assert plain("a\x1b[2Jb\rc\u202ed") == "a [2Jb c d"


@pytest.mark.parametrize(
    ("duration", "said"),
    [
        (timedelta(minutes=15), "15 min"),
        (timedelta(hours=2), "2 h"),
        (timedelta(seconds=90), "90 s"),
        (timedelta(milliseconds=500), "0.5 s"),
    ],
)
def test_durations_are_said_as_people_say_them(duration: timedelta, said: str) -> None:
    assert spoken(duration) == said
