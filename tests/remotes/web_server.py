"""Git's own web server program behind a small server on loopback, for whoever has the name and the token."""

from __future__ import annotations

import base64
import os
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from tests.serving import listening

if TYPE_CHECKING:
    from collections.abc import Iterator

USER, TOKEN = "amelia", "tok-0123456789-%&$"


@dataclass
class WebServer:
    """Repositories below one folder; counts who came and looks at them while they wait."""

    root: Path
    port: int = 0
    may_write: bool = True
    redirect_to: str = ""
    came: list[str] = field(default_factory=list)
    # What `ps` shows to everybody, at the moment of each request.
    processes: list[bytes] = field(default_factory=list)

    def address(self, repository: Path, user: str = "") -> str:
        return f"http://{user}127.0.0.1:{self.port}/{repository.relative_to(self.root)}"


@contextmanager
def web_server(root: Path) -> Iterator[WebServer]:
    """Serve the folder until it is no longer needed."""
    described = WebServer(root)

    class Answering(_Answering):
        place = described

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    described.port = server.server_port
    with listening(server):
        yield described


class _Answering(BaseHTTPRequestHandler):
    place: WebServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that it has there
        pass

    def _answer(self) -> None:
        body = self._body()
        self.place.came.append(self.headers.get("Authorization", ""))
        self.place.processes.append(_command_lines())
        if self.place.redirect_to:
            self._say(302, b"", {"Location": self.place.redirect_to + self.path})
        elif not self._knows_us():
            self._say(401, b"who are you?", {"WWW-Authenticate": 'Basic realm="git"'})
        elif "receive-pack" in self.path and not self.place.may_write:
            self._say(403, b"you may only read")
        else:
            self._run(body)

    def _knows_us(self) -> bool:
        wanted = base64.b64encode(f"{USER}:{TOKEN}".encode()).decode()
        return self.headers.get("Authorization") == f"Basic {wanted}"

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _run(self, body: bytes) -> None:
        path, _, query = self.path.partition("?")
        env = {
            "PATH": os.environ.get("PATH", os.defpath),
            "GIT_PROJECT_ROOT": str(self.place.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": USER,
            "REMOTE_ADDR": "127.0.0.1",
        }
        ended = subprocess.run(["git", "http-backend"], env=env, input=body, capture_output=True, check=False)
        head, _, rest = ended.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        self._say(int(headers.pop("Status", "200 OK").split()[0]), rest, headers)

    def _say(self, code: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(code)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _command_lines() -> bytes:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes())
        except OSError:
            continue
    return b"\n".join(found)
