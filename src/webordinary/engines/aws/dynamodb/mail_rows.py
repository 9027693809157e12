"""Under which key the row of a mail is kept: its name tells, and the name is given with the row."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.engines.aws.dynamodb.shards import Shards

MAIL = "mail"
_SHORT, _LONG = 6, 7


def new_mail(shards: Shards) -> str:
    """Name a mail; the names of those that lie under many keys are longer."""
    return f"{MAIL}-{secrets.token_hex(_LONG if shards.count > 1 else _SHORT)}"


def mail_kind(mail: str) -> str:
    """Return the kind of a mail's row; the last digit of a longer name chooses one of sixteen."""
    number = mail.removeprefix(f"{MAIL}-")
    if len(number) != 2 * _LONG or number[-1] not in "123456789abcdef":
        return MAIL
    return f"{MAIL}#{int(number[-1], 16)}"
