"""Answers of machines that no header gives away: they say so themselves, in words that no order has."""

from __future__ import annotations

import re

from webordinary.languages import any_of

_LONGEST_LINE = 400
_ANSWER = re.compile(rf"\s*(?:{any_of(lambda each: each.programs.answered)})\s?(?:\[\d+\])?\s?[:\uff1a]", re.IGNORECASE)
_GREETING = re.compile(rf"(?:{any_of(lambda each: each.letters.greetings)})\b.{{0,60}}\Z", re.IGNORECASE)
# Each is a whole beginning of a sentence in which a mail speaks of itself.
_OF_ITSELF = re.compile(rf"[*_(\[\s-]{{0,9}}(?:{any_of(lambda each: each.programs.of_itself)})\b", re.IGNORECASE)
_NAMED = rf"(?:(?:{any_of(lambda each: each.programs.ticket)})\s?)?(?:id\s?)?[#:]\s?[\w-]{{2,30}}"
_TICKET = re.compile(rf"[\[(]{_NAMED}[\])]", re.IGNORECASE)
_RECEIVED = re.compile(rf"\b(?:{any_of(lambda each: each.programs.received)})", re.IGNORECASE)


def says_it_is_a_machine(subject: str, text: str) -> str | None:
    """Return why an answer is a machine's although no header says so, or None; in doubt a person wrote it."""
    if not _ANSWER.match(subject[:100]):
        return None
    lines = (line.strip()[:_LONGEST_LINE] for line in text[:20_000].split("\n"))
    # What follows other words is a footer, or somebody else's; a machine begins with it, perhaps below a greeting.
    first = next((line for line in lines if line and not _GREETING.match(line)), "")
    if _OF_ITSELF.match(first):
        return "Its text says that it is an automatic answer."
    if _TICKET.search(subject[:500]) and _RECEIVED.search(first):
        return "It is the receipt of a ticket system."
    return None
