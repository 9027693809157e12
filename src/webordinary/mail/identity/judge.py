"""The verdict on a sender: every kind of proof in turn, and each finding written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import TryAgain
from webordinary.mail.address import read_recipients
from webordinary.mail.identity.dns import OneMail
from webordinary.mail.identity.domain import STRICTEST, Policy, domain_of, find_policy, is_aligned
from webordinary.mail.identity.origin import check_origin, is_relay, skip_reason
from webordinary.mail.identity.results import trusted_result
from webordinary.mail.mime import read_header_block
from webordinary.mail.parse import RECIPIENTS_LIMIT
from webordinary.mail.sender import Sender, Verdict, judge_sender

if TYPE_CHECKING:
    from datetime import datetime
    from email.message import Message as Headers

    from webordinary.mail.identity.dns import Dns
    from webordinary.mail.identity.signatures import Checked
    from webordinary.mail.inbox import Envelope
    from webordinary.mail.message import Message

OLDEST = timedelta(days=7)
# Clocks of phones are wrong and so are their time zones.
_AHEAD = timedelta(days=1)
_PATIENCE = timedelta(seconds=20)
_ONCE = ("From", "To", "Subject", "Date")
_SES = "ses"


@dataclass(frozen=True, slots=True)
class Judge:
    """What an installation believes: its own domain, the servers in front of it, and whom it asks about senders."""

    dns: Dns
    domain: str
    relays: tuple[str, ...] = ()
    authserv_id: str | None = None
    # Addresses elsewhere whose mail is forwarded to us: what was written to them was written to us.
    addresses: frozenset[str] = frozenset()
    # Our own servers behind the one that judges, by the names in their Received lines.
    hosts: tuple[str, ...] = ()

    def judge(self, raw: bytes, message: Message, envelope: Envelope, received_at: datetime) -> Sender:
        """Decide who sent the mail; the same mail gets the same verdict whenever name servers say the same."""
        if envelope.vouch is not None:
            return judge_sender(message, envelope.vouch)
        if message.from_address is None:
            reason = message.from_problem or "The mail does not say who it is from."
            return Sender(None, Verdict.UNVERIFIED, "none", reason, (reason,))
        headers = read_header_block(memoryview(raw)).headers
        return _Case(self, raw, headers, message, envelope, received_at, message.from_address).verdict()


@dataclass(frozen=True, slots=True)
class _Proof:
    """How the address in From was proven, and for which of our addresses."""

    method: str
    reason: str
    recipients: tuple[str, ...] | None = None
    proves_id: bool = True


@dataclass(slots=True)
class _Case:
    """One mail while it is judged."""

    judge: Judge
    raw: bytes
    headers: Headers
    message: Message
    envelope: Envelope
    received_at: datetime
    claimed: str
    notes: list[str] = field(default_factory=list)
    dns: Dns = field(init=False)
    policy: Policy | None = None
    is_open: bool = False
    # A pass that proves nothing to us, such as that of a mail to somebody else, is still no forgery.
    is_genuine: bool = False
    is_denied: bool = False

    def __post_init__(self) -> None:
        self.dns = OneMail(self.judge.dns, _PATIENCE)

    def verdict(self) -> Sender:
        for step in (self._by_login, self._by_receipt, self._by_results, self._by_signature, self._by_origin):
            if (proof := step()) is not None:
                return self._verified(proof)
        return self._unproven()

    def _verified(self, proof: _Proof) -> Sender:
        self.notes.append(proof.reason)
        return Sender(
            self.claimed,
            Verdict.VERIFIED,
            proof.method,
            proof.reason,
            tuple(self.notes),
            proof.recipients,
            proof.proves_id,
        )

    def _unproven(self) -> Sender:
        policy = self._policy() if self.is_denied else STRICTEST
        if policy.refuses and not self.is_genuine and not self.is_open:
            asked = "refuse" if policy.request == "reject" else "put aside"
            reason = f"Nothing proves that {self.claimed} wrote it; {policy.found_at} asks to {asked} such mail."
            return Sender(self.claimed, Verdict.FORGED, "dmarc", reason, (*self.notes, reason))
        reason = f"Nothing proves that {self.claimed} wrote it."
        if self.is_open:
            reason = f"It could not be found out whether {self.claimed} wrote it: a name server did not answer."
        return Sender(self.claimed, Verdict.UNVERIFIED, "none", reason, (*self.notes, reason), is_open=self.is_open)

    def _by_login(self) -> _Proof | None:
        user = self.envelope.user
        if not user:
            return None
        if user.lower() == self.claimed:
            return _Proof("login", f"{self.claimed} logged in to send it.")
        self.notes.append(f"{user.lower()} logged in to send it, but From says {self.claimed}.")
        return None

    def _by_receipt(self) -> _Proof | None:
        """Believe what SES told us beside the mail; its headers anybody could have written."""
        if self.envelope.door != _SES:
            return None
        verdicts = self.envelope.verdicts
        said = verdicts.get("dmarcVerdict", "").upper()
        self.notes.append(f"SES says of DMARC: {said or 'nothing'}.")
        if said == "PASS":
            return self._by_others(_SES, "SES")
        if said == "FAIL" and verdicts.get("dmarcPolicy"):
            self.is_denied = True
            self.policy = Policy(verdicts["dmarcPolicy"].lower(), found_at=domain_of(self.claimed))
        return None

    def _policy(self) -> Policy:
        """Find out, once and only when it matters, what the owner of the domain asks for."""
        if self.policy is None:
            self.policy = self._find_policy()
        return self.policy

    def _find_policy(self) -> Policy:
        domain = domain_of(self.claimed)
        try:
            policy = find_policy(domain, self.dns)
        except TryAgain as later:
            self._postpone("DMARC", later)
            return STRICTEST
        asked = f"asks for {policy.request}" if policy.found_at else "has no policy"
        self.notes.append(f"DMARC: {policy.found_at or domain} {asked}.")
        return policy

    def _by_results(self) -> _Proof | None:
        server = self._trusted_server()
        found = trusted_result(self.headers, server, self.judge.hosts) if server else None
        if server is None or found is None:
            return None
        self.notes.append(f"{server} says of DMARC: {found.result or 'nothing'} for {found.domain or 'no domain'}.")
        if found.domain != domain_of(self.claimed):
            return None
        if found.result == "pass":
            return self._by_others("authentication-results", server)
        self.is_denied = self.is_denied or found.result == "fail"
        return None

    def _trusted_server(self) -> str | None:
        """Return whose word counts here: at our own listener only behind a server of ours."""
        if self.envelope.authserv_id:
            return self.envelope.authserv_id
        peer = self.envelope.peer
        if self.envelope.door in {"smtp", "lmtp"} and not is_relay(peer, self.judge.relays):
            return None
        return self.judge.authserv_id if self.envelope.door != _SES else None

    def _by_others(self, method: str, server: str) -> _Proof | None:
        """Take another server's word, which may rest on a signature alone, so that nothing is replayed to us."""
        self.is_genuine = True
        ours = self._our_recipients(("To", "Cc"))
        if problem := self._replay_problem(ours):
            self.notes.append(f"{server} believes the sender, but {problem}.")
            return None
        return _Proof(method, f"{server} has verified {self.claimed}.", self._meant_for(ours), proves_id=False)

    def _by_signature(self) -> _Proof | None:
        if self.headers.get("DKIM-Signature") is None:
            self.notes.append("DKIM: nobody has signed it.")
            return None
        from webordinary.mail.identity.signatures import (  # noqa: PLC0415 - heavy, and most commands judge no mail
            Author,
            check_signatures,
        )

        author = Author(domain_of(self.claimed), self._policy().strict_signatures, self.received_at)
        proofs = (self._weigh(checked) for checked in check_signatures(self.raw, author, self.dns))
        return next((proof for proof in proofs if proof is not None), None)

    def _weigh(self, checked: Checked) -> _Proof | None:
        self.is_genuine = self.is_genuine or checked.is_genuine
        self.is_open = self.is_open or checked.is_open
        ours = self._our_recipients([name for name in ("To", "Cc") if name.lower() in checked.signed])
        problem = checked.problem or self._replay_problem(ours)
        if problem:
            self.notes.append(f"DKIM of {checked.domain or 'nobody'}: {problem}.")
            return None
        proves_id = "message-id" in checked.signed and len(self.headers.get_all("Message-ID", [])) == 1
        return _Proof("dkim", f"{checked.domain} has signed it for {self.claimed}.", self._meant_for(ours), proves_id)

    def _our_recipients(self, names: list[str] | tuple[str, ...]) -> tuple[str, ...]:
        values = [str(value) for name in names for value in self.headers.get_all(name, [])]
        known = {recipient.lower() for recipient in self.envelope.recipients} | self.judge.addresses
        found = read_recipients(values, most=RECIPIENTS_LIMIT)
        return tuple(each for each in found if each in known or _is_under(each, self.judge.domain))

    def _meant_for(self, ours: tuple[str, ...]) -> tuple[str, ...] | None:
        """Leave out addresses elsewhere: for which project those are, only the envelope says."""
        return tuple(each for each in ours if each not in self.judge.addresses) or None

    def _replay_problem(self, ours: tuple[str, ...]) -> str | None:
        """Return why a genuine mail may be one that was written to somebody else, or long ago."""
        counts = {name: len(self.headers.get_all(name, [])) for name in (*_ONCE, "Cc")}
        if any(counts[name] != 1 for name in _ONCE) or counts["Cc"] > 1:
            return "From, To, Subject or Date is missing or stands there twice"
        if not ours:
            return "it was not written to us: no address of ours is in its signed To or Cc"
        written_at = self.message.written_at
        if written_at is None or not self.received_at - OLDEST <= written_at <= self.received_at + _AHEAD:
            return "its Date is not of the last seven days"
        return None

    def _by_origin(self) -> _Proof | None:
        skipped = skip_reason(self.envelope, self.judge.relays)
        if skipped is not None:
            self.notes.append(f"SPF was not asked: {skipped}.")
            return None
        try:
            origin = check_origin(self.envelope, self.dns)
        except TryAgain as later:
            self._postpone("SPF", later)
            return None
        aligned = is_aligned(origin.domain, domain_of(self.claimed), strict=self._policy().strict_origin)
        of_whom = f"{origin.domain or 'nobody'}{'' if aligned else ', which is not the domain in From'}"
        self.notes.append(f"SPF: {origin.result} for {of_whom}.")
        if origin.passes and aligned:
            return _Proof("spf", f"{self.envelope.peer} may send for {origin.domain}.")
        self.is_denied = True
        return None

    def _postpone(self, what: str, later: TryAgain) -> None:
        self.is_open = True
        self.notes.append(f"{what}: {later}.")


def _is_under(address: str, domain: str) -> bool:
    host = domain_of(address)
    return host == domain or host.endswith(f".{domain}")
