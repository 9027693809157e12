"""Debian's nginx and Caddy in front of our own servers, with the recipes of our pages."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from tests.programs import need

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TRIES = 500
_NGINX = """\
daemon off;
{user}
pid {folder}/pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    {options}
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {recipe}
}}
"""


def set_up_nginx(recipe: str, folder: Path, options: str = "") -> list[str]:
    """Write the configuration around a recipe, and return the command that serves it."""
    # As root its workers would become somebody who cannot look into the folder of a test.
    user = "" if os.getuid() else "user root;"
    text = _NGINX.format(folder=folder, recipe=recipe, user=user, options=options)
    (folder / "nginx.conf").write_text(text)
    return [need("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]


def set_up_caddy(recipe: str, folder: Path, options: str) -> list[str]:
    """Write the configuration around a recipe, and return the command that serves it."""
    # The other half of a reserved port is taken.
    options += "\nservers {\nprotocols h1 h2\n}"
    (folder / "Caddyfile").write_text(f"{{\n{options}\n}}\n{recipe}")
    return [need("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@contextmanager
def running(argv: list[str], folder: Path, port: int) -> Iterator[None]:
    """Run a web server inside the block, from the moment on at which it takes connections."""
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(argv, env={**os.environ, **home}, stdout=said, stderr=said)
    try:
        _wait_until_open(port, process, folder)
        yield
    finally:
        process.terminate()
        process.wait()


def _wait_until_open(port: int, process: subprocess.Popen[bytes], folder: Path) -> None:
    pause = threading.Event()
    for _ in range(_TRIES):
        assert process.poll() is None, (folder / "said").read_text()
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
            return
        pause.wait(0.02)
    raise AssertionError((folder / "said").read_text())
