"""How far each mailbox at somebody else's mail server has been read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from webordinary.clock import Moment


@dataclass(frozen=True, slots=True)
class Bookmark:
    """The last mail that was taken in: numbers of mails only grow, as long as the server keeps their validity."""

    validity: int
    uid: int


class Mailboxes(Protocol):
    """One bookmark for each mailbox, which never moves back.

    Whether a mail is marked as seen says nothing: every other reader of the mailbox marks it too.
    """

    def find(self, mailbox: str) -> Bookmark | None: ...

    def remember(self, mailbox: str, bookmark: Bookmark, now: Moment) -> None:
        """Move the bookmark on; with the same validity a smaller number changes nothing."""
