"""The flow, its Lambda functions and CloudFront's one: read from here by the infrastructure and by the tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from importlib.resources import files

# What a state hands on to the next has this shape. An execution keeps the definition with which it began, and meets
# the functions of a newer version: these take what each shape in `tests/aws/earlier` sends, and answer what it reads.
SHAPE = 2
_HANDLERS = "webordinary.engines.aws.flow.handlers"
# Less memory is less of a processor: with 128 MB a start alone, 0.96 s of CPU, takes as long as a step may.
_SMALL = 512
# A mail of 25 MB is in memory several times while it is taken apart, and a photo is larger than its file.
_LARGE = 1024


class Need(StrEnum):
    """What a function may use; the infrastructure gives each its rights by this and nothing more."""

    MAILS_READ = "mails read"
    MAILS_WRITE = "mails write"
    MEDIA_READ = "media read"
    MEDIA_WRITE = "media write"
    SITES = "sites"
    VISITOR_ROUTES = "visitor_routes"
    LANES_READ = "lanes read"
    LANES_WRITE = "lanes write"
    RECORDS = "records"
    ROUTING_READ = "routing read"
    THREADS_WRITE = "threads write"
    INTERRUPTIONS = "interruptions"
    WAKE = "wake"
    HEAR = "hear"
    DEAD_LETTERS = "dead letters"
    START_FLOW = "start flow"
    ANSWER_FLOW = "answer flow"
    SEND_MAIL = "send mail"
    REPLY_KEY = "reply key"
    GIT_SECRETS = "git secrets"


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


_LANES = frozenset({Need.LANES_READ, Need.LANES_WRITE, Need.RECORDS})
# A verb or a forgotten mail can begin, stop and repeat jobs.
_ANYTHING = _LANES | {
    Need.ROUTING_READ,
    Need.THREADS_WRITE,
    Need.WAKE,
    Need.START_FLOW,
    Need.ANSWER_FLOW,
}
# The pictures of an answer lie where the files of mails do.
_ANSWER = frozenset({Need.SEND_MAIL, Need.REPLY_KEY, Need.MAILS_READ, Need.MAILS_WRITE, Need.MEDIA_READ})

FUNCTIONS = (
    Function("intake", frozenset({Need.RECORDS, Need.MAILS_READ, Need.START_FLOW})),
    Function("parse-email", _ANYTHING | _ANSWER, memory=_LARGE, timeout=timedelta(minutes=2)),
    Function("rate-limited-claim", _LANES | {Need.THREADS_WRITE, Need.MAILS_READ}),
    Function(
        "process-attachment",
        frozenset({Need.RECORDS, Need.MAILS_READ, Need.MAILS_WRITE, Need.MEDIA_WRITE}),
        memory=_LARGE,
        timeout=timedelta(minutes=2),
    ),
    Function("check-active-job", frozenset({Need.LANES_READ})),
    Function("send-to-container", _LANES | {Need.ROUTING_READ, Need.WAKE, Need.ANSWER_FLOW, Need.MAILS_READ}),
    Function("send-interrupt", frozenset({Need.LANES_READ, Need.WAKE})),
    Function("record-interruption", frozenset({Need.LANES_READ, Need.INTERRUPTIONS})),
    Function("handle-timeout", _LANES | {Need.WAKE, Need.ANSWER_FLOW, Need.INTERRUPTIONS, Need.DEAD_LETTERS}),
    Function(
        "send-reply",
        _ANSWER | {Need.LANES_READ, Need.RECORDS, Need.ROUTING_READ, Need.THREADS_WRITE},
        timeout=timedelta(minutes=2),
    ),
    Function(
        "sweep",
        _ANYTHING | _ANSWER | {Need.MEDIA_WRITE},
        memory=_LARGE,
        timeout=timedelta(minutes=5),
        every=timedelta(minutes=1),
    ),
)

# What a worker needs: it reads files, works its lane off and publishes; it neither reads raw mail nor sends any.
WORKER = _LANES | {
    Need.ROUTING_READ,
    Need.THREADS_WRITE,
    Need.MEDIA_READ,
    Need.MEDIA_WRITE,
    Need.HEAR,
    Need.WAKE,
    Need.START_FLOW,
    Need.ANSWER_FLOW,
    Need.SITES,
    Need.VISITOR_ROUTES,
    Need.GIT_SECRETS,
}


def definition(prefix: str) -> str:
    """Return the state machine of an installation; only the names of its functions depend on that."""
    return _text("email_processor.asl.json").replace("${prefix}", prefix)


def site_delivery(domain: str) -> str:
    """Return the code of CloudFront's function, for requests of visitors and for the answers to them."""
    return _text("site_delivery.js").replace("${domain}", domain)


def _text(name: str) -> str:
    return files("webordinary.engines.aws.flow").joinpath(name).read_text(encoding="utf-8")
