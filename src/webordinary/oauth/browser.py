"""The browser flow (RFC 8252): a person says yes in a browser, which brings a code back to this machine.

The code is worth nothing to an eavesdropper: only we know the verifier that belongs to it (PKCE, RFC 7636).
"""

from __future__ import annotations

import base64
import hashlib
import queue
import secrets
import socketserver
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from webordinary.errors import Misconfigured, Refused
from webordinary.oauth.server import Declined, ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.oauth.login import Login
    from webordinary.oauth.server import Answer

_PAGE = b"""<!doctype html><meta charset="utf-8"><title>WebOrdinary</title>
<p>Thank you. The terminal says how it went; you can close this window."""
_SECONDS_FOR_A_REQUEST = 10


@dataclass(frozen=True, slots=True)
class BrowserLogin:
    """One walk through the browser; `state` lets nobody bring us the code of somebody else."""

    address: str
    redirect: str
    state: str = field(repr=False)
    verifier: str = field(repr=False)


def plan_visit(login: Login, port: int, user: str | None = None) -> BrowserLogin:
    """Return where the person goes, and what to remember until the browser is back."""
    if login.authorize_url is None:
        raise Misconfigured(f"The provider of {login.name} has no browser flow; name its oauth.authorize_url.")
    state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
    redirect = f"http://{login.redirect_host}:{port}"
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    words = {
        "response_type": "code",
        "client_id": login.client_id,
        "redirect_uri": redirect,
        "scope": " ".join(login.scopes),
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        **({"login_hint": user} if user else {}),
    }
    joint = "&" if urlsplit(login.authorize_url).query else "?"
    return BrowserLogin(f"{login.authorize_url}{joint}{urlencode(words)}", redirect, state, verifier)


def code_in(visit: BrowserLogin, address: str) -> str:
    """Return the code in the address that the browser came back to; Refused when it brings none, or another one's."""
    try:
        brought = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    except ValueError:
        brought = {}
    if not secrets.compare_digest(brought.get("state", "").encode(errors="replace"), visit.state.encode()):
        raise Refused("That address does not belong to this login; open the one that was printed last.")
    if "error" in brought:
        why = "".join(letter for letter in brought["error"] if letter.isprintable())[:100]
        raise Refused(f"The provider was told no ({why}); nothing was changed.")
    if not brought.get("code"):
        raise Refused("That address holds no code; open the one that was printed, and say yes there.")
    return brought["code"]


def redeem(login: Login, visit: BrowserLogin, code: str) -> Answer:
    """Exchange the code, which works once, for tokens."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": visit.redirect,
        "code_verifier": visit.verifier,
    }
    try:
        return ask(login, login.token_url, form)
    except Declined as declined:
        raise Refused(f"The provider gives no token for the code ({declined}); begin again.") from None


class Landing:
    """Where the browser comes back to: a port of this machine that only this machine can reach."""

    def __init__(self, port: int) -> None:
        self._brought: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.port = port

    def wait(self, visit: BrowserLogin, seconds: float) -> str:
        """Wait for the code; whatever else comes is left aside."""
        ends_at = time.monotonic() + seconds
        while True:
            try:
                # Any page of any browser here may knock, which makes the time no longer.
                address = self._brought.get(timeout=max(ends_at - time.monotonic(), 0.0))
            except queue.Empty:
                raise Refused("Nobody has come back from the browser; begin again, or use --paste.") from None
            if visit.state in address:
                return code_in(visit, address)

    def take(self, address: str) -> None:
        self._brought.put(address)


@contextmanager
def open_landing(port: int = 0) -> Iterator[Landing]:
    """Listen for the browser inside the block; port 0 takes any free one."""
    try:
        server = _Server(("127.0.0.1", port), _Visitor)
    except OSError as error:
        raise Misconfigured(f"Port {port} cannot be used ({error.strerror}); choose another --port.") from None
    server.landing.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True)
    thread.start()
    try:
        yield server.landing
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(socketserver.ThreadingTCPServer):
    """Browsers open connections ahead on which they say nothing, so each gets a thread."""

    allow_reuse_address = True
    daemon_threads = True
    server_address: tuple[str, int]

    def __init__(self, address: tuple[str, int], visitor: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, visitor)
        self.landing = Landing(address[1])
        self.block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a browser that hangs up is no news, and what it asked for could hold the code."""


class _Visitor(BaseHTTPRequestHandler):
    timeout = _SECONDS_FOR_A_REQUEST
    server: _Server

    def do_GET(self) -> None:
        is_back = urlsplit(self.path).path in {"", "/"} and "state=" in self.path
        self.send_response(200 if is_back else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Security-Policy", "default-src 'none'")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        if is_back:
            self.wfile.write(_PAGE)
            self.server.landing.take(self.path)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library has it
        """Say nothing: the line would hold the code."""
