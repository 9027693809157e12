"""What an agent is told of all that was found, and what is somebody else's matter."""

from __future__ import annotations

from webordinary.errors import BuildFailed
from webordinary.jobs.repairs import Found, FoundKind
from webordinary.site.checks.finding import Finding, Problem
from webordinary.site.release.build import BuildBroke, SiteBroken
from webordinary.worker.change.to_mend import find_mendable, findings_of
from webordinary.workspace.conflict import Clash, MergeConflict

FOR_A_PERSON = (
    *(Problem.QUOTED, Problem.ATTACHED, Problem.UNREAD, Problem.UNCHECKED, Problem.MORE_THAN_TOLD, Problem.SHRUNK),
    *(Problem.PART_DONE, Problem.PART_MISSING),
)


def test_links_values_and_copies_are_told_with_where_they_stand() -> None:
    found = find_mendable(
        [
            Finding(Problem.BROKEN_LINK, "menu.html: teh.html"),
            Finding(Problem.MISSING, "030 999"),
            Finding(Problem.OLD_COPY, "still_there\tHome · Menu\tOpen 8:00\t0\t8:00\t9:00"),
            Finding(Problem.UNASKED, "Cake 4.50 → Cake 5.50"),
        ]
    )
    assert found is not None
    assert found.found == (
        Found(FoundKind.LINK, "teh.html", "menu.html"),
        Found(FoundKind.MISSING, "030 999"),
        Found(FoundKind.COPY, "Open 8:00", "Home · Menu", "8:00", "9:00"),
        Found(FoundKind.UNASKED, "Cake 4.50 → Cake 5.50"),
    )


def test_what_only_a_person_can_judge_is_no_reason_for_a_round() -> None:
    assert find_mendable([Finding(each, "x") for each in FOR_A_PERSON]) is None


def test_a_build_is_mended_if_the_files_broke_it_and_not_if_the_machine_did() -> None:
    broken = findings_of(SiteBroken("the site's build ended with an error (code 1)", "no such page: teh"))
    assert broken is not None
    assert broken.in_short == "build: no such page: teh"
    assert findings_of(BuildBroke("the build needs a program that does not exist")) is None
    assert findings_of(BuildFailed("somebody has rewritten the history")) is None


def test_a_conflict_is_mended_if_each_file_holds_both_versions() -> None:
    clash = Clash("9:00", "7:00", "contact.html")
    marked = findings_of(MergeConflict(("contact.html", "many.html"), (clash,), is_marked=True))
    assert marked is not None
    assert marked.found == (
        Found(FoundKind.CONFLICT, "", "contact.html", "7:00", "9:00"),
        Found(FoundKind.CONFLICT, "", "many.html"),
    )
    assert findings_of(MergeConflict(("oven.jpg",))) is None
