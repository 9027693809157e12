"""HTTP as uvicorn speaks it, but a client that does not come to the end of its headers is not waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

HEADER_SECONDS = 20.0


class ImpatientProtocol(H11Protocol):
    """One connection; between two requests uvicorn itself ends it soon."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401 - as uvicorn has it
        super().connection_made(transport)
        self._begin_to_wait()

    def data_received(self, data: bytes) -> None:
        if self._limit is None:
            self._begin_to_wait()
        super().data_received(data)
        if self._is_answering():
            self._wait_no_more()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def _begin_to_wait(self) -> None:
        self._limit = self.loop.call_later(HEADER_SECONDS, self._hang_up)

    def _wait_no_more(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _hang_up(self) -> None:
        self._limit = None
        if not self._is_answering():
            self.transport.abort()

    def _is_answering(self) -> bool:
        cycle = getattr(self, "cycle", None)
        return cycle is not None and not cycle.response_complete
