"""FTP over TLS by the standard library: AUTH TLS, verified certificates, protected data and passive mode."""

from __future__ import annotations

import ftplib
import re
import ssl
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured, Outage, PublishFailed, TryAgain, WebOrdinaryError
from webordinary.site.targets.host_files import EntryKind, HostEntry, HostRefused, NotAllowed, NotThere

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from webordinary.site.targets.address import FtpsPlace


_LINE = re.compile(
    r"(?P<kind>[-dlbcps])\S{9,10}\s+\d+\s+\S+\s+\S+\s+(?P<size>\d+)\s(?P<stamp>[A-Z][a-z]{2}\s+\d+\s+[\d:]+)\s(?P<name>.+)"
)
_LINE_KINDS = {"-": EntryKind.FILE, "d": EntryKind.FOLDER, "l": EntryKind.LINK}


def read_line(line: str) -> tuple[str, HostEntry] | None:
    """Read a line of a listing; None when it is none of a name."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    kind = _LINE_KINDS.get(found["kind"], EntryKind.OTHER)
    name = found["name"].partition(" -> ")[0] if kind is EntryKind.LINK else found["name"]
    return name, HostEntry(kind, int(found["size"]), " ".join(found["stamp"].split()))


def read_facts(line: str) -> tuple[str, HostEntry] | None:
    """Read the facts about one name; None when they are none."""
    words, space, name = line.partition(" ")
    facts = dict(fact.lower().split("=", 1) for fact in words.split(";") if "=" in fact)
    kind = {"file": EntryKind.FILE, "dir": EntryKind.FOLDER}.get(facts.get("type", ""))
    if "slink" in facts.get("type", "") or "symlink" in facts.get("type", ""):
        kind = EntryKind.LINK
    if not space or kind is None:
        return None
    size = facts.get("size", "0")
    return name, HostEntry(kind, int(size) if size.isdigit() and kind is EntryKind.FILE else 0, facts.get("modify", ""))


_PART = 1 << 16
_LARGEST_TEXT = 64 << 20
_MISSING = re.compile(r"no such|not found|does(?:n't| not) exist", re.IGNORECASE)
_FORBIDDEN = re.compile(r"permission|not permitted|access (?:is )?denied|forbidden|read-only", re.IGNORECASE)
_FULL = re.compile(r"space|quota|exceeded|disk", re.IGNORECASE)
_NO_ROOM = ("452", "552")


def _as_bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


class _Session(ftplib.FTP_TLS):
    """Resumes the session of the control connection on each data connection.

    vsftpd, ProFTPD and others refuse data from anybody who does not show that it is the one who has logged in
    (`require_ssl_reuse`), and the standard library begins a new session each time.

    Commands and answers travel as bytes: old servers answer in the letters of their country, and a name may be no text.
    """

    def putline(self, line: str) -> None:
        super().putline(_as_bytes(line).decode("latin-1"))

    def getline(self) -> str:
        return super().getline().encode("latin-1").decode(errors="surrogateescape")

    def ntransfercmd(self, cmd: str, rest: int | str | None = None) -> tuple[socket.socket, int | None]:
        connection, size = ftplib.FTP.ntransfercmd(self, cmd, rest)  # noqa: S321 - what follows is the TLS around it
        # Before the login, when there is no session yet, no data travels.
        session = getattr(self.sock, "session", None)
        return self.context.wrap_socket(connection, server_hostname=self.host, session=session), size


@dataclass(frozen=True, slots=True)
class FtpsLogin:
    """Whom we are at which server; the password is read each time anew."""

    place: FtpsPlace
    password: Callable[[], str]
    certificates: Path | None = None


@contextmanager
def open_ftps(login: FtpsLogin, stalled: timedelta = timedelta(seconds=60)) -> Iterator[FtpsFiles]:
    """Connect for as long as the block lasts; a server that does not answer within `stalled` is away."""
    session = _Session(context=_context(login), timeout=stalled.total_seconds(), encoding="latin-1")
    password = login.password()
    try:
        with _told(login.place, password):
            _begin(session, login.place, password)
        yield FtpsFiles(session, login.place, password)
        with suppress(*ftplib.all_errors):
            session.quit()
    finally:
        session.close()


def _context(login: FtpsLogin) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=login.certificates)
    except OSError as problem:
        why = f"{login.certificates} cannot be read ({problem.strerror or 'it holds no certificate'})"
        raise Misconfigured(f"{why}; correct `site.certificates`.") from None


def _begin(session: _Session, place: FtpsPlace, password: str) -> None:
    session.connect(place.host, place.port)
    try:
        session.auth()
    except ftplib.Error:
        raise Misconfigured(
            f"The server {place.host} offers no TLS, and nothing is sent without it; ask the host for FTPS or SFTP."
        ) from None
    try:
        session.login(place.user, password, secure=False)
    except ftplib.error_perm:
        raise Misconfigured(
            f"The server {place.host} does not let {place.user} in; correct `site.password_file` or `site.to`."
        ) from None
    session.prot_p()
    # Old servers know no other names than those of their own machine until they are asked.
    with suppress(ftplib.Error):
        session.sendcmd("OPTS UTF8 ON")


@contextmanager
def _told(place: FtpsPlace, password: str) -> Iterator[None]:
    """Say in plain words what a server or the line to it does not do; never with the password in it."""
    try:
        yield
    except ssl.SSLCertVerificationError as problem:
        raise Misconfigured(
            f"The certificate of {place.host} is not believed ({problem.verify_message}); correct the host in "
            "`site.to`, or name the authority in `site.certificates`."
        ) from None
    except (ftplib.error_temp, ftplib.error_perm) as problem:
        said = _as_bytes(str(problem).replace(password, "…")).decode(errors="replace")
        raise _refusal(place, said) from None
    except TimeoutError:
        raise Outage(f"The server {place.host} does not answer in time; it will be tried again.") from None
    except (OSError, EOFError, ftplib.Error):
        raise Outage(f"The server {place.host} cannot be reached now; it will be tried again.") from None


def _refusal(place: FtpsPlace, said: str) -> WebOrdinaryError:
    why = f"{place.host}: {said[:160]}"
    if _MISSING.search(said):
        return NotThere(why)
    if said.startswith(_NO_ROOM) or (said.startswith("4") and _FULL.search(said)):
        return Outage(f"The disk of {place.user} at {place.host} is full; make room there, it will be tried again.")
    if said.startswith("4"):
        return TryAgain(f"The server {place.host} cannot do it now ({said[:160]}); it will be tried again.")
    return NotAllowed(why) if _FORBIDDEN.search(said) else HostRefused(why)


class FtpsFiles:
    """The files of the account."""

    has_links = False

    def __init__(self, session: _Session, place: FtpsPlace, password: str) -> None:
        self._session = session
        self._place = place
        self._password = password
        self._has_facts = self._offers("MLST")

    def entry(self, path: str) -> HostEntry | None:
        above, _, name = path.rstrip("/").rpartition("/")
        if not name:
            return HostEntry(EntryKind.FOLDER)
        try:
            # Some say no more than that it failed.
            return self._facts(path) or self.listing(above or "/").get(name)
        except NotThere:
            return None

    def listing(self, folder: str) -> dict[str, HostEntry]:
        self._ask(f"CWD {folder}")
        # Only this one shows links as links at every server.
        listed = [read_line(line) for line in self._lines("LIST -a")]
        found = {name: entry for each in listed if each is not None for name, entry in [each]}
        if self._has_facts:
            for each in map(read_facts, self._lines("MLSD")):
                if each is not None and found.get(each[0], each[1]).kind is not EntryKind.LINK:
                    found[each[0]] = each[1]
        return {name: entry for name, entry in found.items() if name not in {".", ".."} and "/" not in name}

    def read(self, path: str) -> bytes | None:
        content = bytearray()
        try:
            for part in self._receive(f"RETR {path}", "I"):
                content += part[: _LARGEST_TEXT - len(content)]
        except HostRefused:
            if self.entry(path) is None:
                return None
            raise
        return bytes(content)

    def write(self, path: str, content: bytes) -> None:
        self._store(path, lambda: iter([content]))

    def send(self, local: Path, path: str) -> None:
        with local.open("rb") as file:

            def parts() -> Iterator[bytes]:
                file.seek(0)
                return iter(lambda: file.read(_PART), b"")

            self._store(path, parts)

    def rename(self, old: str, new: str) -> None:
        try:
            self._rename(old, new)
        except NotThere:
            raise
        except HostRefused:
            if self.entry(old) is None:
                raise NotThere(f"{old} at {self._place.host} is not there") from None
            if not self._removed(new):
                raise
            self._rename(old, new)

    def remove(self, path: str) -> None:
        self._change(f"DELE {path}", path)

    def make_folder(self, path: str) -> None:
        self._ask(f"MKD {path}")

    def remove_folder(self, path: str) -> None:
        self._ask("CWD /")
        self._change(f"RMD {path}", path)

    def make_link(self, path: str, leads_to: str) -> None:  # noqa: ARG002 - as the port names it
        raise HostRefused(f"{path}: FTP makes no links")

    def read_link(self, path: str) -> str | None:  # noqa: ARG002 - as the port names it
        return None

    def refuse_names(self, names: Collection[str]) -> None:
        for name in names:
            if {"\r", "\n", "\0"} & set(name):
                raise PublishFailed(f"{ascii(name)[:100]} in the built site has a line break in its name; FTP has none")

    def _facts(self, path: str) -> HostEntry | None:
        try:
            answer = self._ask(f"MLST {path}") if self._has_facts else ""
        except NotThere:
            raise
        except HostRefused:
            return None
        found = [read_facts(line.strip()) for line in answer.splitlines()[1:-1]]
        return next((each[1] for each in found if each is not None), None)

    def _rename(self, old: str, new: str) -> None:
        with _told(self._place, self._password):
            self._session.rename(old, new)

    def _removed(self, path: str) -> bool:
        """Make room for a file where the server replaces none."""
        there = self.entry(path)
        if there is None or there.kind is EntryKind.FOLDER:
            return False
        self.remove(path)
        return True

    def _change(self, command: str, path: str) -> None:
        try:
            self._ask(command)
        except NotThere:
            raise
        except HostRefused:
            if self.entry(path) is None:
                raise NotThere(f"{path} at {self._place.host} is not there") from None
            raise

    def _offers(self, feature: str) -> bool:
        try:
            return feature in self._ask("FEAT").upper()
        except HostRefused:
            return False

    def _ask(self, command: str) -> str:
        with _told(self._place, self._password):
            return self._session.sendcmd(command)

    def _store(self, path: str, parts: Callable[[], Iterator[bytes]]) -> None:
        try:
            self._put(path, parts())
        except NotThere:
            raise
        except HostRefused:
            if not self._removed(path):
                raise
            self._put(path, parts())

    def _put(self, path: str, parts: Iterator[bytes]) -> None:
        with _told(self._place, self._password):
            self._session.voidcmd("TYPE I")
            with self._session.transfercmd(f"STOR {path}") as connection:
                for part in parts:
                    connection.sendall(part)
                _say_goodbye(connection)
            self._session.voidresp()

    def _receive(self, command: str, kind: str) -> Iterator[bytes]:
        with _told(self._place, self._password):
            self._session.voidcmd(f"TYPE {kind}")
            with self._session.transfercmd(command) as connection:
                while part := connection.recv(_PART):
                    yield part
                _say_goodbye(connection)
            self._session.voidresp()

    def _lines(self, command: str) -> list[str]:
        said = b"".join(self._receive(command, "A")).decode("utf-8", errors="surrogateescape")
        return [line.rstrip("\r") for line in said.split("\n") if line.strip()]


def _say_goodbye(connection: socket.socket) -> None:
    """Close the session of a data connection; without that a server takes the file for one that was cut."""
    if isinstance(connection, ssl.SSLSocket):
        # Some servers hang up without a word, after everything has been said.
        with suppress(OSError):
            connection.unwrap()
