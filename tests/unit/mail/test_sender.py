"""Who is believed to have sent a mail."""

from __future__ import annotations

from webordinary.mail.parse import parse_message
from webordinary.mail.sender import OPERATOR, Sender, Verdict, Vouch, judge_sender

AMELIA = parse_message(b"From: Amelia@bakery.example\n\n")
NOBODY = parse_message(b"Subject: x\n\n")


def test_from_alone_proves_nothing() -> None:
    sender = judge_sender(AMELIA, None)
    assert (sender.address, sender.verdict) == ("amelia@bakery.example", Verdict.UNVERIFIED)


def test_a_door_that_trusts_its_callers_vouches_for_whoever_from_names() -> None:
    local = Vouch(None, "trusted local submission")
    assert judge_sender(AMELIA, local).verdict == Verdict.VERIFIED
    reason = "The mail does not say who it is from."
    assert judge_sender(NOBODY, local) == Sender(
        None, Verdict.UNVERIFIED, "trusted local submission", reason, (reason,)
    )


def test_a_known_caller_is_verified_for_their_own_address_only() -> None:
    assert judge_sender(AMELIA, Vouch("AMELIA@bakery.example", "login")).verdict == Verdict.VERIFIED
    other = judge_sender(AMELIA, Vouch("bob@bakery.example", "login"))
    assert other.verdict == Verdict.UNVERIFIED
    assert "bob@bakery.example" in other.reason


def test_the_operator_decides_who_it_was() -> None:
    for mail in (AMELIA, NOBODY):
        sender = judge_sender(mail, Vouch("Bob@bakery.example", OPERATOR))
        assert (sender.address, sender.verdict, sender.method) == (
            "bob@bakery.example",
            Verdict.VERIFIED,
            "operator",
        )
