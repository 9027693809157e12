"""What goes wrong at somebody else's mail server, translated into what the caller should do."""

from __future__ import annotations

import imaplib
import os
import ssl
from contextlib import contextmanager
from typing import TYPE_CHECKING

from imap_tools.errors import ImapToolsError, MailboxFolderSelectError, MailboxLoginError, UnexpectedCommandStatusError

from webordinary.errors import Misconfigured, TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.config.doors import ImapSection

# Codes with which a server refuses a login that may work later (RFC 5530).
_PASSING = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")


@contextmanager
def translated(imap: ImapSection) -> Iterator[None]:
    """Let no error of a driver out; none of its sentences holds a password."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise Misconfigured(
            f"the certificate of {imap.host} is not believed ({error.verify_message}): "
            "correct imap.host, or name its authority in imap.certificates"
        ) from None
    except MailboxLoginError as error:
        raise _login_refused(imap, _said(error)) from None
    except MailboxFolderSelectError as error:
        raise Misconfigured(
            f"{imap.user} at {imap.host} has no folder {imap.mailbox} ({_said(error)}): correct imap.mailbox"
        ) from None
    except (ImapToolsError, imaplib.IMAP4.error, OSError, UnicodeError, ValueError) as error:
        raise TryAgain(f"{imap.name} cannot be read right now ({_reason(error)})") from None


def _login_refused(imap: ImapSection, said: str) -> Exception:
    if any(code in said.upper() for code in _PASSING):
        return TryAgain(f"{imap.host} lets nobody in right now ({said})")
    key = "imap.password_file" if imap.password_file else "imap.password_variable"
    return Misconfigured(f"{imap.host} does not let {imap.user} in ({said}): correct {key}")


def _said(error: UnexpectedCommandStatusError) -> str:
    data = error.command_result[1]
    first = data[0] if isinstance(data, list) and data else data
    return first.decode(errors="replace") if isinstance(first, bytes) else str(first)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return _said(error) if isinstance(error, UnexpectedCommandStatusError) else str(error) or type(error).__name__


def read_password(imap: ImapSection, environ: Mapping[str, str] = os.environ) -> str:
    """Return the password from where the configuration says that it is; each time anew, because it may change."""
    if imap.password_variable is not None:
        found, where = environ.get(imap.password_variable, ""), f"the variable {imap.password_variable}"
    else:
        found, where = _from_file(imap), f"the file {imap.password_file}"
    if not found or not found.isprintable():
        raise Misconfigured(f"{where} does not hold the password of {imap.user} on one line: put it there")
    return found


def _from_file(imap: ImapSection) -> str:
    if imap.password_file is None:
        return ""
    try:
        return imap.password_file.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise Misconfigured(f"{imap.password_file} cannot be read ({why}): correct imap.password_file") from None
