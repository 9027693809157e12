"""A container in which a job runs asks ECS to be left alone, and an idle one can be stopped at once."""

from __future__ import annotations

import json
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any, cast

from tests.serving import listening
from webordinary.engines.aws.ecs.protection import PROTECTED_MINUTES, VARIABLE, TaskProtection
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.signals import SqsSignals
from webordinary.engines.aws.sqs.queues import QueueAddresses
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Iterator

LANE = Lane("amelia", "scott")


@contextmanager
def agent(status: int = 200) -> Iterator[tuple[str, list[Any]]]:
    """Stand in for the agent of ECS, and note what it is asked."""
    asked: list[Any] = []

    class Agent(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            asked.append((self.path, json.loads(body)))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Agent)
    with listening(server):
        yield f"http://127.0.0.1:{server.server_port}/api/abc", asked


def test_a_task_is_protected_for_a_few_minutes_and_again_before_they_are_over() -> None:
    with agent() as (address, asked):
        protection = TaskProtection.of({VARIABLE: address})
        for seconds in (0, 30, 59, 60, 61, 125):
            protection.extend(1000.0 + seconds)

    wanted = {"ProtectionEnabled": True, "ExpiresInMinutes": PROTECTED_MINUTES}
    assert asked == [("/api/abc/task-protection/v1/state", wanted)] * 3


def test_an_agent_that_refuses_or_is_gone_stops_nobody() -> None:
    with agent(400) as (address, asked):
        TaskProtection.of({VARIABLE: address}).extend(0)
    TaskProtection.of({VARIABLE: address}).extend(0)
    assert len(asked) == 1


def test_outside_of_ecs_nobody_is_asked() -> None:
    for address in ("", "file:///etc/passwd", "https://elsewhere.example"):
        TaskProtection.of({VARIABLE: address}).extend(0)


def test_a_task_is_protected_only_while_a_job_runs_in_it() -> None:
    nobody = cast("Any", None)
    addresses = QueueAddresses(nobody, Names(), "https://sqs.example/1/webordinary-unclaimed")
    with agent() as (address, asked):
        listener = SqsSignals(nobody, addresses, {}, TaskProtection(address)).listen("w1")
        listener.wait(timedelta(0))
        listener.attend(LANE)
        listener.wait(timedelta(0))
        assert asked == []
        listener.attend(LANE, working=True)
        listener.wait(timedelta(0))
        # The next job of the lane is taken without a word in between.
        listener.attend(LANE)
        listener.attend(LANE, working=True)
        assert [what["ProtectionEnabled"] for _, what in asked] == [True]
        listener.attend(LANE)
        for _ in range(2):
            listener.wait(timedelta(0))
        listener.attend(LANE, working=True)
        listener.close()
    assert [what["ProtectionEnabled"] for _, what in asked] == [True, False, True]
