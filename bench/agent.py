"""Our own time around a real Claude Code whose model answers at once: before it, behind it, and of a warm follow-up."""

from __future__ import annotations

import mailbox
import os
import select
import statistics
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.agent.claude_code import find_claude
from webordinary.audit.entry import EventType
from webordinary.child import run
from webordinary.config import example_config, load_config, project_block, with_project
from webordinary.doors.deliver import deliver
from webordinary.engines.installation import Installation
from webordinary.errors import Misconfigured
from webordinary.serve.assemble import attempt_of
from webordinary.testing.mail import write_mail
from webordinary.testing.model import ModelStep, ScriptedModel
from webordinary.testing.samples import copy_sample_site
from webordinary.worker.change.edit import Edit
from webordinary.worker.loop import Worker
from webordinary.workspace.adopt import make_repository
from webordinary.workspace.sandbox import choose_sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.agent.agent import Agent, Event, Report, Task
    from webordinary.audit.entry import Entry
    from webordinary.child import Child
    from webordinary.workspace.sandbox import Sandbox

_SCOTT = "scott@example.org"
_PAGE = "{{folder}}/contact.html"
_PATIENCE_SECONDS = 120.0
_KEYS = ("agent_overhead_s", "agent_before_s", "agent_after_s", "sandbox_overhead_s", "warm_followup_overhead_s")


@dataclass
class Timed:
    """An agent that says when its process began and when it was gone."""

    agent: Agent
    began_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    ended_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def run(self, task: Task, watch: Callable[[Child], None], tell: Callable[[Event], None]) -> Report:
        def watched(child: Child) -> None:
            self.began_at = datetime.now(UTC)
            threading.Thread(target=self._see_it_end, args=(os.pidfd_open(child.pid),), daemon=True).start()
            watch(child)

        return self.agent.run(task, watched, tell)

    def transcript(self, task: Task) -> bytes | None:
        return self.agent.transcript(task)

    def _see_it_end(self, pidfd: int) -> None:
        select.select([pidfd], [], [])
        self.ended_at = datetime.now(UTC)
        os.close(pidfd)


def measure_agent(parent: Path, jobs: int) -> dict[str, object]:
    """Let one thread ask for one change after the other; without the program nothing is measured."""
    try:
        find_claude(None)
        sandbox = choose_sandbox("auto")
    except Misconfigured:
        return dict.fromkeys(_KEYS, "not measured")
    with (
        tempfile.TemporaryDirectory(dir=parent.absolute()) as folder,
        ScriptedModel(_scripts(jobs)) as model,
        _working(Path(folder), model) as (here, timed),
    ):
        before, after, own = _ask_again_and_again(here, timed, Path(folder), jobs)
    return {
        "agent_overhead_s": _middle([first + last for first, last in zip(before, after, strict=True)]),
        "agent_before_s": _middle(before),
        "agent_after_s": _middle(after),
        "sandbox_overhead_s": _sandbox_start(sandbox, jobs),
        "warm_followup_overhead_s": _middle(own[1:] or own),
    }


def _scripts(jobs: int) -> dict[str, tuple[ModelStep, ...]]:
    """Move the opening by one minute with each mail."""
    return {f"minute {minute:02}": _edit(f">8:{minute - 1:02} ", f">8:{minute:02} ") for minute in range(1, jobs + 1)}


def _edit(old: str, new: str) -> tuple[ModelStep, ...]:
    """Change the first hours on the page; Saturday's begin alike, so what stands before them goes along."""
    day = "Monday to Friday</td><td"
    change = {"file_path": _PAGE, "old_string": day + old, "new_string": day + new}
    return (
        ModelStep(tools=(("Read", {"file_path": _PAGE}),)),
        ModelStep(tools=(("Edit", change),)),
        ModelStep("Done."),
    )


@contextmanager
def _working(folder: Path, model: ScriptedModel) -> Iterator[tuple[Installation, Timed]]:
    here = Installation.open(load_config(_set_up(folder, model), {}))
    chores = here.chores("bench")
    attempt = attempt_of(here, chores)
    if not isinstance(attempt.edit, Edit):
        raise TypeError("only an edit has an agent")
    hired = attempt.edit.agent_of(here.config.projects[0])
    timed = Timed(hired.agent)
    edit = replace(attempt.edit, agent_of=lambda _: replace(hired, agent=timed))
    worker = Worker("bench", here.engine, replace(attempt, edit=edit), here.clock, here.limits)
    thread = threading.Thread(target=worker.run)
    chores.start()
    thread.start()
    try:
        yield here, timed
    finally:
        worker.drain()
        thread.join()
        chores.close()


def _set_up(folder: Path, model: ScriptedModel) -> Path:
    copy_sample_site(folder / "site")
    make_repository(folder / "site", folder / "amelia.git", branch="main")
    claude = f'kind = "claude"\nkey = "sk-0123456789"\naddress = "{model.address}"'
    text = example_config(outgoing="maildir:mailbox").replace('kind = "scripted"', claude)
    block = project_block(id="amelia", repository="amelia.git", site_to="live", editors=(("scott", _SCOTT),)).replace(
        "[project.site]", "[project.budget]\nusd_a_day = 1000\n\n[project.site]"
    )
    path = folder / "webordinary.toml"
    text = text.replace("[agency]", '[pictures]\nmode = "off"\n\n[agency]\nwelcome = false')
    path.write_text(with_project(text, block), encoding="utf-8")
    mailbox.Maildir(folder / "mailbox")
    return path


def _ask_again_and_again(
    here: Installation, timed: Timed, folder: Path, jobs: int
) -> tuple[list[float], list[float], list[float]]:
    """Return our time before the agent, behind it until its commit, and in all but the agent, job by job."""
    before, after, own = [], [], []
    for minute in range(1, jobs + 1):
        asked_at = datetime.now(UTC)
        text = f"Set the opening to minute {minute:02}"
        raw = write_mail(sender=_SCOTT, to="amelia@edit.example.com", text=text, in_reply_to=_last_answer(folder))
        mail, _ = deliver(here.intake, raw, as_address=_SCOTT, recipients=("amelia@edit.example.com",))
        job = next(each.id for each in here.engine.overview.jobs() if each.mail == mail)
        answered = _wait(here, job, EventType.ANSWERED)
        entries = [entry for entry in here.engine.trail.read(limit=100_000) if entry.job == job]
        began = next(entry.at for entry in entries if entry.what == EventType.JOB_STARTED)
        edited = next(entry.at for entry in entries if entry.what == EventType.STEP and entry.text == "edited")
        before.append((timed.began_at - began) / timedelta(seconds=1))
        after.append((edited - timed.ended_at) / timedelta(seconds=1))
        own.append((answered.at - asked_at - (timed.ended_at - timed.began_at)) / timedelta(seconds=1))
    return before, after, own


def _wait(here: Installation, job: str, what: EventType) -> Entry:
    ends_at = time.monotonic() + _PATIENCE_SECONDS
    pause = threading.Event()
    while time.monotonic() < ends_at:
        found = [entry for entry in here.engine.trail.read(limit=100_000) if entry.job == job and entry.what == what]
        if found:
            return found[0]
        pause.wait(0.005)
    raise AssertionError(f"{job} was never {what.value}")


def _last_answer(folder: Path) -> str | None:
    box = mailbox.Maildir(folder / "mailbox")
    keys = sorted(box.keys())
    return str(box[keys[-1]]["Message-ID"]).strip() if keys else None


def _sandbox_start(sandbox: Sandbox, times: int) -> float:
    """Return what the walls around a program that does nothing add to it."""
    with tempfile.TemporaryDirectory() as folder:
        bare = [_took(("true",), Path(folder)) for _ in range(times)]
        wrapped = [_took(sandbox.wrap(("true",), checkout=Path(folder)), Path(folder)) for _ in range(times)]
    return _middle([statistics.median(wrapped) - statistics.median(bare)])


def _took(argv: tuple[str, ...], folder: Path) -> float:
    began = time.perf_counter()
    run(argv, cwd=folder, env={"PATH": os.environ.get("PATH", os.defpath)})
    return time.perf_counter() - began


def _middle(seconds: list[float]) -> float:
    return round(statistics.median(seconds), 3)
