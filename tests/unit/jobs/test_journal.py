"""The journal of a job: every fact of a journal that an earlier version stored is read, and nothing of it is lost."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from webordinary.jobs.job import Outcome
from webordinary.jobs.journal import Journal, JournalFact, RunOfAgent, Step
from webordinary.jobs.repairs import BeforeRepair, Prospect, RepairEnd
from webordinary.jobs.reported import Period, ProtectedPlace, Question, TokenCount, Unfound, WhyStopped

# A journal with every fact, as rows held it before its facts had types, and with what only another version knows.
STORED = Path(__file__).with_name("stored_journal.json")
READ: dict[JournalFact[Any], object] = {
    Journal.branch: "thread-1a2b",
    Journal.began: "c0ffee",
    Journal.starts_at: datetime(2026, 12, 24, 7, tzinfo=UTC),
    Journal.ends_at: datetime(2026, 12, 26, 23, tzinfo=UTC),
    Journal.said_when: "from 24 to 26 December",
    Journal.timed_for: "scott@example.org",
    Journal.timed_job: "job-0",
    Journal.open_run: RunOfAgent(date(2026, 11, 16), "0123abcd"),
    Journal.spent: 0.25,
    Journal.transcript: "aa11",
    Journal.session_of: "claude",
    Journal.commit: "beef01",
    Journal.summary: "Changed the hours.\nNot found: tea.",
    Journal.stopped: WhyStopped.QUESTION,
    Journal.question: Question("Which café?", ("Mitte", "Süd")),
    Journal.period: Period("2026-12-24", ""),
    Journal.usd: 0.03,
    Journal.used: ("oven.jpg", "menu.pdf"),
    Journal.undescribed: "oven.jpg",
    Journal.wants: "picture",
    Journal.denied: "rm -rf /",
    Journal.unfound: (
        Unfound("tea", "Not found: tea.", (ProtectedPlace("_config.yml", 3, "settings", "tea", "coffee"),)),
    ),
    Journal.elsewhere: "settings\ttea\tindex.html",
    Journal.elsewhere_wanted: "_config.yml:3",
    Journal.changes: "text\tindex.html\told\tnew",
    Journal.reasons: "unasked\tprice",
    Journal.missing: "tea",
    Journal.parts: "part_done\thours",
    Journal.copies: "still_there\tindex.html\t9\t0\t9\t10",
    Journal.build_took: timedelta(seconds=2.5),
    Journal.index: "bb22",
    Journal.commit_live: "beef02",
    Journal.tell_as: "published_in_part",
    Journal.outcome: Outcome.UNDONE,
    Journal.preview: "https://p.example/",
    Journal.pictures: "cc33\tjpeg",
    Journal.pictures_of: "beef02",
    Journal.no_pictures: "no browser",
    Journal.kept_commit: "beef03",
    Journal.mark: "dd44",
    Journal.replaced_plans: ("job-7.publish", "job-8.publish"),
    Journal.replaced_told: "was_planned\tx",
    Journal.moves: "",
    Journal.covered_by: "job-9.revert",
    Journal.took_end_at: datetime(2026, 12, 26, 23, tzinfo=UTC),
    Journal.end_owner: "maria@example.org",
    Journal.end_job: "job-6",
    Journal.revert: "beef04",
    Journal.restored: "beef05",
    Journal.switched: "switched",
    Journal.conflict: "index.html",
    Journal.left_out: "menu.html: how it is written",
    Journal.looks: 4,
    Journal.tokens: TokenCount(1, 2, 3, 4),
    Journal.notes_told: "beef08",
    Journal.waited_for_others: 3,
    Journal.worked: timedelta(seconds=90.5),
    Journal.turns: 7,
    Journal.repairs: 2,
    Journal.found: "link: index.html: teh.html",
    Journal.repaired: 1,
    Journal.repair_end: RepairEnd.CHANGED,
    Journal.before_repair: BeforeRepair(Prospect.TOLD, "beef09", "beef08", "You open at nine."),
    Journal.git_commit: "beef06",
    Journal.git_before: "beef07",
    Journal.git_changes: "text\tindex.html\told\tnew",
    Journal.git_commits: "beef06 New hours",
    Journal.git_released: "beef06",
    Journal.build_log: "ee55",
    Journal.broke: "Error: no such layout",
    Journal.diff: "ff66",
}
FACTS = {name: fact for name, fact in vars(Journal).items() if isinstance(fact, JournalFact)}


@pytest.fixture
def journal() -> Journal:
    return Journal(msgspec.json.decode(STORED.read_bytes(), type=dict[str, str]))


def test_every_fact_of_a_stored_journal_is_read(journal: Journal) -> None:
    assert {name: getattr(journal, name) for name in FACTS} == {name: READ[fact] for name, fact in FACTS.items()}


def test_what_is_noted_is_what_an_earlier_version_reads(journal: Journal) -> None:
    for name, fact in FACTS.items():
        noted = fact(READ[fact])
        known = journal.stored[noted.name]
        is_json = known.startswith(("{", "["))
        assert noted.name == fact.name
        if is_json:
            assert msgspec.json.decode(noted.text) == msgspec.json.decode(known), name
        elif isinstance(READ[fact], datetime):
            assert datetime.fromisoformat(noted.text) == datetime.fromisoformat(known), name
        else:
            assert noted.text == known, name


def test_a_moment_is_noted_on_the_clock_on_which_it_was_meant(journal: Journal) -> None:
    assert journal.starts_at is not None
    assert Journal.starts_at(journal.starts_at).text == "2026-12-24T08:00:00+01:00"


def test_a_fact_that_was_taken_back_is_there_and_says_nothing() -> None:
    journal = Journal(dict([Journal.moves(""), Journal.open_run(None), Journal.usd(None)]))

    assert (journal.moves, journal.open_run, journal.usd) == ("", None, None)
    assert Journal.moves in journal
    assert journal.told(Journal.moves, Journal.changes) == {}


def test_a_fact_that_was_never_noted_is_empty_and_not_there() -> None:
    assert (Journal().summary, Journal().question, Journal().used) == ("", None, None)
    assert Journal.summary not in Journal()
    assert Step.EDITED not in Journal()


def test_finished_steps_are_known_and_those_of_another_version_are_kept(journal: Journal) -> None:
    assert Step.EDITED in journal
    assert Step.MOVED not in journal
    assert journal.stored["a step of tomorrow"] == "2027-01-01T00:00:00+00:00"
    assert journal.stored["what it left"] == "7"
