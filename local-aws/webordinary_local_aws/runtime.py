"""Lambda's runtime API on loopback: one of our functions in a process of its own, under Amazon's own runtime client."""

from __future__ import annotations

import os
import queue
import re
import sys
import threading
import time
import uuid
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import TYPE_CHECKING, Any, Self

from webordinary.child import Child

if TYPE_CHECKING:
    from collections.abc import Mapping

_API = "/2018-06-01/runtime"
_ANSWER = re.compile(rf"{_API}/invocation/(?P<call>[^/]+)/(?P<kind>response|error)")
_LONGEST_RUN = 60.0


class Runtime:
    """Starts with the first call and is then kept for the next ones, as Amazon does; one call at a time."""

    def __init__(self, handler: str, environment: Mapping[str, str]) -> None:
        self._handler = handler
        self._environment = dict(environment)
        self._calls: queue.Queue[tuple[str, bytes] | None] = queue.Queue()
        self._answers: dict[str, queue.Queue[tuple[bytes, bool]]] = {}
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._server = _Server(("127.0.0.1", 0), partial(_Talk, self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="runtime-api", daemon=True
        )
        self._thread.start()

    def answer(self, event: bytes) -> tuple[bytes, bool]:
        """Call the function; return its answer or its error as the runtime client tells it, and whether it failed."""
        call, answered = str(uuid.uuid4()), queue.Queue[tuple[bytes, bool]]()
        with self._lock:
            self._answers[call] = answered
            self._child = self._child or self._start()
        self._calls.put((call, event or b"{}"))
        return answered.get(timeout=_LONGEST_RUN)

    def next_call(self) -> tuple[str, bytes] | None:
        """Wait for the next call; None when there will be none."""
        return self._calls.get()

    def take_answer(self, call: str | None, words: bytes, *, failed: bool) -> None:
        """Pass an answer on to whoever called; a function that cannot even begin answers everybody so."""
        with self._lock:
            waiting = list(self._answers) if call is None else [call]
            for each in waiting:
                self._answers.pop(each).put((words, failed))

    def close(self) -> None:
        self._calls.put(None)
        if self._child is not None:
            self._child.stop(timedelta(0))
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> Child:
        name = self._handler.rpartition(".")[0].rpartition(".")[2]
        env = {
            "PATH": os.environ["PATH"],
            **self._environment,
            "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self._server.server_port}",
            "AWS_LAMBDA_FUNCTION_NAME": name,
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "128",
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "LAMBDA_TASK_ROOT": str(Path.cwd()),
            "_HANDLER": self._handler,
        }
        return Child([sys.executable, "-m", "awslambdaric", self._handler], cwd=Path.cwd(), env=env)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def server_bind(self) -> None:
        # The library's own looks the machine's full name up, which can take as long as a name server wants.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]  # bytes never come


class _Talk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, runtime: Runtime, *connection: Any) -> None:  # noqa: ANN401 - for the library
        self._runtime = runtime
        super().__init__(*connection)

    def do_GET(self) -> None:
        """Give the function its next call, however long that takes to come."""
        call = self._runtime.next_call()
        if call is None:
            self._reply(HTTPStatus.GONE, b"")
            return
        until = int((time.time() + _LONGEST_RUN) * 1000)
        told = {
            "Lambda-Runtime-Aws-Request-Id": call[0],
            "Lambda-Runtime-Deadline-Ms": str(until),
            "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:local:000000000000:function:local",
        }
        self._reply(HTTPStatus.OK, call[1], **told)

    def do_POST(self) -> None:
        words = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        answered = _ANSWER.fullmatch(self.path)
        self._reply(HTTPStatus.ACCEPTED, b'{"status": "OK"}')
        if answered is not None:
            self._runtime.take_answer(answered["call"], words, failed=answered["kind"] == "error")
        else:
            self._runtime.take_answer(None, words, failed=True)

    def log_message(self, *_: object) -> None:
        """Say nothing: what a function does is in its own log."""

    def _reply(self, status: HTTPStatus, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
