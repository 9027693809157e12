"""Claude Code as an agent: in the sandbox, without a key, reading its orders only from its standard input.

What Claude Code says on its output, line by line, as events and as one result.
"success" is not success there: a run whose edits were denied and one whose model was dead both say so.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import re
import shutil
import stat
import sys
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webordinary.agent import bridge
from webordinary.agent.agent import Allowance, Event, EventKind, OverBudget, Task
from webordinary.agent.kind import AgentKind, complaints_about_key
from webordinary.agent.prices import NO_CORRECTIONS, PriceList
from webordinary.agent.prompt import SYSTEM, write_prompt
from webordinary.agent.relay import Relay, judge_calls
from webordinary.agent.said import report_on, with_complaint
from webordinary.agent.spending import Spending
from webordinary.agent.window import SERVER, LookWindow
from webordinary.child import Child, ResourceLimits, run
from webordinary.errors import AgentFailed, Interrupted, Misconfigured, TryAgain
from webordinary.workspace.installation import private_places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from webordinary.agent.agent import Report
    from webordinary.agent.kind import AgentSurroundings, AgentTable
    from webordinary.agent.upstream import Upstream
    from webordinary.agent.window import Sight
    from webordinary.child import Finished
    from webordinary.jobs.repairs import Findings
    from webordinary.workspace.sandbox import Sandbox


# The first with --restricted as it is used here; older ones run a repository's own hooks.
OLDEST = (2, 1, 300)
_SECONDS = timedelta(seconds=30)
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_INSTALL = 'install it with `pip install "webordinary[claude]"`, or name yours with `agent.program`'


@cache
def find_claude(named: str | None) -> Path:
    """Return the program: the named one, the one that came with the extra, or the one on the path."""
    for place in (named,) if named else (_bundled(), shutil.which("claude")):
        if place is not None and Path(place).is_file():
            _check_version(Path(place))
            return Path(place).resolve()
    raise Misconfigured(f"There is no Claude Code {f'at {named}' if named else 'on this machine'}; {_INSTALL}.")


def _bundled() -> str | None:
    found = importlib.util.find_spec("claude_agent_sdk")
    if found is None or found.origin is None:
        return None
    return str(Path(found.origin).parent / "_bundled" / "claude")


def _check_version(program: Path) -> None:
    env = {"PATH": os.defpath, "HOME": "/nonexistent", "DISABLE_AUTOUPDATER": "1"}
    said = run([str(program), "--version"], cwd=Path("/"), env=env, deadline=_SECONDS)
    text = said.stdout.decode(errors="replace").strip()
    found = _VERSION.search(text)
    if not said.succeeded or found is None:
        raise Misconfigured(f"{program} does not say which version of Claude Code it is; {_INSTALL}.")
    if tuple(map(int, found.groups())) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise Misconfigured(f"Claude Code {found[0]} is too old, {oldest} or newer is needed; {_INSTALL}.")


_MOST_DENIED = 100
_ON_A_FILE = ("file_path", "path", "pattern", "notebook_path")


@dataclass(slots=True)
class Stream:
    """One run as far as it has been heard."""

    result: dict[str, Any] | None = None
    denied: list[str] = field(default_factory=list)

    def hear(self, line: str) -> list[Event]:
        """Take in one line and return what there is to tell about it."""
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            return []
        match said:
            case {"type": "assistant", "message": {"content": list(blocks)}}:
                return [event for block in blocks if (event := _event(block)) is not None]
            case {"type": "result"}:
                self.result = said
                denials = said.get("permission_denials")
                self.denied = [_denial(each) for each in denials[:_MOST_DENIED]] if isinstance(denials, list) else []
            case _:
                pass
        return []

    @property
    def summary(self) -> str:
        return str(self.result.get("result") or "") if self.result else ""

    @property
    def turns(self) -> int | None:
        turns = self.result.get("num_turns") if self.result else None
        return turns if isinstance(turns, int) else None

    @property
    def problem(self) -> str:
        """Return why the run did not come to a good end, in its own words; empty when it did."""
        if self.result is None:
            return "it ended without a word"
        if self.result.get("is_error") or self.result.get("subtype") != "success":
            return str(self.result.get("subtype") if self.result.get("subtype") != "success" else self.summary)
        return ""

    @property
    def is_out_of_turns(self) -> bool:
        return bool(self.result) and self.result is not None and self.result.get("subtype") == "error_max_turns"

    @property
    def is_out_of_money(self) -> bool:
        return self.result is not None and self.result.get("subtype") == "error_max_budget_usd"


def _event(block: object) -> Event | None:
    match block:
        case {"type": "text", "text": str(text)} if text.strip():
            return Event(EventKind.SAID, text.strip())
        case {"type": "tool_use", "name": str(name), "input": dict(given)}:
            place = next((str(given[key]) for key in _ON_A_FILE if key in given), "")
            return Event(EventKind.USED, f"{name} {place}".strip())
        case _:
            return None


def _denial(each: object) -> str:
    match each:
        case {"tool_name": str(name), "tool_input": dict(given)}:
            place = next((str(given[key]) for key in (*_ON_A_FILE, "command", "url") if key in given), "")
            return f"{name} {place}".strip()
        case _:
            return "a tool"


# Short names of models, and those by which Claude Code chooses one of them itself.
_FAMILIES = ("opus", "sonnet", "haiku")
_CHOSEN_BY_ITSELF = ("default", "best", "opusplan")
_QUIET = {
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_MAX_RETRIES": "3",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
}
_TOOLS = "Read,Edit,Write,Glob,Grep"
_INTERRUPT = {"type": "control_request", "request_id": "stop", "request": {"subtype": "interrupt"}}
_PICTURES = ("image/jpeg", "image/png", "image/webp", "image/gif")
_MOST_PICTURES, _LARGEST_PICTURE = 8, 4 * 1024 * 1024
_LARGEST_TRANSCRIPT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """Driven over its JSON stream; the relay is its only way out, and counts its money."""

    upstream: Callable[[], Upstream]
    sandbox: Callable[[], Sandbox]
    model: str
    models: tuple[str, ...]
    program: str | None = None
    prices: PriceList = NO_CORRECTIONS

    def run(self, task: Task, watch: Callable[[Child], None], tell: Callable[[Event], None]) -> Report:
        session = task.session or str(uuid.uuid4())
        if task.transcript is not None:
            path = _transcript_path(task, session)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(task.transcript)
        allowance = task.allowance
        spending = Spending(
            allowance.usd,
            lambda usd: tell(Event(EventKind.SPENT, f"{usd:.4f} USD so far", usd)),
            till=allowance.till,
            prices=self.prices,
        )
        with (
            Relay(self.upstream(), self.models, spending, allowance.time) as relay,
            LookWindow(task.eyes, task.home, task.findings) as window,
        ):
            finished, stream = self._converse(task, session, relay, window, watch, tell)
        _judge(finished, stream, relay, task.allowance)
        return report_on(stream.summary, session=session, usd=spending.usd, turns=stream.turns, denied=stream.denied)

    def transcript(self, task: Task) -> bytes | None:
        return _read_transcript(task, task.session) if task.session else None

    def mends(self, findings: Findings) -> bool:  # noqa: ARG002 - a model may know how to mend anything
        return True

    def _converse(
        self,
        task: Task,
        session: str,
        relay: Relay,
        window: LookWindow,
        watch: Callable[[Child], None],
        tell: Callable[[Event], None],
    ) -> tuple[Finished, Stream]:
        stream = Stream()
        sandbox = self.sandbox()
        port = sandbox.port_for_model()
        program = find_claude(self.program)
        environment = _environment(task, relay, port)
        crossing = [sys.executable, "-I", bridge.__file__, str(relay.path), str(port)]
        argv = sandbox.wrap(
            [*crossing, str(program), *self._options(task, session), *_tools(window)],
            checkout=task.checkout,
            writable=(task.home,),
            readable=(program, Path(bridge.__file__), relay.path.parent, *window.readable),
            port=port,
        )
        child = Child(
            argv,
            cwd=task.checkout,
            env=environment,
            stdin=_line(_message(task, window.shown)),
            hold_input=True,
            keep_open=(task.lock,) if task.lock is not None else (),
            on_line=lambda line: _hear(line, stream, relay, child, tell),
            resource_limits=ResourceLimits(task.checkout),
            ask_to_stop=lambda: _stop_asking(relay),
        )
        with child:
            watch(child)
            return child.wait(task.allowance.time), stream

    def _options(self, task: Task, session: str) -> list[str]:
        return [
            *("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"),
            *("--restricted", "--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"),
            *("--permission-mode", "acceptEdits", "--tools", _TOOLS, "--add-dir", str(task.home)),
            *("--model", self.model, "--append-system-prompt", SYSTEM),
            *("--max-turns", str(task.allowance.turns), "--max-budget-usd", f"{max(task.allowance.usd, 0.01):.2f}"),
            *(("--resume", session) if task.transcript is not None else ("--session-id", session)),
        ]


def _tools(window: LookWindow) -> list[str]:
    """Name our own server of tools; those of anybody else are not asked for."""
    if not window.is_open:
        return []
    program, *words = window.server
    servers = {"mcpServers": {SERVER: {"command": program, "args": words}}}
    return ["--mcp-config", json.dumps(servers), "--allowedTools", f"mcp__{SERVER}"]


def _environment(task: Task, relay: Relay, port: int) -> dict[str, str]:
    return {
        **_QUIET,
        "PATH": os.defpath,
        **private_places(task.home),
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": relay.key,
    }


def _message(task: Task, seen: Sight | None) -> dict[str, Any]:
    told = write_prompt(task, goes_on=task.transcript is not None)
    content: list[dict[str, Any]] = [{"type": "text", "text": f"{told}\n{seen.text}\n" if seen else told}]
    content += [_image(each.content_type, each.content) for each in (seen.pictures if seen else ())]
    shown = [each for each in task.attachments if each.content_type in _PICTURES][:_MOST_PICTURES]
    # An agent that is asked to mend has seen them.
    for each in shown if task.findings is None else ():
        data = each.path.read_bytes()
        if len(data) <= _LARGEST_PICTURE:
            content.append(_image(each.content_type, data))
    # Composed by us: neither a leading slash nor an @ in it means anything.
    return {"type": "user", "client_composed": True, "message": {"role": "user", "content": content}}


def _image(content_type: str, data: bytes) -> dict[str, Any]:
    source = {"type": "base64", "media_type": content_type, "data": base64.b64encode(data).decode("ascii")}
    return {"type": "image", "source": source}


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _stop_asking(relay: Relay) -> bytes:
    relay.stop()
    return _line(_INTERRUPT)


def _hear(line: str, stream: Stream, relay: Relay, child: Child, tell: Callable[[Event], None]) -> None:
    for event in stream.hear(line):
        tell(event)
    is_locked_out = relay.complaints.locked_out.is_set()
    if stream.result is not None or is_locked_out:
        # It would wait for the next message, or ask a server that does not want us again and again.
        child.end_input()
    if stream.result is None and is_locked_out:
        raise Misconfigured(relay.complaints.for_agency)


def _judge(finished: Finished, stream: Stream, relay: Relay, allowance: Allowance) -> None:
    if finished.stopped:
        raise Interrupted("the agent was stopped")
    judge_calls(relay, is_broken=bool(stream.problem))
    if stream.is_out_of_money:
        raise relay.spending.used_up()
    if stream.is_out_of_turns:
        raise OverBudget.of_turns(allowance)
    if finished.exceeded:
        raise AgentFailed(with_complaint(f"the agent was ended because {finished.exceeded}", finished, (relay.key,)))
    if finished.timed_out or (relay.time_is_up.is_set() and stream.problem):
        raise OverBudget.of_time(allowance)
    if stream.problem:
        problem = f"Claude Code did not come to an end: {stream.problem[:200]}"
        raise TryAgain(with_complaint(problem, finished, (relay.key,)))


def _transcript_path(task: Task, session: str) -> Path:
    folder = re.sub(r"[^A-Za-z0-9]", "-", str(task.checkout.resolve()))
    return task.home / ".claude" / "projects" / folder / f"{session}.jsonl"


def _read_transcript(task: Task, session: str) -> bytes | None:
    """Read what the session left, without following a link: the agent could have made it lead anywhere."""
    path = _transcript_path(task, session)
    with suppress(OSError):
        # Without waiting: a pipe in its place would keep us for ever.
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(opened, "rb") as file:
            is_ours = stat.S_ISREG(os.fstat(opened).st_mode) and path.resolve().is_relative_to(task.home.resolve())
            found = file.read(_LARGEST_TRANSCRIPT + 1) if is_ours else None
        return found if found is not None and len(found) <= _LARGEST_TRANSCRIPT else None
    return None


def _missing_among(models: Sequence[str], model: str) -> str | None:
    """Return the pattern without which each question for this model would be refused, or None."""
    name = model.removesuffix("[1m]")
    if name in _FAMILIES:
        # Of the newest one, whose number only Claude Code knows: a pattern that names another family is not for it.
        is_let_through = any(name in each or not any(map(each.count, _FAMILIES)) for each in models)
        return None if is_let_through else f"*claude-{name}-*"
    return None if name in _CHOSEN_BY_ITSELF or any(fnmatchcase(name, each) for each in models) else name


class ClaudeKind(AgentKind):
    """Claude Code with a model of Anthropic's."""

    asks_model = True
    no_use = ("command", "environment")

    def check(self, agent: AgentTable) -> Iterator[tuple[str, str]]:
        yield from complaints_about_key(agent)
        if not agent.models:
            yield "models", 'is empty, so no model could be asked; name at least one, such as "*claude-sonnet-*"'
        elif (pattern := _missing_among(agent.models, str(agent.model))) is not None:
            yield "model", f'is "{agent.model}", which `models` does not let through; add a pattern there: "{pattern}"'

    def describe(self, agent: AgentTable) -> str:
        program = find_claude(str(agent.program) if agent.program else None)
        return f"Claude Code at {program}, with {agent.model} by {agent.provider}"

    def make(self, agent: AgentTable, around: AgentSurroundings) -> ClaudeCode:
        program = str(agent.program) if agent.program else None
        models = tuple(map(str, agent.models))
        return ClaudeCode(around.upstream, around.sandbox, str(agent.model), models, program, around.prices)
