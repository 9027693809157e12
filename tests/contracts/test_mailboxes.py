"""What every engine promises about how far a mailbox has been read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.mail.mailboxes import Bookmark

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

BOX = "website@example.com@imap.example.com/INBOX"


def test_a_mailbox_that_was_never_read_has_no_bookmark(ports: Ports) -> None:
    assert ports.engine.mailboxes.find(BOX) is None


def test_a_bookmark_moves_on_and_never_back(ports: Ports) -> None:
    for uid in (3, 7, 5):
        ports.engine.mailboxes.remember(BOX, Bookmark(1234567890, uid), ports.now)
    assert ports.engine.mailboxes.find(BOX) == Bookmark(1234567890, 7)


def test_with_another_validity_the_numbers_begin_anew(ports: Ports) -> None:
    ports.engine.mailboxes.remember(BOX, Bookmark(2, 900), ports.now)
    ports.engine.mailboxes.remember(BOX, Bookmark(3, 0), ports.now)
    assert ports.engine.mailboxes.find(BOX) == Bookmark(3, 0)


def test_each_mailbox_has_its_own_bookmark(ports: Ports) -> None:
    ports.engine.mailboxes.remember(BOX, Bookmark(1, 10), ports.now)
    ports.engine.mailboxes.remember(f"{BOX}/Täglich", Bookmark(1, 20), ports.now)
    assert ports.engine.mailboxes.find(BOX) == Bookmark(1, 10)
    assert ports.engine.mailboxes.find(f"{BOX}/Täglich") == Bookmark(1, 20)
