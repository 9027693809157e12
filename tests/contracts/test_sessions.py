"""What every engine promises about the sessions of agents: whoever goes on with one is the agent that it is of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.contracts.test_spending import a_job
from webordinary.worker.change.brief import Brief, jobs_since

if TYPE_CHECKING:
    from tests.rigs.ports import Ports


def test_what_a_session_left_is_for_the_agent_that_it_is_of(ports: Ports) -> None:
    claudes, opencodes = (ports.engine.inbox.keep_file(each) for each in (b"of claude", b"of opencode"))
    before = a_job(ports, transcript=claudes, session_of="claude")
    between = a_job(ports, transcript=opencodes, session_of="acp opencode")
    earlier, now = [before, between], a_job(ports)
    brief = Brief(ports.engine, ports.clock)
    found = [brief._transcript(now, earlier, name) for name in ("claude", "acp opencode", "acp other")]  # noqa: SLF001 - a whole task needs a checkout
    assert found == [(b"of claude", before), (b"of opencode", between), None]
    # Of an earlier version: then there was one agent for all.
    older = a_job(ports, transcript=claudes)
    assert brief._transcript(now, [older], "claude") == (b"of claude", older)  # noqa: SLF001 - the same


def test_a_session_is_told_what_others_did_in_its_thread_meanwhile(ports: Ports) -> None:
    claudes, opencodes = (ports.engine.inbox.keep_file(each) for each in (b"of claude", b"of opencode"))
    before = replace(a_job(ports, transcript=claudes, session_of="claude"), id="before")
    between = replace(a_job(ports, transcript=opencodes, session_of="acp opencode"), id="between")
    earlier, now = [before, between], a_job(ports)
    brief = Brief(ports.engine, ports.clock)
    left = [brief._transcript(now, earlier, name) for name in ("claude", "acp opencode", "acp other")]  # noqa: SLF001 - the same
    assert [jobs_since(earlier, each) for each in left] == [[between], [], []]
    # One that was interrupted goes on in its own session.
    assert jobs_since(earlier, (b"of claude", now)) == []
