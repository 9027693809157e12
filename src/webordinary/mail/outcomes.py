"""What the trail says of a mail that became no job, for every engine alike."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from webordinary.audit.entry import What

ENTRY_OF: Final = MappingProxyType(
    {
        "held": What.MAIL_HELD,
        "refused": What.MAIL_REFUSED,
        "automatic": What.MAIL_AUTOMATIC,
        "repeated": What.MAIL_REPEATED,
        "stranger": What.MAIL_FROM_STRANGER,
        "quarantined": What.MAIL_QUARANTINED,
        "dropped": What.MAIL_DROPPED,
        "ignored": What.MAIL_IGNORED,
        "limited": What.MAIL_LIMITED,
        "thanks": What.MAIL_OF_THANKS,
    }
)
