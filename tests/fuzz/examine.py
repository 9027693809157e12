"""One mail through everything that reads it: parse, identity, quoting, verbs; and what must hold afterwards."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.signing import Signer, make_key
from webordinary.intake.hear import hear
from webordinary.mail.identity.judge import Judge
from webordinary.mail.inbox import Envelope
from webordinary.mail.mime.body import ATTACHMENTS_LIMIT, LINES_LIMIT, TEXT_LIMIT
from webordinary.mail.mime.bounded import read_mail
from webordinary.mail.sender import Verdict
from webordinary.mail.words.quoting import MARKER, own_words
from webordinary.mail.words.sent import Sent
from webordinary.testing.dns import FAILS, Zone

if TYPE_CHECKING:
    from webordinary.mail.message import Message
    from webordinary.mail.sender import Sender

NOW = datetime(2026, 11, 3, 11, 0, tzinfo=UTC)
AMELIA = "amelia@bakery.example"
US = "amelia@edit.example.com"
PEER = "192.0.2.10"
BAKERY = Signer("bakery.example", make_key())
SENT = Sent.of([f"{MARKER}\n\nDone, your change is live.\n\nWhich colour should the banner have?\n"])
# A signature of eight lines, the line above it, and what phones write on both sides of it.
_LONGEST_ENDING = 15
_MARKS = re.compile(r"[\s>]*")


class Broken(AssertionError):
    """A promise that a mail has broken."""


def _zone() -> Zone:
    zone = Zone()
    zone.put("_dmarc.bakery.example", "TXT", "v=DMARC1; p=reject")
    zone.put("bakery.example", "TXT", f"v=spf1 ip4:{PEER} -all")
    zone.put("_dmarc.slow.example", "TXT", FAILS)
    BAKERY.publish(zone)
    return zone


JUDGE = Judge(_zone(), "edit.example.com", authserv_id="mx.example.com")
ENVELOPES = (
    Envelope("deliver", (US,)),
    Envelope("smtp", (US,), AMELIA, "198.51.100.66", helo="mx.attacker.example"),
    Envelope("imap", (US,), authserv_id="mx.example.com"),
)


def examine(raw: bytes) -> None:
    """Read a mail as the product does; Broken when any promise does not hold."""
    message = read_mail(raw, envelope_from=AMELIA)
    _check_message(message)
    for envelope in ENVELOPES:
        _check_sender(JUDGE.judge(raw, message, envelope, NOW))
    for sent in (None, Sent(), SENT):
        heard = hear(message, sent)
        _storable(heard.text, heard.cut, heard.spoken)
        words = own_words(message.text, is_reply=sent is not None, sent=sent)
        _require(_bare(words.kept) + _bare(words.cut) == _bare(message.text), "a line was lost or made up")
        _require(sent is not None or _bare(words.cut).total() <= _LONGEST_ENDING, "a new mail was cut")
        _ = heard.verb


def _check_message(message: Message) -> None:
    _require(not any("could not be read (" in each for each in message.defects), f"it stumbled: {message.defects}")
    _require(
        (message.from_address is None) == (message.from_problem is not None), "an author and a problem, or neither"
    )
    _require(len(message.text) <= TEXT_LIMIT and message.text.count("\n") < LINES_LIMIT, "the text is too long")
    _require(sum(bool(each.content) for each in message.attachments) <= ATTACHMENTS_LIMIT, "too many files")
    names = [each.name for each in message.attachments]
    _require(all(name and "/" not in name and name not in {".", ".."} for name in names), "a name leaves its folder")
    _require(len({name.lower() for name in names}) == len(names), "two files have one name")
    _storable(message.subject, message.text, message.from_name, message.forwarded, *names, *message.references)


def _check_sender(sender: Sender) -> None:
    # What proves an address is the key of its domain or its own server; a mutation has neither.
    _require(sender.verdict != Verdict.VERIFIED or sender.address == AMELIA, f"{sender.address} was believed")
    _storable(sender.reason, *sender.reasons)


def _storable(*texts: str) -> None:
    for text in texts:
        _require("\0" not in text and text.encode("utf-8", "replace").decode() == text, "a text cannot be stored")


def _bare(text: str) -> Counter[str]:
    return Counter(bare for line in text.split("\n") if (bare := _MARKS.sub("", line, count=1).rstrip()))


def _require(holds: bool, what: str) -> None:  # noqa: FBT001 - reads like the assertion that it is
    if not holds:
        raise Broken(what)
