"""What `doctor` finds at the outgoing server: whether it would take an answer to a stranger; none is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config import Config, Listen, Outgoing, OutgoingRoute
from webordinary.doors.probe import greeting_at
from webordinary.errors import LoginNeeded, WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn

if TYPE_CHECKING:
    from webordinary.engines.embedded.mail_transport import Rehearsal

_NAME = "outgoing mail"
# Nobody is there, and nobody is written to: the server is only asked whether it would.
STRANGER = "somebody@example.com"
_REFUSED = 400
_PERMANENT = 500
# The address is refused and not the sending (RFC 3463): some servers know that nobody lives at example.com.
_ABOUT_THE_ADDRESS = ("5.1.", "5.2.", "5.4.")
_WANTS_LOGIN = 530


def check_outgoing(config: Config) -> Check:
    """Go through a mail to a stranger up to its recipient, and take it back."""
    outgoing = config.outgoing
    if outgoing.kind is OutgoingRoute.SES:
        return ok(_NAME, "goes out by SES")
    if outgoing.kind is OutgoingRoute.MAILDIR:
        return warn(_NAME, f"stays on this machine, in {outgoing.path}: set outgoing.url to send it")
    place = f"{outgoing.host}:{outgoing.port}"
    try:
        greeting = greeting_at(outgoing.host, outgoing.port, tls=outgoing.kind is OutgoingRoute.SMTPS)
    except OSError as problem:
        return fail(_NAME, f"{place} cannot be reached ({problem}): correct outgoing.url")
    if not greeting.startswith("220"):
        return fail(_NAME, f"{place} is no mail server, it says {greeting[:60]!r}: correct outgoing.url")
    return _rehearsed(config, place)


def _rehearsed(config: Config, place: str) -> Check:
    from webordinary.engines.embedded.mail_transport import SmtpTransport  # noqa: PLC0415 - heavy
    from webordinary.engines.embedded.open import open_postman  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.engines.embedded.secrets import FileSecrets  # noqa: PLC0415 - heavy

    postman = open_postman(config, FileSecrets(config.data))
    if not isinstance(postman, SmtpTransport):
        return ok(_NAME, f"{place} answers")
    try:
        heard = postman.rehearse(config.outgoing.sender or f"re+doctor@{config.domain}", STRANGER)
    except LoginNeeded as needed:
        return fail(_NAME, str(needed))
    except WebOrdinaryError as problem:
        return fail(_NAME, f"{problem}: correct outgoing.url")
    return judge_rehearsal(heard, config.outgoing)


def judge_rehearsal(heard: Rehearsal, outgoing: Outgoing) -> Check:
    """Say what a mail to a stranger would have met."""
    place = f"{outgoing.host}:{outgoing.port}"
    return _refused(heard, outgoing, place) or _taken(heard, outgoing, place)


def _refused(heard: Rehearsal, outgoing: Outgoing, place: str) -> Check | None:
    """Say what keeps an answer from leaving, and what to do about it."""
    if 0 < heard.code < _REFUSED:
        return None
    said = f"it says “{heard.code} {heard.said[:120]}”"
    if heard.step == "login" or heard.code == _WANTS_LOGIN:
        return fail(_NAME, f"{place} {_about_login(heard, outgoing, said)}")
    if heard.code < _PERMANENT:
        return warn(_NAME, f"{place} does not take mail for {STRANGER} right now ({said}): look again later")
    if heard.step == "sender":
        return fail(_NAME, f"{place} takes no mail from our addresses ({said}): allow it to send for the domain")
    if heard.said.startswith(_ABOUT_THE_ADDRESS):
        return ok(_NAME, f"{place} answers, and knows that nobody is at {STRANGER}")
    advice = "allow this login" if outgoing.user else "let it relay for this machine (Postfix: permit_mynetworks)"
    return fail(_NAME, f"{place} takes no mail for strangers, so no answer would leave ({said}): {advice}")


def _about_login(heard: Rehearsal, outgoing: Outgoing, said: str) -> str:
    if not heard.code:
        return "offers no login here: take the port for sending (587, or smtps:// and 465)"
    if heard.code == _WANTS_LOGIN:
        return f"wants a login ({said}): write USER:PASSWORD@ into outgoing.url"
    return f"does not let {outgoing.user} in ({said}): correct outgoing.url"


def _taken(heard: Rehearsal, outgoing: Outgoing, place: str) -> Check:
    if heard.is_encrypted or Listen((outgoing.host, 0)).is_loopback:
        return ok(_NAME, f"{place} takes mail for strangers")
    return warn(_NAME, f"{place} takes mail for strangers, but every answer can be read on the way: it offers no TLS")
