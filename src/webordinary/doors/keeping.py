"""What a listener does with a mail that it has read: make it durable in a thread, and decide it right after."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from webordinary.routing.route import is_known

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.audit.entry import Entry
    from webordinary.intake import Intake
    from webordinary.mail.inbox import Envelope

T = TypeVar("T")
# More threads than cores: each waits for the disk most of the time.
_KEEPERS = 8
_DECIDERS = 4
_log = logging.getLogger(__name__)


class Keeping:
    """Everything slow happens in threads, so that the listener goes on listening; used from one event loop."""

    def __init__(self, intake: Intake, name: str) -> None:
        self._intake = intake
        self._keepers = ThreadPoolExecutor(_KEEPERS, f"{name}-keep")
        # Apart from the keepers: who decides may wait for a name server, and no sender has to wait for that.
        self._deciders = ThreadPoolExecutor(_DECIDERS, f"{name}-decide")
        self._deciding: set[asyncio.Future[None]] = set()

    async def keep(self, raw: bytes, envelope: Envelope) -> str:
        """Return the mail's name when it is durable; it is decided right after."""
        kept = await self.run(self._intake.receive, raw, envelope)
        task = asyncio.ensure_future(in_thread(self._deciders, self._decide, kept.mail))
        self._deciding.add(task)
        task.add_done_callback(self._deciding.discard)
        return kept.mail

    async def run(self, work: Callable[..., T], *given: object) -> T:
        """Do something that may wait for the disk."""
        return await in_thread(self._keepers, work, *given)

    async def record(self, entry: Entry) -> None:
        await self.run(self._intake.engine.trail.record, entry)

    async def knows(self, recipient: str) -> bool:
        """Tell whether somebody here takes mail for this address; looking it up may take a question to a store."""
        return await self.run(is_known, recipient, self._intake.engine.projects, self._intake.domain)

    async def finish(self) -> None:
        """Decide what was accepted."""
        if self._deciding:
            await asyncio.wait(self._deciding)
        for executor in (self._keepers, self._deciders):
            executor.shutdown()

    def _decide(self, mail: str) -> None:
        try:
            self._intake.decide(mail)
        except Exception:  # noqa: BLE001 - nobody waits for this thread's answer
            # It stays undecided; the sweep of any worker decides it in half a minute.
            _log.exception("the mail %s could not be decided yet", mail)


async def in_thread(executor: ThreadPoolExecutor, work: Callable[..., T], *given: object) -> T:
    """Wait for something slow without holding anybody up."""
    return await asyncio.get_running_loop().run_in_executor(executor, work, *given)


def peer_of(name: object) -> str | None:
    """Return the address of who is at the other end; at a Unix socket nobody has one."""
    return str(name[0]) if isinstance(name, tuple) and name else None
