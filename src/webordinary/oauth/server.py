"""One question to a provider's server (RFC 6749), within a deadline; what it says is told without any secret."""

from __future__ import annotations

import base64
import http.client
import re
import socket
import ssl
import threading
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote, quote_plus, urlencode, urlsplit

import msgspec

from webordinary.errors import Misconfigured, TryAgain
from webordinary.oauth.login import ShowsSecret

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from webordinary.oauth.login import Login


_HIDDEN = "…"
_LONGEST = 200
# More than is worth reading, and little enough to look at each part of it.
_MOST_READ = 20_000
# So much of a secret is recognised also where the rest was cut off.
_PART = 16
_LONG_WORD = re.compile(rf"[\w.~+/=%-]{{{_PART},}}", re.ASCII)


def quoted(said: str, secrets: Iterable[str]) -> str:
    """Return the first line of what a server says, short and without the secrets, however it spells them."""
    spelled = sorted({word for secret in secrets if secret for word in _spellings(secret)}, key=len, reverse=True)
    text = said[:_MOST_READ]
    for word in spelled:
        text = text.replace(word, _HIDDEN)
    text = _LONG_WORD.sub(lambda word: _HIDDEN if _is_part(word[0], spelled) else word[0], text)
    line = next(iter(text.splitlines()), "")
    return "".join(letter for letter in line if letter.isprintable())[:_LONGEST].strip()


def _spellings(secret: str) -> Iterable[str]:
    encoded = base64.b64encode(secret.encode()).decode()
    return secret, quote_plus(secret), quote(secret, safe=""), encoded, encoded.rstrip("=")


def _is_part(word: str, spelled: Iterable[str]) -> bool:
    parts = {word[at : at + _PART] for at in range(len(word) - _PART + 1)}
    return any(part in whole for whole in spelled for part in parts)


Answer: TypeAlias = dict[str, Any]

# With the wait for others who ask at the same time it stays below what a letter is reserved for.
SECONDS_FOR_AN_ANSWER = 15.0
_LONGEST_ANSWER = 1_000_000
_GOOD = 200
_REFUSALS = frozenset({400, 401, 403})
_PASSING = frozenset({"temporarily_unavailable", "server_error"})


class Declined(Misconfigured):
    """The provider says no, with one of the words that the standards have for it."""

    def __init__(self, code: str, said: str) -> None:
        super().__init__(f"{code}: {said}" if said else code)
        self.code = code


def ask(login: Login, address: str, form: Mapping[str, str]) -> Answer:
    """Ask one of the login's servers as its client; Declined when it says no, TryAgain when it says nothing."""
    secret = login.read_client_secret()
    fields, headers = {**form, "client_id": login.client_id}, {"Accept": "application/json"}
    if secret is not None and login.shows_secret is ShowsSecret.BODY:
        fields["client_secret"] = secret
    elif secret is not None:
        del fields["client_id"]
        word = f"{quote_plus(login.client_id)}:{quote_plus(secret)}"
        headers["Authorization"] = f"Basic {base64.b64encode(word.encode()).decode()}"
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    hidden = [*_secrets_in(form), secret or "", headers.get("Authorization", "").removeprefix("Basic ")]
    try:
        status, body = _exchange("POST", address, urlencode(fields).encode(), headers)
    except ssl.SSLCertVerificationError as error:
        raise TryAgain(f"the certificate of {_host(address)} is not believed ({error.verify_message})") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = getattr(error, "strerror", None) or quoted(str(error), hidden) or type(error).__name__
        raise TryAgain(f"{_host(address)} gives no token right now ({why})") from None
    return _understood(address, status, body, hidden)


def fetch(address: str) -> Answer:
    """Return what a server says of itself to everybody; TryAgain when it says nothing that can be read."""
    try:
        status, body = _exchange("GET", address, b"", {"Accept": "application/json"})
    except ssl.SSLCertVerificationError as error:
        raise TryAgain(f"the certificate of {_host(address)} is not believed ({error.verify_message})") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = getattr(error, "strerror", None) or quoted(str(error), ()) or type(error).__name__
        raise TryAgain(f"{_host(address)} does not answer right now ({why})") from None
    answer = _object_in(body)
    if status != _GOOD or not answer:
        raise TryAgain(f"{_host(address)} does not answer right now (it answered {status})")
    return answer


def _understood(address: str, status: int, body: bytes, hidden: Iterable[str]) -> Answer:
    answer = _object_in(body)
    code = answer.get("error")
    if isinstance(code, str) and status in _REFUSALS and code not in _PASSING:
        raise Declined(quoted(code, hidden), quoted(str(answer.get("error_description", "")), hidden))
    if status != _GOOD or not answer or code is not None:
        raise TryAgain(f"{_host(address)} gives no token right now (it answered {status})")
    return answer


def _object_in(body: bytes) -> Answer:
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _exchange(method: str, address: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    """Send a question and return the answer; redirects are not followed, because a secret is in it."""
    place = urlsplit(address)
    host, patience = place.hostname or "", SECONDS_FOR_AN_ANSWER
    line: http.client.HTTPConnection
    if place.scheme == "https":
        line = http.client.HTTPSConnection(host, place.port, timeout=patience, context=ssl.create_default_context())
    else:
        line = http.client.HTTPConnection(host, place.port, timeout=patience)
    # A server that sends a byte now and then never runs into the limit of a single read.
    limit = threading.Timer(patience, _hang_up, (line,))
    limit.daemon = True
    limit.start()
    path = f"{place.path or '/'}{'?' if place.query else ''}{place.query}"
    try:
        with closing(line):
            line.request(method, path, body or None, headers)
            answer = line.getresponse()
            return answer.status, answer.read(_LONGEST_ANSWER)
    finally:
        limit.cancel()


def _hang_up(line: http.client.HTTPConnection) -> None:
    if isinstance(line.sock, socket.socket):
        # Past the encryption, which another thread is reading from.
        with suppress(OSError):
            socket.socket.shutdown(line.sock, socket.SHUT_RDWR)


def _secrets_in(form: Mapping[str, str]) -> list[str]:
    secret = ("refresh_token", "code", "code_verifier", "device_code")
    return [form[name] for name in secret if form.get(name)]


def _host(address: str) -> str:
    return urlsplit(address).hostname or "the token server"
