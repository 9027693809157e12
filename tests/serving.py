"""Small servers of tests, each in a thread of its own."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from socketserver import BaseServer


@contextmanager
def listening(server: BaseServer) -> Iterator[None]:
    """Let a server answer inside the block; behind it nobody listens there any more."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
