"""Real agents look through the window: the tool is called inside the sandbox, and who stands outside answers."""

from __future__ import annotations

import io
import json
import os
import threading
import uuid
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.programs import need_sandbox
from tests.tree import ROOT
from tests.unit.agent.test_acp import OPENCODE
from webordinary.agent.acp import AcpAgent
from webordinary.agent.agent import Agent, Allowance, EventKind, Task
from webordinary.agent.claude_code import ClaudeCode
from webordinary.agent.command import CommandAgent
from webordinary.agent.look import Unanswered, ask
from webordinary.agent.upstream import AnthropicApi
from webordinary.agent.window import LookWindow, PictureShown, Sight
from webordinary.jobs.repairs import Findings, Found, FoundKind
from webordinary.testing.model import ModelStep, ScriptedModel
from webordinary.workspace.sandbox import choose_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from webordinary.agent.agent import Event, Report


def png() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(file, "PNG")
    return file.getvalue()


def steps(prefix: str, read: tuple[str, dict[str, str]], edit: tuple[str, dict[str, str]]) -> tuple[ModelStep, ...]:
    return (
        ModelStep(tools=(read, (f"{prefix}picture", {"page": "index.html"}))),
        ModelStep(tools=((f"{prefix}search", {"words": "9-17"}),)),
        ModelStep(tools=(edit,)),
        ModelStep(tools=((f"{prefix}receipt", {}),)),
        ModelStep("I looked, and it is right."),
    )


PAGE = "{{folder}}/index.html"
CLAUDE = steps(
    "mcp__site__",
    ("Read", {"file_path": PAGE}),
    ("Edit", {"file_path": PAGE, "old_string": "9-17", "new_string": "10-18"}),
)
OF_OPENCODE = steps(
    "site_",
    ("read", {"filePath": PAGE}),
    ("edit", {"filePath": PAGE, "oldString": "9-17", "newString": "10-18"}),
)


@dataclass(slots=True)
class Answers:
    """Stands outside, and remembers what was asked."""

    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    is_closed: bool = False

    def see(self, tool: str, given: Mapping[str, str]) -> Sight:
        self.asked.append((tool, dict(given)))
        if tool == "picture":
            return Sight("The page as visitors see it.", (PictureShown("image/png", png()),))
        return Sight(f"answered {tool}")

    def changed(self) -> Sight | None:
        return Sight("The page before and after.", (PictureShown("image/png", png()),) * 2)

    def close(self) -> None:
        self.is_closed = True


class Desk:
    def __init__(self, folder: Path) -> None:
        self.checkout, self.folder = folder / "site", folder
        self.checkout.mkdir()
        (self.checkout / "index.html").write_text("<p>Open 9-17</p>\n")
        self.events: list[Event] = []
        self.eyes = Answers()

    def run(self, agent: Agent, request: str, **given: object) -> Report:
        home = self.folder / f"home-{uuid.uuid4().hex[:6]}"
        home.mkdir()
        allowance = Allowance(time=timedelta(minutes=2))
        task = Task(self.checkout, home, request, allowance, session=str(uuid.uuid4()), eyes=self.eyes)
        return agent.run(replace(task, **given), lambda _: None, self.events.append)  # type: ignore[arg-type]  # any field

    @property
    def page(self) -> str:
        return (self.checkout / "index.html").read_text()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel({"hours": CLAUDE}) as model:
        yield model


def claude(model: ScriptedModel, rung: str) -> ClaudeCode:
    need_sandbox(rung)
    upstream = AnthropicApi("sk-real", model.address)
    return ClaudeCode(lambda: upstream, lambda: choose_sandbox(rung), "claude-sonnet-4-5", ("claude-*",))


def opencode(model: ScriptedModel, rung: str) -> AcpAgent:
    need_sandbox(rung)
    (program,) = ROOT.glob("build/node/node_modules/opencode-linux-*/bin/opencode")
    upstream = AnthropicApi("sk-real", model.address)
    command = (str(program), "acp")
    return AcpAgent(command, OPENCODE, lambda: upstream, lambda: choose_sandbox(rung), ("claude-*",))


def shown(asked: list[dict[str, Any]]) -> list[str]:
    """Return the kinds of pictures that a model was shown, however deep they lie."""
    kinds: list[str] = []
    left: list[object] = [asked[-1]["messages"]]
    while left:
        match left.pop():
            case {"type": "image", "source": {"type": "base64", "media_type": str(kind)}}:
                kinds.append(kind)
            case dict(inner):
                left.extend(inner.values())
            case list(inner):
                left.extend(inner)
            case _:
                pass
    return kinds


@pytest.mark.parametrize("rung", ["bubblewrap", pytest.param("landlock", marks=pytest.mark.thorough)])
def test_claude_looks_then_edits_then_looks_again(desk: Desk, model: ScriptedModel, rung: str) -> None:
    report = desk.run(claude(model, rung), "change the hours")
    assert desk.page == "<p>Open 10-18</p>\n"
    assert report.summary == "I looked, and it is right."
    assert desk.eyes.asked == [("picture", {"page": "index.html"}), ("search", {"words": "9-17"}), ("receipt", {})]
    assert desk.eyes.is_closed
    assert shown(model.asked) == ["image/png"]
    assert "answered receipt" in json.dumps(model.asked[-1])
    assert report.denied == ()
    # Known before the first question: nobody has to be told about them later.
    assert {each["name"] for each in model.asked[0]["tools"]} >= {f"mcp__site__{name}" for name in ("picture", "text")}
    assert "mcp__site__receipt" in [event.text for event in desk.events if event.kind is EventKind.USED]


@pytest.mark.thorough
@pytest.mark.parametrize("rung", ["bubblewrap", pytest.param("landlock", marks=pytest.mark.long)])
def test_opencode_looks_then_edits_then_looks_again(desk: Desk, rung: str) -> None:
    with ScriptedModel({"hours": OF_OPENCODE}) as model:
        report = desk.run(opencode(model, rung), "change the hours")
        assert desk.page == "<p>Open 10-18</p>\n"
        assert report.summary.endswith("I looked, and it is right.")
        assert [tool for tool, _ in desk.eyes.asked] == ["picture", "search", "receipt"]
        assert shown(model.asked) == ["image/png"]
        assert "answered receipt" in json.dumps(model.asked[-1])


FOUND = Findings.of([Found(FoundKind.LINK, "gone.html", "index.html")])
BROKEN = Findings.of([Found(FoundKind.BUILD, "no such page")])


@pytest.mark.thorough
def test_claude_is_shown_what_it_changed_when_it_is_asked_to_mend_it(desk: Desk, model: ScriptedModel) -> None:
    agent = claude(model, "bubblewrap")
    desk.run(agent, "the menu", findings=FOUND)
    assert shown(model.asked) == ["image/png", "image/png"]
    assert "The page before and after." in json.dumps(model.asked[-1]["messages"])
    desk.run(agent, "the menu", findings=BROKEN)
    assert shown(model.asked) == []


@pytest.mark.long
def test_opencode_is_shown_what_it_changed_when_it_is_asked_to_mend_it(desk: Desk, model: ScriptedModel) -> None:
    desk.run(opencode(model, "bubblewrap"), "the menu", findings=FOUND)
    assert shown(model.asked) == ["image/png", "image/png"]


def test_a_command_is_told_where_the_pictures_of_its_change_lie(desk: Desk) -> None:
    need_sandbox()
    agent = CommandAgent(("sh", "-c", "tail -2 | xargs head -qc 4 | tr -cd PNG"), lambda: choose_sandbox("auto"))
    assert desk.run(agent, "x", findings=FOUND).summary == "PNGPNG"


def test_pictures_lie_in_a_home_before_it_is_given_to_the_program(desk: Desk) -> None:
    need_sandbox()
    agent = CommandAgent(("sh", "-c", "tail -2 | xargs stat -c %u; id -u"), lambda: choose_sandbox("auto"))
    # What is laid there later is not the program's own, and could be led elsewhere by whoever is in there.
    assert len(set(desk.run(agent, "x", findings=FOUND).summary.split())) == 1


LOOKS = "webordinary-look picture index.html; webordinary-look search Open 9-17; webordinary-look receipt"


@pytest.mark.parametrize("rung", ["bubblewrap", "landlock", "uid"])
def test_a_command_looks_by_a_program_on_its_path(desk: Desk, rung: str) -> None:
    need_sandbox(rung)
    script = (
        f"cat > $HOME/told; {LOOKS}; grep -c 'webordinary-look receipt' $HOME/told; sed -i s/9-17/10-18/ index.html"
    )
    report = desk.run(CommandAgent(("sh", "-c", script), lambda: choose_sandbox(rung)), "change the hours")
    assert desk.page == "<p>Open 10-18</p>\n"
    told, path, *rest = report.summary.splitlines()
    assert (told, rest) == ("The page as visitors see it.", ["answered search", "answered receipt", "1"])
    assert path.endswith(".png")
    assert desk.eyes.asked[1] == ("search", {"words": "Open 9-17"})


def test_a_command_is_not_told_of_a_program_that_is_not_there(desk: Desk) -> None:
    need_sandbox()
    script = "grep -c webordinary-look; command -v webordinary-look; true"
    report = desk.run(CommandAgent(("sh", "-c", script), lambda: choose_sandbox("auto")), "x", eyes=None)
    assert report.summary == "0"


def test_whatever_is_written_into_the_window_it_only_looks(tmp_path: Path) -> None:
    eyes = Answers()
    with LookWindow(eyes, tmp_path) as window:
        asks = os.open(window.folder / "ask", os.O_WRONLY)
        for line in (b"{", b"\xff\xfe", b"[1]", b'{"id": 1, "tool": "x"}', b"x" * 9000, b'{"id":"' + b"i" * 99 + b'"}'):
            os.write(asks, line + b"\n")
        os.close(asks)
        (window.folder / "turn").unlink()
        (window.folder / "turn").touch()
        assert ask(str(window.folder), "rm", {"page": "../../etc/passwd", "n": 1})["text"] == "answered rm"
    assert eyes.asked == [("rm", {"page": "../../etc/passwd"})]


def test_nobody_waits_for_one_who_does_not_read_or_asks_without_end(tmp_path: Path) -> None:
    with LookWindow(Answers(), tmp_path) as window:
        asks = os.open(window.folder / "ask", os.O_WRONLY)
        for number in range(40):
            os.write(asks, json.dumps({"id": str(number), "tool": "picture"}).encode() + b"\n")
        os.close(asks)
    assert not any(thread.name == "window" for thread in threading.enumerate())
    with pytest.raises(Unanswered):
        ask(str(window.folder), "receipt", {})


def test_after_too_many_lines_the_window_is_closed(tmp_path: Path) -> None:
    with LookWindow(Answers(), tmp_path) as window:
        asks = os.open(window.folder / "ask", os.O_WRONLY)
        with suppress(BrokenPipeError):
            while True:
                os.write(asks, b"\n" * 1000)
        os.close(asks)
        with pytest.raises(Unanswered):
            ask(str(window.folder), "receipt", {})


def test_after_too_much_without_the_end_of_a_line_the_window_is_closed(tmp_path: Path) -> None:
    with LookWindow(Answers(), tmp_path) as window:
        asks = os.open(window.folder / "ask", os.O_WRONLY)
        writes = (os.write(asks, b"x" * 65536) for _ in range(10_000))
        with pytest.raises(BrokenPipeError):
            sum(writes)
        os.close(asks)
        with pytest.raises(Unanswered):
            ask(str(window.folder), "receipt", {})
