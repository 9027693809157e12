"""An agent that does not stop talking, and an answer that is a mail all the same."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.programs import need_sandbox
from tests.unit.agent.test_acp_hostile import Desk as AcpDesk
from tests.unit.agent.test_claude_code import SCRIPTS
from tests.unit.agent.test_claude_code import Desk as ClaudeDesk
from tests.unit.agent.test_command_agent import Desk as CommandDesk
from webordinary.agent.acp import Talk
from webordinary.agent.agent import Report, WhyStopped
from webordinary.agent.claude_code import Stream
from webordinary.agent.said import report_on
from webordinary.errors import AgentFailed
from webordinary.reply.as_html import Frame, as_html
from webordinary.reply.as_text import as_text
from webordinary.reply.compose import Answer, compose
from webordinary.reply.kinds import KINDS, Tone
from webordinary.reply.words import phrases, wording
from webordinary.testing.model import ModelStep, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FLOOD = "We open at nine now. " * 20_000
LONGEST = 2_000
HUGE = 100_000


def assert_bounded(report: Report) -> None:
    assert len(report.summary) <= LONGEST
    assert "We open at nine now." in report.summary
    assert len(report.denied) <= 20
    assert all(len(each) <= 200 for each in report.denied)


def test_a_program_that_writes_a_book_has_said_its_end(tmp_path: Path) -> None:
    need_sandbox()
    desk = CommandDesk(tmp_path)
    assert_bounded(desk.run(f"yes 'We open at nine now.' | head -c {len(FLOOD)}"))


@pytest.mark.thorough
def test_claude_code_may_answer_with_a_book(tmp_path: Path) -> None:
    need_sandbox()
    with ScriptedModel({**SCRIPTS, "book": (ModelStep(FLOOD),)}) as model:
        assert_bounded(ClaudeDesk(tmp_path, model).ask("write a book"))


def test_an_agent_of_the_protocol_may_answer_with_a_book(tmp_path: Path) -> None:
    need_sandbox()
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "FLOOD"}}
    chunk = json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": {"update": update}})
    told = f"{chunk!r}.replace('FLOOD', 'We open at nine now. ' * 20_000)"
    each = f"(asked['method'] == 'session/prompt') and print({told}, flush=True)"
    desk = AcpDesk(tmp_path)
    assert_bounded(desk.run(desk.agent(each=each)))


def test_a_question_may_be_as_long_as_a_question_is() -> None:
    asked = "\n".join(
        ["<question>", "Which one? " * 5_000, *(f"{n}. {'this ' * 900}" for n in range(1, 30)), "</question>"]
    )
    report = report_on(asked[: len(asked) - 12] + "</question>")
    assert report.stopped in {WhyStopped.QUESTION, WhyStopped.DONE}
    short = report_on(f"<question>{'Which one? ' * 500}\n1. {'this ' * 900}\n2. that</question>")
    assert short.question is not None
    assert len(short.question.text) <= 1_000
    assert [len(each) for each in short.question.choices] == [200, 4]


@pytest.mark.parametrize(
    "said",
    ["<question>" * 40_000, "<question>" + " " * 400_000, "<schedule>" + "\n" * 400_000 + "x", "<question> " * 2_000],
    ids=lambda said: said[:12].strip(),
)
def test_no_words_take_longer_to_read_than_their_length(said: str) -> None:
    assert len(report_on(said).summary) <= LONGEST


def test_words_that_are_no_text_become_text() -> None:
    report = report_on("caf\ud800\udce9 \x00\x1b[31m <question>\ud800?</question>")
    json.dumps(report.summary).encode()
    assert report.summary.isprintable()
    assert report.question is not None
    report.question.text.encode()


def test_what_was_denied_is_told_a_few_times() -> None:
    stream = Stream()
    denials = [{"tool_name": "Write", "tool_input": {"file_path": "x" * 9_000}}] * 500
    stream.hear(json.dumps({"type": "result", "subtype": "success", "permission_denials": denials}))
    report = report_on("Done.", denied=stream.denied)
    assert (len(report.denied), max(map(len, report.denied))) == (20, 200)


def permission(number: object) -> str:
    call = {"kind": "execute", "title": "y" * 9_000}
    params = {"toolCall": call, "options": [{"kind": "reject_once", "optionId": "z"}]}
    return json.dumps({"method": "session/request_permission", "id": number, "params": params})


def test_an_agent_that_asks_without_end_is_ended() -> None:
    talk = Talk(lambda _: None)

    def ask_for_ever() -> None:
        for number in range(HUGE):
            talk.hear(permission(number))

    with pytest.raises(AgentFailed, match="asks"):
        ask_for_ever()
    assert len(talk.denied) <= 100


def test_an_agent_that_speaks_in_letters_is_heard_to_a_bound() -> None:
    talk = Talk(lambda _: None)
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "ab"}}
    line = json.dumps({"method": "session/update", "params": {"update": update}})
    for _ in range(HUGE):
        talk.hear(line)
    assert len(talk.said) <= 20_000


def test_a_long_name_of_a_question_is_not_sent_back(monkeypatch: pytest.MonkeyPatch) -> None:
    talk, sent = Talk(lambda _: None), list[object]()
    monkeypatch.setattr(talk, "_send", sent.append)
    talk.hear(permission("n" * 5_000_000))
    assert sent == []


def size_of_mail(kind: str, fact: Callable[[str], str]) -> int:
    facts = {name: fact(name) for name in KINDS[kind].needs | KINDS[kind].may_tell}
    words, known = wording(kind, "en", facts), phrases("en")
    frame = Frame("en", "Amelia", Tone.DONE, "", "", known.footer)
    answer = Answer(
        kind=kind,
        to="scott@example.org",
        subject=words.subject or "x" * HUGE,
        text=as_text(words, known, known.footer),
        in_reply_to=None,
        references=(),
        message_id="<1@example.org>",
        from_name="x" * HUGE,
        from_address="edit@example.com",
        written_at=datetime(2026, 10, 5, tzinfo=UTC),
        html=as_html(words, frame),
    )
    return len(compose(answer))


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize(
    "line", ["word " * 40_000, "refused\t<&>\t" + "x" * 200_000, "a\n" * 40_000], ids=["long", "one", "many"]
)
def test_no_letter_becomes_longer_than_a_letter(kind: str, line: str) -> None:
    assert size_of_mail(kind, lambda _: line) < 500_000
