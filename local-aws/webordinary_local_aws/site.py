"""A site in the local bucket as a browser sees it: its pointer is followed for each request, as at CloudFront."""

from __future__ import annotations

import json
import mimetypes
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Self
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from webordinary.engines.aws.s3.bucket import Bucket


def find_page(sites: Bucket, project: str, path: str) -> bytes | None:
    """Return an object of the live site of a project; a folder is its index."""
    pointer = sites.read(f"{project}/live.json")
    place = json.loads(pointer.content).get("place") if pointer else None
    found = sites.read(f"{place}{_name(path)}") if place else None
    return found.content if found else None


def _name(path: str) -> str:
    return f"{path}index.html" if not path or path.endswith("/") else path


class SiteDoor:
    """Shows one project's live site on loopback for as long as the block runs."""

    def __init__(self, sites: Bucket, project: str) -> None:
        class Visitor(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = unquote(urlsplit(self.path).path).lstrip("/")
                content = find_page(sites, project, path)
                self.send_response(200 if content is not None else 404)
                kind = mimetypes.guess_type(_name(path))[0] if content is not None else "text/plain"
                content = content if content is not None else b"There is no such page."
                self.send_header("Content-Type", kind or "application/octet-stream")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Visitor)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="site", daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
