from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

from tests.serving import listening
from webordinary.engines.aws.ecs.container import VARIABLE, container_id
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = ManualClock().now()
ARN = "arn:aws:ecs:eu-central-1:123456789012:task/webordinary/158d1c8083dd49d6b527399fd6414f5c"


@contextmanager
def metadata(answer: bytes, status: int = 200) -> Iterator[str]:
    """Serve what ECS tells a container about its task, at an address like that of ECS."""

    class Metadata(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/v4/abc/task" else 404)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Metadata)
    with listening(server):
        yield f"http://127.0.0.1:{server.server_port}/v4/abc"


def test_a_container_of_ecs_is_called_by_its_tasks_id() -> None:
    with metadata(json.dumps({"TaskARN": ARN}).encode()) as address:
        assert container_id({VARIABLE: address}, NOW) == "158d1c8083dd49d6b527399fd6414f5c"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b"", 500),
        (b"no json", 200),
        (b"[]", 200),
        (b'{"TaskARN": "arn:aws:ecs:x:1:task/../../etc"}', 200),
        (b"{}", 200),
    ],
)
def test_a_strange_answer_of_ecs_stops_nobody(answer: bytes, status: int) -> None:
    with metadata(answer, status) as address:
        assert container_id({VARIABLE: address}, NOW).startswith("container-")


def test_elsewhere_the_name_is_made_of_the_time_and_chance() -> None:
    names = {container_id(environ, NOW) for environ in ({}, {}, {VARIABLE: "file:///etc/passwd"})}
    assert len(names) == 3
    assert all(name.startswith(f"container-{int(NOW.seconds)}-") for name in names)


def test_an_address_that_nobody_answers_at_stops_nobody() -> None:
    assert container_id({VARIABLE: "http://127.0.0.1:1/v4"}, NOW).startswith("container-")
