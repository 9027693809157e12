"""What a change may touch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.site.guarded_paths import BUILT, CONTENT, FOR_THE_AGENCY, NOT_TO_BE_BUILT, ODD_NAMES, TEMPLATES
from webordinary.routing.project import Rules
from webordinary.site.checks.guard import Limit, Overreach, find_overreach
from webordinary.site.content import judge_output
from webordinary.workspace.change import Change, ChangeKind


def change(path: str, *, deleted: int = 0, is_link: bool = False, is_executable: bool = False) -> Change:
    return Change(path, ChangeKind.CHANGED, deleted_lines=deleted, is_link=is_link, is_executable=is_executable)


def test_an_ordinary_change_is_within_the_limits() -> None:
    assert find_overreach([change("about.html", deleted=10)], Rules()) is None


@pytest.mark.parametrize("path", CONTENT)
def test_content_is_for_mails(path: str) -> None:
    assert find_overreach([change(path)], Rules()) is None


@pytest.mark.parametrize("path", [*FOR_THE_AGENCY, *ODD_NAMES])
def test_what_makes_serves_or_steers_a_site_is_not_for_mails(path: str) -> None:
    assert find_overreach([change(path)], Rules()) is not None
    assert find_overreach([change(path)], Rules(templates=True)) is not None


@pytest.mark.parametrize("path", TEMPLATES)
def test_a_template_is_for_mails_where_the_project_says_so(path: str) -> None:
    assert find_overreach([change(path)], Rules()) == Overreach(Limit.TEMPLATE, (path,))
    assert find_overreach([change(path)], Rules(templates=True)) is None


def test_links_and_programs_are_not_for_mails_wherever_they_lie() -> None:
    open_ = Rules(allowed_paths=("*",))
    assert find_overreach([change("a.html", is_link=True)], open_) == Overreach(Limit.PLACE, ("a.html",))
    assert find_overreach([change("a.html", is_executable=True)], open_) == Overreach(Limit.PROGRAM, ("a.html",))
    assert find_overreach([replace(change("roses"), is_repository=True)], open_) == Overreach(Limit.PLACE, ("roses",))
    assert find_overreach([change("package.json")], open_) is None


@pytest.mark.parametrize("path", ["content/x.php", "content/x.PHP5", "content/photo.php.jpg", "content/x.shtml"])
def test_what_a_server_would_run_has_to_be_named_by_its_ending(path: str) -> None:
    assert find_overreach([change(path)], Rules(allowed_paths=("content/**",))) == Overreach(Limit.PROGRAM, (path,))


def test_a_name_that_cannot_be_written_can_be_told() -> None:
    found = find_overreach([change("roses\udcff.html")], Rules())
    assert found == Overreach(Limit.NAME, ("roses\\udcff.html",))
    assert found.reason.encode()


def test_a_project_of_programs_can_say_so() -> None:
    shop = Rules(allowed_paths=("*.php", "*.html"))
    assert find_overreach([change("menu.php")], shop) is None
    assert find_overreach([change("menu.phtml")], shop) == Overreach(Limit.PLACE, ("menu.phtml",))
    assert find_overreach([change("menu\u200b.html")], shop) == Overreach(Limit.NAME, ("menu\\u200b.html",))


@pytest.mark.parametrize("build", [["sh", "data/make.txt"], ["hugo", "--config=./data/make.txt,b"], ["DATA/make.txt"]])
def test_what_the_build_command_names_is_not_for_mails(build: list[str]) -> None:
    made = change("data/make.txt")
    assert find_overreach([made], Rules()) is None
    assert find_overreach([made], Rules(), build=build) == Overreach(Limit.BUILD, ("data/make.txt",))
    assert find_overreach([change("index.md")], Rules(), build=["pandoc", "index.md"]) is None


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("hugo.toml", Limit.BUILD),
        ("settings.json", Limit.BUILD),
        ("_redirects", Limit.SERVER),
        ("CLAUDE.md", Limit.AGENT),
        ("x.php5", Limit.PROGRAM),
        ("menu.js", Limit.PROGRAM),
        ("x.bak", Limit.KIND),
        (".env", Limit.PLACE),
    ],
)
def test_a_reason_says_what_the_file_is(path: str, limit: Limit) -> None:
    assert find_overreach([change(path)], Rules()) == Overreach(limit, (path,))


@pytest.mark.parametrize("path", [*CONTENT, *BUILT])
def test_what_builds_write_for_visitors_may_change(path: str) -> None:
    assert judge_output(path, Rules()) is None


@pytest.mark.parametrize("path", [*NOT_TO_BE_BUILT, *ODD_NAMES])
def test_what_a_server_obeys_or_runs_is_not_for_mails_in_the_built_site_either(path: str) -> None:
    assert judge_output(path, Rules()) is not None


def test_a_project_can_say_what_else_may_change_in_the_built_site() -> None:
    assert judge_output("robots.txt", Rules(allowed_paths=("content/**", "robots.txt"))) is None
    assert judge_output("x.php", Rules(allowed_paths=("*.php",))) is None
    assert judge_output("x.php", Rules(allowed_paths=("*",))) == Limit.PROGRAM
    assert judge_output("a/index.html", Rules(allowed_paths=("src/**",))) is None
    assert judge_output("x.astro", Rules(templates=True)) is None


def test_a_limit_says_what_was_counted_and_what_is_allowed() -> None:
    many = [change(f"{number}.html") for number in range(21)]
    assert find_overreach(many, Rules()) == Overreach(Limit.FILES, ("21", "20"))
    assert find_overreach(many, Rules(), brought=frozenset({"0.html"})) is None
    long = find_overreach([change("a.html", deleted=401)], Rules())
    assert long == Overreach(Limit.LINES, ("401", "400"))
    assert long.reason == "too_many_lines\t401\t400"
    assert str(long) == "it removes 401 lines, more than the 400 that are allowed at once"
