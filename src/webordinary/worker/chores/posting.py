"""Delivers the letters of the outbox one by one; the agency is notified of those that cannot be delivered."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import JobFailed, LoginNeeded, TryAgain
from webordinary.reply.bounces import Bounce, find_dead_end
from webordinary.reply.outbox import ACK, ALARM, AddressRefused, Letter, ServerRefuses, login_needed, outage
from webordinary.worker.chores.holding import Holding

if TYPE_CHECKING:
    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.reply.write import Writer

_log = logging.getLogger(__name__)
_LETTERS_A_ROUND = 20
# About an hour and a half, as the pauses between them grow.
_TRIES_OF_A_REFUSED = 7
# After these it is tried every five minutes, for as long as it takes.
_QUICK_TRIES = 3
_LONG = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Posting:
    """Everybody may send: a letter is reserved for the one who does."""

    name: str
    engine: Engine
    writer: Writer
    clock: Clock
    agency: str | None
    # What this process has told already; the outbox knows it too, but asking it every second is a waste.
    _told: set[str] = field(default_factory=set)
    # When the outgoing server began to refuse everybody; empty while it takes mail.
    _refused_since: list[Moment] = field(default_factory=list)

    def send_due(self) -> None:
        """Send what is due, but not for ever."""
        # One at a time: a reservation covers one slow server, not a row of them.
        for _ in range(_LETTERS_A_ROUND):
            letters = self.engine.outbox.take_due(self.name, self.clock.now(), limit=1)
            if not letters:
                return
            self.send(letters[0])

    def send_one(self, key: str) -> None:
        """Send one letter at once, if it is due and nobody else has it."""
        letter = self.engine.outbox.take(key, self.name, self.clock.now())
        if letter is not None:
            self.send(letter)

    def send(self, letter: Letter) -> None:
        """Send a letter that is reserved for us."""
        try:
            if self._comes_too_late(letter) or self._leads_nowhere(letter) or self._waits_for_the_agency(letter):
                return
            raw = letter.sealed or self.writer.seal(letter)
            self.engine.outbox.deliver(letter, raw)
        except AddressRefused as refused:
            self._note_bounce(letter, str(refused))
            self._delay(letter, str(refused), for_good=True)
        except LoginNeeded as needed:
            self._wait_for_login(letter, needed)
        except ServerRefuses as refused:
            self._wait_for_server(letter, str(refused))
        except (TryAgain, JobFailed) as refused:
            # A server that refuses everything for an hour does not mean this letter.
            for_good = isinstance(refused, JobFailed) and letter.tries >= _TRIES_OF_A_REFUSED
            self._delay(letter, str(refused), for_good=for_good)
        except Exception as broken:  # noqa: BLE001 - see below
            # A letter that cannot be written or handed over must not stand in the way of the others.
            _log.exception("the letter %s broke", letter.key)
            self._delay(letter, f"{type(broken).__name__}: {broken}")
        else:
            self._refused_since.clear()
            self.engine.outbox.mark_sent(letter, self.clock.now())

    def alarm(self, letter: Letter) -> None:
        """Tell the agency, once."""
        if self.agency is not None and letter.key not in self._told:
            self.engine.outbox.add(replace(letter, to=self.agency), self.clock.now())
            self._told.add(letter.key)

    def _comes_too_late(self, letter: Letter) -> bool:
        """Leave out that a request takes its time when it is over by now."""
        job = self.engine.overview.job(letter.job) if letter.kind == ACK and letter.job else None
        if job is None or job.state.is_live:
            return False
        self.engine.outbox.mark_delayed(letter, "its job is over", self.clock.now(), for_good=True)
        return True

    def _waits_for_the_agency(self, letter: Letter) -> bool:
        return Holding(self.engine, self.clock, self.agency).keep(letter)

    def _leads_nowhere(self, letter: Letter) -> bool:
        """Give a letter up whose address has returned the last ones, and say so once for all of them."""
        first = find_dead_end(self.engine.bounces, letter.to, self.clock.now().wall_at)
        if first is None:
            return False
        why = f"mails to this address come back ({first.reason}): `webordinary forgive` lets it be written to again"
        if self.engine.outbox.mark_delayed(letter, why, self.clock.now(), for_good=True) and letter.to != self.agency:
            mark = hashlib.sha256(first.address.encode(errors="replace")).hexdigest()[:12]
            facts = {"to": letter.to, "reason": first.reason}
            self.alarm(Letter(f"bounced.{mark}.{first.bounced_at:%s}", ALARM, "", "bounced", facts))
        return True

    def _note_bounce(self, letter: Letter, why: str) -> None:
        now = self.clock.now().wall_at
        self.engine.bounces.record(Bounce(letter.key, letter.to, is_for_good=True, reason=why, bounced_at=now))

    def _delay(self, letter: Letter, why: str, *, for_good: bool = False) -> None:
        if self.engine.outbox.mark_delayed(letter, why, self.clock.now(), for_good=for_good):
            self.report(letter, why)

    def _wait_for_login(self, letter: Letter, needed: LoginNeeded) -> None:
        """Keep a letter until somebody has logged in at the outgoing server, however long that takes."""
        now = self.clock.now()
        _log.warning("the letter %s waits: %s", letter.key, needed)
        self.engine.outbox.mark_delayed(letter, str(needed), now, counts=False)
        if self.agency is not None:
            self.alarm(login_needed(needed, self.agency, now.wall_at))

    def _wait_for_server(self, letter: Letter, why: str) -> None:
        """Keep a letter for as long as the server takes none, and tell the agency if that is long."""
        now = self.clock.now()
        self.engine.outbox.mark_delayed(letter, why, now, counts=letter.tries < _QUICK_TRIES)
        self._refused_since.append(now)
        del self._refused_since[1:]
        if self.agency is not None and now.boot - self._refused_since[0].boot >= _LONG.total_seconds():
            self.alarm(outage(why, self.agency, now.wall_at, "outgoing"))

    def report(self, letter: Letter, why: str) -> None:
        """Tell the agency of a letter that did not arrive, or may not have."""
        if letter.kind != ALARM:
            facts = {"about": letter.job or letter.mail or letter.key, "to": letter.to, "reason": why}
            self.alarm(Letter(f"{letter.key}.alarm", ALARM, "", "unanswered", facts))
