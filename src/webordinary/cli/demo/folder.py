"""The folder of a demo: a bakery's site in a real repository, a mailbox and a configuration that joins them."""

from __future__ import annotations

import os
import re
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webordinary.cli.options import CONFIG_NAME
from webordinary.config import Config, example_config, load_config, project_block, with_project
from webordinary.errors import Misconfigured
from webordinary.workspace.lock import try_lock

DOMAIN = "edit.localhost"
PROJECT = "amelia"
OWNER = "scott"
OWNER_ADDRESS = "scott@example.org"
MAILBOX = "mailbox"
# What an agent with a model may spend in a demo.
LIMIT_USD = 1.0

_HOST = "127.0.0.1"
_LOCK = ".demo"
_LISTEN = re.compile(
    rf'^(\[(?:smtp|preview|dashboard)\]\n(?:(?!\[).*\n)*?listen = )"{re.escape(_HOST)}:(\d+)"', re.MULTILINE
)


@contextmanager
def open_folder(folder: Path, *, fresh: bool) -> Iterator[Config]:
    """Make the demo or use it again, for this process alone; its ports are free ones."""
    if fresh and folder.exists():
        with _alone_in(folder):
            shutil.rmtree(folder)
    if not folder.exists():
        _make(folder)
    with _alone_in(folder):
        path = folder / CONFIG_NAME
        path.write_text(_with_free_ports(path.read_text(encoding="utf-8")), encoding="utf-8")
        yield read_demo(folder)


def read_demo(folder: Path) -> Config:
    """Load the configuration of a demo; any other one is refused, because a demo may be removed."""
    path = folder / CONFIG_NAME
    config = load_config(path, os.environ) if path.exists() else None
    if config is None or not config.demo:
        raise Misconfigured(f"{folder} is not the folder of a demo; name another one with --folder.")
    return config


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    read_demo(folder)
    with (folder / _LOCK).open("w") as lock:
        if not try_lock(lock.fileno()):
            raise Misconfigured(
                f'A demo already runs in {folder}; send it a mail with `webordinary demo send "…"`,'
                " or end it with Ctrl-C."
            )
        yield


def _make(folder: Path) -> None:
    """Make everything beside its place and move it there, so that a half-made demo is never found."""
    folder.absolute().parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=".demo-") as beside:
        draft = Path(beside) / "demo"
        draft.mkdir()
        make_site(draft)
        (draft / CONFIG_NAME).write_text(_first_text(), encoding="utf-8")
        draft.rename(folder.absolute())


def make_site(folder: Path) -> None:
    """Make a repository with the sample site, and the bare one that it is pushed to."""
    from webordinary.testing.samples import copy_sample_site  # noqa: PLC0415 - only a new demo needs it
    from webordinary.workspace.adopt import copy_repository  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.workspace.git import Git  # noqa: PLC0415 - heavy, and --help should be quick

    site = folder / "site"
    copy_sample_site(site)
    git = Git(site, repository=site / ".git")
    git.read("init", "--quiet", "--initial-branch=main")
    git.read("add", "--all")
    git.read("commit", "--quiet", "--message=The site of Amelia's Bakery")
    copy_repository(str(site), folder / f"{PROJECT}.git", branch="main")
    git.read("remote", "add", "origin", f"../{PROJECT}.git")


def _first_text() -> str:
    smtp, preview, dashboard = _free_ports(3)
    text = example_config(
        domain=DOMAIN,
        smtp_listen=f"{_HOST}:{smtp}",
        preview_listen=f"{_HOST}:{preview}",
        dashboard_listen=f"{_HOST}:{dashboard}",
        outgoing=f"maildir:{MAILBOX}",
        workers=2,
        demo=True,
    )
    block = project_block(
        id=PROJECT,
        name="Amelia's Bakery",
        repository=f"{PROJECT}.git",
        site_to=f"live/{PROJECT}",
        editors=[(OWNER, OWNER_ADDRESS)],
    )
    # A newer mail goes first at once: nobody who tries it wants to wait for that.
    quick = text.replace("[workers]\n", '[workers]\nfirst_interrupt_after = "0 s"\n', 1)
    return with_project(
        quick, block.replace("\nname = ", f"\nbudget = {{ usd = {LIMIT_USD}, usd_a_day = {LIMIT_USD} }}\nname = ", 1)
    )


def _with_free_ports(text: str) -> str:
    """Keep the ports of the last time where they are still free, so that open browser windows go on working."""
    fresh = iter(_free_ports(3))

    def replace(found: re.Match[str]) -> str:
        port = int(found[2]) if _is_free(int(found[2])) else next(fresh)
        return f'{found[1]}"{_HOST}:{port}"'

    return _LISTEN.sub(replace, text)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_HOST, port))
        except OSError:
            return False
        return True


def _free_ports(count: int) -> list[int]:
    # All are held until all are known, so that no two are the same.
    probes = [socket.create_server((_HOST, 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports
