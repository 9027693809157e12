"""What a job has used up stands in `show job`, with what the model's servers remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from webordinary.agent.spending import tokens_in
from webordinary.cli.used_up import say_used, used_record
from webordinary.jobs.journal import Journal
from webordinary.jobs.reported import TokenCount

if TYPE_CHECKING:
    from webordinary.jobs.job import Job


class Used:
    """A job of which only the journal is known."""

    def __init__(self, *noted: tuple[str, str]) -> None:
        self.journal = Journal(dict(noted))


def job(*noted: tuple[str, str]) -> Job:
    return cast("Job", Used(*noted))


def test_money_tokens_and_looks_are_told_in_one_line() -> None:
    found = job(
        Journal.spent(0.0957), Journal.tokens(TokenCount(30, 24_000, 1500, 300)), Journal.looks(5), Journal.usd(0.01)
    )
    assert say_used(found) == (
        "0.0957 USD, 30 tokens read, 24,000 read from the cache, 1,500 written into the cache, 300 tokens written,"
        " 5 looks"
    )
    assert used_record(found)["tokens"] == {"read": 30, "cache_read": 24_000, "cache_written": 1500, "written": 300}


def test_an_agent_without_a_model_has_used_nothing_up() -> None:
    assert say_used(job()) == ""
    assert used_record(job()) == {"usd": 0.0, "tokens": {}, "looks": 0}


def test_of_several_rounds_of_a_server_all_are_counted() -> None:
    rounds = [{"input_tokens": 5, "output_tokens": 1}, {"cache_read_input_tokens": 7, "output_tokens": 2}, "x"]
    assert tokens_in({"input_tokens": 5, "output_tokens": 2, "iterations": rounds}) == TokenCount(5, 7, 0, 3)
    assert tokens_in({"input_tokens": -1, "cache_creation_input_tokens": "9"}) == TokenCount()
