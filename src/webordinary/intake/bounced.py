"""Notes mails of ours that came back; a report is believed only about a letter that we sent to that address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.mail.bounce import read_bounce
from webordinary.reply.bounces import Bounce
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.mail.bounce import Returned


def note_bounces(engine: Engine, raw: bytes, now: Moment) -> int:
    """Write down what a delivery report says, and say how much of it was new."""
    return note_returned(engine, read_bounce(raw), now)


def note_returned(engine: Engine, found: Iterable[Returned], now: Moment) -> int:
    """Write down what came back, whoever told it.

    Our Message-IDs cannot be guessed, so nobody can make up reports to silence us towards somebody else.
    """
    noted = 0
    for returned in found:
        letter = engine.outbox.find_sent(returned.message_id)
        if letter is None or fold_address(letter.to) != fold_address(returned.address):
            continue
        bounce = Bounce(letter.key, letter.to, returned.is_for_good, returned.reason, now.wall_at)
        noted += engine.bounces.record(bounce)
    return noted
