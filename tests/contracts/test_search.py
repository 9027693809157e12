"""What every engine promises about search: words are data, all of them count, and nobody finds what is not theirs."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.test_lanes import DONE, take
from tests.rigs.ports import AT_ONCE
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.overview.search import SearchKind
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

# What FTS5, DynamoDB, SQL or a regular expression could take for more than words.
HOSTILE = (
    '"', '""', '"open', "open AND", "NOT", "NEAR(", "open OR (", "{words} :", "words:open", "open^2", "-open", "*",
    "open) OR (1=1", "'; DROP TABLE jobs; --", "%", "_", "\\", "a\x00b", "🜁", "ó" * 5000, "(?P<", "[", "open* *",
    "\ud800", "search_words", "+ +",
)  # fmt: skip


def ask(ports: Ports, text: str, lane: str = "shop#jane", subject: str = "Our website") -> str:
    job = ports.new_job(lane, reply_to="jane@example.org")
    job = replace(job, thread=f"t-{job.id}", subject=subject, request=replace(job.request, text=text))
    ports.engine.lanes.accept(job, ports.now, ready=AT_ONCE)
    ports.clock.advance(timedelta(minutes=1))
    return job.id


def found(ports: Ports, words: str, projects: tuple[str, ...] | None = None) -> list[str]:
    return [hit.id for hit in ports.engine.search.find(words, projects=projects).items]


def test_a_request_is_found_by_all_of_its_words_newest_first(ports: Ports) -> None:
    first = ask(ports, "We open at nine on Sundays", subject="Hours")
    second = ask(ports, "We close on Sundays")
    assert found(ports, "sundays") == [second, first]
    assert found(ports, "OPEN sundays") == [first]
    assert found(ports, "hours") == [first]
    assert found(ports, "jane@example.org close") == [second]
    assert found(ports, '"on sundays"') == [second, first]
    assert found(ports, '"sundays on"') == []
    assert found(ports, "sund") == []
    assert found(ports, "sund*") == [second, first]
    assert found(ports, "mondays") == []


def test_a_hit_says_where_the_word_stands(ports: Ports) -> None:
    job = ask(ports, "Please write that we open at nine", lane="shop#jane")
    (hit,) = ports.engine.search.find("nine").items
    assert (hit.kind, hit.job, hit.project, hit.person) == (SearchKind.REQUEST, job, "shop", "jane@example.org")
    assert [part.text for part in hit.excerpt if part.is_match] == ["nine"]
    assert "we open at" in "".join(part.text for part in hit.excerpt)


def test_nobody_finds_what_stands_in_the_projects_of_others(ports: Ports) -> None:
    mine, theirs = ask(ports, "We open at nine"), ask(ports, "We open at ten", lane="bakery#scott")
    assert found(ports, "open", ("shop",)) == [mine]
    assert found(ports, "open", ("shop", "bakery")) == [theirs, mine]
    assert found(ports, "open", ("sho",)) == []
    assert found(ports, "open", ()) == []


def test_words_are_data(ports: Ports) -> None:
    job = ask(ports, "We open at nine")
    for words in HOSTILE:
        assert set(found(ports, words)) <= {job}, words
        assert set(found(ports, f"nine {words}")) <= {job}, words
    assert found(ports, "nine") == [job]


def test_what_a_job_came_to_is_found_when_it_is_over(ports: Ports) -> None:
    job = ask(ports, "We open at nine")
    claim, taken = take(ports)
    ports.engine.attempts.finish(claim, taken, replace(DONE, summary="The footer says nine now"), ports.now)
    assert found(ports, "footer") == [job]


def test_a_mail_that_became_no_job_is_found(ports: Ports) -> None:
    envelope = Envelope(door="smtp", mail_from="anna@example.com", recipients=("a@b.example",), transport_key="k")
    raw = b"From: anna@example.com\r\nSubject: Offer\r\n\r\nCheap umbrellas"
    mail = ports.engine.inbox.keep(raw, envelope, ports.now).mail
    told = Decision(MailOutcome.STRANGER, "nobody knows them", "anna@example.com", "Offer", project="shop")
    ports.engine.inbox.decide(mail, told, ports.now)
    assert found(ports, "offer") == [mail]
    assert found(ports, "anna@example.com") == [mail]


def test_pages_of_hits_follow_each_other(ports: Ports) -> None:
    jobs = [ask(ports, f"We open at {number}") for number in range(5)]
    seen: list[str] = []
    after = None
    while True:
        page = ports.engine.search.find("open", after=after, limit=2)
        seen += [hit.id for hit in page.items]
        if page.after is None:
            break
        after = page.after
    assert seen == jobs[::-1]


def test_a_page_behind_something_that_was_never_there_is_a_page(ports: Ports) -> None:
    ask(ports, "We open at nine")
    for after in ("9" * 5000, "9" * 19, "²", "-1", "x", "٣", "\x00"):
        assert len(ports.engine.search.find("open", after=after).items) <= 1


def test_there_is_an_end_to_catching_up(ports: Ports) -> None:
    for number in range(3):
        ask(ports, f"We open at {number}")
    assert any(ports.engine.search.catch_up() for _ in range(3))


def test_an_answer_is_found_with_its_receipt_where_everything_is_searched(ports_of_one_machine: Ports) -> None:
    ports = ports_of_one_machine
    job = ask(ports, "We open at nine")
    letter = Letter(f"{job}.answer", "answer", "jane@example.org", "published", {}, job)
    ports.engine.outbox.add(letter, ports.now)
    raw = b"Subject: Re: Hours\r\nContent-Type: text/plain\r\n\r\nThe page Contact changed: nine o'clock."
    ports.engine.outbox.seal(letter, raw, "<m1@us>", ports.now)
    (hit,) = ports.engine.search.find("contact").items
    assert (hit.kind, hit.id, hit.job, hit.project) == (SearchKind.ANSWER, letter.key, job, "shop")
    assert "Contact" in [part.text for part in hit.excerpt if part.is_match]
