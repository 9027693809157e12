"""A mail filter for tests that speaks Postfix's own protocol: it puts one header on top of every mail."""

from __future__ import annotations

import socketserver
import struct
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_VERSION = 6
_MAY_ADD_HEADERS = 0x01
_ASKED, _MACRO, _END, _OVER, _CONTINUE, _INSERT = b"O", b"D", b"E", b"Q", b"c", b"i"


@contextmanager
def filtering(name: str, value: str) -> Iterator[int]:
    """Run the filter on a port of loopback, and tell which; it adds this header above all others."""

    class Filter(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while size := self.rfile.read(4):
                said = self.rfile.read(struct.unpack("!I", size)[0])
                if said[:1] == _OVER:
                    return
                if said[:1] == _ASKED:
                    self._answer(_ASKED + struct.pack("!III", _VERSION, _MAY_ADD_HEADERS, 0))
                elif said[:1] == _END:
                    self._answer(_INSERT + struct.pack("!I", 0) + f"{name}\0{value}\0".encode())
                    self._answer(_CONTINUE)
                elif said[:1] not in {_MACRO, b"A"}:
                    self._answer(_CONTINUE)

        def _answer(self, words: bytes) -> None:
            self.wfile.write(struct.pack("!I", len(words)) + words)

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Filter) as server:
        thread = threading.Thread(target=server.serve_forever, name="milter", daemon=True)
        thread.start()
        yield int(server.server_address[1])
        server.shutdown()
        thread.join()
