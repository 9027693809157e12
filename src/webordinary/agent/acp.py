"""Any agent that speaks the Agent Client Protocol, such as opencode: in the sandbox, behind the relay."""

from __future__ import annotations

import base64
import json
import os
import queue
import shutil
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webordinary.agent import bridge
from webordinary.agent.acp_home import note_session, pack_home, unpack_home
from webordinary.agent.agent import Allowance, Event, EventKind, OverBudget, Task
from webordinary.agent.kind import AgentKind, complaints_about_command, complaints_about_key, described_command
from webordinary.agent.manners import PORT, find_manners, free_port, put_away, surroundings, with_manners
from webordinary.agent.prices import NO_CORRECTIONS, PriceList
from webordinary.agent.prompt import SYSTEM, write_prompt
from webordinary.agent.relay import Relay, judge_calls
from webordinary.agent.said import LONGEST_SAID, report_on, with_complaint
from webordinary.agent.spending import Spending
from webordinary.agent.window import SERVER, LookWindow
from webordinary.child import Child, ResourceLimits
from webordinary.errors import AgentFailed, Interrupted, Misconfigured, TryAgain
from webordinary.workspace.installation import private_places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from webordinary.agent.agent import Report
    from webordinary.agent.kind import AgentSurroundings, AgentTable
    from webordinary.agent.upstream import Upstream
    from webordinary.agent.window import Sight
    from webordinary.child import Finished
    from webordinary.jobs.repairs import Findings
    from webordinary.workspace.sandbox import Sandbox


Json = dict[str, Any]

# What may be done without asking a person; running programs is not among it.
_ALLOWED = frozenset({"read", "edit", "delete", "move", "search", "think", "other"})
_METHOD_NOT_FOUND = -32601
_MOST_DENIED, _LONGEST_DENIED = 100, 200
# More than any session asks for; each is answered, and an agent that does not read would fill our memory.
_MOST_ASKED, _LONGEST_NUMBER = 10_000, 100


class AgentLeft(AgentFailed):
    """The agent ended before it had answered."""


class Talk:
    """Asks and is asked; what the agent says meanwhile becomes events."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self._child: Child | None = None
        self._answers: dict[int, queue.SimpleQueue[Json]] = {}
        self._next = 0
        self._lock = threading.Lock()
        self._said: list[str] = []
        self._letters = self._asked = 0
        self.denied: list[str] = []
        self.session = ""

    def begin(self, child: Child) -> None:
        self._child = child

    @property
    def said(self) -> str:
        """Return what the agent has said since it was last asked something."""
        return "".join(self._said).strip()

    def cancel_line(self) -> bytes:
        """Return what asks the agent to stop its turn and keep its session in order."""
        return _line({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": self.session}})

    def ask(self, method: str, params: Json, patience: timedelta) -> Json:
        """Ask and wait for the answer; AgentLeft when it does not come."""
        with self._lock:
            self._next += 1
            number = self._next
            self._answers[number] = queue.SimpleQueue()
        self._said.clear()
        self._letters = 0
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        try:
            answer = self._answers[number].get(timeout=max(0.0, patience.total_seconds()))
        except queue.Empty:
            raise AgentLeft(f"the agent did not answer {method} in time") from None
        if "error" in answer:
            error = answer["error"]
            why = error.get("message") if isinstance(error, dict) else error
            raise AgentFailed(f"the agent refused {method}: {str(why)[:200]}")
        result = answer.get("result")
        return result if isinstance(result, dict) else {}

    def hang_up(self) -> None:
        """Let nobody wait any longer: the agent is gone."""
        for waiting in self._answers.values():
            waiting.put({"error": {"message": "the agent has ended"}})

    def hear(self, line: str) -> None:
        """Take in one line of the agent's output; what is no message of the protocol is ignored."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        match message:
            case {"method": "session/update", "params": {"update": dict(update)}}:
                self._note(update)
            case {"method": "session/request_permission", "id": number, "params": dict(params)}:
                self._answer(number, {"result": {"outcome": self._permit(params)}})
            case {"method": str(), "id": number}:
                self._answer(number, {"error": {"code": _METHOD_NOT_FOUND, "message": "not offered here"}})
            case {"id": int(number)} if number in self._answers:
                self._answers[number].put(message)
            case _:
                pass

    def _answer(self, number: object, answer: Json) -> None:
        self._asked += 1
        if self._asked > _MOST_ASKED:
            raise AgentFailed(f"the agent asks for more than {_MOST_ASKED} permissions")
        line = {"jsonrpc": "2.0", "id": number, **answer}
        # What nobody would name a question by is not sent back.
        if isinstance(number, int | str) and len(str(number)) <= _LONGEST_NUMBER:
            self._send(line)

    def _note(self, update: Json) -> None:
        match update:
            case {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": str(text)}}:
                if self._letters < LONGEST_SAID:
                    self._said.append(text[: LONGEST_SAID - self._letters])
                    self._letters += len(self._said[-1])
            case {"sessionUpdate": "tool_call", "title": str(title)}:
                places = [str(each.get("path", "")) for each in _dicts(update.get("locations"))]
                self._tell(Event(EventKind.USED, " ".join([title, *places]).strip()))
            case _:
                pass

    def _permit(self, params: Json) -> Json:
        call = params.get("toolCall")
        kind = str(call.get("kind", "other")) if isinstance(call, dict) else "other"
        wanted = "allow" if kind in _ALLOWED else "reject"
        if wanted == "reject" and isinstance(call, dict) and len(self.denied) < _MOST_DENIED:
            self.denied.append(str(call.get("title", kind))[:_LONGEST_DENIED])
        options = _dicts(params.get("options"))
        for option in (f"{wanted}_once", f"{wanted}_always"):
            for each in options:
                if each.get("kind") == option and len(str(each.get("optionId"))) <= _LONGEST_NUMBER:
                    return {"outcome": "selected", "optionId": each.get("optionId")}
        return {"outcome": "cancelled"}

    def _send(self, message: Json) -> None:
        if self._child is not None:
            self._child.send(_line(message))


def _dicts(value: object) -> list[Json]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _line(message: Json) -> bytes:
    return json.dumps(message).encode() + b"\n"


_PROTOCOL = 1
_STARTING = timedelta(seconds=60)
_LONGEST_SESSION = 200


@dataclass(frozen=True, slots=True)
class AcpAgent:
    """Started anew for each task; `environment` tells it where its model is, with {address} and {key} filled in."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    upstream: Callable[[], Upstream]
    sandbox: Callable[[], Sandbox]
    models: tuple[str, ...]
    prices: PriceList = NO_CORRECTIONS

    def run(self, task: Task, watch: Callable[[Child], None], tell: Callable[[Event], None]) -> Report:
        known = unpack_home(task.transcript, task.home) if task.transcript is not None else None
        talk = Talk(tell)
        allowance = task.allowance
        spending = Spending(
            allowance.usd,
            lambda usd: tell(Event(EventKind.SPENT, f"{usd:.4f} USD so far", usd)),
            allowance.turns,
            allowance.till,
            self.prices,
        )
        with (
            put_away(task.checkout, task.home),
            Relay(self.upstream(), self.models, spending, allowance.time) as relay,
            LookWindow(task.eyes, task.home, task.findings) as window,
        ):
            child = self._start(task, talk, relay, window)
            turn = _Turn(task, talk, child, known, window)
            with child:
                watch(child)
                turn.start()
                try:
                    finished = child.wait(task.allowance.time)
                except AgentFailed:
                    # Nobody else tells the turn that there will be no answer.
                    talk.hang_up()
                    raise
            # An agent that is killed before it can answer was stopped all the same; the turn stops it only at its end.
            turn.was_cut = finished.stopped and turn.is_talking
            talk.hang_up()
            turn.join()
            _judge(finished, turn, relay, task.allowance, self._secrets(relay))
        return report_on(talk.said, session=talk.session, usd=spending.usd, turns=spending.answers, denied=talk.denied)

    def transcript(self, task: Task) -> bytes | None:
        return pack_home(task.home)

    def mends(self, findings: Findings) -> bool:  # noqa: ARG002 - a model may know how to mend anything
        return True

    def _secrets(self, relay: Relay) -> tuple[str, ...]:
        """Return what must not be told of: a variable may hold anything that somebody has written there."""
        return (relay.key, *self.environment.values())

    def _start(self, task: Task, talk: Talk, relay: Relay, window: LookWindow) -> Child:
        sandbox = self.sandbox()
        port = sandbox.port_for_model()
        crossing = [sys.executable, "-I", bridge.__file__, str(relay.path), str(port)]
        program = _find(self.command[0])
        environment = self._environment(task, relay, port)
        words = with_manners(self.command)[1:]
        own_port = free_port(besides=port) if any(PORT in word for word in words) else None
        argv = sandbox.wrap(
            [*crossing, str(program), *(word.replace(PORT, str(own_port)) for word in words)],
            checkout=task.checkout,
            writable=(task.home,),
            readable=(program, Path(bridge.__file__), relay.path.parent, *window.readable),
            port=port,
            own_port=own_port,
        )
        child = Child(
            argv,
            cwd=task.checkout,
            env=environment,
            hold_input=True,
            keep_open=(task.lock,) if task.lock is not None else (),
            on_line=talk.hear,
            resource_limits=ResourceLimits(task.checkout),
            ask_to_stop=lambda: _stop_asking(relay, talk),
        )
        talk.begin(child)
        return child

    def _environment(self, task: Task, relay: Relay, port: int) -> dict[str, str]:
        address = f"http://127.0.0.1:{port}"
        given = {
            name: value.replace("{address}", address).replace("{key}", relay.key)
            for name, value in self.environment.items()
        }
        plain = {"PATH": os.defpath, **private_places(task.home), "LANG": "C.UTF-8", "TERM": "dumb"}
        model = {"ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": relay.key}
        # Ours last: what keeps a repository from being obeyed is not to be forgotten.
        return {**plain, **model, **given, **surroundings(self.command, task.home)}


def _stop_asking(relay: Relay, talk: Talk) -> bytes:
    relay.stop()
    return talk.cancel_line()


class _Turn(threading.Thread):
    """The conversation beside the running agent; it ends the agent when the turn is over."""

    def __init__(self, task: Task, talk: Talk, child: Child, known: str | None, window: LookWindow) -> None:
        super().__init__(name="acp", daemon=True)
        self._window = window
        self._task = task
        self._talk = talk
        self._child = child
        self._known = known
        self.reason = ""
        self.problem: AgentFailed | None = None
        self.is_over = False
        self.was_cut = False

    @property
    def is_talking(self) -> bool:
        return self.problem is None and not self.is_over

    def run(self) -> None:
        try:
            self.reason = self._converse()
            self.is_over = True
        except AgentFailed as problem:
            self.problem = problem
        finally:
            # Not every agent leaves when nobody speaks to it any more.
            self._child.end_input()
            self._child.stop(timedelta(0))

    def _converse(self) -> str:
        """Open or resume the session and let the agent take its turn; return why the turn ended."""
        task, talk = self._task, self._talk
        offered = {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}
        can = talk.ask("initialize", {"protocolVersion": _PROTOCOL, "clientCapabilities": offered}, _STARTING)
        talk.session = _open_session(task, talk, self._known, self._window)
        goes_on = talk.session == self._known
        note_session(task.home, talk.session)
        told = write_prompt(task, goes_on=goes_on)
        prompt = [
            {"type": "text", "text": told if goes_on else f"{SYSTEM}\n\n{told}"},
            *_pictures(self._window.shown, can),
        ]
        # Longer than the run may last: its own time is what ends it.
        patience = task.allowance.time + _STARTING
        answer = talk.ask("session/prompt", {"sessionId": talk.session, "prompt": prompt}, patience)
        return str(answer.get("stopReason", ""))


def _open_session(task: Task, talk: Talk, known: str | None, window: LookWindow) -> str:
    place = {"cwd": str(task.checkout), "mcpServers": _servers(window)}
    if known:
        # One that it cannot load any more is begun anew.
        with suppress(AgentFailed):
            talk.ask("session/load", {"sessionId": known, **place}, _STARTING)
            return known
    return str(talk.ask("session/new", place, _STARTING).get("sessionId", ""))[:_LONGEST_SESSION]


def _pictures(shown: Sight | None, can: Json) -> list[Json]:
    """Show pictures to an agent that takes any."""
    match can:
        case {"agentCapabilities": {"promptCapabilities": {"image": True}}} if shown is not None:
            data = [(each.content_type, base64.b64encode(each.content).decode("ascii")) for each in shown.pictures]
            pictures: list[Json] = [{"type": "image", "mimeType": kind, "data": each} for kind, each in data]
            return [{"type": "text", "text": shown.text}, *pictures]
        case _:
            return []


def _servers(window: LookWindow) -> list[Json]:
    program, *words = window.server
    return [{"name": SERVER, "command": program, "args": words, "env": []}] if window.is_open else []


def _judge(finished: Finished, turn: _Turn, relay: Relay, allowance: Allowance, secrets: tuple[str, ...]) -> None:
    if relay.was_stopped and relay.has_cut:
        raise Interrupted("the agent was stopped")
    # An agent that ends its turn although its last question was not answered has not ended it well.
    judge_calls(relay, is_broken=not turn.was_cut and (not turn.is_over or relay.complaints.is_busy))
    if relay.had_enough.is_set():
        raise OverBudget.of_turns(allowance)
    if finished.exceeded:
        raise AgentFailed(with_complaint(f"the agent was ended because {finished.exceeded}", finished, secrets))
    is_late = relay.time_is_up.is_set() and relay.has_cut
    if turn.is_over and not is_late:
        _judge_reason(turn.reason, allowance)
        return
    if finished.timed_out or is_late:
        raise OverBudget.of_time(allowance)
    if turn.was_cut:
        raise Interrupted("the agent was stopped")
    problem = f"the agent did not come to an end ({turn.problem or 'it left'})"
    raise TryAgain(with_complaint(problem, finished, secrets))


def _judge_reason(reason: str, allowance: Allowance) -> None:
    match reason:
        case "cancelled":
            raise Interrupted("the agent was stopped")
        case "max_turn_requests" | "max_tokens":
            raise OverBudget.of_turns(allowance)
        case "refusal":
            raise AgentFailed("the agent does not want to do this")
        case _:
            pass


def _find(program: str) -> Path:
    found = shutil.which(program)
    if found is None:
        raise Misconfigured(f"There is no program {program}: install it or correct `agent.command`.")
    return Path(found).resolve()


class AcpKind(AgentKind):
    """A program that speaks the Agent Client Protocol."""

    asks_model = True
    no_use = ("model", "program")

    def check(self, agent: AgentTable) -> Iterator[tuple[str, str]]:
        yield from complaints_about_command(agent)
        yield from complaints_about_key(agent)

    def describe(self, agent: AgentTable) -> str:
        return described_command(agent)

    def doctor(self, agent: AgentTable) -> str | None:
        if find_manners(agent.command) is not None:
            return None
        return (
            f"{agent.command[0]} is not known here: files such as AGENTS.md are put away while it works, and it may "
            "obey other settings of a repository; turn that off by its own options"
        )

    def make(self, agent: AgentTable, around: AgentSurroundings) -> AcpAgent:
        environment = dict(each.split("=", 1) for each in agent.environment)
        models = tuple(map(str, agent.models))
        return AcpAgent(agent.command, environment, around.upstream, around.sandbox, models, around.prices)
