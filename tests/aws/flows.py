"""A flow on the local server for each test: an installation with one project, as short of patience as tests are."""

from __future__ import annotations

import itertools
import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tests.rigs.aws_ports import aws_clients, aws_server
from webordinary.config import read_config
from webordinary.engines.aws.dynamodb.items import plain_of
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.testing.mail import write_mail
from webordinary.testing.story import wait_for
from webordinary_local_aws.flow import LocalFlow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claimed
    from webordinary.routing.lane import Lane

T = TypeVar("T")

_numbers = itertools.count(1)
SCOTT = "scott@example.org"
PUBLISHED = Ending(
    State.DONE,
    Outcome.PUBLISHED,
    summary="The hours were changed.",
    template="published",
    facts={"summary": "The hours were changed.", "changes": "changed index.html", "address": "http://amelia.example/"},
)

_CONFIG = """
domain = "flow{number}.example.com"
engine = "aws"

[aws]
prefix = "flow{number}"
region = "eu-central-1"
account = "123456789012"

[workers]
{workers}

[[project]]
id = "amelia"
repository = "https://git.example.com/amelia.git"
{rules}

[[project.editor]]
user = "scott"
address = "scott@example.org"
"""


@dataclass(frozen=True, slots=True)
class Flows:
    """One installation, and short words for what its tests do all the time."""

    local: LocalFlow

    @property
    def engine(self) -> Engine:
        return self.local.engine

    def write(
        self,
        text: str = "We open at nine now",
        *,
        key: str | None = None,
        verified: bool = True,
        sender: str = SCOTT,
        to: str | None = None,
        files: Sequence[tuple[str, str, bytes]] = (),
        **headers: Any,  # noqa: ANN401 - what the letter writer takes
    ) -> str:
        """Let a mail come in, and return its id."""
        to = to or f"amelia@{self.local.config.domain}"
        dated = {"written_at": self.now.wall_at, **headers}
        raw = write_mail(sender=sender, to=to, text=text, files=tuple(files), **dated)
        name = key or f"mail-{next(_numbers)}"
        return self.local.deliver(name, raw, sender=sender, recipients=[to], verified=verified)

    def outcome(self, number: int = 0) -> Mapping[str, Any]:
        """Wait for the end of an execution, and return its description."""
        return self.local.aws.outcome_of(self.local.executions()[number])

    def states(self, number: int = 0) -> list[str]:
        return self.local.states_of(self.local.executions()[number])

    def job(self) -> Job:
        (job,) = self.engine.overview.jobs()
        return job

    def job_called(self, subject: str) -> Job:
        (job,) = (job for job in self.engine.overview.jobs() if job.subject == subject)
        return job

    def heard(self, queue: str) -> list[dict[str, Any]]:
        """Return what lies in a queue, and take it out."""
        url, told = self.local.clients.queue_url(queue), []
        while found := self.local.clients.wakeups.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
            for message in found:
                told.append(json.loads(message["Body"]))
                self.local.clients.wakeups.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return told

    def wait(self, look: Callable[[], T | None]) -> T:
        """Wait until something is to be seen."""
        return wait_for(look, "something in the flow", self.local.story)

    def waits_in(self, state: str, number: int = 0) -> None:
        """Wait until an execution has entered a state."""
        self.wait(lambda: state in self.states(number) or None)

    def waits_for_queued(self) -> None:
        """Wait until the one job waits for its turn, and an execution for the job."""
        self.wait(lambda: self.engine.overview.jobs(state="queued") or None)

    def claim(self, worker: str = "hand") -> Claimed:
        """Take the lane that waits, as a worker does."""
        return self.wait(lambda: self.engine.claims.claim(worker, self.now))

    def finish(self, claimed: Claimed, ending: Ending = PUBLISHED) -> Job | None:
        """Do the job, as far as anybody outside can see, and return the next one."""
        assert claimed.job is not None
        return self.engine.attempts.finish(claimed.claim, claimed.job, ending, self.now).job

    def work(self, ending: Ending = PUBLISHED) -> Job:
        """Take the next job and do it."""
        claimed = self.claim()
        self.finish(claimed, ending)
        self.engine.claims.release(claimed.claim, self.now)
        assert claimed.job is not None
        return claimed.job

    @property
    def now(self) -> Moment:
        return self.local.here.mails.here.clock.now()

    @contextmanager
    def sweeping(self) -> Iterator[None]:
        """Call the sweep again and again for as long as the block runs, as a schedule does."""
        over = threading.Event()

        def sweep() -> None:
            while not over.wait(0.05):
                self.local.invoke("sweep", {})

        thread = threading.Thread(target=sweep)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def begin(self, name: str, **given: str) -> None:
        """Begin another execution."""
        self.local.clients.states.start_execution(
            stateMachineArn=self.local.machine, name=name, input=json.dumps(given)
        )

    def interruptions(self) -> list[dict[str, Any]]:
        """Return who made room for whom, and what timed out."""
        table = self.local.names.interruptions
        return [plain_of(item) for item in self.local.clients.dynamodb.scan(TableName=table)["Items"]]

    def dead_letters(self, lane: Lane | None = None) -> list[str]:
        """Return what was left for a person to look at."""
        names = self.local.names
        url = self.local.clients.queue_url(names.dead_letters(lane) if lane else names.unclaimed_dead_letters)
        found = self.local.clients.wakeups.receive_message(QueueUrl=url, MaxNumberOfMessages=10)
        return [message["Body"] for message in found.get("Messages", [])]

    def letters(self) -> list[str]:
        """Return the texts of the answers of this installation; nobody has asked for a welcome."""
        mails = [message_from_bytes(sent.raw, policy=policy.default) for sent in self.local.aws.letters()]
        ours = [mail for mail in mails if f"@{self.local.config.domain}>" in str(mail["From"]) and mail["In-Reply-To"]]
        return [body.get_content() for mail in ours if (body := mail.get_body(("plain",)))]


def open_flows(
    *, workers: str = 'sweep = "2 s"', rules: str = "", gives_up_after: int | None = None, flow: str = ""
) -> Flows:
    """Open an installation; its flow gives up on jobs long after everybody else, or after so many seconds."""
    text = _CONFIG.format(number=next(_numbers), workers=workers, rules=rules)
    config = read_config(text, Path("/nowhere/webordinary.toml"), {})
    local = LocalFlow(aws_server(), config, aws_clients(), flow=flow)
    if gives_up_after is not None:
        real = local.real("rate-limited-claim")
        local.replace("rate-limited-claim", lambda event: {**dict(real(event)), "timeout": gives_up_after})  # type: ignore[call-overload]  # it returns a dictionary
    return Flows(local)
