"""The HTTP door: a provider's hook hands a mail in, which is durable before the hook hears "200"."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from webordinary.doors.hook_door import HookDoor
from webordinary.doors.hook_visit import Visit
from webordinary.doors.listener import GRACE, Listener

if TYPE_CHECKING:
    from datetime import timedelta

    from webordinary.doors.hook import Hook
    from webordinary.intake import Intake


class HookListener(Listener[Visit]):
    """Listens for hooks at a port."""

    name = "hook"
    called = "the HTTP door"
    remedy = "end the other program or set hook.listen to a free port"

    def __init__(self, intake: Intake, hook: Hook, mark: str = "", *, grace: timedelta = GRACE) -> None:
        self.door = HookDoor(intake, hook, mark)
        super().__init__(self.door, hook.listen, grace)

    async def _open(self, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
        del loop
        return await asyncio.start_server(self._come_in, *self._listen_at)

    async def _come_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visit = Visit(self.door, reader, writer)
        self._inside.add(visit)
        try:
            await visit.serve()
        finally:
            self._inside.discard(visit)
