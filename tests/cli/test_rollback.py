from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.program import Program


def page_of(program: Program) -> str:
    return (program.folder / "data" / "sites" / "amelia" / "live" / "index.html").read_text()


@pytest.mark.thorough
def test_a_site_goes_back_to_a_release_only_when_somebody_is_sure(bakery: Program) -> None:
    with bakery.start("work", "--count", "1") as workers:
        workers.line_with("is ready")
        bakery.run("ask", "amelia", "scott", "We open at nine now.", "--wait")
        new, old = bakery.read("rollback", "amelia")
        assert (new["live"], old["live"], new["subject"]) == (True, False, "We open at nine now.")

        assert "say --yes" in bakery.run("rollback", "amelia", old["release"][:12], code=1)
        assert "There is no release ffffffff" in bakery.run("rollback", "amelia", "ffffffff", "--yes", code=1)
        assert "see now" in bakery.run("rollback", "amelia", new["release"], "--yes", code=1)
        assert "There is no project bertha" in bakery.run("rollback", "bertha", code=1)
        assert "Monday to Friday 9:00" in page_of(bakery)

        said = bakery.run("rollback", "amelia", old["release"][:12], "--yes")
        assert workers.end(signal.SIGTERM) == 0
    assert "undone" in said
    assert "Monday to Friday 8:00" in page_of(bakery)
    assert [each["live"] for each in bakery.read("rollback", "amelia")] == [True, False, False]
    assert "live" in bakery.run("rollback", "amelia")
    job = next(each for each in bakery.read("show", "jobs") if each["subject"].startswith("Roll back to"))
    assert (job["state"], job["outcome"]) == ("done", "undone")
