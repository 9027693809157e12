"""What is deleted under a running installation is made anew, and what was away is waited for."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_ask import page_of
from webordinary.testing.story import wait_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Program

# Whatever lies there can be made anew.
_MADE_ANEW = ["scratch", "workspace", "previews", "alive"]


def ask(bakery: Program, words: str) -> None:
    bakery.run("ask", "amelia", "scott", words, "--wait")


def wait(look: Callable[[], object]) -> None:
    wait_for(lambda: look() or None, "what heals", lambda: "")


def newest(bakery: Program) -> tuple[str, int]:
    job = bakery.read("show", "jobs")[0]
    return job["state"], job["attempt"]


@pytest.mark.thorough
@pytest.mark.parametrize("folder", _MADE_ANEW)
def test_a_folder_that_somebody_deleted_is_made_anew(bakery: Program, folder: str) -> None:
    with bakery.start("serve") as server:
        server.line_with("is ready")
        ask(bakery, "We open at nine now.")
        shutil.rmtree(bakery.folder / "data" / folder)
        ask(bakery, "We open at ten now.")
        assert newest(bakery) == ("done", 1)
        assert "Monday to Friday 10:00" in page_of(bakery)
        wait(lambda: any((bakery.folder / "data" / "alive").glob("*")))
        server.end()


@pytest.mark.thorough
def test_a_repository_that_is_away_for_a_moment_fails_nothing(bakery: Program) -> None:
    (repository,) = (bakery.folder / "data" / "repositories").iterdir()
    away = bakery.folder / "away"
    with bakery.start("serve") as server:
        server.line_with("is ready")
        repository.rename(away)
        bakery.run("ask", "amelia", "scott", "We open at nine now.")
        wait(lambda: bakery.read("show", "jobs")[0]["error"])
        assert newest(bakery)[0] == "queued"
        away.rename(repository)
        wait(lambda: newest(bakery)[0] == "done")
        assert "Monday to Friday 9:00" in page_of(bakery)
        server.end()
