"""The flow and its Lambda functions: one definition and one list, for the infrastructure and for the tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from importlib.resources import files

_HANDLERS = "webordinary.engines.aws.handlers"
_SMALL = 128
# A mail of 25 MB is in memory several times while it is taken apart, and a photo is larger than its file.
_LARGE = 1024


class Need(StrEnum):
    """What a function may use; the infrastructure gives each its rights by this and nothing more."""

    MAILS_READ = "mails read"
    MAILS_WRITE = "mails write"
    MEDIA_WRITE = "media write"
    LANES_READ = "lanes read"
    LANES_WRITE = "lanes write"
    RECORDS = "records"
    ROUTING_READ = "routing read"
    THREADS_WRITE = "threads write"
    INTERRUPTIONS = "interruptions"
    RING = "ring"
    DEAD_LETTERS = "dead letters"
    START_FLOW = "start flow"
    ANSWER_FLOW = "answer flow"
    SEND_MAIL = "send mail"


@dataclass(frozen=True, slots=True)
class Function:
    """One function: its name behind the prefix, its handler, what it needs, and who calls it besides the flow."""

    name: str
    needs: frozenset[Need] = field(default_factory=frozenset)
    memory: int = _SMALL
    timeout: timedelta = timedelta(seconds=30)
    every: timedelta | None = None

    @property
    def module(self) -> str:
        return f"{_HANDLERS}.{self.name.replace('-', '_')}"

    @property
    def handler(self) -> str:
        """Return what Lambda is told to call."""
        return f"{self.module}.handler"


_READ_LANE = frozenset({Need.LANES_READ, Need.RECORDS})
_CHANGE_LANE = frozenset(
    {
        Need.LANES_READ,
        Need.LANES_WRITE,
        Need.RECORDS,
        Need.ROUTING_READ,
        Need.THREADS_WRITE,
        Need.RING,
        Need.START_FLOW,
        Need.ANSWER_FLOW,
    }
)
_ANSWER = frozenset({Need.SEND_MAIL, Need.MAILS_READ, Need.MAILS_WRITE})

FUNCTIONS = (
    Function("intake", frozenset({Need.RECORDS, Need.START_FLOW})),
    # Verbs are obeyed here, and a mail that is no request is answered here.
    Function("parse-email", _CHANGE_LANE | _ANSWER, memory=_LARGE, timeout=timedelta(minutes=2)),
    Function("rate-limited-claim", _CHANGE_LANE | {Need.MAILS_READ}),
    Function(
        "process-attachment",
        frozenset({Need.RECORDS, Need.MAILS_READ, Need.MAILS_WRITE, Need.MEDIA_WRITE}),
        memory=_LARGE,
        timeout=timedelta(minutes=2),
    ),
    Function("check-active-job", _READ_LANE),
    Function("send-to-container", _CHANGE_LANE | {Need.MAILS_READ}),
    Function("send-interrupt", _READ_LANE),
    Function("record-interruption", _READ_LANE | {Need.INTERRUPTIONS}),
    Function("handle-timeout", _CHANGE_LANE | {Need.INTERRUPTIONS, Need.DEAD_LETTERS}),
    Function(
        "send-reply", _READ_LANE | _ANSWER | {Need.ROUTING_READ, Need.THREADS_WRITE}, timeout=timedelta(minutes=2)
    ),
    # It decides forgotten mails too, with their files.
    Function(
        "sweep",
        _CHANGE_LANE | _ANSWER | {Need.MEDIA_WRITE},
        memory=_LARGE,
        timeout=timedelta(minutes=5),
        every=timedelta(minutes=1),
    ),
)


def definition(prefix: str) -> str:
    """Return the state machine of an installation; only the names of its functions depend on that."""
    text = files("webordinary.engines.aws").joinpath("email_processor.asl.json").read_text(encoding="utf-8")
    return text.replace("${prefix}", prefix)
