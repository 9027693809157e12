"""Tries a login at every server that uses it: the mailboxes that are looked into, and the outgoing one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.doors.imap import ImapSection
from webordinary.doors.imap_mailbox import open_mailbox
from webordinary.engines.choose import open_outgoing
from webordinary.errors import LoginNeeded, Refused, WebOrdinaryError
from webordinary.oauth.tokens import InHand, Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config import Config
    from webordinary.engines.installation import Installation
    from webordinary.oauth.login import Login
    from webordinary.oauth.tokens import KeptLogin
    from webordinary.routing.secrets import Secrets


@dataclass(frozen=True, slots=True)
class Tried:
    """What one server said."""

    where: str
    problem: WebOrdinaryError | None


def users_of(config: Config, login: str) -> tuple[str, ...]:
    """Return whose mailboxes a login opens."""
    readers = [str(imap.user) for imap in config.find_doors(ImapSection) if imap.oauth == login]
    sender = [config.outgoing.user] if config.outgoing.oauth == login and config.outgoing.user else []
    return tuple(dict.fromkeys([*readers, *sender]))


def try_outgoing(config: Config, secrets: Secrets) -> Tried:
    """Come in at the outgoing server and go again."""
    where = f"{config.outgoing.user} at {config.outgoing.host}:{config.outgoing.port}"
    try:
        open_outgoing(config, secrets).log_in()
    except WebOrdinaryError as problem:
        return Tried(where, problem)
    return Tried(where, None)


def keep_login(here: Installation, login: Login, given: KeptLogin) -> Iterator[Tried]:
    """Try what a provider has given everywhere, and keep it unless a server refuses it; nothing older is lost then."""
    hand = InHand()
    hand.keep(login.secret_name, given.write())
    for tried in _try_everywhere(here, login, hand):
        if isinstance(tried.problem, LoginNeeded):
            raise Refused(
                f"The provider has let you in, but {tried.problem.why}; nothing was kept:"
                " log in as the mailbox's own user, or let that user in there."
            )
        yield tried
    secrets = here.engine.secrets
    with secrets.alone(login.secret_name):
        secrets.keep(login.secret_name, hand.read(login.secret_name))


def _try_everywhere(here: Installation, login: Login, hand: InHand) -> Iterator[Tried]:
    for imap in here.config.find_doors(ImapSection):
        if imap.oauth == login.name:
            try:
                with open_mailbox(imap, Tokens(login, hand, here.clock)):
                    yield Tried(imap.name, None)
            except WebOrdinaryError as problem:
                yield Tried(imap.name, problem)
    if here.config.outgoing.oauth == login.name:
        yield try_outgoing(here.config, hand)
