"""A place to count in: the local AWS server, the real flow and its functions, and one real worker process."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING, TypeVar

import boto3

from bench.aws_counting import Counter, calls, read_requests
from bench.place import NeverHappened
from webordinary.child.companion import Companion
from webordinary.cli.demo.folder import OWNER, OWNER_ADDRESS, PROJECT, make_site
from webordinary.config import example_config_on_aws, load_config, project_block, with_project
from webordinary.engines.aws.clients import AwsSettings, open_clients
from webordinary.engines.aws.flow.functions import FUNCTIONS
from webordinary.testing.mail import write_mail
from webordinary_local_aws.flow import LocalFlow
from webordinary_local_aws.server import ACCOUNT, REGION, LocalAws

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bench.aws_counting import Request
    from webordinary.audit.entry import Entry, EventType
    from webordinary.jobs.job import Job

T = TypeVar("T")

_DOMAIN = "bench.example.com"
_PATIENCE_SECONDS = 120.0
_LOOK_SECONDS = 0.02
# A worker that has ended a job has a few more requests to make until it is quiet.
_QUIET_SECONDS = 1.5


class AwsPlace:
    """One installation; its functions and its worker note each request in the same file."""

    def __init__(self, folder: Path, server: LocalAws, settings: str = "") -> None:
        self.folder = folder.absolute()
        self._server = server
        self.notes = self.folder / "requests"
        self.config = load_config(_write_config(self.folder, server, settings), {})
        connection = server.connection()
        session = boto3.Session(connection["aws_access_key_id"], connection["aws_secret_access_key"], None, REGION)
        self._clients = open_clients(AwsSettings.of(self.config.aws), session)
        self.flow = LocalFlow(server, self.config, self._clients)
        # Without a name: what the benchmark itself asks is not counted.
        self._counter = Counter(self.notes, "", self.flow.sites.name)
        self._counter.watch(self._clients)
        self.seconds: dict[str, float] = {}
        for function in FUNCTIONS:
            self.flow.replace(function.name, self._counted(function.name, self.flow.real(function.name)))
        self._mails = 0
        self._worker: Companion | None = None

    def _counted(self, name: str, call: Callable[[object], object]) -> Callable[[object], object]:
        def function(event: object) -> object:
            began = time.monotonic()
            with self._counter.doing(name):
                try:
                    return call(event)
                finally:
                    self.seconds[name] = self.seconds.get(name, 0) + time.monotonic() - began

        return function

    def start_worker(self) -> None:
        program = [sys.executable, "-m", "bench.aws_worker", str(self.config.path), str(self.notes), "container"]
        gates = {"WEBORDINARY_SCRIPTED_GATES": str(self.folder)}
        self._worker = Companion(program, {**os.environ, **self._server.environment(), **gates})
        engine = self.flow.engine
        self.wait(lambda: any(worker.idle for worker in engine.overview.workers()) or None, "an idle worker")
        self.be_quiet()

    def write(self, text: str) -> str:
        """Let a mail come in as SES does, and return its id."""
        self._mails += 1
        to = f"{PROJECT}@{_DOMAIN}"
        raw = write_mail(sender=OWNER_ADDRESS, to=to, text=text, subject=f"Mail {self._mails}")
        dated = f"Date: {format_datetime(datetime.now(UTC))}\n".encode() + raw
        return self.flow.deliver(f"mail-{self._mails}", dated, sender=OWNER_ADDRESS, recipients=[to])

    def end_of(self, mail: str) -> Job:
        """Wait until the mail's job is over and its flow too."""
        engine = self.flow.engine

        def find() -> Job | None:
            return next((job for job in engine.overview.jobs() if job.mail == mail and not job.state.is_live), None)

        job = self.wait(find, f"the end of {mail}")
        for execution in self.flow.executions():
            self._server.outcome_of(execution)
        return job

    def entry(self, what: EventType, count: int = 1) -> Entry:
        """Wait until the trail says so for the count-th time."""

        def find() -> Entry | None:
            found = [entry for entry in self.flow.engine.trail.read() if entry.what == what]
            return found[count - 1] if len(found) >= count else None

        return self.wait(find, what.value)

    def open_gate(self, name: str) -> None:
        (self.folder / name).write_text("open", encoding="utf-8")

    def mark(self) -> int:
        return len(read_requests(self.notes))

    def requests_since(self, mark: int) -> list[Request]:
        """Return all that was asked, site objects, beats, empty polls and the sizes of answers included."""
        self.be_quiet()
        return read_requests(self.notes, mark)

    def calls_since(self, mark: int) -> list[Request]:
        return calls(self.requests_since(mark))

    def be_quiet(self) -> None:
        threading.Event().wait(_QUIET_SECONDS)

    def wait(self, look: Callable[[], T | None], what: str) -> T:
        ends_at, pause = time.monotonic() + _PATIENCE_SECONDS, threading.Event()
        while (found := look()) is None:
            if time.monotonic() > ends_at:
                raise NeverHappened(f"waited for {what}\n{self.flow.story()}")
            pause.wait(_LOOK_SECONDS)
        return found

    def close(self) -> None:
        if self._worker is not None:
            self._worker.signal(signal.SIGTERM)
            self._worker.bury()


@contextmanager
def open_aws_place(folder: Path, settings: str = "") -> Iterator[AwsPlace]:
    """Open a place in an empty folder; everything that was started in it is ended."""
    folder.mkdir(parents=True, exist_ok=True)
    with LocalAws() as server:
        place = AwsPlace(folder, server, settings)
        try:
            yield place
        finally:
            place.close()


def _write_config(folder: Path, server: LocalAws, settings: str) -> Path:
    make_site(folder)
    block = project_block(id=PROJECT, repository=f"{PROJECT}.git", site_target="s3", editors=[(OWNER, OWNER_ADDRESS)])
    text = example_config_on_aws(domain=_DOMAIN, prefix="bench").replace(
        'prefix = "bench"\n',
        f'prefix = "bench"\nendpoint = "{server.endpoint}"\nregion = "{REGION}"\naccount = "{ACCOUNT}"\n',
    )
    path = folder / "webordinary.toml"
    text = f'{with_project(text, block)}\n[pictures]\nmode = "off"\n{settings}'
    path.write_text(text, encoding="utf-8")
    return path
