"""What a job's agent has used up: money, what models have read and written, and looks at the built site."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webordinary.jobs.job import Job

_WORDS = {
    "read": "tokens read",
    "cache_read": "read from the cache",
    "cache_written": "written into the cache",
    "written": "tokens written",
}


def used_record(job: Job) -> dict[str, Any]:
    """Return it as programs read it; `tokens` is empty for an agent without a model of ours."""
    journal = job.journal
    return {
        "usd": journal.spent or journal.usd or 0.0,
        "tokens": asdict(journal.tokens) if journal.tokens else {},
        "looks": journal.looks or 0,
    }


def say_used(job: Job) -> str:
    """Say the same in one line; empty when nothing was used up."""
    used = used_record(job)
    said = [f"{used['usd']:.4f} USD"] if used["usd"] else []
    said += [f"{used['tokens'][name]:,} {words}" for name, words in _WORDS.items() if used["tokens"].get(name)]
    return ", ".join([*said, *([f"{used['looks']} looks"] if used["looks"] else [])])
