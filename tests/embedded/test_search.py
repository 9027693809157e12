"""The index of words: what was there before is read in pieces, what is forgotten is gone, also from the file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE, take
from tests.contracts.test_search import ask, found
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.embedded import search
from webordinary.engines.embedded.database import Database, migrations
from webordinary.jobs.retention import Lifetimes
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rigs.ports import Ports

WORD = "Zwetschgenkuchen"


@pytest.fixture
def ports(tmp_path: Path) -> Ports:
    return open_embedded_ports(tmp_path)


def databases(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("webordinary.db*")).lower()


def end(ports: Ports) -> None:
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    ports.engine.claims.give_back(claim, ports.now)


def test_who_is_forgotten_is_in_no_index_and_in_no_file(ports: Ports, tmp_path: Path) -> None:
    ask(ports, f"Write that we have {WORD}")
    end(ports)
    assert len(found(ports, WORD)) == 1
    assert WORD.lower().encode() in databases(tmp_path)
    ports.engine.people.forget("jane@example.org", "mark", "amy", ports.now)
    assert found(ports, WORD) == []
    is_left = WORD.lower().encode() in databases(tmp_path)
    assert not is_left


def test_what_is_pruned_is_found_no_more(ports: Ports) -> None:
    for number in range(60):
        ask(ports, f"{WORD} {number}")
        end(ports)
    ports.clock.advance(timedelta(days=400))
    while not ports.engine.retention.prune(Lifetimes(), ports.now).is_through:
        pass
    kept = {job.id for job in ports.engine.overview.jobs(limit=100)}
    assert len(kept) < 60
    assert set(found(ports, WORD)) <= kept


def write_as_a_stranger(ports: Ports, words: str) -> str:
    envelope = Envelope(door="smtp", mail_from="anna@example.com", recipients=("a@b.example",), transport_key="k")
    mail = ports.engine.inbox.keep(f"Subject: Offer\r\n\r\n{words}".encode(), envelope, ports.now).mail
    told = Decision(MailOutcome.STRANGER, "nobody knows them", "anna@example.com", "Offer")
    ports.engine.inbox.decide(mail, told, ports.now)
    return mail


def test_the_words_of_a_mail_leave_the_index_with_its_file(ports: Ports) -> None:
    mail = write_as_a_stranger(ports, WORD)
    assert found(ports, WORD) == [mail]
    assert ports.engine.inbox.forget_before(datetime.now(UTC) + timedelta(days=1)) == 1
    assert (found(ports, WORD), found(ports, "offer")) == ([], [mail])


def test_a_file_that_goes_while_it_is_read_for_the_index_does_not_come_into_it(
    ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = write_as_a_stranger(ports, WORD)
    inbox = ports.engine.inbox
    read = type(inbox).read_file

    def read_and_lose(_: object, digest: str) -> bytes:
        content = read(inbox, digest)
        monkeypatch.undo()
        inbox.forget_before(datetime.now(UTC) + timedelta(days=1))
        return content

    monkeypatch.setattr(type(inbox), "read_file", read_and_lose)
    assert ports.engine.search.catch_up()
    assert (found(ports, WORD), found(ports, "offer")) == ([], [mail])


def test_signs_over_letters_make_no_difference(ports: Ports) -> None:
    job = ask(ports, "Die Öffnungszeiten über Ostern")
    assert found(ports, "offnungszeiten UBER") == [job]


def test_what_was_there_before_is_read_in_pieces_the_newest_first(
    ports: Ports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [ask(ports, f"We open at {number}") for number in range(12)]
    path = next(tmp_path.rglob("webordinary.db"))
    database = Database(path)
    with database.write() as cursor:
        # As the migration leaves a file that was there before.
        cursor.execute("DELETE FROM search_due")
        script = migrations()[-1][1]
        for statement in script.split(";\n"):
            if "INSERT INTO meta" in statement:
                cursor.execute(statement.replace("INSERT INTO", "INSERT OR REPLACE INTO"))
    monkeypatch.setattr(search, "_AT_ONCE", 3)
    monkeypatch.setattr(search, "_PIECES_FIRST", 1)
    first = ports.engine.search.find("open")
    assert [hit.id for hit in first.items] == jobs[:-4:-1]
    assert first.reaches_to is not None
    while not ports.engine.search.catch_up():
        pass
    last = ports.engine.search.find("open")
    assert [hit.id for hit in last.items] == jobs[::-1]
    assert last.reaches_to is None
