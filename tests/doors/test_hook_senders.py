"""Who wrote what comes by a hook: only signatures prove it, whatever the provider or the mail says of itself."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

import pytest

from tests.doors.hooks import Booth, mailgun, open_booth, plain, postmark, sendgrid
from tests.doors.office import AMELIA, DOMAIN
from tests.signing import Signer, make_key
from webordinary.intake.trust import Trust
from webordinary.mail.identity.judge import Judge
from webordinary.testing.dns import Zone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

OURS, HOME = "mx.agency.example", "192.0.2.1"
RECEIVED = f"Received: from a.example (a.example [{HOME}]) by {OURS} (Postfix) with ESMTPS id 1; x\r\n"
FORGED = (
    f"Authentication-Results: {OURS}; dmarc=pass header.from=example.org\r\n{RECEIVED}",
    f"Return-Path: <scott@example.org>\r\n{RECEIVED}",
    f"Received-SPF: pass\r\nX-Spam-Status: No\r\nAuthentication-Results: {OURS}; spf=pass; dkim=pass\r\n",
)


@contextmanager
def booth_with(folder: Path) -> Iterator[tuple[Booth, Signer]]:
    """Open a door beside which a server of ours is named, for other doors."""
    zone = Zone()
    zone.put("example.org", "TXT", f"v=spf1 ip4:{HOME} -all")
    zone.put("_dmarc.example.org", "TXT", "v=DMARC1; p=reject")
    signer = Signer("example.org", make_key()).publish(zone)
    trust = Trust(Judge(zone, DOMAIN, authserv_id=OURS, hosts=(OURS,)))
    booth = open_booth(folder, trust=trust)
    try:
        yield booth, signer
    finally:
        booth.listener.close()


def order(booth: Booth, *, top: str = "", subject: str = "Hours", age: timedelta = timedelta(0)) -> bytes:
    written_at = booth.ports.clock.now().wall_at - age
    head = f"From: scott@example.org\r\nTo: {AMELIA}\r\nSubject: {subject}\r\nDate: {format_datetime(written_at)}\r\n"
    return f"{top}{head}Message-ID: <{subject}@phone.example>\r\n\r\nWe open at nine.\r\n".encode()


def became(booth: Booth) -> list[tuple[str | None, str | None]]:
    booth.listener.close()
    return [(mail.outcome, mail.method) for mail in reversed(booth.ports.engine.overview.mails())]


@pytest.mark.parametrize("top", FORGED)
@pytest.mark.parametrize("make", [plain, postmark, sendgrid])
def test_a_mail_that_nobody_signed_is_held_whatever_it_says(tmp_path: Path, top: str, make: Callable[..., Any]) -> None:
    with booth_with(tmp_path) as (booth, _):
        assert booth.hand_in(make(order(booth, top=top))) == 200
        assert became(booth) == [("held", "none")]


def test_a_signature_proves_the_sender_and_a_repeated_hook_is_one_job(tmp_path: Path) -> None:
    with booth_with(tmp_path) as (booth, signer):
        now = booth.ports.clock.now().wall_at
        raw = signer.sign(order(booth), made_at=now)
        for hook in (mailgun(raw, booth.now), mailgun(raw, booth.now), postmark(raw), sendgrid(raw), plain(raw)):
            assert booth.hand_in(hook) == 200
        results = became(booth)
        assert results.count(("queued", "dkim")) == 1
        assert {outcome for outcome, _ in results} <= {"queued", "repeated"}
        assert len(booth.ports.engine.overview.jobs()) == 1


def test_an_old_or_changed_mail_is_no_order_although_its_hook_is_new(tmp_path: Path) -> None:
    with booth_with(tmp_path) as (booth, signer):
        now = booth.ports.clock.now().wall_at
        old = signer.sign(order(booth, age=timedelta(days=8)), made_at=now)
        changed = signer.sign(order(booth, subject="other"), made_at=now).replace(b"nine", b"noon")
        for number, raw in enumerate((old, changed)):
            assert booth.hand_in(mailgun(raw, booth.now, f"{number:050}")) == 200
        assert became(booth) == [("held", "none")] * 2
