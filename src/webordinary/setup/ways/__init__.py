"""Every way for mail to come in that the walk knows; what is not in the list does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.setup.ways.hook import HookWay
from webordinary.setup.ways.mailbox import GmailWay, ImapWay, MicrosoftWay, TokenWay
from webordinary.setup.ways.postfix import PostfixWay
from webordinary.setup.ways.ses import SesWay

if TYPE_CHECKING:
    from webordinary.setup.desk import Desk
    from webordinary.setup.ways.way import MailWay

WAYS: tuple[MailWay, ...] = (
    GmailWay(),
    MicrosoftWay(),
    ImapWay(),
    TokenWay(),
    PostfixWay(),
    HookWay(),
    SesWay(),
)


def find_way(name: str) -> MailWay | None:
    """Find a way by its name."""
    return next((each for each in WAYS if each.name == name), None)


def goes_to_aws(desk: Desk) -> bool:
    """Whether the installation runs in an account of AWS, or will."""
    config = desk.find_config()
    if config is not None:
        return not config.traits.is_one_machine
    way = chosen_way(desk)
    return way is not None and way.is_on_aws


def chosen_way(desk: Desk) -> MailWay | None:
    """Return the way that was chosen in the first step."""
    return find_way(desk.answer("mail", "way"))
