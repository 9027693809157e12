"""A way for mail to come in, as the walk asks about it: a mailbox, a mail server, a hook or SES."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from webordinary.errors import Refused
from webordinary.findings import fail
from webordinary.mail.door import DOORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.config.tables import TablesText
    from webordinary.engines.installation import Installation
    from webordinary.findings import Check
    from webordinary.mail.inbox import Envelope
    from webordinary.setup.desk import Desk
    from webordinary.setup.plan import Deed, NewSecret
    from webordinary.setup.question import Given, Inquiry


@dataclass(frozen=True, slots=True)
class OutgoingServer:
    """Where mail goes out with a way, as far as that is known beforehand."""

    server: str = ""
    security: str = "tls"
    user: str = ""
    # The login whose tokens let us in there.
    oauth: str = ""
    is_account_address: bool = False


@dataclass(frozen=True, slots=True)
class Records:
    """The records that the DNS has to hold; an empty host is any."""

    mx: str = ""
    spf: str = ""
    # Whether the server takes mail for each name below the domain too.
    has_names_below: bool = False


class MailWay(ABC):
    """One way; the answers are those of the step `mail`."""

    name: ClassVar[str]
    says: ClassVar[str]
    is_on_aws: ClassVar[bool] = False

    @abstractmethod
    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]: ...

    @abstractmethod
    def applied(self, text: TablesText, desk: Desk, given: Given) -> TablesText:
        """Return the configuration with what this way needs."""

    def secrets(self, desk: Desk, given: Given) -> tuple[NewSecret, ...]:  # noqa: ARG002 - for ways that have some
        return ()

    def deeds(self, desk: Desk, given: Given) -> tuple[Deed, ...]:  # noqa: ARG002 - for ways that need more
        return ()

    def tells(self, desk: Desk, given: Given) -> tuple[str, ...]:  # noqa: ARG002 - for ways that need others
        """Say what has to be done elsewhere."""
        return ()

    @abstractmethod
    def check(self, desk: Desk, given: Given) -> Iterator[Check]: ...

    def records(self, given: Given) -> Records:  # noqa: ARG002 - for ways that know
        return Records()

    def outgoing(self, given: Given) -> OutgoingServer:  # noqa: ARG002 - for ways that know
        return OutgoingServer()


@dataclass(frozen=True, slots=True)
class _OnlyLooking:
    """What a door is given by somebody who only looks at it."""

    installation: Installation

    def __call__(self, raw: bytes, envelope: Envelope) -> str:  # noqa: ARG002 - none is taken
        raise Refused("Nobody takes mail while the door is only looked at.")

    @property
    def intake(self) -> Any:  # noqa: ANN401 - as the protocol has it
        return self.installation.intake


def look_at_doors(desk: Desk, kind: str) -> Iterator[Check]:
    """Try every configured door of a kind, as `doctor` does."""
    here = desk.installation()
    doors = [each for each in here.config.doors if each.kind == kind]
    if not doors:
        yield fail("mail in", f"the configuration has no [{kind}] table")
    for each in doors:
        yield from DOORS.find(kind).findings(each.options, _OnlyLooking(here))


def only_if(name: str, content: str) -> tuple[NewSecret, ...]:
    """Return a secret, if one was typed."""
    from webordinary.setup.plan import NewSecret  # noqa: PLC0415 - it needs the desk, which needs us

    return (NewSecret(name, content),) if content else ()
