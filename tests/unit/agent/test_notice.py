"""Being closed for a while: which words become a notice, and what the built-in agent makes of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from webordinary.agent.agent import Task, WhyStopped
from webordinary.agent.scripted_agent import ScriptedAgent, with_notice
from webordinary.mail.when import Span, read_span
from webordinary.testing.samples import copy_sample_site

if TYPE_CHECKING:
    from pathlib import Path

CLOSED = {
    "en": "We are closed from 24 Dec to 2 Jan.",
    "de": "Wir haben vom 24. bis 28.12. geschlossen.",
    "fr": "Nous sommes fermés du 24 décembre au 2 janvier.",
    "es": "Estamos cerrados del 24 de diciembre al 2 de enero.",
}


def said_when(text: str) -> str:
    span = read_span(text, datetime(2026, 11, 15, 12, tzinfo=UTC), ZoneInfo("Europe/Berlin"), ("en", "de", "fr", "es"))
    assert isinstance(span, Span)
    return span.said


@pytest.mark.parametrize("closed", CLOSED.values(), ids=CLOSED)
def test_the_built_in_agent_puts_a_notice_on_the_home_page(closed: str, tmp_path: Path) -> None:
    checkout, home = tmp_path / "site", tmp_path / "home"
    copy_sample_site(checkout)
    home.mkdir()
    request = f"Hello,\n\n{closed}\n\nThanks, Scott"

    task = Task(checkout, home, request, said_when=said_when(request))
    report = ScriptedAgent().run(task, lambda _: None, lambda _: None)

    assert report.stopped == WhyStopped.DONE, report.summary
    assert closed in (checkout / "index.html").read_text(encoding="utf-8")


def test_a_greeting_in_the_same_sentence_is_no_part_of_the_notice() -> None:
    made = with_notice("Hi Anna, we are closed from 24 Dec to 2 Jan!", "from 24 Dec to 2 Jan")
    assert made is not None
    assert 'Add the notice "We are closed from 24 Dec to 2 Jan." to the home page.' in made


@pytest.mark.parametrize(
    "text",
    [
        "Please write that we are closed from 24 Dec to 2 Jan",
        'Show "Closed" from 24 Dec to 2 Jan',
        "We open at ten from 24 Dec to 2 Jan",
    ],
)
def test_an_order_is_no_notice(text: str) -> None:
    assert with_notice(text, "from 24 Dec to 2 Jan") is None
