"""A notice in the owner's own words: what the built-in agent makes of "we are closed from … to …"."""

from __future__ import annotations

import re

from webordinary.languages import any_of

_CLOSED = re.compile(rf"\b(?:{any_of(lambda each: each.letters.notice_closed)})\b", re.IGNORECASE)
_GREETING = re.compile(rf"^(?:{any_of(lambda each: each.letters.greetings)})\b[^,:!\n]{{0,30}}[,:!]\s*", re.IGNORECASE)
# Who orders something means other words than these to stand on the site.
_ORDER = re.compile(rf"\b(?:{any_of(lambda each: each.letters.notice_orders)})\b", re.IGNORECASE)
_RELATIVE = re.compile(rf"\b(?:{any_of(lambda each: each.letters.relative_days)})\b", re.IGNORECASE)
_QUOTES = re.compile(r"[\"“”„«»]")
_LONGEST = 200


def with_notice(request: str, said_when: str) -> str | None:
    """Return the request with its sentence about being closed as a wish for a notice, or None without such a one."""
    at = request.find(said_when)
    if not said_when or at < 0:
        return None
    start = _end_of_sentence_before(request, at)
    end = _end_of_sentence_behind(request, at + len(said_when))
    # "Tomorrow" would be wrong as soon as it can be read.
    shown = said_when if not _RELATIVE.search(said_when) else ""
    sentence = _GREETING.sub("", f"{request[start:at]}{shown}{request[at + len(said_when) : end]}".strip(" ,"))
    if not _CLOSED.search(sentence) or _ORDER.search(sentence) or _QUOTES.search(sentence) or len(sentence) > _LONGEST:
        return None
    notice = sentence[:1].upper() + sentence[1:].rstrip(" .!,;") + "."
    return f'{request[:start]}\nAdd the notice "{notice}" to the home page.\n{request[end:]}'


def _end_of_sentence_before(text: str, position: int) -> int:
    return max((match.end() for match in re.finditer(r"[!?]\s|[^\d]\.\s|\n", text[:position])), default=0)


def _end_of_sentence_behind(text: str, position: int) -> int:
    found = re.compile(r"[!?]+(?=\s|$)|(?<!\d)\.(?=\s|$)|(?=\n)|$").search(text, position)
    return found.end() if found else len(text)
