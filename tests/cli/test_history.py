from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from tests.rigs.developer import Developer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Program

BY_HAND = "Written by hand."


def repository(program: Program) -> Path:
    return next(program.folder.rglob("amelia.git"))


def rewritten(program: Program) -> Developer:
    """Let somebody replace the only commit of the branch by another one."""
    developer = Developer(repository(program).parent)
    developer.sees()
    developer.replaces("about.html", "</main>", f"<p>{BY_HAND}</p></main>", "A line by hand")
    developer.begins_anew()
    developer.pushes(force=True)
    return developer


@pytest.mark.thorough
def test_a_rewritten_branch_is_shown_and_changes_nothing_before_somebody_is_sure(bakery: Program) -> None:
    assert bakery.read("show", "project", "amelia")["history"] == "visitors see it"
    assert "nothing to accept" in bakery.run("project", "accept-history", "amelia", code=1)
    assert "There is no project bertha" in bakery.run("project", "accept-history", "bertha", code=1)
    developer = rewritten(bakery)

    shown = bakery.read("show", "project", "amelia")
    assert shown["history"] == "rewritten"
    assert shown["branch_is_at"] == developer.tip
    preview = bakery.read("project", "accept-history", "amelia")
    assert (preview["visitors_see"], preview["branch_is_at"]) == (shown["visitors_see"], developer.tip)
    assert [line.partition(" ")[2] for line in preview["commits_new"]] == ["A fresh start"]
    assert len(preview["commits_gone"]) == 1
    assert preview["files"] == ["M about.html"]
    assert any(BY_HAND in line for line in preview["changes"])
    said = bakery.run("project", "accept-history", "amelia", code=1)
    assert "Commits that would be gone" in said
    assert BY_HAND in said
    assert "say --yes" in said
    assert bakery.read("show", "project", "amelia")["history"] == "rewritten"
    assert "accept-history amelia" in bakery.run("doctor", code=1)

    developer.deletes_branch()
    assert bakery.read("show", "project", "amelia")["history"] == "gone"
    assert "There is no branch main" in bakery.run("project", "accept-history", "amelia", code=1)


@pytest.mark.thorough
def test_an_accepted_history_is_published_and_the_trail_says_who_did_it(bakery: Program) -> None:
    rewritten(bakery)
    with bakery.start("work", "--count", "1") as workers:
        workers.line_with("is ready")
        bakery.run("project", "accept-history", "amelia", "--yes")
        assert workers.end(signal.SIGTERM) == 0
    assert bakery.read("show", "project", "amelia")["history"] == "visitors see it"
    assert BY_HAND in (bakery.folder / "data" / "sites" / "amelia" / "live" / "about.html").read_text()
    trail = bakery.run("show", "trail")
    assert "as the live branch of amelia" in trail
    assert "what was pushed is live" in trail
