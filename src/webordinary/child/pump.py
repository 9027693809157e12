"""The thread that moves all bytes between us and one child, so that neither can block the other."""

from __future__ import annotations

import os
import selectors
import threading
import time
from dataclasses import dataclass
from functools import partial
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_LINE = 16 * 1024 * 1024
# Something that left the family may still hold the pipes; what it says after this is not ours.
_LAST_WORDS = 2.0


@dataclass(frozen=True, slots=True)
class Finished:
    """How a child ended, and the end of what it wrote."""

    code: int
    stdout: bytes
    stderr: bytes
    truncated: bool = False
    timed_out: bool = False
    stopped: bool = False
    # Why it was ended before it could take what others need; empty when it was content.
    exceeded: str = ""

    @property
    def succeeded(self) -> bool:
        return self.code == 0 and not self.timed_out and not self.stopped and not self.exceeded


class Tail:
    """The end of an output stream, where the reason of a failure stands."""

    def __init__(
        self,
        limit: int,
        on_line: Callable[[str], None] | None = None,
        on_bytes: Callable[[bytes], None] | None = None,
    ) -> None:
        self._limit = limit
        self._on_line = on_line
        self._on_bytes = on_bytes
        self._kept = bytearray()
        self._line = bytearray()
        self.truncated = False

    def add(self, data: bytes) -> None:
        self._kept += data
        if len(self._kept) > 2 * self._limit:
            self.content()
        if self._on_line is not None:
            self._tell_lines(data, self._on_line)
        if self._on_bytes is not None:
            self._on_bytes(data)

    def content(self) -> bytes:
        if len(self._kept) > self._limit:
            self.truncated = True
            del self._kept[: -self._limit]
        return bytes(self._kept)

    def _tell_lines(self, data: bytes, on_line: Callable[[str], None]) -> None:
        # No data is the end of the stream: what is left is a line although nothing ends it.
        *whole, rest = data.split(b"\n") if data or not self._line else (b"", b"")
        for piece in whole:
            line = (self._line + piece)[:_LONGEST_LINE]
            self._line.clear()
            on_line(line.decode(errors="replace"))
        if len(self._line) < _LONGEST_LINE:
            self._line += rest


class Pump(threading.Thread):
    """Moves all bytes between us and one child, so that neither can block the other, and sees it leave."""

    def __init__(
        self,
        pid: int,
        pipes: tuple[IO[bytes], IO[bytes], IO[bytes]],
        tails: tuple[Tail, Tail],
        bury: Callable[[], int],
    ) -> None:
        super().__init__(name=f"child-{pid}", daemon=True)
        self.ended = threading.Event()
        self.failure: BaseException | None = None
        self._stdin, *self._outputs = pipes
        self._tails = tails
        self._bury = bury
        self._code = -1
        self._open_outputs = len(self._outputs)
        self._give_up_at: float | None = None
        self._pidfd = os.pidfd_open(pid)
        self._wakeup = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._sending = threading.Lock()
        self._unsent = bytearray()
        self._input_ends = self._deaf = False
        self._selector = selectors.DefaultSelector()

    def send(self, data: bytes) -> None:
        with self._sending:
            self._unsent += data
            self._wake()

    def end_input(self) -> None:
        with self._sending:
            self._input_ends = True
            self._wake()

    def finished(self) -> Finished:
        stdout, stderr = (tail.content() for tail in self._tails)
        return Finished(self._code, stdout, stderr, truncated=any(tail.truncated for tail in self._tails))

    def run(self) -> None:
        try:
            self._watch()
            while (patience := self._patience()) is None or patience > 0:
                for key, _ in self._selector.select(patience):
                    key.data()
        except BaseException as problem:  # noqa: BLE001 - `wait` raises it in the caller's thread
            self.failure = problem
        finally:
            # Whatever went wrong, nobody may wait for ever.
            try:
                if self._give_up_at is None:
                    self._code = self._bury()
                self._close()
            finally:
                self.ended.set()

    def _wake(self) -> None:
        if not self._deaf:
            os.eventfd_write(self._wakeup, 1)

    def _watch(self) -> None:
        os.set_blocking(self._stdin.fileno(), False)
        for stream, tail in zip(self._outputs, self._tails, strict=True):
            self._selector.register(stream, selectors.EVENT_READ, partial(self._read, stream, tail))
        self._selector.register(self._wakeup, selectors.EVENT_READ, self._hear)
        self._selector.register(self._pidfd, selectors.EVENT_READ, self._see_it_leave)

    def _patience(self) -> float | None:
        """Listen for ever while it lives; then until both streams are closed or its last words are over."""
        if self._give_up_at is None:
            return None
        return self._give_up_at - time.monotonic() if self._open_outputs else 0

    def _read(self, stream: IO[bytes], tail: Tail) -> None:
        data = os.read(stream.fileno(), 65536)
        tail.add(data)
        if not data:
            self._selector.unregister(stream)
            self._open_outputs -= 1

    def _hear(self) -> None:
        os.eventfd_read(self._wakeup)
        if not self._stdin.closed and self._stdin not in self._selector.get_map():
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write)

    def _write(self) -> None:
        with self._sending:
            try:
                del self._unsent[: os.write(self._stdin.fileno(), self._unsent[:65536])]
            except BlockingIOError:
                return
            except BrokenPipeError:
                self._unsent.clear()
                self._input_ends = True
            if not self._unsent:
                self._selector.unregister(self._stdin)
                if self._input_ends:
                    self._stdin.close()

    def _see_it_leave(self) -> None:
        self._selector.unregister(self._pidfd)
        self._code = self._bury()
        self._give_up_at = time.monotonic() + _LAST_WORDS

    def _close(self) -> None:
        with self._sending:
            self._deaf = True
            self._selector.close()
            for stream in (self._stdin, *self._outputs):
                stream.close()
            os.close(self._pidfd)
            os.close(self._wakeup)
