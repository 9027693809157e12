"""One answer for all who ask the same at the same moment: after an event every viewer fetches the same fragment."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.responses import Response

# What tells the time may be this old; what the trail tells is never older than what the reader knows.
_FRESH_SECONDS = 1.0
_MOST = 64


@dataclass(frozen=True, slots=True)
class _Made:
    """An answer that is made, or is being made, out of what was known at one number of the trail."""

    number: int | None
    made_at: float
    answer: asyncio.Future[Response]


class SharedAnswers:
    """Belongs to the event loop."""

    def __init__(self) -> None:
        self._made: dict[str, _Made] = {}

    async def answer(self, question: str, number: int | None, make: Callable[[], Awaitable[Response]]) -> Response:
        """Return what somebody else was just answered, or make it for all."""
        kept = self._made.get(question)
        if kept is None or kept.number != number or time.monotonic() - kept.made_at > _FRESH_SECONDS:
            kept = _Made(number, time.monotonic(), asyncio.ensure_future(make()))
            self._made.pop(question, None)
            self._made[question] = kept
            if len(self._made) > _MOST:
                del self._made[next(iter(self._made))]
        # A caller who goes away must not cancel the answer of the others.
        return await asyncio.shield(kept.answer)
