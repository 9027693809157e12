"""What an idle worker costs: the real worker process, as `webordinary serve` starts it, with nothing to do."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child.companion import Companion
from webordinary.config import example_config, load_config, project_block, with_project
from webordinary.engines.installation import Installation
from webordinary.worker.loop import new_worker_name

if TYPE_CHECKING:
    from webordinary.engine import Engine

_PATIENCE_SECONDS = 60.0
_LOOK_SECONDS = 0.01
# The first seconds pay for what is only loaded once.
_WARM_UP_SECONDS = 2.0
_USER, _SYSTEM = 11, 12


def measure_idle(parent: Path, seconds: float) -> dict[str, object]:
    """Let one worker wait for that long, and read from the kernel what it used."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir=parent) as folder:
        config = _write_config(Path(folder))
        engine = Installation.open(load_config(config, {})).engine
        name = new_worker_name()
        argv = [sys.executable, "-m", "webordinary.serve.worker_process", str(config), name]
        worker = Companion(argv, os.environ)
        try:
            _wait_until_idle(engine)
            time.sleep(min(_WARM_UP_SECONDS, seconds))
            used = _cpu_seconds(worker.pid)
            time.sleep(seconds)
            used = _cpu_seconds(worker.pid) - used
            return {"idle_cpu_percent": round(used / seconds * 100, 3), "idle_rss_mb": _memory_mb(worker.pid)}
        finally:
            worker.signal(signal.SIGTERM)
            worker.bury()


def _write_config(folder: Path) -> Path:
    """Write what `webordinary init` and `project add` would: one site, one editor, a mailbox for the answers."""
    block = project_block(
        id="amelia",
        repository=str(folder / "amelia.git"),
        build=(),
        output=".",
        site_to="sites/amelia",
        editors=(("scott", "scott@example.org"),),
    )
    text = example_config(domain="edit.example.com", outgoing="maildir:mailbox", workers=1)
    path = folder / "webordinary.toml"
    path.write_text(with_project(text, block), encoding="utf-8")
    return path


def _wait_until_idle(engine: Engine) -> None:
    ends_at = time.monotonic() + _PATIENCE_SECONDS
    while not any(worker.idle for worker in engine.overview.workers()) and time.monotonic() < ends_at:
        time.sleep(_LOOK_SECONDS)


def _cpu_seconds(pid: int) -> float:
    text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    fields = text[text.rindex(")") + 2 :].split()
    return (int(fields[_USER]) + int(fields[_SYSTEM])) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    kilobytes = next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
    return round(kilobytes / 1024, 1)
