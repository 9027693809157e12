"""Shows a mail server a token instead of a password (AUTHENTICATE, RFC 9051)."""

from __future__ import annotations

import imaplib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.doors.imap_faults import is_passing
from webordinary.errors import Misconfigured, TryAgain
from webordinary.oauth.sasl import SaslAnswers, choose_mechanism, first_words
from webordinary.oauth.server import quoted
from webordinary.oauth.tokens import TokenRefused

if TYPE_CHECKING:
    from webordinary.doors.imap import ImapSection
    from webordinary.oauth.login import Mechanism


@dataclass(frozen=True, slots=True)
class Bearer:
    """A token, and how the provider likes to be shown it."""

    token: str = field(repr=False)
    mechanism: Mechanism | None = None


def show_token(client: imaplib.IMAP4, imap: ImapSection, bearer: Bearer) -> None:
    """Log in with a token; TokenRefused when the server does not take it."""
    offered = {each.removeprefix("AUTH=") for each in map(str.upper, client.capabilities) if each.startswith("AUTH=")}
    mechanism = choose_mechanism(offered, bearer.mechanism)
    if mechanism is None:
        raise Misconfigured(f"{imap.host} takes no tokens: remove imap.oauth and name a password instead")
    shown = first_words(mechanism, imap.user, bearer.token, imap.host, imap.actual_port)
    try:
        client.authenticate(mechanism.value.upper(), SaslAnswers(mechanism, shown))
    except imaplib.IMAP4.error as error:
        said = quoted(_plain(str(error)), [bearer.token, shown.decode()])
        if isinstance(error, imaplib.IMAP4.abort):
            raise imaplib.IMAP4.abort(said) from None
        if is_passing(said):
            raise TryAgain(f"{imap.host} lets nobody in right now ({said})") from None
        raise TokenRefused(said) from None


def _plain(said: str) -> str:
    """Take away what the driver has made of the server's words."""
    return said.removeprefix("b").strip("'\"")
