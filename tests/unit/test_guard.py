"""What a change may touch."""

from __future__ import annotations

import pytest

from webordinary.routing.project import Rules
from webordinary.site.guard import Limit, Overreach, find_overreach
from webordinary.workspace.change import Change, Kind


def change(path: str, *, deleted: int = 0, is_link: bool = False, is_executable: bool = False) -> Change:
    return Change(path, Kind.CHANGED, deleted_lines=deleted, is_link=is_link, is_executable=is_executable)


def test_an_ordinary_change_is_within_the_limits() -> None:
    assert find_overreach([change("about.html", deleted=10)], Rules()) is None


@pytest.mark.parametrize(
    "path",
    [
        "package.json",
        ".github/workflows/x.yml",
        "a/.env",
        "build.sh",
        "astro.config.mjs",
        "WEBORDINARY.md",
        "x/Makefile",
    ],
)
def test_what_builds_and_runs_the_site_is_not_for_mails(path: str) -> None:
    assert find_overreach([change(path)], Rules()) == Overreach(Limit.PLACE, (path,))


def test_links_and_programs_are_not_for_mails_wherever_they_lie() -> None:
    open_ = Rules(allowed_paths=("*",))
    assert find_overreach([change("a.html", is_link=True)], open_) == Overreach(Limit.PLACE, ("a.html",))
    assert find_overreach([change("a.html", is_executable=True)], open_) == Overreach(Limit.PLACE, ("a.html",))
    assert find_overreach([change("package.json")], open_) is None


def test_a_limit_says_what_was_counted_and_what_is_allowed() -> None:
    many = [change(f"{number}.html") for number in range(21)]
    assert find_overreach(many, Rules()) == Overreach(Limit.FILES, ("21", "20"))
    assert find_overreach(many, Rules(), brought=frozenset({"0.html"})) is None
    long = find_overreach([change("a.html", deleted=401)], Rules())
    assert long == Overreach(Limit.LINES, ("401", "400"))
    assert long.reason == "too_many_lines\t401\t400"
    assert str(long) == "it removes 401 lines, more than the 400 that are allowed at once"
