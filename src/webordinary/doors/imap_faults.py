"""What goes wrong at somebody else's mail server, translated into what the caller should do."""

from __future__ import annotations

import imaplib
import os
import ssl
from contextlib import contextmanager
from typing import TYPE_CHECKING

from imap_tools.errors import ImapToolsError, MailboxFolderSelectError, MailboxLoginError, UnexpectedCommandStatusError

from webordinary.config.outside import read_outside
from webordinary.errors import Misconfigured, TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.doors.imap import ImapSection

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
    if is_passing(said):
        return TryAgain(f"{imap.host} lets nobody in right now ({said})")
    key = "imap.password_file" if imap.password_file else "imap.password_variable"
    return Misconfigured(f"{imap.host} does not let {imap.user} in ({said}): correct {key}")


def is_passing(said: str) -> bool:
    """Tell whether a login that was refused with these words may work later."""
    return any(code in said.upper() for code in _PASSING)


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
    what = f"the password of {imap.user}"
    return read_outside(imap.password_file, imap.password_variable, what, "imap.password_file", environ)
