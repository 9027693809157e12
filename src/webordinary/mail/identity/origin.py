"""SPF: whether the machine that handed us a mail may send for the domain of its return path."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

from webordinary.errors import TryAgain
from webordinary.mail.address import is_well_formed
from webordinary.mail.identity.domain import domain_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webordinary.mail.identity.dns import Dns
    from webordinary.mail.inbox import Envelope


with warnings.catch_warnings():
    # Its text has escapes that Python warns of whenever it is compiled, which nobody here can mend.
    warnings.simplefilter("ignore")
    import spf


class Query(spf.query):  # type: ignore[misc]  # the library has no types
    """The library's evaluation, with our own questions instead of its global resolver."""

    def __init__(self, dns: Dns, **asked: Any) -> None:  # noqa: ANN401 - the library's own arguments
        super().__init__(**asked)
        self._ask = dns
        self.postponed: TryAgain | None = None

    def dns(self, name: str, qtype: str, cnames: object = None, ignore_void: object = False) -> list[Any]:  # noqa: ARG002, FBT002 - the library's own signature
        try:
            found = self._ask.look_up(str(name).rstrip("."), qtype) if _is_name(str(name)) else []
        except TryAgain as later:
            self.postponed = later
            raise spf.TempError("DNS") from later
        if not found and not ignore_void:
            self.void_lookups += 1
            if self.void_lookups > spf.MAX_VOID_LOOKUPS:
                raise spf.PermError("too many lookups that find nothing")
        return [_as_the_library_expects(each, qtype) for each in found]


def _is_name(name: str) -> bool:
    return all(0 < len(label) <= 63 for label in name.rstrip(".").split("."))  # noqa: PLR2004 - the limit of DNS


def _as_the_library_expects(value: str, kind: str) -> object:
    if kind == "TXT":
        return [value.encode("latin-1")]
    if kind == "MX":
        preference, _, host = value.partition(" ")
        return int(preference), host
    return value


# Those through which mail comes to us straight from its sender; everywhere else the peer is our own server.
_OPEN_DOORS = frozenset({"smtp"})
# Those behind which the topmost lines of a mail may be of a server that was named. What a provider hands over may
# begin with whatever its sender wrote.
DOORS_OF_OURS = frozenset({"smtp", "lmtp", "imap", "deliver"})


@dataclass(frozen=True, slots=True)
class Origin:
    """What SPF says about the domain of the return path: `pass`, `fail`, `none` and the like."""

    result: str
    domain: str
    why: str = ""

    @property
    def passes(self) -> bool:
        return self.result == "pass"


def is_relay(peer: str | None, relays: Iterable[str]) -> bool:
    """Tell whether the peer is one of the servers in front of ours."""
    try:
        address = ip_address(peer or "")
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in ip_network(relay) for relay in relays)


def is_local(peer: str | None) -> bool:
    """Tell whether the peer is a program on this machine, such as a mail server in front of us."""
    try:
        address = ip_address(peer or "")
    except ValueError:
        return True
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def skip_reason(envelope: Envelope, relays: Iterable[str]) -> str | None:
    """Return why SPF says nothing about this delivery, or None when it does."""
    if envelope.door not in _OPEN_DOORS or envelope.peer is None:
        return "it did not come straight from its sender's server"
    if envelope.user:
        return "somebody logged in to send it"
    if is_local(envelope.peer):
        return "a program on this machine handed it in"
    if is_relay(envelope.peer, relays):
        return "a relay handed it in"
    return None


def check_origin(envelope: Envelope, dns: Dns) -> Origin:
    """Ask SPF about the peer and the return path; TryAgain when that cannot be found out now."""
    sender = envelope.mail_from or ""
    if not is_well_formed(sender):
        return Origin("none", "", "its return path is no plain address")

    query = Query(dns, i=envelope.peer, s=sender, h=envelope.helo or "")
    try:
        result, _, why = query.check()
    except TryAgain:
        raise
    except Exception as error:  # noqa: BLE001 - the record is the sender's: whatever it breaks proves nothing
        return Origin("permerror", domain_of(sender), type(error).__name__)
    if query.postponed is not None:
        raise query.postponed
    return Origin(str(result), domain_of(sender), str(why))
