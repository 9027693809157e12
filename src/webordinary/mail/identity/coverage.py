"""What of a mail a signature covers, and so what nobody could have changed on its way."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.mail.identity.structure import structure_problem
from webordinary.mail.parse import read_references

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from email.message import Message as Headers

    from webordinary.mail.identity.signed_form import SignedForm

_ANSWERING = ("References", "In-Reply-To")


@dataclass(frozen=True, slots=True)
class Coverage:
    """The names of headers that are signed as often as they stand there, or as missing; without names all of them."""

    names: frozenset[str] | None

    def has(self, name: str) -> bool:
        return self.names is None or name.lower() in self.names

    def structure_problem(self, headers: Headers, body: memoryview) -> str | None:
        """Return why the words of the mail may be others than those that were signed, or None."""
        return None if self.names is None else structure_problem(headers, body, self.names)

    def answers(self, headers: Headers) -> tuple[str, ...]:
        """Return the ids of the mails that this one surely answers."""
        return read_references(headers, [name for name in _ANSWERING if self.has(name)])


NOTHING = Coverage(frozenset())
# Nobody on the way could have changed anything, because there was nobody on the way.
EVERYTHING = Coverage(None)


def coverage_of(form: SignedForm, names: Iterable[bytes]) -> Coverage:
    """Return what a signature over these names covers; one that stands there more often than it is signed is open."""
    present = Counter(name.lower() for name, _ in form.headers)
    signed = Counter(names)
    return Coverage(frozenset(name.decode("ascii", "replace") for name in signed if signed[name] >= present[name]))


def request_mark(form: SignedForm, subject: str, written_at: datetime | None) -> str:
    """Name a request by its signed text, Subject and Date, the same in every copy of a mail that is believed."""
    digest = hashlib.sha256(form.body_hash(relaxed=True))
    digest.update(f"{written_at.isoformat() if written_at else ''}\0{subject}".encode())
    return digest.hexdigest()
