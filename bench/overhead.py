"""From "250" to the answer at the outgoing server, beside the same git commands, copies and sandboxes run bare."""

from __future__ import annotations

import shutil
import smtplib
import socket
import statistics
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from aiosmtpd.controller import Controller

from bench.recorder import Bare, recorded
from webordinary.cli.release import publish_first
from webordinary.config import example_config, load_config, project_block, with_project
from webordinary.doors.smtp import Smtp
from webordinary.doors.smtp_listener import SmtpListener
from webordinary.engines.installation import Installation
from webordinary.errors import Misconfigured
from webordinary.serve.assemble import attempt_of
from webordinary.testing.mail import write_mail
from webordinary.testing.samples import copy_sample_site
from webordinary.worker.loop import Worker
from webordinary.workspace.adopt import make_repository
from webordinary.workspace.sandbox import choose_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aiosmtpd.smtp import SMTP, Envelope, Session

    from bench.recorder import Recording
    from webordinary.workspace.sandbox import Sandbox

_SCOTT, _TO = "scott@example.org", "amelia@edit.example.com"
_HOURS = ("nine", "ten")
_PATIENCE_SECONDS = 120.0
_KEYS = ("overhead_ratio", "own_time_s", "mail_to_answer_s", "bare_work_s")


class _Outgoing:
    """The outgoing server: says when it has got an answer."""

    def __init__(self) -> None:
        self.got = threading.Event()
        self.got_at = 0.0

    async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd calls it so
        self.got_at = time.perf_counter()
        self.got.set()
        return "250 OK"


def measure_overhead(parent: Path, mails: int) -> dict[str, object]:
    """Send one mail after the other; the first one, which makes the checkout, is not counted."""
    try:
        sandbox = choose_sandbox("auto")
    except Misconfigured:
        return dict.fromkeys(_KEYS, "not measured")
    took, bare = [], []
    with tempfile.TemporaryDirectory(prefix="bench-", dir=parent.absolute()) as name:
        folder = Path(name)
        with _working(folder) as (port, outgoing):
            for number in range(mails + 1):
                before = _keep(folder)
                with recorded(sandbox) as recording:
                    seconds = _ask(port, outgoing, number)
                if number:
                    took.append(seconds)
                    bare.append(_replay(folder, before, recording, sandbox))
                shutil.rmtree(before)
    ratios = [one / other for one, other in zip(took, bare, strict=True)]
    return {
        "overhead_ratio": round(statistics.median(ratios), 2),
        "own_time_s": round(statistics.median(one - other for one, other in zip(took, bare, strict=True)), 3),
        "mail_to_answer_s": round(statistics.median(took), 3),
        "bare_work_s": round(statistics.median(bare), 3),
    }


def _ask(port: int, outgoing: _Outgoing, number: int) -> float:
    """Return the seconds from the "250" for a mail to its answer."""
    outgoing.got.clear()
    raw = write_mail(sender=_SCOTT, to=_TO, text=f"We open at {_HOURS[number % 2]} now")
    with smtplib.SMTP("127.0.0.1", port) as client:
        client.sendmail(_SCOTT, [_TO], raw)
        accepted_at = time.perf_counter()
    if not outgoing.got.wait(_PATIENCE_SECONDS):
        raise AssertionError("no answer came")
    return outgoing.got_at - accepted_at


@contextmanager
def _working(folder: Path) -> Iterator[tuple[int, _Outgoing]]:
    outgoing = _Outgoing()
    # It tries its own port out, so that one has to be known before.
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = int(probe.getsockname()[1])
    server = Controller(outgoing, hostname="127.0.0.1", port=port)
    server.start()
    try:
        here = Installation.open(load_config(_set_up(folder, port), {}))
        publish_first(here, here.config.projects[0])
        chores = here.chores("bench")
        worker = Worker("bench", here.engine, attempt_of(here, chores), here.clock, here.limits)
        listener = SmtpListener(here.intake, here.config.find_doors(Smtp)[0])
        thread = threading.Thread(target=worker.run)
        for each in (chores, listener, thread):
            each.start()
        try:
            yield listener.address[1], outgoing
        finally:
            listener.close()
            worker.drain()
            thread.join()
            chores.close()
    finally:
        server.stop()


def _set_up(folder: Path, outgoing: int) -> Path:
    copy_sample_site(folder / "site")
    make_repository(folder / "site", folder / "amelia.git", branch="main")
    text = example_config(outgoing=f"smtp://127.0.0.1:{outgoing}", smtp_listen="127.0.0.1:0", demo=True)
    text = text.replace("[agency]", '[pictures]\nmode = "off"\n\n[agency]\nwelcome = false')
    block = project_block(id="amelia", repository="amelia.git", site_to="live", editors=(("scott", _SCOTT),))
    path = folder / "webordinary.toml"
    path.write_text(with_project(text, block), encoding="utf-8")
    return path


def _states(folder: Path) -> tuple[Path, ...]:
    return folder / "amelia.git", folder / "data" / "workspace"


def _keep(folder: Path) -> Path:
    """Keep the repositories as they are before a mail."""
    kept = folder / "before"
    for state in _states(folder):
        if state.exists():
            shutil.copytree(state, kept / state.name, symlinks=True)
    return kept


def _replay(folder: Path, before: Path, recording: Recording, sandbox: Sandbox) -> float:
    """Do it again from the same beginning, and leave everything as the job left it."""
    lane = folder / "data" / "workspace" / "lanes" / "amelia"
    edited = {page: page.read_bytes() for page in lane.rglob("*.html")}
    after = folder / "after"
    for state in _states(folder):
        shutil.move(state, after / state.name)
        shutil.copytree(before / state.name, state, symlinks=True)
    try:
        return Bare(edited, folder / "live" / "live", sandbox, folder).replay(recording)
    finally:
        for state in _states(folder):
            shutil.rmtree(state)
            shutil.move(after / state.name, state)
