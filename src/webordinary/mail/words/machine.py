"""Answers of machines that no header gives away: they say so themselves, in words that no order has."""

from __future__ import annotations

import re

_LONGEST_LINE = 400
_ANSWER = re.compile(
    r"\s*(?:re|aw|antw|antwort|sv|vs|rép|rif|res|odp|ynt|atb|回复|答复|返信)\s?(?:\[\d+\])?\s?[:\uff1a]", re.IGNORECASE
)
_GREETING = re.compile(
    r"(?:hello|hi|hallo|dear|guten|sehr geehrte|bonjour|hola|ciao|beste|olá)\b.{0,60}\Z", re.IGNORECASE
)
# Each is a whole beginning of a sentence in which a mail speaks of itself.
_OF_ITSELF = re.compile(
    r"""[*_(\[\s-]{0,9}(?:
    this\ is\ an?\ auto(?:mated|matic|matically\ generated|-?generated)?[\ -]
        (?:reply|response|message|e-?mail|notification|answer|acknowledge?ment)
    |this\ (?:e-?mail|message|reply|response)\ (?:was|is|has\ been)[ ]
        (?:sent\ automatically|(?:automatically\ |auto-?)(?:generated|sent|created))
    |dies\ ist\ eine\ automatisch(?:e|\ (?:generierte|erstellte|erzeugte|versendete))[ ]
        (?:antwort|nachricht|e-?mail|mail|mitteilung|eingangsbestätigung)
    |diese\ (?:e-?mail|mail|nachricht|antwort)\ (?:wurde|ist)\ automatisch[ ]
        (?:erstellt|erzeugt|generiert|versendet|verschickt)
    |ceci\ est\ (?:une\ réponse|un\ message)\ automatique
    |(?:este\ es\ un\ mensaje|[eé]sta\ es\ una\ respuesta)\ automátic[oa]
    |quest(?:a\ è\ una\ risposta\ automatica|o\ è\ un\ messaggio\ automatico)
    |dit\ is\ een\ automatisch(?:e\ reactie|\ (?:antwoord|bericht|gegenereerd))
    |esta\ é\ uma\ (?:resposta|mensagem)\ automática
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NAMED = r"(?:(?:ticket|case|request|anfrage|vorgang|incident)\s?)?(?:id\s?)?[#:]\s?[\w-]{2,30}"
_TICKET = re.compile(rf"[\[(]{_NAMED}[\])]", re.IGNORECASE)
_RECEIVED = re.compile(
    r"\b(?:(?:request|ticket|case|enquiry|inquiry|message)\b.{0,60}"
    r"\bhas been (?:received|created|opened|registered|logged)"
    r"|(?:anfrage|nachricht|ticket|vorgang)\b.{0,60}"
    r"\b(?:ist eingegangen|wurde (?:erstellt|angelegt|erfasst|eröffnet)|erhalten))",
    re.IGNORECASE,
)


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
