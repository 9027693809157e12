"""The verdict on a sender: every kind of proof in turn, and each finding written down."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import TryAgain
from webordinary.mail.address import read_recipients
from webordinary.mail.identity.coverage import EVERYTHING, NOTHING, request_mark
from webordinary.mail.identity.dns import OneMail
from webordinary.mail.identity.domain import STRICTEST, Policy, domain_of, find_policy, is_aligned
from webordinary.mail.identity.origin import DOORS_OF_OURS, check_origin, is_relay, skip_reason
from webordinary.mail.identity.received import told_envelope, trusted_result
from webordinary.mail.identity.signed_form import read_signed_form
from webordinary.mail.mime.parts import read_header_block
from webordinary.mail.parse import RECIPIENTS_LIMIT
from webordinary.mail.sender import Sender, Verdict, judge_sender

if TYPE_CHECKING:
    from datetime import datetime
    from email.message import Message as Headers

    from webordinary.mail.identity.coverage import Coverage
    from webordinary.mail.identity.dns import Dns
    from webordinary.mail.identity.signatures import Checked
    from webordinary.mail.identity.signed_form import SignedForm
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
    """How the address in From was proven, for which of our addresses, and what of the mail is part of the proof."""

    method: str
    reason: str
    recipients: tuple[str, ...] | None = None
    proves_id: bool = True
    mark: str | None = None
    answers: tuple[str, ...] | None = None


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
    # Proven, but for a signature that leaves open to whom it was written.
    unaddressed: _Proof | None = None
    form: SignedForm | None = field(init=False)

    def __post_init__(self) -> None:
        self.dns = OneMail(self.judge.dns, _PATIENCE)
        self.form = read_signed_form(self.raw)

    def verdict(self) -> Sender:
        first = (self._by_login, self._by_receipt, self._by_results, self._by_signature)
        for step in (*first, self._by_origin, self._by_told_origin):
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
            mark=proof.mark,
            answers=proof.answers,
        )

    def _unproven(self) -> Sender:
        policy = self._policy() if self.is_denied else STRICTEST
        if policy.refuses and not self.is_genuine and not self.is_open:
            asked = "refuse" if policy.request == "reject" else "put aside"
            reason = f"Nothing proves that {self.claimed} wrote it; {policy.found_at} asks to {asked} such mail."
            return Sender(self.claimed, Verdict.FORGED, "dmarc", reason, (*self.notes, reason))
        reason = f"Nothing proves that {self.claimed} wrote it."
        if self.unaddressed is not None:
            return self._unproven_recipient(self.unaddressed)
        if self.is_open:
            reason = f"It could not be found out whether {self.claimed} wrote it: a name server did not answer."
        return Sender(self.claimed, Verdict.UNVERIFIED, "none", reason, (*self.notes, reason), is_open=self.is_open)

    def _unproven_recipient(self, proof: _Proof) -> Sender:
        reason = f"{proof.reason} But nothing proves that it was written to us, and not to somebody else."
        told = Sender(self.claimed, Verdict.UNVERIFIED, proof.method, reason, (*self.notes, reason))
        return replace(told, is_open=self.is_open, is_unaddressed=True, mark=proof.mark, answers=proof.answers)

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
            has_passed = verdicts.get("spfVerdict", "").upper() == "PASS"
            return self._by_others(_SES, "SES", self.envelope.mail_from if has_passed else None)
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
            return self._by_others("authentication-results", server, found.origin)
        self.is_denied = self.is_denied or found.result == "fail"
        return None

    def _trusted_server(self) -> str | None:
        """Return whose word counts here: at our own listener only behind a server of ours."""
        if self.envelope.authserv_id:
            return self.envelope.authserv_id
        peer = self.envelope.peer
        if self.envelope.door in {"smtp", "lmtp"} and not is_relay(peer, self.judge.relays):
            return None
        return self.judge.authserv_id if self.envelope.door in DOORS_OF_OURS else None

    def _by_others(self, method: str, server: str, origin: str | None) -> _Proof | None:
        """Take another server's word, which may rest on a signature alone, so that nothing is replayed to us.

        `origin` is the return path for which SPF has passed there: then it came straight from its sender.
        """
        self.is_genuine = True
        coverage = self._coverage_of_others(origin)
        proof = _Proof(method, f"{server} has verified {self.claimed}.", proves_id=False)
        return self._weigh(proof, coverage, f"{server} believes the sender, but ")

    def _coverage_of_others(self, origin: str | None) -> Coverage:
        author = domain_of(self.claimed)
        if self.headers.get("DKIM-Signature") is None or is_aligned(domain_of(origin or ""), author, strict=False):
            return EVERYTHING
        from webordinary.mail.identity.signatures import weakest_coverage  # noqa: PLC0415 - heavy, as below

        return weakest_coverage(self.form, author) if self.form else NOTHING

    def _by_signature(self) -> _Proof | None:
        if self.headers.get("DKIM-Signature") is None:
            self.notes.append("DKIM: nobody has signed it.")
            return None
        if self.form is None:
            self.notes.append("DKIM: the headers are written so that programs could read them differently.")
            return None
        from webordinary.mail.identity.signatures import (  # noqa: PLC0415 - heavy, and most commands judge no mail
            Author,
            check_signatures,
        )

        policy = self._policy()
        author = Author(domain_of(self.claimed), policy.strict_signatures, self.received_at, policy.within)
        proofs = (self._weigh_signature(checked) for checked in check_signatures(self.form, author, self.dns))
        return next((proof for proof in proofs if proof is not None), None)

    def _weigh_signature(self, checked: Checked) -> _Proof | None:
        self.is_genuine = self.is_genuine or checked.is_genuine
        self.is_open = self.is_open or checked.is_open
        about = f"DKIM of {checked.domain or 'nobody'}: "
        if checked.problem:
            self.notes.append(f"{about}{checked.problem}.")
            return None
        proves_id = checked.coverage.has("message-id") and len(self.headers.get_all("Message-ID", [])) == 1
        proof = _Proof("dkim", f"{checked.domain} has signed it for {self.claimed}.", proves_id=proves_id)
        return self._weigh(proof, checked.coverage, about)

    def _weigh(self, proof: _Proof, coverage: Coverage, about: str) -> _Proof | None:
        """Return the proof if what we act on is part of it: to whom, when, in which words and in answer to what."""
        problem = self._replay_problem()
        if problem is None and self.form is not None:
            problem = coverage.structure_problem(self.headers, self.form.body)
        ours = self._our_recipients([name for name in ("To", "Cc") if coverage.has(name)])
        if problem is None and not ours:
            problem = "no address of ours is in its signed To or Cc"
            if not coverage.has("To"):
                self.unaddressed = self.unaddressed or self._completed(proof, coverage, ())
        if problem is None:
            return self._completed(proof, coverage, ours)
        self.notes.append(f"{about}{problem}.")
        return None

    def _completed(self, proof: _Proof, coverage: Coverage, ours: tuple[str, ...]) -> _Proof:
        mark = request_mark(self.form, self.message.subject, self.message.written_at) if self.form else None
        return replace(proof, recipients=self._meant_for(ours), mark=mark, answers=coverage.answers(self.headers))

    def _our_recipients(self, names: list[str]) -> tuple[str, ...]:
        values = [str(value) for name in names for value in self.headers.get_all(name, [])]
        known = {recipient.lower() for recipient in self.envelope.recipients} | self.judge.addresses
        found = read_recipients(values, most=RECIPIENTS_LIMIT)
        return tuple(each for each in found if each in known or _is_under(each, self.judge.domain))

    def _meant_for(self, ours: tuple[str, ...]) -> tuple[str, ...] | None:
        """Leave out addresses elsewhere: for which project those are, only the envelope says."""
        return tuple(each for each in ours if each not in self.judge.addresses) or None

    def _replay_problem(self) -> str | None:
        """Return why a genuine mail may be read differently, or be one that was written long ago."""
        counts = {name: len(self.headers.get_all(name, [])) for name in (*_ONCE, "Cc")}
        if any(counts[name] != 1 for name in _ONCE) or counts["Cc"] > 1:
            return "From, To, Subject or Date is missing or stands there twice"
        written_at = self.message.written_at
        if written_at is None or not self.received_at - OLDEST <= written_at <= self.received_at + _AHEAD:
            return "its Date is not of the last seven days"
        return None

    def _by_origin(self) -> _Proof | None:
        skipped = skip_reason(self.envelope, self.judge.relays)
        if skipped is not None:
            if self._told() is None:
                self.notes.append(f"SPF was not asked: {skipped}.")
            return None
        try:
            origin = check_origin(self.envelope, self.dns)
        except TryAgain as later:
            self._postpone("SPF", later)
            return None
        aligned = self._is_of_author(origin.domain)
        of_whom = f"{origin.domain or 'nobody'}{'' if aligned else ', which is not the domain in From'}"
        self.notes.append(f"SPF: {origin.result} for {of_whom}.")
        if origin.passes and aligned:
            return _Proof("spf", f"{self.envelope.peer} may send for {origin.domain}.")
        self.is_denied = True
        return None

    def _is_of_author(self, domain: str) -> bool:
        policy = self._policy()
        return is_aligned(domain, domain_of(self.claimed), strict=policy.strict_origin, within=policy.within)

    def _told(self) -> Envelope | None:
        return told_envelope(self.headers, self.envelope, self.judge.relays, self._trusted_server(), self.judge.hosts)

    def _by_told_origin(self) -> _Proof | None:
        """Ask SPF about the sender's server as our own server in front of us has written it down."""
        told = self._told()
        if told is None:
            return None
        try:
            origin = check_origin(told, self.dns)
        except TryAgain as later:
            self._postpone("SPF", later)
            return None
        self.notes.append(
            f"SPF: {origin.result} for {origin.domain or 'nobody'} at {told.peer}, where our server got it."
        )
        if not origin.passes or not self._is_of_author(origin.domain):
            return None
        return _Proof("spf", f"{told.peer} may send for {origin.domain}.")

    def _postpone(self, what: str, later: TryAgain) -> None:
        self.is_open = True
        self.notes.append(f"{what}: {later}.")


def _is_under(address: str, domain: str) -> bool:
    host = domain_of(address)
    return host == domain or host.endswith(f".{domain}")
