"""The built-in agent after a conflict: what is live stays, with the wish in it, or all stays marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.agent.scripted.carry_out import ScriptedRequest
from webordinary.agent.scripted.on_live import carry_out_on_live

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.agent.scripted.carry_out import Event

MARKED = (
    "<h1>Hours</h1>\n<<<<<<< HEAD\n<p>Open 9:00 – 18:00</p>\n=======\n<p>Open 7:00 – 17:00</p>\n>>>>>>> live\n"
    "<p>Come by.</p>\n"
)
NINE = "We open at nine now"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(MARKED, encoding="utf-8")
    return tmp_path


def joined(root: Path, request: str, *conflicts: str, thread: tuple[str, ...] = ()) -> tuple[str, str]:
    events: list[Event] = []
    result = carry_out_on_live(ScriptedRequest(request, thread_so_far=thread), conflicts, root, events.append)
    return result.stopped, (root / "index.html").read_text(encoding="utf-8")


def test_the_request_is_carried_out_on_what_is_live(root: Path) -> None:
    assert joined(root, NINE, "index.html") == (
        "done",
        "<h1>Hours</h1>\n<p>Open 9:00 – 17:00</p>\n<p>Come by.</p>\n",
    )


@pytest.mark.parametrize(
    ("request_", "conflicts", "thread"),
    [
        ("Replace “8:00 – 18:00” with “8:30 – 18:30”", ("index.html",), ()),
        (NINE, ("index.html", "gone.html"), ()),
        (NINE, ("index.html",), ("We have new prices",)),
        (NINE, ("../index.html",), ()),
    ],
    ids=["what it should change is not live any more", "a file is not there", "earlier mails", "outside of the site"],
)
def test_what_it_cannot_join_stays_marked(
    root: Path, request_: str, conflicts: tuple[str, ...], thread: tuple[str, ...]
) -> None:
    assert joined(root, request_, *conflicts, thread=thread) == ("not_understood", MARKED)


def test_without_a_conflict_it_is_a_request_like_any_other(root: Path) -> None:
    (root / "index.html").write_text("<p>Open 8:00 – 18:00</p>\n", encoding="utf-8")
    assert joined(root, NINE) == ("done", "<p>Open 9:00 – 18:00</p>\n")
