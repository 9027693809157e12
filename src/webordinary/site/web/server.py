"""The web server for live sites and previews: every answer is whole and comes from one release."""

from __future__ import annotations

import hashlib
import html
import io
import os
import re
import socket
import stat
import threading
import time
from contextlib import suppress
from datetime import timedelta
from email.utils import formatdate
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote_to_bytes, urlsplit

from webordinary.errors import Misconfigured
from webordinary.routing.lane import is_id
from webordinary.site.release.content_types import TYPES
from webordinary.site.targets.folder import LIVE, earlier_releases, live_link, preview_link
from webordinary.site.web.preview import is_markable, mark_preview

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


def part_of(header: str, size: int) -> range | None:
    """Return one part; an empty one where the file has nothing; None where the whole file is the better answer."""
    found = _RANGE.fullmatch(header.replace(" ", ""))
    if found is None or not any(found.groups()):
        return None
    first, last = found.groups()
    if not first:
        return range(max(size - int(last), 0), size)
    if last and int(last) < int(first):
        return None
    return range(int(first), min(int(last) + 1, size) if last else size)


_PAGES = frozenset({"", ".html", ".htm", ".xhtml"})
_OLD_FILES_STAY = timedelta(hours=1)
_LONGEST_PATH = 2000
_LONGEST_NAME = 255


class FoundFile(NamedTuple):
    """An opened file of one release."""

    file: IO[bytes]
    status: os.stat_result
    suffix: str
    etag: str
    size: int


def parts_of(address: str) -> list[str] | None:
    """Return the names in a request's path, the last one empty for a folder; None for one that means mischief."""
    path = urlsplit(address).path if "://" in address.partition("?")[0] else address.partition("?")[0]
    try:
        names = unquote_to_bytes(path.partition("#")[0]).decode().split("/")
    except UnicodeDecodeError:
        return None
    parts = [name for name in names[:-1] if name] + names[-1:]
    return None if len(path) > _LONGEST_PATH or any(map(_is_mischief, parts)) else parts


def _is_mischief(name: str) -> bool:
    return name in {".", ".."} or "\0" in name or len(name.encode()) > _LONGEST_NAME


def _place(root: Path, parts: list[str]) -> Path | None:
    """Return where a path leads inside the release, or None if a link would take it outside."""
    place = Path(os.path.realpath(root.joinpath(*parts)))
    return place if place.is_relative_to(root) else None


def is_folder(root: Path, parts: list[str]) -> bool:
    place = _place(root, parts)
    with suppress(OSError):
        return place is not None and place.is_dir()
    return False


def _open(root: Path, parts: list[str]) -> FoundFile | None:
    names = [*parts[:-1], "index.html"] if parts[-1:] == [""] else parts
    place = _place(root, names)
    if place is None:
        return None
    try:
        # Not waiting: a pipe would never answer.
        opened = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    status = os.fstat(opened)
    if not stat.S_ISREG(status.st_mode):
        os.close(opened)
        return None
    # The inode, because the same size at the same time may be another text; releases that share a file share its tag.
    seed = f"{status.st_dev} {status.st_ino} {status.st_mtime_ns} {status.st_size}"
    etag = f'"{hashlib.sha256(seed.encode()).hexdigest()[:24]}"'
    return FoundFile(os.fdopen(opened, "rb"), status, place.suffix.lower(), etag, status.st_size)


def open_current(folder: Path, parts: list[str]) -> FoundFile | None:
    """Open a file of the release that is shown now; once more if that was replaced while we looked into it."""
    root: Path | None = None
    found = None
    while found is None and (now := Path(os.path.realpath(folder))) != root:
        root = now
        found = _open(root, parts)
    return found


def open_older(folder: Path, parts: list[str]) -> FoundFile | None:
    """Return a picture or style of a release before: a page that was loaded before a switch asks for it."""
    if folder.name != LIVE or Path(parts[-1]).suffix.lower() in _PAGES:
        return None
    oldest = time.time() - _OLD_FILES_STAY.total_seconds()
    for release in earlier_releases(folder.parent, oldest):
        found = _open(release, parts)
        if found is not None:
            return found
    return None


_SILENCE = 30.0


def folder_for_host(host: str, previews: Path, targets: Mapping[str, Path]) -> Path | None:
    """Return what a host name shows: `<project>.…` the live site, `<thread>.<project>.…` a thread's preview."""
    name, *rest = host.lower().partition(":")[0].rstrip(".").split(".")
    project = rest[0] if rest else ""
    if project in targets and is_id(name) and preview_link(previews, project, name).is_symlink():
        return preview_link(previews, project, name)
    return live_link(targets[name]) if name in targets else None


class SiteServer:
    """Listens in a thread of its own; `resolve` says which folder a host name shows."""

    def __init__(self, listen: tuple[str, int], resolve: Callable[[str], Path | None], mark: str = "") -> None:
        self._name = f"WebOrdinary {mark}".rstrip()
        self._listen = (listen[0], listen[1])
        self._resolve = resolve
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Where it really listens; the port is known only now when it was 0."""
        if self._server is None:
            return self._listen
        host, port = self._server.socket.getsockname()[:2]
        return str(host), int(port)

    def start(self) -> None:
        host, port = self._listen
        try:
            self._server = _Server(self._listen, partial(_Visit, self._resolve, self._name))
        except OSError as problem:
            raise Misconfigured(
                f"the web server cannot use {host}:{port} ({problem.strerror}): "
                "end the other program or set preview.listen to a free port"
            ) from problem
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="site-server", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop listening and end every connection; may be called twice."""
        server, self._server = self._server, None
        if server is not None and self._thread is not None:
            server.shutdown()
            self._thread.join()
            server.hang_up()
            server.server_close()


class _Server(ThreadingHTTPServer):
    """Knows its open connections, which browsers keep for long, so that closing does not wait for them."""

    daemon_threads = True

    def __init__(self, listen: tuple[str, int], visit: Callable[..., _Visit]) -> None:
        self.address_family = socket.AF_INET6 if ":" in listen[0] else socket.AF_INET
        self._connections: dict[threading.Thread, socket.socket] = {}
        self._changing = threading.Lock()
        self._over = False
        super().__init__(listen, visit)

    def server_bind(self) -> None:
        # The library's own looks the machine's full name up, which can take as long as a name server wants.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]  # bytes never come

    def finish_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as in the library
        me = threading.current_thread()
        with self._changing:
            if self._over:
                return
            self._connections[me] = request
        try:
            # A visitor who leaves in the middle is nobody's mistake.
            with suppress(ConnectionError, TimeoutError):
                super().finish_request(request, client_address)
        finally:
            with self._changing:
                del self._connections[me]

    def hang_up(self) -> None:
        with self._changing:
            self._over = True
            threads = list(self._connections)
            for connection in self._connections.values():
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()


class _Visit(BaseHTTPRequestHandler):
    """One connection of a browser."""

    protocol_version = "HTTP/1.1"
    timeout = _SILENCE

    def __init__(self, resolve: Callable[[str], Path | None], name: str, *connection: Any) -> None:  # noqa: ANN401 - for the library
        self._resolve = resolve
        self._name = name
        self._folder: Path | None = None
        super().__init__(*connection)

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def version_string(self) -> str:
        return self._name

    def log_message(self, *_: object) -> None:
        """Say nothing: what visitors read is not ours to write down."""

    def _answer(self) -> None:
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            # Nobody reads that body, and it must not be taken for the next request.
            self.close_connection = True
        host = self.headers.get("Host", "")
        self._folder = self._resolve(host)
        if self._folder is None:
            self._send_words(f"There is no site called {host or 'nothing'} here.")
            return
        parts = parts_of(self.path)
        if parts is None or not self._send_from(self._folder, parts):
            self._send_not_found(self._folder)

    def _send_from(self, folder: Path, parts: list[str]) -> bool:
        """Send what stands at this place; False when nothing does."""
        if parts[-1:] != [""] and is_folder(Path(os.path.realpath(folder)), parts):
            self._redirect(parts)
            return True
        found = open_current(folder, parts) or open_older(folder, parts)
        if found is None:
            return False
        with found.file:
            self._send_file(self._marked(found), HTTPStatus.OK)
        return True

    @property
    def _is_preview(self) -> bool:
        return self._folder is not None and self._folder.is_symlink() and self._folder.name != LIVE

    def _marked(self, found: FoundFile) -> FoundFile:
        """Return a page of a preview as such; everything else as it is."""
        if not self._is_preview or not is_markable(found.suffix, found.size):
            return found
        page = mark_preview(found.file.read())
        return found._replace(file=io.BytesIO(page), size=len(page), etag=f'{found.etag[:-1]}-preview"')

    def _send_file(self, found: FoundFile, status: HTTPStatus) -> None:
        changed = formatdate(found.status.st_mtime, usegmt=True)
        size = found.size
        part = range(size)
        if status == HTTPStatus.OK:
            if self._has_it(found.etag, changed):
                status = HTTPStatus.NOT_MODIFIED
            elif (wanted := self._wanted_part(found.etag, changed, size)) is not None:
                part = wanted
                status = HTTPStatus.PARTIAL_CONTENT if part else HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
        self._begin(status)
        self.send_header("ETag", found.etag)
        self.send_header("Last-Modified", changed)
        if status != HTTPStatus.NOT_MODIFIED:
            self._describe(found, status, part)
        self.end_headers()
        if self.command != "HEAD" and status != HTTPStatus.NOT_MODIFIED and part:
            sent = self.connection.sendfile(found.file, part.start, len(part))
            self.close_connection = self.close_connection or sent != len(part)

    def _describe(self, found: FoundFile, status: HTTPStatus, part: range) -> None:
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Type", TYPES.get(found.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(part)))
        if status == HTTPStatus.PARTIAL_CONTENT:
            self.send_header("Content-Range", f"bytes {part.start}-{part.stop - 1}/{found.size}")
        elif status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            self.send_header("Content-Range", f"bytes */{found.size}")

    def _wanted_part(self, etag: str, changed: str, size: int) -> range | None:
        """Return the one part that a film player or a broken download asks for; None means the whole file."""
        if self.headers.get("If-Range", etag) not in {etag, changed}:
            return None
        return part_of(self.headers.get("Range", ""), size)

    def _has_it(self, etag: str, changed: str) -> bool:
        """Say whether the browser has this already; a date counts only where no tag is given."""
        tags = self.headers.get("If-None-Match")
        if tags is not None:
            return tags.strip() == "*" or etag in [tag.strip().removeprefix("W/") for tag in tags.split(",")]
        # Equal and not "since": after a step back to an older release its files are older too.
        return self.headers.get("If-Modified-Since") == changed

    def _send_not_found(self, folder: Path) -> None:
        page = open_current(folder, ["404.html"])
        if page is not None:
            with page.file:
                self._send_file(self._marked(page), HTTPStatus.NOT_FOUND)
        elif folder.is_dir():
            self._send_words("There is no such page.")
        else:
            self._send_words("Nothing has been published here yet.")

    def _redirect(self, parts: list[str]) -> None:
        query = urlsplit(self.path).query
        self._begin(HTTPStatus.MOVED_PERMANENTLY)
        self.send_header("Location", f"/{quote('/'.join(parts))}/{f'?{query}' if query else ''}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send_words(self, words: str) -> None:
        content = f"<!doctype html><meta charset=utf-8><title>Not found</title><p>{html.escape(words)}\n".encode()
        self._begin(HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", TYPES[".html"])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _begin(self, status: HTTPStatus) -> None:
        self.send_response(status)
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        if self._is_preview:
            # A preview's name is its only secret: neither search engines nor linked sites may learn it.
            self.send_header("X-Robots-Tag", "noindex")
            self.send_header("Referrer-Policy", "same-origin")
