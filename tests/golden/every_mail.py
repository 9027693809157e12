"""Every kind of mail in every language as it leaves the house; `python -m tests.golden.every_mail` renews the files."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, replace
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import TYPE_CHECKING

from tests.rigs.embedded_ports import AMELIA, open_embedded_ports
from webordinary.engines.embedded.projects import ConfiguredProjects
from webordinary.jobs.job import Attached, FileKind, FileProblem
from webordinary.languages import codes
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.tokens import ReplyKey
from webordinary.reply.attached import files_fact
from webordinary.reply.compose import compose
from webordinary.reply.kinds import KINDS, Tone
from webordinary.reply.ok_links import OK_LINK, OK_UNTIL
from webordinary.reply.outbox import Letter
from webordinary.reply.write import Writer
from webordinary.routing.project import Editor
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.rigs.ports import Ports

FOLDER = Path(__file__).parent / "mails"
AGENCY = "agency@example.com"
OWNER = "scott@example.org"
WHOLE = "published"
_RANDOM = re.compile(r"webordinary\.mail-[0-9a-f]{12}")

# What an owner writes; the answer takes its language from it.
REQUESTS = {
    "en": ("Opening hours", "Hello, we open at nine now. The photo shows our new team.", "New hours on two pages."),
    "de": ("Öffnungszeiten", "Hallo, wir öffnen jetzt um neun. Das Foto zeigt unser Team.", "Neue Zeiten."),
    "fr": ("Horaires", "Bonjour, nous ouvrons maintenant à neuf heures. Voici notre équipe.", "Nouveaux horaires."),
    "es": ("Horario", "Hola, ahora abrimos a las nueve. La foto es de nuestro equipo.", "Horario nuevo."),
    "it": ("Orari", "Buongiorno, adesso apriamo alle nove. La foto mostra la nostra squadra.", "Nuovi orari."),
    "nl": ("Openingstijden", "Hallo, wij openen nu om negen uur. De foto toont ons team.", "Nieuwe tijden."),
}
FACTS = {
    "address": "https://amelia.example/",
    "preview": "https://3f9c0d2a7b1e.amelia.preview.example/",
    "changes": "words\tContact\tOpen 8:00 – 18:00\tOpen 9:00 – 18:00\npage_added\tteam.html\nmore\t2",
    "missing": "030 765 43 21",
    "parts": "part_done\tWe open at nine\npart_missing\tApple cake is 4.80\tApple cake is 4.80",
    "copies": "still_there@link\tAbout\ttel:030123456\t0\t030123456\t030 654321\n"
    "still_there_too\tMenu\tOpen 8:00\t3\t8:00\t9:00",
    "reasons": "unasked\twords\tCake 4.50\tCake 5.50\nunasked\twords_gone\t4.80 €\npage_gone\tmenu.html",
    "asker": "scott@example.org",
    "request": "Please replace “Open from eight” with “Open from nine”.",
    "site": "Amelia's Bakery",
    "approval": "own",
    "sites": "Amelia's Bakery\tamelia@edit.example.com\t\nFlora\tflora@edit.example.com\tothers",
    "approvers": "maria@example.org",
    "by": "maria@example.org",
    "question": "Which of the two photos?",
    "choices": "The one with everybody in front of the shop\nThe one in the bakery",
    "places": "contact.html\nindex.html",
    "elsewhere": "settings\ttold\tOpen from eight\t_config.yml\nbuilt\ttold\tBaked in Bath\tindex.html",
    "wanted": "line\t_config.yml\t2\tOpen from eight\tOpen from nine\nbuilt\tBaked in Bath\tindex.html",
    "limit": "15 min",
    "newer": "Phone number",
    "addresses": "amelia@edit.example.com\nflora@edit.example.com",
    "about": "Opening hours",
    "excerpt": "Hello, we open at nine now.\nThanks, Scott",
    "until": "14:30",
    "requests": "proposed_to_you\tOpening hours\nrunning\tTeam photo\nqueued\t\n"
    "publish_at\tClosed\t2026-12-24T08:00:00+01:00",
    "called": "was_proposed\tOpening hours\nwas_planned\tClosed\t2026-12-24T00:00:00+01:00",
    "write_to": "amelia@edit.example.com",
    "write_link": "mailto:amelia@edit.example.com",
    "day": "2026-11-03",
    "starts": "2026-12-24T00:00:00+01:00",
    "ends": "2027-01-03T00:00:00+01:00",
    "trouble": "impossible\tfrom 30 Feb to 3 March\nvague\tover Christmas\n"
    "differs\tuntil Sunday\t\t2026-12-24T18:00:00+01:00\t2026-12-24T00:00:00+01:00\t",
    "replaced": "was_planned\tClosed\t2026-12-24T00:00:00+01:00",
    "there_now": "11:00 – 16:00",
    "before_it": "8:00 – 18:00",
    "would_be": "9:00 – 17:00",
    "held": "mail-1a2b3c4d5e6f from scott@example.org: “Opening hours”",
    "quarantined": "mail-2b3c4d5e6f7a from scott@example.org: “Urgent!”\nmail-3c4d5e6f7a8b from tom@example.net: “Hi”",
    "failed": "job-4d5e6f7a8b9c, amelia#scott: “New page” (the build ended with an error)",
    "waiting": "job-5e6f7a8b9c0d, amelia#maria: “Prices”",
    "taken_back": "job-8b9c0d1e2f3a, amelia#tom: “Re: Prices”",
    "postmaster": "mail-9c0d1e2f3a4b, abuse@elsewhere.example: “Your server”",
    "damaged": "Tree 12 page 4711: btreeInitPage() returns error code 11",
    "over_budget": "job-6f7a8b9c0d1e, flora#tom: “All new photos”",
    "spent": "amelia: 12.30 of 100 USD (failed 1.00, published 11.30)",
    "renewed": "2026-12-01",
    "strangers": "mail-7a8b9c0d1e2f from eve@elsewhere.example: “Let me in”",
    "paused": "flora: three jobs in a row have failed",
    "unanswered": "scott@example.org: 550 5.1.1 no such user",
    "unreleased": "job-8b9c0d1e2f3a, amelia#scott: “Opening hours” (2026-11-12)",
    "commits": "1a2b3c4 New header\n2b3c4d5 Faster pictures",
    "project": "amelia",
    "job": "job-4d5e6f7a8b9c",
    "to": "scott@example.org",
    "reason": "550 5.1.1 no such user",
    "login": "bakery",
    "person": "bakery",
    "application": "bakery",
}
# What stands only in the mails that are about it.
RARE = frozenset({"elsewhere", "undescribed"})
FILES = (
    Attached("team.jpg", "image/jpeg", "aa", FileKind.PHOTO),
    Attached("price-list.pdf", "application/pdf", "bb", FileKind.DOCUMENT),
    Attached("film.mov", "video/quicktime", "", FileKind.REFUSED, problem=FileProblem.TOO_LARGE, limit="20 MB"),
)


@dataclass(frozen=True, slots=True)
class FixedKey:
    """A key that is the same on every machine."""

    def current(self) -> ReplyKey:
        return ReplyKey(b"0123456789abcdef0123456789abcdef")


class Desk:
    """A small installation with one request in each language, whose answers are written."""

    def __init__(self, folder: Path) -> None:
        self.ports: Ports = open_embedded_ports(folder)
        self._jobs = {language: self._ask(language) for language in codes()}
        self._mails = {language: self._write_in(language) for language in codes()}

    def mail(self, kind: str, language: str, more: Mapping[str, str] | None = None) -> bytes:
        """Return a mail of a kind; `more` are facts that only some of them have."""
        letter = self._letter(kind, language)
        letter = replace(letter, facts={**letter.facts, **(more or {})})
        writer = self._writer(language)
        about = letter.job or letter.mail or letter.key
        return compose(
            writer.write(letter, f"<webordinary.{about}.{letter.kind}@edit.example.com>", self.ports.now.wall_at)
        )

    def _ask(self, language: str) -> str:
        subject, text, _ = REQUESTS[language]
        job = self.ports.new_job(thread=f"3f9c0d2a7b1{language[0]}", reply_to=OWNER)
        request = replace(job.request, text=text, attachments=FILES, message_id=f"{language}-1@phone.example.org")
        job = replace(job, subject=subject, request=request, dedup_key=language)
        self.ports.engine.lanes.accept(job, self.ports.now)
        return job.id

    def _write_in(self, language: str) -> str:
        subject, text, _ = REQUESTS[language]
        raw = write_mail(
            sender=OWNER,
            to="amelia@edit.example.com",
            text=text,
            subject=subject,
            message_id=f"<{language}-2@phone.example.org>",
        )
        kept = self.ports.engine.inbox.keep(raw, Envelope("smtp", ("amelia@edit.example.com",)), self.ports.now)
        self.ports.engine.inbox.decide(kept.mail, Decision(MailOutcome.HELD, "", OWNER), self.ports.now)
        return kept.mail

    def _letter(self, kind: str, language: str) -> Letter:
        told = KINDS[kind].needs | (KINDS[kind].may_tell - RARE)
        given = {name: fact for name, fact in FACTS.items() if name in told}
        facts = {"summary": REQUESTS[language][2], **given, "project": "amelia"}
        if OK_LINK in told:
            facts[OK_UNTIL] = "2026-12-01T08:00:00+00:00"
        if "changes" in facts:
            facts["files"] = files_fact(FILES, {"team.jpg"})
        match KINDS[kind].tone:
            case Tone.AGENCY:
                job = self._jobs[language] if OK_LINK in told else None
                return Letter(kind, "alarm", AGENCY, kind, facts, job=job)
            case Tone.WELCOME:
                return Letter(kind, "welcome", OWNER, kind, facts)
            case _:
                pass
        if kind in {"confirm", "not_an_editor", "which_project"}:
            return Letter(kind, "answer", OWNER, kind, facts, mail=self._mails[language])
        return Letter(kind, "answer", OWNER, kind, facts, job=self._jobs[language])

    def _writer(self, language: str) -> Writer:
        engine = self.ports.engine
        # A mail that answers nothing is written in the language of the editor or of the installation.
        amelia = replace(AMELIA, editors=(Editor("scott", OWNER, language),))
        return Writer(
            engine.outbox,
            engine.overview,
            engine.inbox,
            ConfiguredProjects((amelia,)),
            FixedKey(),
            "edit.example.com",
            self.ports.clock,
            language,
            dashboard="https://dashboard.example.com/",
        )


def golden(raw: bytes) -> str:
    """Return a mail as a person reads it: headers, text, and the page without its styles."""
    mail = message_from_bytes(raw, policy=default)
    text, page = (part.get_content() for part in mail.iter_parts())
    headers = "".join(f"{name}: {value.partition('; boundary=')[0]}\n" for name, value in mail.items())
    body = re.sub(r' style="[^"]*"', "", page[page.index("<body") :])
    # One tag a line, so that a difference shows where it is.
    body = re.sub(r"(?<=>)(?=<(?!/))", "\n", body).strip()
    whole = f"{headers}\n{text}\n{body}\n".replace("\r\n", "\n")
    if _RANDOM.search(whole) is None:
        return whole
    # The names of mails are random, and so is the token that is made of one.
    return re.sub(r"re\+[a-z2-7]+@", "re+TOKEN@", _RANDOM.sub("webordinary.mail-RANDOM", whole))


def path_of(kind: str, language: str) -> Path:
    return FOLDER / language / f"{kind}.txt"


def renew() -> None:
    """Write all files anew; `git diff` shows what a person would notice."""
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        for language in codes():
            (FOLDER / language).mkdir(parents=True, exist_ok=True)
            for kind in KINDS:
                path_of(kind, language).write_text(golden(desk.mail(kind, language)), encoding="utf-8")
            (FOLDER / language / f"{WHOLE}.eml").write_bytes(desk.mail(WHOLE, language))


if __name__ == "__main__":
    renew()
