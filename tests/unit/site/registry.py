"""A registry on loopback with one small package, as npm and as pip ask for it."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from tests.serving import listening

if TYPE_CHECKING:
    from collections.abc import Iterator

WHEEL = "tiny-1.0-py3-none-any.whl"


def npm_package() -> bytes:
    """Return a package that would leave a mark if anything of it was run while it is installed."""
    manifest = {
        "name": "tiny",
        "version": "1.0.0",
        "main": "index.js",
        "bin": {"tiny": "index.js"},
        "scripts": {"preinstall": "touch MARK", "install": "touch MARK", "postinstall": "touch MARK"},
    }
    script = '#!/usr/bin/env node\nconsole.log("tiny is here")\n'
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in (("package/package.json", json.dumps(manifest)), ("package/index.js", script)):
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(text), 0o755
            archive.addfile(info, io.BytesIO(text.encode()))
    return packed.getvalue()


def pip_package() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("tiny.py", "def main():\n    print('tiny is here')\n")
        archive.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        archive.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("tiny-1.0.dist-info/entry_points.txt", "[console_scripts]\ntiny = tiny:main\n")
        archive.writestr("tiny-1.0.dist-info/RECORD", "")
    return packed.getvalue()


@dataclass
class Registry:
    """What it has, and what was asked of it."""

    address: str = ""
    npm: bytes = field(default_factory=npm_package)
    pip: bytes = field(default_factory=pip_package)
    asked: list[str] = field(default_factory=list)

    @property
    def integrity(self) -> str:
        return f"sha512-{base64.b64encode(hashlib.sha512(self.npm).digest()).decode()}"

    def npm_files(self) -> dict[str, bytes]:
        """Return the manifest and the lock of a site that needs the package."""
        root = {"name": "site", "dependencies": {"tiny": "1.0.0"}}
        tiny = {"version": "1.0.0", "integrity": self.integrity, "hasInstallScript": True, "bin": {"tiny": "index.js"}}
        lock = {"name": "site", "lockfileVersion": 3, "packages": {"": root, "node_modules/tiny": tiny}}
        return {"package.json": json.dumps(root).encode(), "package-lock.json": json.dumps(lock).encode()}

    def pip_files(self) -> dict[str, bytes]:
        digest = hashlib.sha256(self.pip).hexdigest()
        return {"requirements.txt": f"# made by a program\ntiny==1.0 \\\n    --hash=sha256:{digest}\n".encode()}

    def answer(self, path: str) -> tuple[str, bytes] | None:
        tarball = f"{self.address}/tiny/-/tiny-1.0.0.tgz"
        version = {"name": "tiny", "version": "1.0.0", "dist": {"tarball": tarball, "integrity": self.integrity}}
        about = {"name": "tiny", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version}}
        return {
            "/tiny": ("application/json", json.dumps(about).encode()),
            "/tiny/-/tiny-1.0.0.tgz": ("application/octet-stream", self.npm),
            "/simple/tiny/": ("text/html", f'<a href="/files/{WHEEL}">{WHEEL}</a>'.encode()),
            f"/files/{WHEEL}": ("application/octet-stream", self.pip),
        }.get(path)


@contextmanager
def registry() -> Iterator[Registry]:
    """Run one until it is no longer needed."""
    place = Registry()

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            place.asked.append(self.path)
            kind, body = place.answer(self.path) or ("", b"")
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind or "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that it has there
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    place.address = f"http://127.0.0.1:{server.server_port}"
    with listening(server):
        yield place
