"""The window: what an agent in its sandbox asks to see of its own work, and the worker's answers to that.

Two pipes in the home of the run, and no socket: a pipe needs no network, no port and no right that a program does not
have to its own files, so it is there behind every kind of walls. The agent may write into it whatever it likes: what
it can bring about is a look, of a page that is named by words, as often as its job may look.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shlex
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

import msgspec

from webordinary.agent import look
from webordinary.jobs.repairs import FoundKind
from webordinary.workspace.installation import TEMPORARY, find_installation, private_places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.jobs.repairs import Findings

# How the server of tools is called in the settings of an agent: its tools have this before their names.
SERVER = "site"
COMMAND = "webordinary-look"
_FOLDER = "look"
_PIECE = 65536
_LONGEST_LINE, _LONGEST_ID = 8192, 64
# Far more than any job may look: nobody reads on for one who only writes.
_MOST_LINES = 1000


@dataclass(frozen=True, slots=True)
class PictureShown:
    """A picture that an agent is shown."""

    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Sight:
    """What there is to see: words, and perhaps pictures; `is_error` when it is only a reason why not."""

    text: str
    pictures: tuple[PictureShown, ...] = ()
    is_error: bool = False


class Eyes(Protocol):
    """Looks for an agent; whatever it is asked, it only looks."""

    def see(self, tool: str, given: Mapping[str, str]) -> Sight:
        """Answer one question; a tool that does not exist, and a page that does not, are told and never raised."""

    def changed(self) -> Sight | None:
        """Return pictures of what the agent has changed, before it is started again; None when there are none."""

    def close(self) -> None:
        """End a look that is under way, from another thread: nobody waits for it any more."""


class _Ask(msgspec.Struct, frozen=True):
    id: str
    tool: str
    given: dict[str, Any] = {}


class LookWindow:
    """Open while one run of an agent lasts; without eyes there is none, and the agent is not told of any."""

    def __init__(self, eyes: Eyes | None, home: Path, findings: Findings | None = None) -> None:
        self._eyes = eyes
        # What an agent is shown that is asked to mend its edit; nothing of a site that cannot be built.
        is_shown = findings is not None and not any(map(findings.has, (FoundKind.BUILD, FoundKind.CONFLICT)))
        self.shown = eyes.changed() if eyes is not None and is_shown else None
        self._home = home
        self.folder = home / TEMPORARY / _FOLDER
        self._ends: list[int] = []
        self._thread = threading.Thread(target=self._serve, name="window", daemon=True)

    def __enter__(self) -> Self:
        if self._eyes is None:
            return self
        private_places(self._home)
        self.folder.mkdir(mode=0o700)
        (self.folder / "turn").touch(mode=0o600)
        for name in ("ask", "answer"):
            os.mkfifo(self.folder / name, 0o600)
            # For both directions, and before the agent is there: neither of us ever waits for the other to open it.
            self._ends.append(os.open(self.folder / name, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))
        self._ends += os.pipe()
        self._write_command()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._eyes is None:
            return
        self._eyes.close()
        os.close(self._ends.pop())
        self._thread.join()
        os.close(self._ends.pop())

    @property
    def is_open(self) -> bool:
        return self._eyes is not None

    @property
    def server(self) -> tuple[str, ...]:
        """The command of the server of tools, as an agent starts it inside."""
        return (sys.executable, "-I", look.__file__, str(self.folder))

    @property
    def readable(self) -> tuple[Path, ...]:
        """What the sandbox has to show besides the agent's own home."""
        return (*find_installation(sys.executable), Path(look.__file__)) if self.is_open else ()

    def laid_out(self) -> list[str]:
        """Write what is shown where an agent finds it that reads only text; return what it is told of that."""
        seen = self.shown
        if seen is None:
            return []
        paths = [self.folder / f"shown-{at}.{each.content_type[6:]}" for at, each in enumerate(seen.pictures)]
        for path, each in zip(paths, seen.pictures, strict=True):
            path.write_bytes(each.content)
        return [seen.text, "\n".join(map(str, paths))]

    def _write_command(self) -> None:
        command = self.folder / COMMAND
        command.write_text(f'#!/bin/sh\nexec {shlex.join(self.server)} "$@"\n', encoding="utf-8")
        command.chmod(0o700)

    def _serve(self) -> None:
        asks, says, end = self._ends[:3]
        try:
            self._answer_all(asks, says, end)
        finally:
            # A client that asks now hears that nobody is there.
            os.close(asks)
            os.close(says)

    def _answer_all(self, asks: int, says: int, end: int) -> None:
        left, waiting = _MOST_LINES, b""
        while left > 0 and _is_ready(asks, select.POLLIN, end):
            *lines, waiting = (waiting + _read(asks)).split(b"\n")
            waiting = waiting[-_LONGEST_LINE:]
            # One who never ends a line, or reads what it wrote itself, keeps us no longer than others.
            left -= max(1, len(lines))
            for line in lines:
                if (answer := self._answer(line)) is not None and not _say(answer, says, end):
                    return

    def _answer(self, line: bytes) -> bytes | None:
        try:
            asked = msgspec.json.decode(line[:_LONGEST_LINE], type=_Ask)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
        if self._eyes is None or len(asked.id) > _LONGEST_ID:
            return None
        given = {name: value for name, value in asked.given.items() if isinstance(value, str)}
        return _line(asked.id, self._eyes.see(asked.tool, given))


def _is_ready(pipe: int, event: int, end: int) -> bool:
    """Wait until a pipe has something, or room; False when the run is over."""
    poll = select.poll()
    poll.register(pipe, event)
    poll.register(end, select.POLLHUP)
    return end not in dict(poll.poll())


def _read(asks: int) -> bytes:
    # Somebody inside may have read it before us.
    with suppress(BlockingIOError):
        return os.read(asks, _PIECE)
    return b""


def _say(answer: bytes, says: int, end: int) -> bool:
    """Write an answer as fast as somebody reads it; False when the run is over."""
    while answer:
        if not _is_ready(says, select.POLLOUT, end):
            return False
        with suppress(BlockingIOError):
            answer = answer[os.write(says, answer) :]
    return True


def _line(number: str, seen: Sight) -> bytes:
    shown = [
        {"type": each.content_type, "data": base64.b64encode(each.content).decode("ascii")} for each in seen.pictures
    ]
    answer = {"id": number, "text": seen.text, "pictures": shown, "is_error": seen.is_error}
    return json.dumps(answer).encode() + b"\n"
