"""A token server on loopback that is as strict as RFC 6749, 7636 and 8628 let it be, and takes nothing back."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import socketserver
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote_plus, urlencode, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CLIENT, SECRET = "webordinary-app", "s3cret of the app/%"
PERSON = "website@example.com"
SCOPE = "https://mail.example.com/all"
_DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
_FORM = "application/x-www-form-urlencoded"


class Said(Exception):
    """An answer that is not yes."""

    def __init__(self, status: int, error: str, description: str = "") -> None:
        super().__init__(error)
        self.status = status
        self.words = {"error": error, **({"error_description": description} if description else {})}


@dataclass
class Family:
    """All tokens that come from one yes of a person; whoever uses one twice ends all of them."""

    person: str
    is_good: bool = True


@dataclass
class Code:
    family: Family
    redirect: str
    challenge: str
    nonce: str = ""
    is_used: bool = False


@dataclass
class TokenServer:
    """What was given to whom; each part can be asked for by the tests."""

    address: str = ""
    client: str = CLIENT
    secret: str = SECRET
    person: str = PERSON
    rotates: bool = True
    life: int = 3600
    says_no: bool = False
    # Given instead of an answer, as long as it stands there.
    trouble: tuple[int, bytes] | None = None
    pending: int = 0
    # Held while a question is answered, by tests that want it to take its time.
    gate: threading.Event = field(default_factory=threading.Event)
    was_asked: threading.Event = field(default_factory=threading.Event)
    was_answered: threading.Event = field(default_factory=threading.Event)
    grants: list[str] = field(default_factory=list)
    codes: dict[str, Code] = field(default_factory=dict)
    refresh: dict[str, Family] = field(default_factory=dict)
    spent: dict[str, Family] = field(default_factory=dict)
    access: dict[str, Family] = field(default_factory=dict)
    devices: dict[str, str] = field(default_factory=dict)
    # Makes what an OpenID Connect provider says of a person, from the nonce that was brought.
    say_who: Callable[[str], str] | None = None
    pages: dict[str, object] = field(default_factory=dict)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def new(self, kind: str) -> str:
        return f"{kind}.{next(self._numbers)}-{'x' * 20}~+/="

    def give_refresh_token(self) -> str:
        """Return what somebody has got who logged in long ago."""
        token = self.new("refresh")
        self.refresh[token] = Family(self.person)
        return token

    def end_access(self) -> None:
        """Let no mail server take any token that was given so far."""
        self.access.clear()

    def end_everything(self) -> None:
        """Let nobody in with anything that was given so far: the person has taken the yes back."""
        for family in [*self.refresh.values(), *self.access.values()]:
            family.is_good = False

    def say_yes(self, user_code: str) -> None:
        """Do what a person does at the address of the device flow."""
        (device,) = [device for device, code in self.devices.items() if code == user_code]
        self.devices[device] = "yes"

    def all_secrets(self) -> list[str]:
        """Return everything that must never be seen anywhere."""
        return [self.secret, *self.codes, *self.refresh, *self.spent, *self.access, *self.devices]

    def token(self, form: dict[str, str], client: str | None) -> dict[str, object]:
        grant = form.get("grant_type", "")
        with self._lock:
            self.grants.append(grant)
            match grant:
                case "authorization_code":
                    return self._for_code(form)
                case "refresh_token":
                    return self._for_refresh(form)
                case "client_credentials" if client is None:
                    raise Said(401, "invalid_client")
                case "client_credentials":
                    _wanted(form, "scope")
                    return self._given(Family(self.person), refresh=False)
                case _ if grant == _DEVICE:
                    return self._for_device(form)
        raise Said(400, "unsupported_grant_type")

    def authorize(self, words: dict[str, str]) -> str:
        """Return where the browser of the person is sent to."""
        for name in ("client_id", "redirect_uri", "scope", "state", "code_challenge"):
            _wanted(words, name)
        assert words["response_type"] == "code"
        assert words["code_challenge_method"] == "S256"
        assert words["client_id"] == self.client
        assert urlsplit(words["redirect_uri"]).hostname in {"127.0.0.1", "localhost"}
        if self.says_no:
            return f"{words['redirect_uri']}?{urlencode({'error': 'access_denied', 'state': words['state']})}"
        code = self.new("code")
        self.codes[code] = Code(
            Family(self.person), words["redirect_uri"], words["code_challenge"], words.get("nonce", "")
        )
        return f"{words['redirect_uri']}?{urlencode({'code': code, 'state': words['state']})}"

    def device(self, form: dict[str, str]) -> dict[str, object]:
        _wanted(form, "scope")
        code, user_code = self.new("device"), f"WORD-{len(self.devices):04}"
        self.devices[code] = user_code
        where = f"{self.address}/activate"
        return {
            "device_code": code,
            "user_code": user_code,
            "verification_uri": where,
            "expires_in": 900,
            "interval": 1,
        }

    def introspect(self, form: dict[str, str]) -> dict[str, object]:
        family = self.access.get(form.get("token", ""))
        if family is None or not family.is_good:
            return {"active": False}
        return {"active": True, "username": family.person}

    def _for_code(self, form: dict[str, str]) -> dict[str, object]:
        code = self.codes.get(_wanted(form, "code"))
        if code is None:
            raise Said(400, "invalid_grant", "no such code")
        if code.is_used:
            code.family.is_good = False
            raise Said(400, "invalid_grant", "the code was used before")
        code.is_used = True
        digest = hashlib.sha256(_wanted(form, "code_verifier").encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != code.challenge:
            raise Said(400, "invalid_grant", "the verifier is another one's")
        if _wanted(form, "redirect_uri") != code.redirect:
            raise Said(400, "invalid_grant", "the redirect is another one")
        answer = self._given(code.family)
        return answer if self.say_who is None else {**answer, "id_token": self.say_who(code.nonce)}

    def _for_refresh(self, form: dict[str, str]) -> dict[str, object]:
        token = _wanted(form, "refresh_token")
        if token in self.spent:
            self.spent[token].is_good = False
            raise Said(400, "invalid_grant", f"{token} was used before")
        family = self.refresh.get(token)
        if family is None or not family.is_good:
            # Some servers repeat what they were told.
            raise Said(400, "invalid_grant", f"Token {token} has been expired or revoked.\nTrace: 1")
        if self.rotates:
            self.spent[token] = self.refresh.pop(token)
        return self._given(family, refresh=self.rotates)

    def _for_device(self, form: dict[str, str]) -> dict[str, object]:
        state = self.devices.get(_wanted(form, "device_code"))
        if state is None:
            raise Said(400, "expired_token")
        if self.says_no:
            raise Said(400, "access_denied")
        if self.pending:
            self.pending -= 1
            raise Said(400, "slow_down" if self.pending else "authorization_pending")
        if state != "yes":
            raise Said(400, "authorization_pending")
        del self.devices[form["device_code"]]
        return self._given(Family(self.person))

    def _given(self, family: Family, *, refresh: bool = True) -> dict[str, object]:
        answer: dict[str, object] = {"token_type": "Bearer", "expires_in": self.life}
        answer["access_token"] = access = self.new("access")
        self.access[access] = family
        if refresh:
            answer["refresh_token"] = new = self.new("refresh")
            self.refresh[new] = family
        return answer


def _wanted(form: dict[str, str], name: str) -> str:
    if not form.get(name):
        raise Said(400, "invalid_request", f"{name} is missing")
    return form[name]


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 30

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        if place.path in self.server.mine.pages:
            self._answer(200, json.dumps(self.server.mine.pages[place.path]).encode())
            return
        if place.path != "/authorize":
            self.send_error(404)
            return
        self.send_response(302)
        self.send_header("Location", self.server.mine.authorize(dict(parse_qsl(place.query))))
        self.end_headers()

    def do_POST(self) -> None:
        mine = self.server.mine
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        mine.was_asked.set()
        mine.gate.wait(60)
        if mine.trouble is not None and self.path != "/introspect":
            trouble = mine.trouble
            mine.was_answered.set()
            self._answer(*trouble)
            return
        try:
            answer = self._answer_to(mine, self._form(body))
        except Said as said:
            self._answer(said.status, json.dumps(said.words).encode())
        else:
            self._answer(200, json.dumps(answer).encode())

    def _answer_to(self, mine: TokenServer, form: dict[str, str]) -> dict[str, object]:
        if self.path == "/introspect":
            return mine.introspect(form)
        client = self._client(form)
        if self.path == "/device":
            return mine.device(form)
        if self.path == "/token":
            return mine.token(form, client)
        raise Said(404, "not found")

    def _form(self, body: bytes) -> dict[str, str]:
        if self.headers.get_content_type() != _FORM:
            raise Said(400, "invalid_request", "no form")
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, strict_parsing=True)
        if len({name for name, _ in pairs}) != len(pairs):
            raise Said(400, "invalid_request", "a word stands there twice")
        return dict(pairs)

    def _client(self, form: dict[str, str]) -> str | None:
        """Return who has proved itself; a client that only says its name is nobody."""
        header = self.headers.get("Authorization", "")
        if header:
            if "client_secret" in form or "client_id" in form:
                raise Said(400, "invalid_request", "the client shows itself twice")
            name, _, secret = base64.b64decode(header.removeprefix("Basic ")).decode().partition(":")
            name, secret = unquote_plus(name), unquote_plus(secret)
        else:
            name, secret = form.get("client_id", ""), form.get("client_secret", "")
        mine = self.server.mine
        if name != mine.client or (secret and secret != mine.secret):
            raise Said(401, "invalid_client", f"{secret} is not the secret")
        return name if secret else None

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library has it
        """Say nothing."""


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    mine: TokenServer

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: whoever has hung up did not want the answer."""


@contextmanager
def token_server() -> Iterator[TokenServer]:
    """Listen inside the block."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.block_on_close = False
        server.mine = TokenServer(f"http://127.0.0.1:{server.server_address[1]}")
        server.mine.gate.set()
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server.mine
        finally:
            server.mine.gate.set()
            server.shutdown()
            thread.join()
