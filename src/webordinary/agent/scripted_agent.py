"""The built-in agent as the worker sees it: a child process that understands a handful of plain requests."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.agent.agent import Event, EventKind, OverBudget, Report, Task, Unfound, WhyStopped
from webordinary.agent.kind import OF_A_MODEL, AgentKind
from webordinary.agent.said import report_on
from webordinary.child import Child, Finished
from webordinary.errors import AgentFailed, Interrupted
from webordinary.jobs.repairs import FoundKind
from webordinary.languages import any_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.agent.agent import Allowance
    from webordinary.agent.kind import AgentSurroundings, AgentTable
    from webordinary.jobs.repairs import Findings


_CLOSED = re.compile(rf"\b(?:{any_of(lambda each: each.letters.notice_closed)})\b", re.IGNORECASE)
_GREETING = re.compile(rf"^(?:{any_of(lambda each: each.letters.greetings)})\b[^,:!\n]{{0,30}}[,:!]\s*", re.IGNORECASE)
# Who orders something means other words than these to stand on the site.
_ORDER = re.compile(rf"\b(?:{any_of(lambda each: each.letters.notice_orders)})\b", re.IGNORECASE)
_RELATIVE = re.compile(rf"\b(?:{any_of(lambda each: each.letters.relative_days)})\b", re.IGNORECASE)
_QUOTES = re.compile(r"[\"“”„«»]")
_LONGEST = 200


def with_notice(request: str, said_when: str) -> str | None:
    """Return the request with its sentence about being closed as a wish for a notice, or None without such a one."""
    at = request.find(said_when)
    if not said_when or at < 0:
        return None
    start = _end_of_sentence_before(request, at)
    end = _end_of_sentence_behind(request, at + len(said_when))
    # "Tomorrow" would be wrong as soon as it can be read.
    shown = said_when if not _RELATIVE.search(said_when) else ""
    sentence = _GREETING.sub("", f"{request[start:at]}{shown}{request[at + len(said_when) : end]}".strip(" ,"))
    if not _CLOSED.search(sentence) or _ORDER.search(sentence) or _QUOTES.search(sentence) or len(sentence) > _LONGEST:
        return None
    notice = sentence[:1].upper() + sentence[1:].rstrip(" .!,;") + "."
    return f'{request[:start]}\nAdd the notice "{notice}" to the home page.\n{request[end:]}'


def _end_of_sentence_before(text: str, position: int) -> int:
    return max((match.end() for match in re.finditer(r"[!?]\s|[^\d]\.\s|\n", text[:position])), default=0)


def _end_of_sentence_behind(text: str, position: int) -> int:
    found = re.compile(r"[!?]+(?=\s|$)|(?<!\d)\.(?=\s|$)|(?=\n)|$").search(text, position)
    return found.end() if found else len(text)


GATES = "WEBORDINARY_SCRIPTED_GATES"


class ScriptedAgent:
    """Needs no key and no sandbox: it is our own code and runs nothing from the checkout."""

    def run(self, task: Task, watch: Callable[[Child], None], tell: Callable[[Event], None]) -> Report:
        reports: list[dict[str, Any]] = []
        child = Child(
            [sys.executable, "-I", "-m", "webordinary.agent.scripted"],
            cwd=task.checkout,
            env=_environment(task),
            stdin=json.dumps(_message(task)).encode(),
            keep_open=(task.lock,) if task.lock is not None else (),
            on_line=lambda line: _hear(line, reports, tell),
        )
        with child:
            watch(child)
            finished = child.wait(task.allowance.time)
        return _report(finished, reports, task.allowance)

    def transcript(self, task: Task) -> bytes | None:  # noqa: ARG002 - it keeps none
        return None

    def mends(self, findings: Findings) -> bool:
        """Tell whether the same request can be carried out once more: whatever else it can do it has done."""
        return findings.has(FoundKind.CONFLICT)


def _message(task: Task) -> dict[str, Any]:
    attachments = [
        {
            "name": each.name,
            "path": str(each.path),
            "content_type": each.content_type,
            "about": each.about,
            "width": each.width,
            "height": each.height,
        }
        for each in task.attachments
    ]
    found = task.findings.found if task.findings else ()
    return {
        "request": _without_dates(task),
        "attachments": attachments,
        "notes": task.notes,
        "session": task.session,
        "thread_so_far": list(task.thread_so_far),
        "refused": list(task.refused),
        "texts": None if task.texts is None else list(task.texts),
        "closed": dict(task.closed),
        "conflicts": sorted({each.where for each in found if each.kind is FoundKind.CONFLICT}),
    }


def _without_dates(task: Task) -> str:
    """Leave out when the change holds: it knows no dates, and the worker keeps the time."""
    if (wish := with_notice(task.request, task.said_when or "")) is not None:
        return wish
    before, said, after = task.request.partition(task.said_when) if task.said_when else (task.request, "", "")
    return f"{before}{after.lstrip(' ,;:')}" if said else task.request


def _environment(task: Task) -> dict[str, str]:
    clean = {"PATH": os.defpath, "HOME": str(task.home), "LANG": "C.UTF-8"}
    if GATES in os.environ:
        clean[GATES] = os.environ[GATES]
    return clean


def _hear(line: str, reports: list[dict[str, Any]], tell: Callable[[Event], None]) -> None:
    try:
        event = json.loads(line)
    except ValueError:
        return
    match event:
        case {"event": "result"}:
            reports.append(event)
        case {"event": "said", "text": str(text)}:
            tell(Event(EventKind.SAID, text))
        case {"event": "edited", "path": str(path)}:
            tell(Event(EventKind.USED, f"edited {path}"))
        case _:
            pass


def _report(finished: Finished, reports: list[dict[str, Any]], allowance: Allowance) -> Report:
    if finished.stopped:
        raise Interrupted("the agent was stopped")
    if finished.timed_out:
        raise OverBudget.of_time(allowance)
    if finished.code != 0 or not reports:
        raise AgentFailed("the built-in agent broke down; nothing was changed")
    result = reports[-1]
    asked = str(result["question"]) if result.get("question") else ""
    told = report_on(f"{result['summary']}" + (f"<question>{asked}</question>" if asked else ""), usd=0.0)
    unfound = msgspec.convert(result.get("unfound") or (), tuple[Unfound, ...])
    return replace(
        told,
        stopped=WhyStopped(result["stopped"]),
        session=result.get("session"),
        unfound=unfound,
        undescribed=tuple(str(each) for each in result.get("undescribed") or ()),
        wants=str(result.get("wants") or ""),
    )


class ScriptedKind(AgentKind):
    """The built-in agent, which follows simple sentences without a model."""

    is_foreign = False
    no_use = (*OF_A_MODEL, "command", "environment", "program")

    def check(self, agent: AgentTable) -> Iterator[tuple[str, str]]:  # noqa: ARG002 - it needs nothing
        yield from ()

    def describe(self, agent: AgentTable) -> str:  # noqa: ARG002 - it is always the same
        return "scripted, the built-in one: it follows simple sentences and needs no key"

    def make(self, agent: AgentTable, around: AgentSurroundings) -> ScriptedAgent:  # noqa: ARG002 - it needs nothing
        return ScriptedAgent()
