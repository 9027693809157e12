from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from webordinary.actions.mails import sentence_about
from webordinary.audit.entry import Entry, EventType
from webordinary.audit.story import tell
from webordinary.cli.output import plain
from webordinary.clock import say_duration
from webordinary.mail.inbox import Decision
from webordinary.mail.outcomes import MailOutcome

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize("what", list(EventType))
def test_everything_that_can_happen_has_words(what: EventType) -> None:
    entry = Entry(what, NOW, lane="amelia#scott", job="job-1", mail="mail-1", worker="worker-1", text="because")

    said = tell(entry)

    assert said
    assert "{" not in said


def test_a_step_is_told_with_its_facts() -> None:
    facts = {"commit": "0123456789abcdef", "summary": "Opening time changed."}

    said = tell(Entry(EventType.STEP, NOW, text="edited", facts=facts))

    assert said == "the agent is finished, its work is committed (012345678): Opening time changed."


def test_a_round_of_repair_is_told_with_what_was_found_and_how_it_ended() -> None:
    begun = Entry(EventType.STEP, NOW, text="repair started", facts={"repairs": "1", "found": "build: no such page"})
    ended = Entry(EventType.STEP, NOW, text="repair ended", facts={"repaired": "1", "repair_end": "unchanged"})

    assert tell(begun) == "round 1 of repair begins, the agent is told what was found: build: no such page"
    assert tell(ended) == "round 1 of repair has ended (unchanged)"


def test_an_agent_that_changed_no_file_is_not_said_to_have_committed() -> None:
    facts = {"commit": "", "summary": "I did not understand."}

    said = tell(Entry(EventType.STEP, NOW, text="edited", facts=facts))

    assert said == "the agent is finished, it has changed no file: I did not understand."


def test_pictures_that_were_not_taken_are_not_told_as_taken() -> None:
    none = {"pictures": "", "no_pictures": "there is no browser"}

    assert tell(Entry(EventType.STEP, NOW, text="pictured", facts=none)).startswith(
        "no pictures of the changed pages: there"
    )
    some = tell(Entry(EventType.STEP, NOW, text="pictured", facts={"pictures": "one"}))
    assert some == "pictures of the changed pages"


def test_a_welcome_goes_to_a_new_editor_and_other_letters_without_a_mail_to_the_agency() -> None:
    assert "welcome for a new editor was sent" in tell(Entry(EventType.ANSWERED, NOW, facts={"kind": "welcome"}))
    assert "digest for the agency was sent" in tell(Entry(EventType.ANSWERED, NOW, facts={"kind": "digest"}))


def test_a_mail_of_nobody_known_is_told_without_a_hole() -> None:
    said = tell(Entry(EventType.MAIL_REFUSED, NOW, mail="mail-1", text="it is empty", facts={"sender": ""}))

    assert said == "the mail mail-1 of an unknown sender was refused: it is empty"


def test_a_decision_names_no_project_that_it_does_not_know() -> None:
    assert sentence_about(Decision(MailOutcome.REPEATED, "", job="job-1")) == "repeated as job-1"
    assert (
        sentence_about(Decision(MailOutcome.QUEUED, "", job="job-1", project="amelia")) == "queued as job-1 of amelia"
    )


def test_what_is_not_known_leaves_no_hole() -> None:
    assert tell(Entry(EventType.STEP, NOW, text="pushed")) == "pushed to the live branch"
    assert tell(Entry(EventType.JOB_FAILED, NOW, job="job-1")) == "job-1 failed"
    in_bucket = Entry(EventType.MAIL_RECEIVED, NOW, mail="mail-1", facts={"door": "ses", "object": "inbound/1"})
    assert tell(in_bucket) == "a mail arrived by ses, safe as mail-1"


def test_an_unknown_step_is_told_by_its_name() -> None:
    assert tell(Entry(EventType.STEP, NOW, text="photographed")) == "photographed"


def test_words_of_a_mail_cannot_be_placeholders() -> None:
    assert "{lane}" in tell(Entry(EventType.JOB_FAILED, NOW, job="job-1", lane="secret", text="{lane}"))


def test_words_of_a_mail_cannot_move_the_cursor() -> None:
    assert plain("a\x1b[2Jb\rc\u202ed") == "a [2Jb c d"


@pytest.mark.parametrize(
    ("duration", "said"),
    [
        (timedelta(minutes=15), "15 min"),
        (timedelta(hours=2), "2 h"),
        (timedelta(seconds=90), "90 s"),
        (timedelta(milliseconds=500), "0.5 s"),
        (timedelta(seconds=20), "20 s"),
        (timedelta(seconds=60), "1 min"),
        (timedelta(seconds=893.2), "15 min"),
        (timedelta(hours=24), "24 h"),
    ],
)
def test_durations_are_said_as_people_say_them(duration: timedelta, said: str) -> None:
    assert say_duration(duration) == said
