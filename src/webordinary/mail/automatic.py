"""Mail that no person wrote: recorded, never acted on, never answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.mail.address import read_author
from webordinary.mail.charset import clean_line, decode_words
from webordinary.mail.conversation import OUR_PREFIX
from webordinary.mail.fields import read_ids

if TYPE_CHECKING:
    from email.message import Message as Headers

LOOP_HEADER = "X-WebOrdinary-Loop"

_ANSWERING_MACHINES = ("X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Auto-Reply", "X-Mail-Autoreply")
_LISTS = ("List-Id", "List-Post", "List-Unsubscribe")
_PRECEDENCES = frozenset({"bulk", "junk", "list", "auto_reply"})
_MACHINES = frozenset({"mailer-daemon", "postmaster"})
# What answering machines write before the original subject. A person's subject may begin with the same words
# ("Out of office banner, please"), so only the whole subject or what stands before a colon counts.
_ABSENCES = """
auto-reply|auto reply|autoreply|automatic reply|automatic response|out of office|out-of-office|vacation reply
out of the office|out of office reply|out of office autoreply|abwesend|abwesenheit|abwesenheitsnotiz
abwesenheitsnachricht|automatische antwort|automatische abwesenheitsnotiz|autoantwort|réponse automatique
absence du bureau|absent du bureau|message d'absence|respuesta automática|respuesta automatica
fuera de la oficina|fuera de oficina|risposta automatica|fuori sede|fuori ufficio|automatisch antwoord|afwezig
afwezigheidsbericht|resposta automática|fora do escritório|ausência temporária|autosvar|automatiskt svar
automatisk svar|frånvaro|automaattinen vastaus|odpowiedź automatyczna|automatyczna odpowiedź
automatická odpověď|automatikus válasz|otomatik yan\u0131t|răspuns automat|samodejni odgovor
automatski odgovor|автоответ|автоматический ответ|автоматична відповідь|αυτόματη απάντηση|自动回复|自動回覆
自動応答|自動返信|자동 회신|자동 응답
"""
_ABSENCE_SUBJECTS = frozenset(_ABSENCES.strip().replace("\n", "|").split("|"))


def automatic_reason(headers: Headers, envelope_from: str | None = None) -> str | None:
    """Return why no person wrote this mail, or None; a bounce has an empty `envelope_from`."""
    return (
        _is_ours(headers)
        or _is_marked(headers)
        or _is_list(headers)
        or _is_bounce(headers, envelope_from)
        or _is_absence(headers)
    )


def _values(headers: Headers, name: str) -> list[str]:
    return [str(value).strip() for value in headers.get_all(name, [])]


def _is_ours(headers: Headers) -> str | None:
    if headers.get(LOOP_HEADER) is not None:
        return "It is one of our own mails that came back."
    ids = [found for value in _values(headers, "Message-ID") for found in read_ids(value)]
    if any(found.startswith(OUR_PREFIX) for found in ids):
        return "Its Message-ID is one of ours."
    return None


def _is_marked(headers: Headers) -> str | None:
    for value in _values(headers, "Auto-Submitted"):
        if value.partition(";")[0].strip().lower() not in {"no", ""}:
            return f"It says that it was sent automatically (Auto-Submitted: {value[:60]})."
    for name in _ANSWERING_MACHINES:
        if any(value.lower() != "no" for value in _values(headers, name)):
            return f"It says that it is an automatic answer ({name})."
    return None


def _is_list(headers: Headers) -> str | None:
    for value in _values(headers, "Precedence"):
        if value.lower() in _PRECEDENCES:
            return f"It says that it is no personal mail (Precedence: {value})."
    for name in _LISTS:
        if headers.get(name) is not None:
            return f"It came through a mailing list ({name})."
    return None


def _is_bounce(headers: Headers, envelope_from: str | None) -> str | None:
    if envelope_from is not None and envelope_from.strip() in {"", "<>"}:
        return "Its envelope has no sender, as in a delivery report."
    if any(value in {"<>", ""} for value in _values(headers, "Return-Path")):
        return "Its return path is empty, as in a delivery report."
    if str(headers.get("Content-Type", "")).partition(";")[0].strip().lower() == "multipart/report":
        return "It is a report about another mail."
    mailbox, _ = read_author(_values(headers, "From"))
    if mailbox and mailbox.address.partition("@")[0] in _MACHINES:
        return f"It was written by {mailbox.address}, which is a mail server."
    return None


def _is_absence(headers: Headers) -> str | None:
    for value in _values(headers, "Subject"):
        subject = clean_line(decode_words(value[:1_000])).casefold()
        subject = subject.replace("\uff1a", ":").replace("\u2019", "'")
        if subject.partition(":")[0].strip(" .!-\u2013\u2014") in _ABSENCE_SUBJECTS:
            return "Its subject is that of an automatic answer."
    return None
