"""SFTP over OpenSSH's own client: `ssh -s` carries the packets, so that keys and known hosts are SSH's business."""

from __future__ import annotations

import os
import queue
import tempfile
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child import Child
from webordinary.errors import Misconfigured, Outage, TryAgain, WebOrdinaryError
from webordinary.site.targets import sftp_packets as wire
from webordinary.site.targets.host_files import EntryKind, HostEntry, HostRefused, NotAllowed, NotThere
from webordinary.site.targets.remote import refusal_of_ssh, ssh_surroundings
from webordinary.workspace.ssh import ssh_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from webordinary.routing.project import SshAccess
    from webordinary.site.targets.address import Remote

_PART = 32_768
# So many parts are on their way at the same time: a line with long delays is filled, and our memory is not.
_AHEAD = 64
_LARGEST_TEXT = 64 << 20
_POSIX_RENAME = b"posix-rename@openssh.com"
_FILE, _FOLDER = 0o644, 0o755
_GRACE = timedelta(seconds=2)
_SAID = 65_536


@contextmanager
def open_sftp(remote: Remote, access: SshAccess, stalled: timedelta = timedelta(seconds=60)) -> Iterator[SftpFiles]:
    """Connect for as long as the block lasts; a server that does not answer within `stalled` is away."""
    with tempfile.TemporaryDirectory(prefix="webordinary-ssh-") as folder:
        port = ["-p", remote.port] if remote.port else []
        argv = [*ssh_words(access, Path(folder), "project.site"), *port, "-s", remote.login, "sftp"]
        with talk_sftp(argv, remote.login, stalled) as files:
            yield files


@contextmanager
def talk_sftp(argv: list[str], login: str, stalled: timedelta) -> Iterator[SftpFiles]:
    """Talk to a program whose other end is an SFTP server."""
    line = _Line(login, stalled)
    env = ssh_surroundings()
    with Child(argv, cwd=Path("/"), env=env, hold_input=True, on_bytes=line.hear, limit=_SAID) as child:
        line.child = child
        yield SftpFiles(line)
        child.end_input()


class _Line:
    """Asks the server and waits for its answers."""

    def __init__(self, login: str, stalled: timedelta) -> None:
        self.child: Child | None = None
        self.login = login
        self._stalled = stalled.total_seconds()
        self._heard: queue.SimpleQueue[wire.Packet | None] = queue.SimpleQueue()
        self._unpacking = wire.Unpacking()
        self._asked = 0
        self._early: dict[int, wire.Packet] = {}
        self._is_other_talk = False

    def hear(self, data: bytes) -> None:
        """Take in what the server says; called in the thread that reads."""
        try:
            for packet in self._unpacking.add(data):
                self._heard.put(packet)
        except ValueError:
            self._is_other_talk, data = True, b""
        if not data:
            self._heard.put(None)

    def send(self, kind: int, body: bytes) -> int:
        self._asked += 1
        self._put(wire.packet(kind, wire.number(self._asked) + body))
        return self._asked

    def begin(self) -> wire.Packet:
        """Agree on the version."""
        self._put(wire.packet(wire.INIT, wire.number(3)))
        return self._next()

    def answer(self, asked: int) -> wire.Packet:
        """Return the answer to a question; a server may answer a later one first."""
        while asked not in self._early:
            packet = self._next()
            number = packet.number()
            if number > self._asked or number in self._early:
                raise TryAgain(f"The server of {self.login} answers what nobody asked; it will be tried again.")
            self._early[number] = packet
        return self._early.pop(asked)

    def _put(self, data: bytes) -> None:
        if self.child is not None:
            self.child.send(data)

    def _next(self) -> wire.Packet:
        try:
            packet = self._heard.get(timeout=self._stalled)
        except queue.Empty:
            raise Outage(f"The server of {self.login} does not answer in time; it will be tried again.") from None
        if packet is None:
            raise self._why_it_left()
        return packet

    def _why_it_left(self) -> WebOrdinaryError:
        if self._is_other_talk:
            return Misconfigured(
                f"The account {self.login} writes something of its own before SFTP begins; take the greeting out of its"
                " start-up files at the host."
            )
        ended = self.child.wait(_GRACE) if self.child else None
        said = ended.stderr.decode(errors="replace") if ended else ""
        if "subsystem request failed" in said.lower():
            return Misconfigured(f"The server of {self.login} offers no SFTP; ask the host, or use another target.")
        gone = Outage(f"The server of {self.login} cannot be reached now; it will be tried again.")
        return refusal_of_ssh(said, self.login) or gone


class SftpFiles:
    """The files of the account."""

    has_links = True

    def __init__(self, line: _Line) -> None:
        self._line = line
        hello = line.begin()
        extensions = set()
        with suppress(TryAgain):
            hello.number()
            while True:
                extensions.add(hello.text())
                hello.text()
        self._renames_over = _POSIX_RENAME in extensions

    def entry(self, path: str) -> HostEntry | None:
        try:
            return self._ask(wire.LSTAT, wire.text(path), path).attributes()
        except NotThere:
            return None

    def listing(self, folder: str) -> dict[str, HostEntry]:
        handle = self._ask(wire.OPENDIR, wire.text(folder or "."), folder).text()
        found: dict[str, HostEntry] = {}
        while (answer := self._more(wire.READDIR, handle, folder)) is not None:
            count = answer.number()
            if not count:
                # Odd servers never say that it was all.
                break
            for _ in range(count):
                name = os.fsdecode(answer.text())
                answer.text()
                found[name] = answer.attributes()
        self._ask(wire.CLOSE, wire.text(handle), folder)
        return {name: entry for name, entry in found.items() if name not in {".", ".."} and "/" not in name}

    def read(self, path: str) -> bytes | None:
        try:
            handle = self._open(path, wire.FOR_READING)
        except NotThere:
            return None
        content = bytearray()
        while (answer := self._more(wire.READ, handle, path, len(content))) is not None:
            if not (part := answer.text()):
                break
            content += part
            if len(content) > _LARGEST_TEXT:
                raise HostRefused(f"{path} at {self._line.login} is larger than anything that was put there")
        self._ask(wire.CLOSE, wire.text(handle), path)
        return bytes(content)

    def write(self, path: str, content: bytes) -> None:
        self._write(path, iter([content[at : at + _PART] for at in range(0, len(content), _PART)]))

    def send(self, local: Path, path: str) -> None:
        with local.open("rb") as file:
            self._write(path, iter(lambda: file.read(_PART), b""))

    def rename(self, old: str, new: str) -> None:
        names = wire.text(old) + wire.text(new)
        if self._renames_over:
            self._ask(wire.EXTENDED, wire.text(_POSIX_RENAME) + names, old)
            return
        # The plain request replaces nothing.
        there = self.entry(new)
        if there is not None and there.kind is not EntryKind.FOLDER and self.entry(old) is not None:
            self.remove(new)
        self._ask(wire.RENAME, names, old)

    def remove(self, path: str) -> None:
        self._ask(wire.REMOVE, wire.text(path), path)

    def make_folder(self, path: str) -> None:
        self._ask(wire.MKDIR, wire.text(path) + wire.mode(_FOLDER), path)

    def remove_folder(self, path: str) -> None:
        self._ask(wire.RMDIR, wire.text(path), path)

    def make_link(self, path: str, leads_to: str) -> None:
        # In this order at OpenSSH and servers that are compatible with it; the draft has the other one.
        self._ask(wire.SYMLINK, wire.text(leads_to) + wire.text(path), path)

    def read_link(self, path: str) -> str | None:
        try:
            answer = self._ask(wire.READLINK, wire.text(path), path)
        except HostRefused:
            return None
        return os.fsdecode(answer.text()) if answer.number() else None

    def refuse_names(self, names: Collection[str]) -> None:
        """Refuse none: names travel with their length before them."""

    def _open(self, path: str, flags: int) -> bytes:
        return self._ask(wire.OPEN, wire.text(path) + wire.number(flags) + wire.mode(_FILE), path).text()

    def _write(self, path: str, parts: Iterator[bytes]) -> None:
        handle = self._open(path, wire.NEW)
        on_the_way: list[int] = []
        offset = 0
        for part in parts:
            body = wire.text(handle) + wire.long_number(offset) + wire.text(part)
            on_the_way.append(self._line.send(wire.WRITE, body))
            offset += len(part)
            if len(on_the_way) >= _AHEAD:
                self._written(on_the_way.pop(0), path)
        for asked in on_the_way:
            self._written(asked, path)
        self._ask(wire.CLOSE, wire.text(handle), path)

    def _written(self, asked: int, path: str) -> None:
        try:
            self._judge(self._line.answer(asked), path)
        except HostRefused:
            # The protocol has no word for a full disk.
            raise Outage(
                f"The server of {self._line.login} cannot write what it gets; look whether its disk is full."
            ) from None

    def _more(self, kind: int, handle: bytes, path: str, offset: int | None = None) -> wire.Packet | None:
        where = wire.long_number(offset) + wire.number(_PART) if offset is not None else b""
        answer = self._line.answer(self._line.send(kind, wire.text(handle) + where))
        return self._judge(answer, path)

    def _ask(self, kind: int, body: bytes, path: str) -> wire.Packet:
        answer = self._judge(self._line.answer(self._line.send(kind, body)), path)
        if answer is None:
            raise HostRefused(f"The server of {self._line.login} has nothing more to say about {path}")
        return answer

    def _judge(self, answer: wire.Packet, path: str) -> wire.Packet | None:
        """Return an answer that is none of a refusal; None at an end."""
        if answer.kind != wire.STATUS:
            return answer
        code = answer.number()
        if code == wire.END:
            return None
        if code == wire.OK:
            return answer
        said = answer.text().decode(errors="replace")[:100]
        why = f"{path} at {self._line.login}: {said or 'refused'}"
        raise {wire.NO_SUCH_FILE: NotThere, wire.DENIED: NotAllowed}.get(code, HostRefused)(why)
