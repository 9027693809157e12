"""What a hook has to show before anything of it is believed: a secret, or a provider's signature of today."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from base64 import b64decode
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.routing.secrets import read_named_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

    from webordinary.doors.hook import Hook
    from webordinary.doors.hook_form import Form

# As long as each provider goes on trying: nobody says whether it signs anew for that. What a signature can be used
# for again within that time is limited elsewhere: Mailgun's token counts for one mail, SendGrid signs the mail itself.
MAILGUN_TRIES_FOR = timedelta(hours=9)
SENDGRID_TRIES_FOR = timedelta(hours=73)
_AHEAD = timedelta(minutes=10)
_SECRET = re.compile(r"[A-Za-z0-9._~-]{32,200}", re.ASCII)
_KEY = re.compile(r"[!-~]{16,200}", re.ASCII)
_SECONDS = re.compile(r"[0-9]{1,11}", re.ASCII)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,200}", re.ASCII)
_UNKNOWN = "the hook does not show a secret or a signature that is known here"


@dataclass(frozen=True, slots=True)
class Seals:
    """The secrets of the door, as they are now."""

    secret: str | None = field(default=None, repr=False)
    mailgun: str | None = field(default=None, repr=False)
    sendgrid: str | None = None

    def require_secret(self, *shown: str) -> None:
        """Refuse a client without the secret; the comparison takes constant time."""
        if self.secret is None or not any(_same(each, self.secret) for each in shown):
            raise Misconfigured(_UNKNOWN)

    def require_mailgun(self, form: Form, now: datetime) -> str:
        """Refuse what Mailgun did not sign, or long ago, and return its token, which is good for one mail."""
        moment, token, seal = (form.text(name) or "" for name in ("timestamp", "token", "signature"))
        if self.mailgun is None or not _SECONDS.fullmatch(moment) or not _TOKEN.fullmatch(token):
            raise Misconfigured(_UNKNOWN)
        made = hmac.new(self.mailgun.encode(), f"{moment}{token}".encode(), hashlib.sha256).hexdigest()
        if not _same(seal, made):
            raise Misconfigured(_UNKNOWN)
        _require_fresh(moment, now, MAILGUN_TRIES_FOR)
        return token

    def require_sendgrid(self, moment: str, seal: str, body: bytes, now: datetime) -> None:
        """Refuse what SendGrid did not sign, or long ago."""
        if self.sendgrid is None or not _SECONDS.fullmatch(moment) or not _is_signed(self.sendgrid, seal, moment, body):
            raise Misconfigured(_UNKNOWN)
        _require_fresh(moment, now, SENDGRID_TRIES_FOR)


def read_seals(hook: Hook, environ: Mapping[str, str] = os.environ) -> Seals:
    """Read the secrets from where the configuration says that they are; each time anew, because they may change."""
    secret = _read(hook.secret_file, hook.secret_variable, "hook.secret", environ)
    if secret is not None and not _SECRET.fullmatch(secret):
        raise Misconfigured(
            f"{_where(hook.secret_file, hook.secret_variable)} must hold 32 or more letters and digits on one line,"
            " because they become part of an address; `openssl rand -hex 32` makes some"
        )
    mailgun = _read(hook.mailgun_key_file, hook.mailgun_key_variable, "hook.mailgun_key", environ)
    if mailgun is not None and not _KEY.fullmatch(mailgun):
        where = _where(hook.mailgun_key_file, hook.mailgun_key_variable)
        raise Misconfigured(f"{where} must hold Mailgun's webhook signing key on one line")
    if hook.sendgrid_key is not None:
        _load(hook.sendgrid_key)
    return Seals(secret, mailgun, hook.sendgrid_key)


def _where(file: Path | None, variable: str | None) -> str:
    return f"the file {file}" if file is not None else f"the variable {variable}"


def _read(file: Path | None, variable: str | None, key: str, environ: Mapping[str, str]) -> str | None:
    if file is None:
        return None if variable is None else environ.get(variable, "").strip()
    return read_named_file(file, lambda why: f"{file} cannot be read ({why}): correct {key}_file").strip()


def _same(shown: str, known: str) -> bool:
    return hmac.compare_digest(shown.encode("utf-8", "surrogateescape"), known.encode())


def _require_fresh(moment: str, now: datetime, longest: timedelta) -> None:
    age = timedelta(seconds=now.timestamp() - int(moment))
    if not -_AHEAD <= age <= longest:
        raise Misconfigured("the hook was signed long ago, or a clock is wrong; it is not taken")


def _is_signed(key: str, seal: str, moment: str, body: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - heavy, and most installations need none
    from cryptography.hazmat.primitives.asymmetric.ec import ECDSA  # noqa: PLC0415 - heavy
    from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415 - heavy

    try:
        _load(key).verify(b64decode(seal, validate=True), moment.encode() + body, ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True


def _load(key: str) -> EllipticCurvePublicKey:
    from cryptography.hazmat.primitives.asymmetric.ec import (  # noqa: PLC0415 - heavy, as above
        EllipticCurvePublicKey,
    )
    from cryptography.hazmat.primitives.serialization import load_der_public_key  # noqa: PLC0415 - heavy

    try:
        loaded = load_der_public_key(b64decode(key, validate=True))
    except ValueError:
        loaded = None
    if not isinstance(loaded, EllipticCurvePublicKey):
        raise Misconfigured("hook.sendgrid_key is not a public key as SendGrid shows it: copy it again")
    return loaded
