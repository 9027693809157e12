"""What `doctor` finds out about logins at mail providers: whether they give tokens, and whether those let us out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail, ok

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation

_NAME = "login"


def check_logins(here: Installation) -> Iterator[Check]:
    """Get a token of each login, and show it to the outgoing server; the mailboxes are tried by themselves."""
    from webordinary.serve.logins import try_outgoing  # noqa: PLC0415 - heavy, and --help should be quick

    config = here.config
    for each in config.oauth:
        tokens = here.tokens(each.name)
        if tokens is not None:
            try:
                tokens.current()
            except WebOrdinaryError as problem:
                yield fail(_NAME, str(problem))
                continue
            yield ok(_NAME, f"{each.name} has a token")
    if config.outgoing.oauth is not None:
        tried = try_outgoing(config, here.engine.secrets)
        yield fail(_NAME, str(tried.problem)) if tried.problem else ok(_NAME, f"{tried.where} lets us in")
