"""The certificate for STARTTLS and for the dashboard, read again when its files change."""

from __future__ import annotations

import logging
import ssl
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from pathlib import Path

_log = logging.getLogger(__name__)


class Certificate:
    """Certificates are renewed while everything runs: what the files hold now counts for the next connection."""

    def __init__(self, certificate: Path, key: Path, named: str = "smtp.certificate") -> None:
        self._certificate = certificate
        self._key = key
        self._named = named
        self._stamp = self._look()
        self._context = load_certificate(certificate, key, named)

    def context(self) -> ssl.SSLContext:
        """Return the newest one that can be used."""
        stamp = self._look()
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._context = load_certificate(self._certificate, self._key, self._named)
            except Misconfigured as problem:
                # Half of a renewal is on the disk: the old one goes on until the next change.
                _log.warning("the old certificate stays in use: %s", problem)
        return self._context

    def _look(self) -> tuple[object, ...]:
        return tuple(_stamp(path) for path in (self._certificate, self._key))


def load_certificate(certificate: Path, key: Path, named: str = "smtp.certificate") -> ssl.SSLContext:
    """Read both files, or say which of them is wrong."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except OSError as error:
        # An error of OpenSSL is an OSError too, and has a reason instead of a file.
        why = getattr(error, "reason", None) or error.strerror or error
        raise Misconfigured(
            f"the certificate {certificate} with the key {key} cannot be used ({why}): correct {named}"
        ) from error
    return context


def ends_at(certificate: Path, key: Path) -> datetime:
    """Return when the certificate ends, by showing it to ourselves; refused when it has ended already."""
    server = load_certificate(certificate, key)
    client = ssl.create_default_context(cafile=str(certificate))
    client.check_hostname = False
    # The certificate itself is what is believed here: who signed it is for others to judge.
    client.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    try:
        shown = _shake_hands(client, server)
    except ssl.SSLError as error:
        why = getattr(error, "verify_message", None) or error.reason
        raise Misconfigured(f"the certificate {certificate} cannot be used ({why}): renew it") from None
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(shown["notAfter"])), UTC)


def _shake_hands(client: ssl.SSLContext, server: ssl.SSLContext) -> dict[str, object]:
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    one, other = client.wrap_bio(down, up), server.wrap_bio(up, down, server_side=True)
    for side in (one, other, one, other):
        # It has not heard the other side's next word yet.
        with suppress(ssl.SSLWantReadError):
            side.do_handshake()
    return dict(one.getpeercert() or {})


def _no_password() -> str:
    # Otherwise OpenSSL would ask for it on the terminal and wait for ever.
    return ""


def _stamp(path: Path) -> object:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
