"""The program with Google and Microsoft on loopback, where only their addresses are others than they are."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.cli.program import main
from webordinary.config import oauth
from webordinary.setup.ways.mailbox import GmailWay, MicrosoftWay

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.config.statements import TomlValue
    from webordinary.setup.question import Given
    from webordinary.setup.ways.mailbox import TokenWay


def move_in(giver: str, imap: int) -> None:
    """Let both providers live at a token server and a mailbox of the test."""
    for name, known in oauth._KNOWN.items():  # noqa: SLF001 - the one place where the addresses stand
        oauth._KNOWN[name] = replace(  # noqa: SLF001 - the same
            known,
            token_url=f"{giver}/token",
            authorize_url=f"{giver}/authorize",
            device_url=f"{giver}/device" if known.device_url else None,
        )
    _live_at(GmailWay, imap)
    _live_at(MicrosoftWay, imap)


def _live_at(way: type[TokenWay], imap: int) -> None:
    usual = way._server  # noqa: SLF001 - the same

    def server(self: TokenWay, given: Given) -> Mapping[str, TomlValue]:
        return {**usual(self, given), "host": "127.0.0.1", "port": imap, "security": "none"}

    way._server = server  # type: ignore[method-assign]  # noqa: SLF001 - the same


if __name__ == "__main__":
    move_in(os.environ["AT_HOME_GIVER"], int(os.environ["AT_HOME_IMAP"]))
    main()
