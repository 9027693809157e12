"""Which conversation a mail belongs to: the ids that our answers carry and that replies bring back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.mail.message import Message

# Our own mail is known by this even where the domain is not: one that comes back must never be acted on.
OUR_PREFIX = "webordinary."
_UNSAFE = re.compile(rb"[^A-Za-z0-9_-]")


def message_id_for(job_id: str, kind: str, domain: str) -> str:
    """Return the one Message-ID, in angle brackets, of this job's mail of this kind."""
    return f"<{OUR_PREFIX}{_safe(job_id)}.{_safe(kind)}@{domain.lower()}>"


def _safe(word: str) -> str:
    # Two different words never become the same one, and a dot can only be ours.
    return _UNSAFE.sub(lambda found: b"=%02x" % found[0][0], word.encode("utf-8", "replace")).decode("ascii")


def bare_id(message_id: str) -> str:
    """Return a message id without angle brackets, as `Message` and the stores keep it."""
    return message_id.strip().removeprefix("<").removesuffix(">")


def known_ids(message: Message, domain: str) -> tuple[str, ...]:
    """Return the ids under our domain that this mail refers to, in their order, without brackets."""
    return tuple(found for found in message.references if found.rpartition("@")[2].lower() == domain.lower())
