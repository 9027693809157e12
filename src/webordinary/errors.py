"""Every error of the product, sorted by what the caller does next.

WebOrdinaryError
├── Refused          the mail will not become a job: answer it, once (or never)
│   ├── NoSuchThing  nobody knows what was named: look at the list
│   └── NotYours     it is for somebody with another role
├── TryAgain         nothing has changed: the same call may work later
│   ├── Overloaded   others have too much to do: wait, and count no attempt
│   ├── OnHold         the project waits for its agency: pause it, tell both sides, and count no attempt
│   ├── Outage       something that we need is away or used up: wait, count no attempt, tell the agency if it lasts
│   └── LoginNeeded  a mail provider lets us in no more: tell the agency, wait, and count no try
├── LostOwnership    someone else owns the lane: change nothing more
├── Interrupted      asked to stop: keep the work aside, move on
├── JobFailed        it cannot succeed as asked: bury it, answer
│   ├── AgentFailed
│   ├── BuildFailed
│   └── PublishFailed
└── Misconfigured    a person has to change the configuration
"""

from __future__ import annotations


class WebOrdinaryError(Exception):
    """Something is wrong, and the message says what to do about it."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or type(self).__doc__)


class Refused(WebOrdinaryError):
    """This mail will not become a job."""


class NoSuchThing(Refused):
    """There is nothing of that name."""


class NotYours(Refused):
    """This is for somebody with another role."""


class TryAgain(WebOrdinaryError):
    """Nothing has changed; the same call may work later."""


class Overloaded(TryAgain):
    """Somebody whom we need has too much to do; this may last for hours, and passes."""


class OnHold(TryAgain):
    """Nothing of the project may go live before somebody has decided about its live branch."""


class Outage(TryAgain):
    """Something that we need is away or used up; it comes back without us."""


class LoginNeeded(TryAgain):
    """Somebody has to log in at a mail provider again; everything waits until then."""

    def __init__(self, why: str, remedy: str = "log in again", *, login: str, since: str = "", person: bool) -> None:
        super().__init__(f"{why}: {remedy}")
        self.why = why
        self.login = login
        # When somebody logged in the last time, so that each refusal is told once.
        self.since = since
        # Whether a person logs in, or the application alone.
        self.person = person


class LostOwnership(WebOrdinaryError):
    """Another worker owns the lane now; nothing more may be changed."""


class Interrupted(WebOrdinaryError):
    """The attempt was asked to stop."""


class JobFailed(WebOrdinaryError):
    """The job cannot succeed as it was asked."""


class AgentFailed(JobFailed):
    """The agent could not do what was asked."""


class BuildFailed(JobFailed):
    """The site could not be built."""


class PublishFailed(JobFailed):
    """The site could not be published."""


class Misconfigured(WebOrdinaryError):
    """A person has to change the configuration."""
